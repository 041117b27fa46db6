package main

import (
	"testing"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// TestReadOnlyInNewerRevision plans 2024-11-05, which has no annotations, after a
// newer session. A tool named like a pattern allows itself and no other.
func TestReadOnlyInNewerRevision(t *testing.T) {
	session := func(revision string, tools ...string) *recording.Session {
		s := &recording.Session{Negotiated: revision}
		for _, text := range tools {
			v, err := schema.Parse([]byte(text), schema.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			name, _ := v.Get("name").IsString()
			s.Tools = append(s.Tools, &recording.Tool{Name: name, Value: v, Input: v.Get("inputSchema")})
		}
		return s
	}
	const star, erase = `{"name":"*","inputSchema":{"type":"object"}}`, `{"name":"erase","inputSchema":{"type":"object"}}`
	newer := func() *recording.Session {
		return session("2025-06-18", `{"name":"*","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"}}`, erase,
			`{"name":"wipe","annotations":{"readOnlyHint":true,"destructiveHint":true},"inputSchema":{"type":"object"}}`)
	}
	for _, c := range []struct {
		what   string
		inTurn bool
		older  *recording.Session
		want   int
	}{
		{"what a newer session called read-only", true, session(unannotated, star, erase), 1},
		{"a revision with annotations says it itself", true, session("2025-03-26", star, erase), 0},
		{"what a newer session called destructive too", true, session(unannotated, `{"name":"wipe","inputSchema":{"type":"object"}}`), 0},
		{"its own word counts more", true, session(unannotated, `{"name":"*","annotations":{"readOnlyHint":false},"inputSchema":{"type":"object"}}`), 0},
		{"sessions at the same time learn nothing from each other", false, session(unannotated, star, erase), 0},
	} {
		p, err := samplesOptions{perTool: 1}.plan(func(string, ...any) {})
		if err != nil {
			t.Fatal(err)
		}
		p.inTurn = c.inTurn
		p.calls(newer())
		calls := p.calls(c.older)
		if len(calls) != c.want {
			t.Errorf("%s: %d calls, want %d", c.what, len(calls), c.want)
		}
		for _, call := range calls {
			if call.Tool != "*" {
				t.Errorf("%s: calls %s", c.what, call.Tool)
			}
		}
	}
}
