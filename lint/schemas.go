package lint

import (
	"errors"
	"fmt"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/regex"
	"github.com/hostmatrix/conform/validators/spec"
)

// violationsPerSchema bounds what one wrong schema reports.
const violationsPerSchema = 5

// schemaRules are about inputSchema and outputSchema as the protocol demands them.
func schemaRules() []*Rule {
	return []*Rule{
		{ID: "input-root", Title: "The root of an inputSchema is not of the type object", Covers: []string{"TL2", "TL3", "R20"}, Stage: verdict.List, Level: Must,
			Why:    "Arguments are an object, so the root says \"type\":\"object\", as a string and not as a list. null, true, {} and a missing schema are refused by the schema.json of every revision, and typed clients lose the whole list. (SEP-1613 allows {} and true; no schema.json does.)",
			Source: "server/tools, Tool; schema.json, Tool.inputSchema; observed on all five revisions", Wrong: `"inputSchema":{}`, Right: `"inputSchema":{"type":"object","properties":{}}`, Run: runInputRoot},
		{ID: "input-properties", Title: "properties or required of an inputSchema have a form that legacy clients can't read", Covers: []string{"TL4"}, Stage: verdict.List, Level: Must, Revisions: legacyOnly,
			Why:    "Up to 2025-11-25 the value of each property is an object (true and false are not) and required is a list of strings. TypeScript SDK 1.x loses the whole list otherwise.",
			Source: "schema.json, Tool.inputSchema; observed: TypeScript SDK 1.32.2", Wrong: `"properties":{"any":true}`, Right: `"properties":{"any":{}}`,
			Run: func(p *Pass) (out []Finding, err error) {
				p.EachTool(func(s *recording.Session, t *recording.Tool) {
					out = append(out, rootMembers(t, s, "inputSchema", t.Input)...)
				})
				return out, nil
			}},
		{ID: "output-root", Title: "The root of an outputSchema is of no type that the revision allows", Covers: []string{"TL5", "R20", "R33"}, Stage: verdict.List, Level: Must, Revisions: from2025_6,
			Why:    "In 2025-06-18 and 2025-11-25 structuredContent is an object, so the root of its schema says \"type\":\"object\". Since 2026-07-28 any JSON Schema object will do, but not a boolean or null. A server of both eras strips or wraps other roots for legacy clients.",
			Source: "schema.json, Tool.outputSchema; SEP-2106", Wrong: `"outputSchema":{"type":"array"} in 2025-11-25`, Right: `"outputSchema":{"type":"object","properties":{"result":{"type":"array"}},"required":["result"]}`, Run: runOutputRoot},
		{ID: "schema-invalid", Title: "A schema is none under its own dialect", Covers: []string{"TL6", "R20", "R8"}, Stage: verdict.List, Level: Must,
			Why:    "Since 2025-11-25 a schema without $schema is 2020-12, and a schema must be valid under its dialect. Strict clients refuse to compile the others, lax ones ignore the part that is wrong. Earlier revisions name no dialect: there a schema is reported when it is valid under none.",
			Source: "2025-11-25 and 2026-07-28 basic/index, JSON Schema Usage", Wrong: `{"type":"int"}`, Right: `{"type":"integer"}`, Run: runSchemaInvalid},
		{ID: "schema-dialect", Title: "$schema names a dialect that nobody knows", Covers: []string{"TL6"}, Stage: verdict.List, Level: Must, Revisions: from2025_B,
			Why:    "Clients must support 2020-12, and say so when they meet a dialect that they don't support: the tool is then unusable.",
			Source: "2025-11-25 and 2026-07-28 basic/index, JSON Schema Usage", Wrong: `"$schema":"https://example.com/my-dialect"`, Right: `"$schema":"https://json-schema.org/draft/2020-12/schema"`, Run: runDialect},
		{ID: "schema-ref-dangling", Title: "A $ref leads nowhere", Covers: []string{"TL6"}, Stage: verdict.List, Level: Must,
			Why:    "A schema with a dangling reference does not compile. TypeScript SDK 1.x compiles at the end of tools/list and loses the whole server, 2.4.0 loses the tool, and model APIs refuse the request.",
			Source: "basic/index, $ref Resolution; observed: TypeScript SDK 1.32.2 and 2.4.0", Wrong: `{"$ref":"#/$defs/Open"} without $defs`, Right: `{"$ref":"#/$defs/Open"} with "$defs":{"Open":{…}} in the same schema`, Run: runRefs(false)},
		{ID: "schema-ref-remote", Title: "A $ref leads out of the schema", Covers: []string{"TL6"}, Stage: verdict.List, Level: Must,
			Why:    "Clients must not fetch what a schema refers to, and should refuse a schema whose reference stays open.",
			Source: "2026-07-28 basic/index, $ref Resolution; SEP-2106", Wrong: `{"$ref":"https://example.com/open.json"}`, Right: `The definition itself, below $defs`, Run: runRefs(true)},
		{ID: "schema-id-shared", Title: "Two tools have schemas of one $id", Covers: []string{"R20"}, Stage: verdict.List, Level: Quality,
			Why:    "TypeScript SDK 1.32.2 and 2.4.0 look schemas up by their $id: the second tool is checked against the first one's schema.",
			Source: "observed: TypeScript SDK 1.32.2 and 2.4.0, ajv.getSchema($id)", Wrong: `"$id":"result" in two outputSchemas`, Right: "No $id at the root, or one per schema", Run: runSharedID},
	}
}

