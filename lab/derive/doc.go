// Package derive reads claims of the capability table out of observations: not by
// hand, by code. A claim names only the members that the observations decide;
// what they say nothing about is not there.
package derive

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/lab/observe"
)

// Claim is what observations say about one claim key.
type Claim struct {
	Key     string
	Members map[string]json.RawMessage
	From    []string // probes that decided it
	// Only says that the claim is no news where the table makes none: what was looked
	// for did not happen.
	Only bool
}

// Set is the observations of one version in one mode.
type Set struct {
	Lines     []observe.Line
	Handshake []observe.Step
	Counts    map[string]observe.Counted // long lists, by server
}

// Claims derives every claim that the set decides, in order of the pipeline.
func Claims(s Set) []Claim {
	var out []Claim
	for _, rule := range []func(Set) *Claim{handshake, versions, listShape, pages, duplicates, name, descriptionLimit, toolCount, arguments, approval, validator, rpcError, surface, blocks, textLimit} {
		if c := rule(s); c != nil && len(c.Members) > 0 {
			slices.Sort(c.From)
			out = append(out, *c)
		}
	}
	return out
}

// line finds the observation of a probe.
func (s Set) line(probe string) *observe.Line {
	i := slices.IndexFunc(s.Lines, func(l observe.Line) bool { return l.Probe == probe })
	if i < 0 {
		return nil
	}
	return &s.Lines[i]
}

// claim starts a claim of a key.
func claim(key string, from ...string) *Claim {
	return &Claim{Key: key, Members: map[string]json.RawMessage{}, From: from}
}

func (c *Claim) set(member string, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // strings, numbers, booleans and plain structs of them only
	}
	c.Members[member] = data
}

// everything is all text of what was seen: a sentinel is looked for in it.
func everything(s *observe.Seen) string {
	if s == nil {
		return ""
	}
	var b strings.Builder
	if s.Text != nil {
		b.WriteString(string(*s.Text))
	}
	b.WriteString(string(s.Head) + string(s.Tail) + string(s.Value))
	return b.String()
}
