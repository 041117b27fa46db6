package lint

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// Error codes of JSON-RPC 2.0 and of MCP 2026-07-28, basic/index, Error Codes.
const (
	codeInvalidRequest     = -32600
	codeMethodNotFound     = -32601
	codeInvalidParams      = -32602
	codeInternal           = -32603
	codeHeaderMismatch     = -32020
	codeMissingCapability  = -32021
	codeUnsupportedVersion = -32022
)

// headerRules are about the headers that repeat what a modern request says.
func headerRules() []*Rule {
	return []*Rule{
		{ID: "http-header-mismatch", Title: "A request whose headers contradict it is not refused as such", Covers: []string{"T7", "T8"}, Stage: verdict.Connect, Level: Must, Revisions: modernOnly,
			Why:    "Gateways route by MCP-Protocol-Version, Mcp-Method, Mcp-Name and Mcp-Param-*. A server that takes a request which says something else lets such a gateway be fooled; it must answer HTTP 400 with the error -32020.",
			Source: "2026-07-28 basic/transports/streamable-http, Server Validation", Wrong: "HTTP 200 to Mcp-Method: tools/list with the method tools/call", Right: "HTTP 400 and error -32020", Run: runHeaderMismatch},
		{ID: "http-header-refused", Title: "A request with proper headers is refused for them", Covers: []string{"T7", "T8"}, Stage: verdict.Connect, Level: Must, Revisions: modernOnly,
			Why:    "Header names are matched without regard to case, and values may be in the base64 form =?base64?…?=, which a client uses for all that is not plain ASCII.",
			Source: "2026-07-28 basic/transports/streamable-http, Server Validation and Custom Headers", Wrong: "-32020 to Mcp-Name: =?base64?aGF1bA==?= for the tool haul", Right: "Decode the value, then compare",
			Run: func(p *Pass) (out []Finding, err error) {
				p.eachModernHTTP(func(e *Exchange, fault string) {
					// How an argument of a wrong type is written as a header is not defined.
					if fault == "" && e.Code() == codeHeaderMismatch && !p.callsWrongly(e) {
						out = append(out, Finding{Session: e.Session.ID, Message: fmt.Sprintf("A %s request whose headers agree with it was refused with -32020%s", e.Method, sentName(e))})
					}
				})
				return out, nil
			}},
	}
}

// callsWrongly reports whether a request calls a tool with arguments that its
// inputSchema forbids.
func (p *Pass) callsWrongly(e *Exchange) bool {
	name := calledTool(e)
	if name == "" {
		return false
	}
	text, _ := p.wrongArguments(p.toolsFor(e.Session)[name], e.Params.Get("arguments"))
	return text != ""
}

func sentName(e *Exchange) string {
	if name := e.HTTP.Headers.Get("Mcp-Name"); name != "" {
		return " (Mcp-Name: " + short(name) + ")"
	}
	return ""
}

// eachModernHTTP calls f for the modern requests over HTTP, with what their headers
// say wrongly.
func (p *Pass) eachModernHTTP(f func(e *Exchange, fault string)) {
	p.EachExchange(func(e *Exchange) {
		// The head of a response may be another's where requests are mixed; the error is
		// this one's all the same.
		if e.HTTP == nil || e.HTTP.Mixed && e.Code() != codeHeaderMismatch || e.HTTP.Status == 0 || e.ID == nil || !known(e.Version()) || e.Method == "initialize" || refusedEarlier(e) && e.Code() != codeHeaderMismatch {
			return
		}
		var input *schema.Value
		if name, ok := e.Params.Get("name").IsString(); ok && e.Method == "tools/call" {
			if tool := p.toolsFor(e.Session)[name]; tool != nil {
				input = tool.Input
			}
		}
		f(e, headerFault(e, input))
	})
}

// withoutVersion is the fault of a request that names no revision in its header.
const withoutVersion = "without MCP-Protocol-Version"

