package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// lifecycleRules are about initialize and about what was negotiated.
func lifecycleRules() []*Rule {
	return []*Rule{
		{ID: "initialize-revision", Title: "initialize answers with a revision that is none", Covers: []string{"L1", "R32"}, Stage: verdict.Connect, Level: Must, Revisions: legacyOnly,
			Why:    "The server answers with the revision it was asked for, or another one that it speaks. A client that gets back an invented revision, or its own invention, goes on with rules that nobody wrote, or ends the session.",
			Source: "basic/lifecycle, Version Negotiation", Wrong: `"protocolVersion":"2099-01-01" because the client said so`, Right: `"protocolVersion":"2025-11-25"`, Run: runInitializeRevision},
		{ID: "initialize-result", Title: "The result of initialize is incomplete", Covers: []string{"L2"}, Stage: verdict.Connect, Level: Must, Revisions: legacyOnly,
			Why:    "capabilities and serverInfo with name and version are required; SDK clients end the session when one is missing.",
			Source: "basic/lifecycle, Initialization; schema.json, InitializeResult", Wrong: `{"protocolVersion":"2025-11-25","capabilities":{}}`, Right: `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"depot","version":"1.2.0"}}`,
			Run: runInitializeResult},
		{ID: "capability-undeclared", Title: "Something is served that was not declared", Covers: []string{"L2", "TL1", "TC12"}, Stage: verdict.Connect, Level: Must,
			Why:    "Clients ask for tools, resources and prompts only when the capability is declared: what is not declared is not there. Change and log notifications need listChanged and logging.",
			Source: "basic/lifecycle, Capability Negotiation; server/tools, Capabilities", Wrong: `"capabilities":{} and an answer to tools/list`, Right: `"capabilities":{"tools":{}}`, Run: runUndeclared},
		{ID: "capability-unserved", Title: "Something is declared and not served", Covers: []string{"L2", "TL1", "R22"}, Stage: verdict.Connect, Level: Must,
			Why:    "A client that reads the capability asks for the list, and shows the error to its user.",
			Source: "basic/lifecycle, Capability Negotiation; 2026-07-28 server/tools, Capabilities", Wrong: `"capabilities":{"resources":{}} and -32601 to resources/list`, Right: `"capabilities":{}`, Run: runUnserved},
		{ID: "unknown-method", Title: "An unknown method is not answered as such", Covers: []string{"T10"}, Stage: verdict.Connect, Level: Must,
			Why:    "Clients feel their way by asking: -32601 means \"not here\", anything else means \"broken\". In the modern era over HTTP the status is 404, with the JSON-RPC error as its body.",
			Source: "JSON-RPC 2.0, section 5.1; 2026-07-28 basic/transports/streamable-http, Protocol Version Header", Wrong: `{"code":-32603,"message":"Internal error"}`, Right: `{"code":-32601,"message":"Method not found"}`, Run: runUnknownMethod},
		{ID: "ping", Title: "ping is not answered, or with more than an empty result", Stage: verdict.Connect, Level: Must, Revisions: legacyOnly,
			Why:    "Either side may ask whether the other one is still there, and the answer is an empty result. Clients that ping end a session that answers with an error, or not at all.",
			Source: "basic/utilities/ping (2024-11-05 to 2025-11-25)", Wrong: `{"code":-32601,"message":"Method not found"}`, Right: `{"result":{}}`,
			Run: func(p *Pass) (out []Finding, err error) {
				p.EachExchange(func(e *Exchange) {
					if e.Method != "ping" || e.Version() != "" || deliberate(e) {
						return
					}
					if e.Error != nil {
						out = append(out, Finding{Session: e.Session.ID, Message: fmt.Sprintf("ping is answered with the error %d", e.Code())})
					}
					for _, m := range e.Result.Unique() {
						if ofAnotherResult[m.Key] { // others are the vendor's
							out = append(out, Finding{Session: e.Session.ID, Pointer: "/" + schema.EscapeToken(m.Key), Message: "ping is answered with " + quote(m.Key) + "; the answer is empty"})
							return
						}
					}
				})
				return out, nil
			}},
	}
}

