package lint

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// headerKeyword marks an argument that clients repeat as a header.
const headerKeyword = "x-mcp-header"

// headerParamRules are about x-mcp-header.
func headerParamRules() []*Rule {
	return []*Rule{
		{ID: "header-param", Title: "An x-mcp-header is illegal, so that clients drop the tool", Covers: []string{"TL17", "R25"}, Stage: verdict.List, Level: Must, Revisions: modernOnly,
			Why:    "Its value is a header token, unique in the tool without regard to case, on a string, integer or boolean that is reached from the root by properties alone. Over HTTP a conforming modern client drops a tool that breaks this, without an error anywhere; on stdio it may keep it; the Go SDK drops it everywhere. Union types are not defined. (An earlier text, SEP-2243, refuses nested properties too; the specification allows them.)",
			Source: "2026-07-28 server/tools, x-mcp-header; basic/transports/streamable-http, Custom Headers", Wrong: `"weight":{"type":"number","x-mcp-header":"Weight"}`, Right: `"region":{"type":"string","x-mcp-header":"Region"}`, Run: runHeaderParam},
		{ID: "header-param-secret", Title: "A secret is sent as a header", Covers: []string{"TL18"}, Stage: verdict.List, Level: Should, Revisions: modernOnly,
			Why:    "Headers are logged by every proxy on the way; arguments are not. What is a secret is guessed from the name of the argument.",
			Source: "2026-07-28 server/tools, x-mcp-header, Security", Wrong: `"password":{"type":"string","x-mcp-header":"Password"}`, Right: `"password":{"type":"string"}`,
			Run: func(p *Pass) (out []Finding, err error) {
				p.eachHeaderParam(func(s *recording.Session, t *recording.Tool, d designation) {
					if secretParam.MatchString(d.property) {
						out = append(out, Finding{Tool: t.Name, Session: s.ID, Pointer: d.pointer, Message: fmt.Sprintf("The argument %s looks like a secret and is sent as a header", quote(d.property))})
					}
				})
				return out, nil
			}},
	}
}

var secretParam = regexp.MustCompile(`(?i)(^|[_.-])(pass(word|wd|phrase|code|key)?|pwd|secret|token|jwt|api_?key|access_?key|private_?key|signing_?key|encryption_?key|credentials?|auth(orization)?|bearer|otp|totp|mfa_?code|pin(_?code)?|cookie|session_?key|ssn)($|[_.-])|(Password|Passphrase|Passcode|Secret|Token|ApiKey|APIKey|AccessKey|PrivateKey|Credentials?|Cookie)$`)

// designation is one x-mcp-header met in a schema.
type designation struct {
	node      *schema.Value
	pointer   string // of the keyword, from the tool
	property  string // name of the property, "" elsewhere
	reachable bool   // from the root by properties alone
}

func (p *Pass) eachHeaderParam(f func(*recording.Session, *recording.Tool, designation)) {
	p.EachTool(func(s *recording.Session, t *recording.Tool) {
		schema.Walk(t.Input, func(n schema.Node) bool {
			if n.Schema.Has(headerKeyword) {
				d := designation{node: n.Schema, pointer: "/inputSchema" + n.Pointer.Append(headerKeyword).String(), reachable: byProperties(n.Pointer)}
				if n.Keyword == "properties" {
					d.property = n.Pointer[len(n.Pointer)-1]
				}
				f(s, t, d)
			}
			return true
		})
	})
}

// byProperties reports whether a pointer leads through properties alone, and not
// to the root: /properties/a/properties/b.
func byProperties(p schema.Pointer) bool {
	for i := 0; i < len(p); i += 2 {
		if p[i] != "properties" {
			return false
		}
	}
	return len(p) > 0 && len(p)%2 == 0
}

func runHeaderParam(p *Pass) (out []Finding, err error) {
	var tool *recording.Tool
	var used map[string]bool
	p.eachHeaderParam(func(s *recording.Session, t *recording.Tool, d designation) {
		if t != tool {
			tool, used = t, map[string]bool{}
		}
		report := func(severity verdict.Severity, format string, args ...any) {
			out = append(out, Finding{Tool: t.Name, Session: s.ID, Severity: severity, Pointer: d.pointer, Message: fmt.Sprintf(format, args...) + effect(s)})
		}
		name, ok := d.node.Get(headerKeyword).IsString()
		kind, single := d.node.Get("type").IsString()
		switch {
		case !d.reachable:
			report("", "x-mcp-header stands where an argument is not reached by properties alone")
		case !ok:
			report("", "x-mcp-header is %s and no string", d.node.Get(headerKeyword).Kind)
		case name == "":
			report("", "x-mcp-header is empty")
		case !isToken(name):
			report("", "x-mcp-header is %s, which is no header token", quote(name))
		case used[strings.ToLower(name)]:
			report("", "Two arguments have the x-mcp-header %s", quote(name))
		case single && kind == "number":
			// The specification forbids it; the TypeScript SDK client 2.4.0 takes it.
			report(verdict.Warning, "x-mcp-header stands on a number, which is not allowed; the TypeScript SDK client 2.4.0 takes it all the same")
		case !single && nullable(d.node.Get("type")):
			report(verdict.Warning, "x-mcp-header stands on a union of types, for which the specification has no rule; SDK clients drop the tool")
		case !single || kind != "string" && kind != "integer" && kind != "boolean":
			report("", "x-mcp-header stands on the type %s; string, integer and boolean are allowed", typeText(d.node))
		}
		if ok {
			used[strings.ToLower(name)] = true
		}
	})
	return out, nil
}

// nullable reports whether a type is a list of one type that may have a header, and
// null.
func nullable(types *schema.Value) bool {
	if kindOf(types) != "array" || len(types.Items) != 2 {
		return false
	}
	allowed, null := false, false
	for _, t := range types.Items {
		text, _ := t.IsString()
		allowed = allowed || text == "string" || text == "integer" || text == "boolean"
		null = null || text == "null"
	}
	return allowed && null
}

// effect says what becomes of the tool on the session's transport.
func effect(s *recording.Session) string {
	if s.Transport == "stdio" {
		return "; over HTTP modern clients drop the tool, on stdio they may keep it"
	}
	return "; modern clients drop the tool"
}
