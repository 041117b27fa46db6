package lint_test

import (
	"strings"
	"time"

	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// The revisions, for short.
const (
	a = "2024-11-05"
	b = "2025-03-26"
	c = "2025-06-18"
	d = "2025-11-25"
	e = "2026-07-28"
)

// session is a session without messages, as a case file gives it.
func session(version string, tools string, calls ...*recording.Call) *recording.Session {
	s := &recording.Session{ID: "s-" + version, Requested: version, Negotiated: version, Era: recording.EraOf(version), Transport: "stdio"}
	list := schema.MustParse("[" + tools + "]")
	result := schema.Obj(schema.Member{Key: "tools", Value: list})
	if s.Modern() {
		result = result.With("resultType", schema.Str("complete")).With("ttlMs", schema.Num(0)).With("cacheScope", schema.Str("private"))
	}
	s.Pages = []recording.Page{{Result: result, Bytes: len(tools)}}
	for i, v := range list.Items {
		s.Tools = append(s.Tools, recording.NewTool(v, 0, i))
	}
	s.Calls = calls
	return s
}

// called is a call with its result.
func called(tool, arguments, result string) *recording.Call {
	return &recording.Call{Tool: tool, Arguments: schema.MustParse(arguments), Result: schema.MustParse(result), Origin: recording.Real}
}

func capture(sessions ...*recording.Session) *recording.Capture {
	return &recording.Capture{Target: recording.Target{Name: "server", Server: "depot", Version: "1.2.0", Transport: "stdio"}, Sessions: sessions}
}

// list is a capture of one session that lists tools.
func list(version, tools string) *recording.Capture { return capture(session(version, tools)) }

// tool is one tool with further members.
func tool(members string) string {
	if !strings.Contains(members, `"inputSchema"`) {
		members += `,"inputSchema":{"type":"object"}`
	}
	return `{"name":"t",` + strings.TrimPrefix(members, ",") + `}`
}

// input is a tool with an inputSchema of these members.
func input(members string) string {
	return `{"name":"t","description":"T.","inputSchema":{"type":"object",` + members + `}}`
}

// gives is a capture of one call of the tool t.
func gives(version, result string, members ...string) *recording.Capture {
	return capture(session(version, tool(strings.Join(append([]string{`"description":"T."`}, members...), ",")), called("t", "{}", result)))
}

// said is a session made of what passed: lines begin with > for the client and <
// for the server; a line that does not begin with { or [ is an HTTP head.
func said(version string, lines ...string) *recording.Session {
	s := &recording.Session{ID: "s-" + version, Requested: version, Negotiated: version, Era: recording.EraOf(version), Transport: "stdio"}
	for i, line := range lines {
		from, kind, text := "client", "message", line[1:]
		if line[0] == '<' {
			from = "server"
		}
		switch {
		case strings.HasPrefix(text, "#"):
			kind, text = "noise", text[1:]
		case text[0] != '{' && text[0] != '[' && from == "client":
			kind, s.Transport = "http-request", "streamable-http"
		case text[0] != '{' && text[0] != '[':
			kind, s.Transport = "http-response", "streamable-http"
		}
		s.Messages = append(s.Messages, recording.Message{Session: s.ID, From: from, Kind: kind, At: time.Duration(i), Bytes: []byte(text)})
	}
	return s
}

// asked is one request and its answer, ids filled in.
func asked(method, params, answer string) []string {
	if params != "" {
		params = `,"params":{` + params + `}`
	}
	return []string{`>{"jsonrpc":"2.0","id":1,"method":"` + method + `"` + params + `}`, `<{"jsonrpc":"2.0","id":1,` + answer + `}`}
}

// meta is the metadata of a modern request.
const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// reported returns the ids of the rules that report about a capture, each once.
func reported(c *recording.Capture, in lint.Input) []string {
	var out []string
	for _, f := range lint.Run(c, in).Advice {
		if len(out) == 0 || out[len(out)-1] != f.Rule {
			out = append(out, f.Rule)
		}
	}
	return out
}
