package lint

import (
	"fmt"
	"slices"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// messageRules are about what a message is, on every transport.
func messageRules() []*Rule {
	return []*Rule{
		{ID: "message-framing", Title: "Something on the wire is no message", Covers: []string{"T1"}, Stage: verdict.Connect, Level: Must,
			Why:    "On stdio each line of stdout is one JSON-RPC message in UTF-8. Some clients skip other lines, some end the session, and a message over several lines is read by none.",
			Source: "basic/transports, stdio", Wrong: "Server ready on stdio", Right: `{"jsonrpc":"2.0","id":1,"result":{}}`,
			Run: fromProblems("message-framing")},
		{ID: "message-envelope", Title: "An answer is no JSON-RPC 2.0 response", Covers: []string{"T2"}, Stage: verdict.Connect, Level: Must,
			Why:    "A response repeats the id of its request in type and value and has either a result or an error, whose code is an integer and whose message is a string. Clients match answers by id and drop what they can't match.",
			Source: "basic/index, Responses; JSON-RPC 2.0, section 5", Wrong: `{"jsonrpc":"2.0","id":"1","result":{}} to the request with id 1`, Right: `{"jsonrpc":"2.0","id":1,"result":{}}`,
			Run: runEnvelope},
		{ID: "message-batch", Title: "Messages come as a batch in a revision without batches", Covers: []string{"T3"}, Stage: verdict.Connect, Level: Must,
			Why:    "Batches exist in 2025-03-26 alone, and there only as the answer to a batch. Clients of all other revisions refuse an array.",
			Source: "2025-06-18 changelog, 1; 2025-03-26 basic/index, Batching", Wrong: `[{"jsonrpc":"2.0","id":1,"result":{}}]`, Right: `{"jsonrpc":"2.0","id":1,"result":{}}`,
			Run: runBatch},
		{ID: "server-request-modern", Title: "The server sends a request to a modern client", Covers: []string{"T11", "T19"}, Stage: verdict.Call, Level: Must, Revisions: modernOnly,
			Why:    "Since 2026-07-28 a server asks nothing on its own: it answers input_required. A modern client has no answer to give.",
			Source: "2026-07-28 basic/patterns", Wrong: `{"jsonrpc":"2.0","id":"s1","method":"roots/list"}`, Right: `{"resultType":"input_required","inputRequests":{"roots":{"method":"roots/list"}}}`,
			Run: runServerRequests},
		{ID: "server-request-undeclared", Title: "The server asks for something that the client did not declare", Covers: []string{"L2"}, Stage: verdict.Call, Level: Must, Revisions: legacyOnly,
			Why:    "Only negotiated capabilities may be used: a client without roots, sampling or elicitation answers \"method not found\", or not at all.",
			Source: "basic/lifecycle, Capability Negotiation (SHOULD before 2025-06-18)", Wrong: `{"method":"roots/list"} to a client with capabilities {}`, Right: `Ask only when the client declared roots`,
			Run: runServerRequests},
		{ID: "message-after-final", Title: "A message follows the final answer in its stream", Covers: []string{"T11"}, Stage: verdict.Call, Level: Must, Revisions: modernOnly,
			Why:    "The final response ends the stream of its request. A client that has its answer reads no further.",
			Source: "2026-07-28 basic/transports/streamable-http, Receiving Messages", Wrong: "data: {…\"result\":{}}, then data: {\"method\":\"notifications/…\"}", Right: "Notifications first, the answer last",
			Run: func(p *Pass) (out []Finding, err error) {
				p.EachExchange(func(e *Exchange) {
					if e.HTTP != nil && len(e.After) > 0 {
						out = append(out, Finding{Session: e.Session.ID, Message: "After the answer to " + e.Method + " the stream went on with " + methodOf(e.After[0])})
					}
				})
				return out, nil
			}},
		{ID: "stdin-end", Title: "The server runs on when its stdin ends", Covers: []string{"T16"}, Stage: verdict.Connect, Level: Should,
			Why:    "Closing stdin is how a client ends a stdio server. One that stays is killed, or left behind as an orphan.",
			Source: "2026-07-28 basic/transports/stdio, Shutdown; basic/lifecycle, Shutdown", Wrong: "while true; do sleep 1; done", Right: "Exit when stdin reports its end",
			Run: fromProblems("stdin-end")},
	}
}

// wantsProblem reports whether the rule exists in the revision of the session that
// met the problem; a problem of no session concerns every revision.
func (p *Pass) wantsProblem(met recording.Problem) bool {
	for _, list := range [][]*recording.Session{p.Capture.Sessions, p.Capture.Probes} {
		for _, s := range list {
			if s.ID == met.Session {
				return p.wants(s)
			}
		}
	}
	return p.shared.only == ""
}

func contains(list []string, s string) bool {
	for _, item := range list {
		if item == s {
			return true
		}
	}
	return false
}

func methodOf(v *schema.Value) string {
	method, _ := v.Get("method").IsString()
	return quote(method)
}

// runEnvelope looks at every message of the server on its own, and at ids.
func runEnvelope(p *Pass) (out []Finding, err error) {
	for _, s := range p.Conversations() {
		asked, answered := map[string]bool{}, map[string]bool{}
		report := func(format string, args ...any) {
			out = append(out, Finding{Session: s.ID, Message: fmt.Sprintf(format, args...)})
		}
		for _, m := range s.Messages {
			// What the recorder took for noise may be meant as a message.
			meant := m.Kind == "noise" && m.From == "server" && p.shared.parse(m.Bytes).Has("jsonrpc")
			if m.Kind != "message" && !meant {
				continue
			}
			for _, v := range messagesIn(p.shared.parse(m.Bytes)) {
				if m.From == "client" {
					if id := v.Get("id"); id != nil {
						asked[idKey(id)] = true
					}
					continue
				}
				checkEnvelope(v, asked, report)
				if id := v.Get("id"); id != nil && id.Kind != schema.Null && !v.Has("method") {
					if answered[idKey(id)] {
						report("A request was answered twice")
					}
					answered[idKey(id)] = true
				}
			}
		}
	}
	return out, nil
}

// messagesIn returns the messages of a line: one, or those of a batch.
func messagesIn(v *schema.Value) []*schema.Value {
	switch {
	case v == nil:
		return nil
	case v.Kind == schema.Array:
		return v.Items
	}
	return []*schema.Value{v}
}

func checkEnvelope(v *schema.Value, asked map[string]bool, report func(string, ...any)) {
	if v.Kind != schema.Object {
		report("A message is %s and no object", v.Kind)
		return
	}
	if version, _ := v.Get("jsonrpc").IsString(); version != "2.0" {
		report(`A message does not say "jsonrpc":"2.0"`)
	}
	if v.Has("method") {
		if _, ok := v.Get("method").IsString(); !ok {
			report("A message has a method that is %s and no string", v.Get("method").Kind)
		}
		return
	}
	failure, result := v.Get("error"), v.Get("result")
	switch {
	case failure != nil && result != nil:
		report("An answer has both a result and an error")
	case failure == nil && result == nil:
		report("An answer has neither a result nor an error")
	case result != nil && result.Kind != schema.Object:
		report("A result is %s and no object", result.Kind)
	case failure != nil:
		checkErrorObject(failure, report)
	}
	switch id := v.Get("id"); {
	case id == nil || id.Kind == schema.Null:
		// An error about a request that could not be read has no id, or null.
		if failure == nil {
			report("An answer has no id")
		}
	case !asked[idKey(id)]:
		report("An answer carries the id %s, which no request has", short(id.Compact()))
	}
}

func checkErrorObject(failure *schema.Value, report func(string, ...any)) {
	if failure.Kind != schema.Object {
		report("error is %s and no object", failure.Kind)
		return
	}
	if r, ok := failure.Get("code").Exact(); !ok || !r.IsInt() {
		report("error.code is %s and no integer", kindOf(failure.Get("code")))
	}
	if _, ok := failure.Get("message").IsString(); !ok {
		report("error.message is %s and no string", kindOf(failure.Get("message")))
	}
}

// kindOf names the type of a value that may be absent.
func kindOf(v *schema.Value) string {
	if v == nil {
		return "absent"
	}
	return v.Kind.String()
}

func runBatch(p *Pass) (out []Finding, err error) {
	for _, s := range p.Conversations() {
		asked := false
		for _, m := range s.Messages {
			v := p.shared.parse(m.Bytes)
			if m.Kind != "message" || v == nil || v.Kind != schema.Array {
				continue
			}
			if m.From == "client" {
				asked = true
			} else if !asked {
				out = append(out, Finding{Session: s.ID, Message: "The server answers with a batch, although the request was none"})
			} else if revision := revisionOf(s); revision != v2025_03 && slices.ContainsFunc(v.Items, func(a *schema.Value) bool { return a.Has("result") }) {
				out = append(out, Finding{Session: s.ID, Message: fmt.Sprintf("A batch is taken and answered with a batch, which %s does not have", revision)})
			}
		}
	}
	return out, nil
}

// capabilityFor names the client's capability that a request of the server needs.
var capabilityFor = map[string]string{"roots/list": "roots", "sampling/createMessage": "sampling", "elicitation/create": "elicitation"}

// runServerRequests reports requests of the server: in the modern era all of them,
// before that those whose capability the client did not declare.
func runServerRequests(p *Pass) (out []Finding, err error) {
	for _, s := range p.Conversations() {
		var declared *schema.Value
		for _, m := range s.Messages {
			if m.Kind != "message" {
				continue
			}
			for _, v := range messagesIn(p.shared.parse(m.Bytes)) {
				method, ok := v.Get("method").IsString()
				switch {
				case m.From == "client" && method == "initialize":
					declared = v.Get("params").Get("capabilities")
				case m.From == "client" || !ok || !v.Has("id"):
				case s.Modern() && s.InitError != nil: // a legacy server that takes the client for one
				case s.Modern():
					out = append(out, Finding{Session: s.ID, Message: "The server sends the request " + quote(method) + ", which the modern era does not have"})
				case capabilityFor[method] != "" && !declared.Has(capabilityFor[method]):
					out = append(out, Finding{Session: s.ID, Message: fmt.Sprintf("The server sends %s, but the client did not declare %s", quote(method), capabilityFor[method])})
				}
			}
		}
	}
	return out, nil
}