// takesForOld reports whether a server took a request without MCP-Protocol-Version for
// one of 2025-03-26, as one that speaks revisions before 2025-06-18 may: it refused it,
// in whatever words, or its answer has nothing of the modern era.
// Source: 2026-07-28 basic/transports/streamable-http, Protocol Version Header.
func (p *Pass) takesForOld(e *Exchange, fault string) bool {
	if fault != withoutVersion {
		return false
	}
	speaks := p.supportedVersions()[v2025_03] != "" || p.supportedVersions()[v2024_11] != "" || slices.ContainsFunc(p.Capture.Sessions, func(s *recording.Session) bool {
		return s.InitError == nil && !s.Modern() && s.Negotiated != "" && s.Negotiated < v2025_06
	})
	return speaks && !e.Result.Has("resultType")
}

func runHeaderMismatch(p *Pass) (out []Finding, err error) {
	p.eachModernHTTP(func(e *Exchange, fault string) {
		if fault == "" || p.takesForOld(e, fault) {
			return
		}
		report := func(format string, args ...any) {
			out = append(out, Finding{Session: e.Session.ID, Message: fmt.Sprintf("A %s request %s was ", e.Method, fault) + fmt.Sprintf(format, args...)})
		}
		switch {
		case e.Error == nil && e.HTTP.Status < 400:
			report("accepted")
		case e.HTTP.Status != 400 && !e.HTTP.Mixed:
			report("answered with HTTP %d in place of 400", e.HTTP.Status)
		case e.Error != nil && e.Code() != codeHeaderMismatch:
			report("answered with the error %d in place of -32020", e.Code())
		case e.Error == nil:
			report("answered with HTTP 400, but without the JSON-RPC error -32020")
		}
	})
	return out, nil
}

// headerFault says in what the headers of a request contradict its body, "" when
// they don't. input is the schema of the tool that is called, nil when unknown.
func headerFault(e *Exchange, input *schema.Value) string {
	h := e.HTTP.Headers
	switch named := h.Get("Mcp-Protocol-Version"); {
	case named == "":
		return withoutVersion
	case named != e.Version():
		return fmt.Sprintf("with MCP-Protocol-Version: %s for the revision %s", named, e.Version())
	}
	switch method := h.Get("Mcp-Method"); {
	case method == "":
		return "without Mcp-Method"
	case method != e.Method:
		return fmt.Sprintf("with Mcp-Method: %s", method)
	}
	key := map[string]string{"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}[e.Method]
	want, ok := e.Params.Get(key).IsString()
	if key == "" || !ok {
		return ""
	}
	switch name := h.Get("Mcp-Name"); {
	case name == "":
		return "without Mcp-Name"
	case decodeHeader(name) != want:
		return "with another Mcp-Name"
	}
	return paramFault(e, input)
}

// paramFault compares the headers that mirror arguments. Only properties directly
// below the root are looked at: that is what the requests of the recorder vary.
func paramFault(e *Exchange, input *schema.Value) string {
	if e.Method != "tools/call" {
		return ""
	}
	for _, m := range input.Get("properties").Unique() {
		name, ok := m.Value.Get("x-mcp-header").IsString()
		argument := e.Params.Get("arguments").Get(m.Key)
		if !ok || !isToken(name) || argument == nil || argument.Kind == schema.Null || argument.Kind > schema.String {
			continue
		}
		want := argument.Text
		if argument.Kind == schema.Bool {
			want = argument.Compact()
		}
		switch got := e.HTTP.Headers.Get("Mcp-Param-" + name); {
		case got == "" && want != "":
			return "without Mcp-Param-" + name
		case decodeHeader(got) != want && !redacted(got):
			return "with another Mcp-Param-" + name
		}
	}
	return ""
}

// redacted reports whether the recorder replaced a header value.
func redacted(value string) bool { return strings.Contains(value, recording.Redacted) }

// decodeHeader undoes the base64 form of a value.
// Source: 2026-07-28 basic/transports/streamable-http, Custom Headers.
func decodeHeader(value string) string {
	inner, ok := strings.CutPrefix(value, "=?base64?")
	if !ok || !strings.HasSuffix(inner, "?=") {
		return value
	}
	text, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(inner, "?="))
	if err != nil {
		return value
	}
	return string(text)
}

// isToken reports whether s is 1*tchar (RFC 9110, section 5.6.2).
func isToken(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return s != ""
}