func runInitializeRevision(p *Pass) (out []Finding, err error) {
	spoken := map[string]bool{} // revisions that initialize settled on, in any session
	said := p.supportedVersions()
	newest := ""
	for _, s := range p.Capture.Sessions {
		if s.InitError == nil && !s.Modern() {
			spoken[s.Negotiated] = true
			newest = max(newest, s.Negotiated)
		}
	}
	p.EachExchange(func(e *Exchange) {
		if e.Method != "initialize" || e.Result == nil {
			return
		}
		asked, _ := e.Params.Get("protocolVersion").IsString()
		version, ok := e.Result.Get("protocolVersion").IsString()
		var text string
		switch {
		case !ok:
			text = fmt.Sprintf("The result of initialize has a protocolVersion that is %s and no string", kindOf(e.Result.Get("protocolVersion")))
		case !known(version) && version == asked:
			text = fmt.Sprintf("initialize accepts the revision %s, which does not exist", quote(version))
		case version != "2024-10-07" && !known(version):
			text = fmt.Sprintf("initialize answers with the revision %s, which does not exist", quote(version))
		case recording.EraOf(version) == recording.Modern:
			text = fmt.Sprintf("initialize answers with %s, which has no initialize", version)
		case version != asked && spoken[asked]:
			text = fmt.Sprintf("initialize answers with %s to a request for %s, which the server speaks in another session", version, asked)
		case version != asked && said[asked] != "" && known(asked) && recording.EraOf(asked) == recording.Legacy:
			text = fmt.Sprintf("initialize answers with %s to a request for %s, which %s lists as supported", version, asked, said[asked])
		case !known(asked) && asked != "" && version < newest && known(newest):
			out = append(out, Finding{Session: e.Session.ID, Severity: verdict.Warning, Message: fmt.Sprintf("initialize answers with %s to a request for an unknown revision; it should be the newest that the server speaks, %s", version, newest)})
			return
		default:
			return
		}
		out = append(out, Finding{Session: e.Session.ID, Message: text})
	})
	return out, nil
}

func runInitializeResult(p *Pass) (out []Finding, err error) {
	p.EachExchange(func(e *Exchange) {
		if e.Method != "initialize" || e.Result == nil {
			return
		}
		report := func(pointer, text string) {
			out = append(out, Finding{Session: e.Session.ID, Pointer: pointer, Message: text})
		}
		if c := e.Result.Get("capabilities"); kindOf(c) != "object" {
			report("/capabilities", "The result of initialize has capabilities that are "+kindOf(c)+" and no object")
		}
		info := e.Result.Get("serverInfo")
		if kindOf(info) != "object" {
			report("/serverInfo", "The result of initialize has a serverInfo that is "+kindOf(info)+" and no object")
			return
		}
		for _, key := range []string{"name", "version"} {
			if _, ok := info.Get(key).IsString(); !ok {
				report("/serverInfo/"+key, "serverInfo."+key+" is "+kindOf(info.Get(key))+" and no string")
			}
		}
		if site := info.Get("websiteUrl"); site != nil && (site.Kind != schema.String || addressFault(site) != "") {
			report("/serverInfo/websiteUrl", "serverInfo.websiteUrl is "+textOf(site)+" and no address")
		}
		if i := e.Result.Get("instructions"); i != nil && i.Kind != schema.String {
			report("/instructions", "instructions are "+i.Kind.String()+" and no string")
		}
	})
	return out, nil
}

// served are the methods by which a capability shows.
var served = map[string]string{"tools/list": "tools", "resources/list": "resources", "resources/templates/list": "resources", "resources/read": "resources", "prompts/list": "prompts", "prompts/get": "prompts", "completion/complete": "completions", "logging/setLevel": "logging"}

// declaredBy returns the capabilities that a session declared, nil when it is not
// known: of a probe, those of a session in the same revision.
func (p *Pass) declaredBy(s *recording.Session) *schema.Value {
	if c := capabilitiesIn(p.Exchanges(s)); c != nil {
		return c
	}
	for _, other := range p.Capture.Sessions {
		if other != s && revisionOf(other) == revisionOf(s) {
			if c := capabilitiesIn(p.Exchanges(other)); c != nil {
				return c
			}
		}
	}
	return nil
}