// sides calls f for both schemas of a tool that it has.
func sides(t *recording.Tool, f func(key string, document *schema.Value)) {
	if t.Input != nil {
		f("inputSchema", t.Input)
	}
	if t.Output != nil {
		f("outputSchema", t.Output)
	}
}

func runInputRoot(p *Pass) ([]Finding, error) {
	return eachToolValue(func(v *schema.Value, report reporter) {
		if v == nil || v.Kind != schema.Object {
			return
		}
		input := v.Get("inputSchema")
		if input == nil {
			report("", "The tool has no inputSchema")
			return
		}
		if input.Kind != schema.Object {
			report("/inputSchema", "inputSchema is %s and no object", short(input.Compact()))
			return
		}
		if text, ok := input.Get("type").IsString(); !ok || text != "object" {
			report("/inputSchema/type", "The type at the root of inputSchema is %s, it must be the string \"object\"", typeText(input))
		}
	})(p)
}

func typeText(v *schema.Value) string {
	if t := v.Get("type"); t != nil {
		return short(t.Compact())
	}
	return "absent"
}

// rootMembers checks the members of a root that the schema.json of the legacy
// revisions types.
func rootMembers(t *recording.Tool, s *recording.Session, key string, root *schema.Value) (out []Finding) {
	report := func(pointer, format string, args ...any) {
		out = append(out, Finding{Tool: t.Name, Session: s.ID, Pointer: "/" + key + pointer, Message: fmt.Sprintf(format, args...)})
	}
	if root == nil || root.Kind != schema.Object {
		return nil
	}
	switch properties := root.Get("properties"); {
	case properties == nil:
	case properties.Kind != schema.Object:
		report("/properties", "properties is %s and no object", properties.Kind)
	default:
		for _, m := range properties.Unique() {
			if m.Value.Kind != schema.Object {
				report("/properties/"+schema.EscapeToken(m.Key), "The schema of %s is %s and no object", quote(m.Key), m.Value.Kind)
			}
		}
	}
	switch required := root.Get("required"); {
	case required == nil:
	case required.Kind != schema.Array:
		report("/required", "required is %s and no array", required.Kind)
	default:
		for i, name := range required.Items {
			if name.Kind != schema.String {
				report(fmt.Sprintf("/required/%d", i), "An entry of required is %s and no string", name.Kind)
			}
		}
	}
	return out
}

func runOutputRoot(p *Pass) (out []Finding, err error) {
	p.EachTool(func(s *recording.Session, t *recording.Tool) {
		report := func(pointer, format string, args ...any) {
			out = append(out, Finding{Tool: t.Name, Session: s.ID, Pointer: "/outputSchema" + pointer, Message: fmt.Sprintf(format, args...)})
		}
		switch {
		case t.Output == nil:
		case t.Output.Kind != schema.Object:
			report("", "outputSchema is %s and no object", short(t.Output.Compact()))
		case s.Modern():
		default:
			if text, ok := t.Output.Get("type").IsString(); !ok || text != "object" {
				report("/type", "The type at the root of outputSchema is %s, legacy revisions want the string \"object\"", typeText(t.Output))
			}
			out = append(out, rootMembers(t, s, "outputSchema", t.Output)...)
		}
	})
	return out, nil
}

func runSchemaInvalid(p *Pass) (out []Finding, err error) {
	checked := map[*schema.Value][]Finding{}
	p.EachTool(func(s *recording.Session, t *recording.Tool) {
		sides(t, func(key string, document *schema.Value) {
			if document.Kind != schema.Object {
				return // the rules of the root report it
			}
			found, done := checked[document]
			if !done {
				found = invalidSchema(key, document, revisionOf(s))
				checked[document] = found
			}
			for _, f := range found {
				f.Tool, f.Session = t.Name, s.ID
				out = append(out, f)
			}
		})
	})
	return out, nil
}

// invalidSchema returns the places at which a schema breaks the metaschema of its
// dialect, one finding for each.
func invalidSchema(key string, document *schema.Value, revision string) (out []Finding) {
	dialect, ok := spec.DialectOf(document)
	if !ok {
		return nil // schema-dialect reports it
	}
	violations := spec.Metaschema(dialect, document)
	if revision < v2025_11 && !document.Has("$schema") && len(violations) > 0 {
		if len(spec.Metaschema("draft-07", document)) == 0 {
			return nil
		}
	}
	schema.Walk(document, func(n schema.Node) bool {
		if f, bad := badPattern(key, n); bad && len(out) < violationsPerSchema {
			out = append(out, f)
		}
		if twice := repeated(n.Schema.Get("enum")); twice != nil && len(out) < violationsPerSchema {
			out = append(out, Finding{Severity: verdict.Warning, Pointer: "/" + key + n.Pointer.String() + "/enum", Message: fmt.Sprintf("%s has %s twice in an enum; the values SHOULD be unique", key, short(twice.Compact()))})
		}
		return true
	})
	for _, v := range deepest(violations) {
		out = append(out, Finding{Pointer: "/" + key + v.Instance.String(), Message: fmt.Sprintf("%s is no schema of %s: %s", key, dialect, short(v.Message))})
	}
	return out
}