func capabilitiesIn(list []*Exchange) *schema.Value {
	for _, e := range list {
		if (e.Method == "initialize" || e.Method == "server/discover") && e.Result != nil {
			if c := e.Result.Get("capabilities"); c != nil && c.Kind == schema.Object {
				return c
			}
		}
	}
	return nil
}

func runUndeclared(p *Pass) (out []Finding, err error) {
	for _, s := range p.Conversations() {
		declared := p.declaredBy(s)
		if declared == nil {
			continue
		}
		for _, e := range p.Exchanges(s) {
			name := served[e.Method]
			if name == "completions" && revisionOf(s) == v2024_11 {
				continue // which has completions and nothing to declare them by
			}
			if name != "" && !removed(e) && e.Result != nil && !declared.Has(name) && !emptyList(e.Result) {
				out = append(out, Finding{Session: s.ID, Message: fmt.Sprintf("%s is answered, but the capability %s is not declared", e.Method, name)})
			}
			if e.Method == "tools/call" && !declared.Has("resources") && hasBlock(e.Result, "resource") {
				out = append(out, Finding{Session: s.ID, Severity: verdict.Warning, Message: "Results hold embedded resources, but the capability resources is not declared (SHOULD)"})
			}
			for _, v := range append(e.Unasked[:len(e.Unasked):len(e.Unasked)], e.After...) {
				if text := undeclaredNotice(v, declared, s.Modern()); text != "" {
					out = append(out, Finding{Session: s.ID, Message: text})
				}
			}
		}
	}
	return out, nil
}

// emptyList reports whether a result lists nothing: a server that answers every
// list request with an empty list misleads nobody.
func emptyList(result *schema.Value) bool {
	if values := result.Get("completion").Get("values"); kindOf(values) == "array" {
		return len(values.Items) == 0
	}
	for _, key := range []string{"tools", "resources", "resourceTemplates", "prompts"} {
		if list := result.Get(key); list != nil && list.Kind == schema.Array {
			return len(list.Items) == 0
		}
	}
	return false
}

func hasBlock(result *schema.Value, kind string) bool {
	content := result.Get("content")
	if content == nil || content.Kind != schema.Array {
		return false
	}
	for _, block := range content.Items {
		if t, _ := block.Get("type").IsString(); t == kind {
			return true
		}
	}
	return false
}

func undeclaredNotice(v, declared *schema.Value, modern bool) string {
	method, _ := v.Get("method").IsString()
	if v.Has("id") {
		return ""
	}
	switch {
	case strings.HasSuffix(method, "/list_changed"):
		parts := strings.Split(method, "/")
		if len(parts) == 3 && !declared.Get(parts[1]).Get("listChanged").IsTrue() && !modern {
			return fmt.Sprintf("%s is sent, but %s.listChanged is not declared", method, parts[1])
		}
	case method == "notifications/message" && !modern && !declared.Has("logging"):
		return "Log messages are sent, but the capability logging is not declared"
	}
	return ""
}

func runUnserved(p *Pass) (out []Finding, err error) {
	for _, s := range p.Conversations() {
		declared := p.declaredBy(s)
		for _, e := range p.Exchanges(s) {
			if subscribes := declared.Get("resources").Get("subscribe").IsTrue() && strings.HasSuffix(e.Method, "subscribe") && !removed(e); subscribes && e.Code() == codeMethodNotFound {
				out = append(out, Finding{Session: s.ID, Message: fmt.Sprintf("resources.subscribe is declared, but %s is answered with the error %d", e.Method, e.Code())})
			}
			name := served[e.Method]
			// Templates are optional: no capability promises them alone.
			whole := strings.HasSuffix(e.Method, "/list") && e.Method != "resources/templates/list" || e.Method == "completion/complete" || e.Method == "logging/setLevel"
			if name == "" || !whole || removed(e) || e.Params.Has("cursor") || !declared.Has(name) {
				continue
			}
			refused := e.Code() <= codeHeaderMismatch && e.Code() >= codeUnsupportedVersion
			if e.Error != nil && (e.Code() == codeMethodNotFound || e.Method == "tools/list" && !deliberate(e) && !refused && !oddLevel(e)) {
				out = append(out, Finding{Session: s.ID, Message: fmt.Sprintf("The capability %s is declared, but %s is answered with the error %d", name, e.Method, e.Code())})
			}
		}
	}
	return out, nil
}