// repeated returns a value that stands twice in a list, nil when none does or the list
// is long.
func repeated(list *schema.Value) *schema.Value {
	values := items(list)
	seen := make(map[string]bool, len(values))
	for _, v := range values[:min(len(values), 1000)] {
		key := v.Kind.String() + v.Compact()
		if seen[key] {
			return v
		}
		seen[key] = true
	}
	return nil
}

// badPattern says that a pattern, or a key of patternProperties, is no regular
// expression of ECMA-262, with the u flag or without it. The metaschemas only say
// that it SHOULD be one (2020-12 validation, 6.3.3), but validators that compile it
// refuse the whole schema.
func badPattern(key string, n schema.Node) (Finding, bool) {
	check := func(pattern, at string) (Finding, bool) {
		for _, dialect := range []regex.Dialect{regex.ECMAUnicode, regex.ECMA} {
			var syntax *regex.SyntaxError
			if _, err := regex.Compile(dialect, pattern); !errors.As(err, &syntax) {
				return Finding{}, false
			}
		}
		return Finding{Severity: verdict.Warning, Pointer: "/" + key + n.Pointer.String() + at, Message: fmt.Sprintf("%s has the pattern %s, which is no regular expression", key, quote(pattern))}, true
	}
	if pattern, ok := n.Schema.Get("pattern").IsString(); ok {
		if f, bad := check(pattern, "/pattern"); bad {
			return f, true
		}
	}
	for _, m := range n.Schema.Get("patternProperties").Unique() {
		if f, bad := check(m.Key, "/patternProperties/"+schema.EscapeToken(m.Key)); bad {
			return f, true
		}
	}
	return Finding{}, false
}

// deepest keeps one violation for each place, none above another one, and a few at
// most: metaschemas report a fault again at every level.
func deepest(violations []validators.Violation) (out []validators.Violation) {
	seen := map[string]bool{}
	above := map[string]bool{}
	for _, v := range violations {
		for i := range v.Instance {
			above[v.Instance[:i].String()] = true
		}
	}
	for _, v := range violations {
		at := v.Instance.String()
		if seen[at] || above[at] || len(out) == violationsPerSchema {
			continue
		}
		seen[at] = true
		out = append(out, v)
	}
	return out
}

func runDialect(p *Pass) (out []Finding, err error) {
	p.EachTool(func(s *recording.Session, t *recording.Tool) {
		sides(t, func(key string, document *schema.Value) {
			schema.Walk(document, func(n schema.Node) bool {
				if _, ok := spec.DialectOf(n.Schema); !ok && kindOf(n.Schema) == "object" && len(out) < findingsPerRule {
					out = append(out, Finding{Tool: t.Name, Session: s.ID, Pointer: "/" + key + n.Pointer.String() + "/$schema", Message: "$schema is " + short(n.Schema.Get("$schema").Compact())})
				}
				return true
			})
		})
	})
	return out, nil
}

func runRefs(remote bool) func(*Pass) ([]Finding, error) {
	return func(p *Pass) (out []Finding, err error) {
		p.EachTool(func(s *recording.Session, t *recording.Tool) {
			sides(t, func(key string, document *schema.Value) {
				for _, r := range openRefs(document) {
					if r.remote != remote || len(out) > findingsPerRule {
						continue
					}
					text := "The reference %s leads nowhere in its schema"
					if remote {
						text = "The reference %s leads out of its schema, and nobody may fetch it"
					}
					out = append(out, Finding{Tool: t.Name, Session: s.ID, Pointer: "/" + key + r.pointer, Message: fmt.Sprintf(text, quote(r.text))})
				}
			})
		})
		return out, nil
	}
}

func runSharedID(p *Pass) (out []Finding, err error) {
	for _, s := range p.Sessions() {
		owner := map[string]*recording.Tool{}
		for _, t := range s.Tools {
			sides(t, func(key string, document *schema.Value) {
				id, ok := document.Get("$id").IsString()
				if !ok || id == "" {
					return
				}
				first := owner[id]
				if first == nil {
					owner[id] = t
				} else if first != t && !schema.Equal(first.Output, document) && !schema.Equal(first.Input, document) {
					out = append(out, Finding{Tool: t.Name, Session: s.ID, Pointer: "/" + key + "/$id", Message: fmt.Sprintf("The $id %s is that of another schema, of the tool %s", quote(id), quote(first.Name))})
				}
			})
		}
	}
	return out, nil
}