// oddLevel reports whether a request asks for a log level that does not exist, which a
// server may refuse; see log-level.
func oddLevel(e *Exchange) bool {
	level := e.Params.Get("_meta").Get(metaLogLevel)
	return level != nil && !slices.Contains(logLevels, level.Text)
}

// deliberate reports whether a request was made to be refused: it lacks metadata or
// its session, names an invented revision, or its headers contradict it.
func deliberate(e *Exchange) bool {
	if e.Session.Modern() {
		if !known(e.Version()) || e.Params.Get("_meta").Get(metaCapabilities) == nil {
			return true
		}
		if e.HTTP != nil && (headerFault(e, nil) != "" || !localOrigin(e.HTTP.Headers.Get("Origin")) && e.HTTP.Headers.Get("Origin") != "") {
			return true
		}
		return false
	}
	if e.HTTP == nil {
		return false
	}
	named := e.HTTP.Headers.Get("Mcp-Protocol-Version")
	return e.HTTP.Without && e.Method != "initialize" || e.HTTP.Ended || named != "" && !known(named) || e.HTTP.Headers.Get("Origin") != ""
}

func runUnknownMethod(p *Pass) (out []Finding, err error) {
	p.EachExchange(func(e *Exchange) {
		// Over HTTP a status without a message is an answer too, and a wrong one.
		bare := e.Answer == nil && e.HTTP != nil && !e.HTTP.Mixed && e.HTTP.Status >= 400 && !refusedEarlier(e) && e.Session.Modern()
		if !strings.HasPrefix(e.Method, "conform/") || e.ID == nil || e.Answer == nil && !bare {
			return
		}
		report := func(format string, args ...any) {
			out = append(out, Finding{Session: e.Session.ID, Message: "An unknown method is answered with " + fmt.Sprintf(format, args...)})
		}
		switch {
		case bare:
			report("HTTP %d, but without the JSON-RPC error -32601", e.HTTP.Status)
		case e.Error == nil:
			report("a result")
		case e.Code() != codeMethodNotFound:
			report("the error %d in place of -32601", e.Code())
		case e.Session.Modern() && e.HTTP != nil && !e.HTTP.Mixed && e.HTTP.Status != 404:
			report("HTTP %d in place of 404", e.HTTP.Status)
		}
	})
	return out, nil
}

// supportedVersions are the revisions that the server itself lists as supported, each
// with where it does: in server/discover, or in the error for an unknown revision.
func (p *Pass) supportedVersions() map[string]string {
	out := map[string]string{}
	for _, s := range slices.Concat(p.Capture.Sessions, p.Capture.Probes) {
		for _, e := range p.Exchanges(s) {
			where, list := "server/discover", e.Result.Get("supportedVersions")
			if e.Method != "server/discover" || list == nil {
				where, list = "the error -32022", e.Error.Get("data").Get("supported")
			}
			for _, v := range items(list) {
				if version, ok := v.IsString(); ok && out[version] == "" {
					out[version] = where
				}
			}
		}
	}
	return out
}

// ofAnotherResult are members by which one knows the result of another method.
// Source: schema.json of 2025-11-25, the members of ServerResult's definitions.
var ofAnotherResult = map[string]bool{"capabilities": true, "completion": true, "content": true, "contents": true, "instructions": true, "isError": true,
	"messages": true, "nextCursor": true, "prompts": true, "protocolVersion": true, "resourceTemplates": true, "resources": true, "serverInfo": true,
	"structuredContent": true, "task": true, "tasks": true, "tools": true}
