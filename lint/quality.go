package lint

import (
	"regexp"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// qualityRules are about tools that work and mislead.
func qualityRules() []*Rule {
	return []*Rule{
		{ID: "annotation-coherence", Title: "A tool is read-only and destructive", Covers: []string{"R26", "HINTS"}, Stage: verdict.Offer, Level: Quality, Revisions: from2025_3,
			Why:    "destructiveHint has a meaning only when readOnlyHint is false. Hosts read one or the other, so the tool is called without a question in one and never in the next.",
			Source: "schema.json, ToolAnnotations; linter of mcp-ts-core 0.12.3, annotation-coherence", Wrong: `{"readOnlyHint":true,"destructiveHint":true}`, Right: `{"readOnlyHint":true}`,
			Run: func(p *Pass) (out []Finding, err error) {
				p.EachTool(func(s *recording.Session, t *recording.Tool) {
					annotations := t.Value.Get("annotations")
					destructive := annotations.Get("destructiveHint")
					if !annotations.Get("readOnlyHint").IsTrue() || destructive == nil {
						return
					}
					f := Finding{Tool: t.Name, Session: s.ID, Pointer: "/annotations/destructiveHint", Message: "readOnlyHint is true, and destructiveHint is " + short(destructive.Compact())}
					if destructive.IsFalse() && p.Config.Portability != PortabilityStrict { // superfluous, and common: it misleads nobody
						f.Severity = verdict.Info
					}
					out = append(out, f)
				})
				return out, nil
			}},
		{ID: "json-in-string", Title: "An argument is JSON in a string", Covers: []string{"R36", "JSONSTR"}, Stage: verdict.Offer, Level: Quality,
			Why:    "The model has to write JSON inside JSON and escape it; no client can check what is inside, and some models send the object itself, which the schema then refuses.",
			Source: "cloudflare/mcp 257", Wrong: `"filter":{"type":"string","description":"A JSON object, e.g. {\"open\":true}"}`, Right: `"filter":{"type":"object","properties":{"open":{"type":"boolean"}}}`, Run: runJSONInString},
		{ID: "capped-list", Title: "A list is capped and nothing says whether more exist", Covers: []string{"R29", "CAP"}, Stage: verdict.Offer, Level: Quality,
			Why:    "An argument limits the list that the result holds. A model that gets ten of ten does not know whether these are all; truncated or totalCount beside the list tells it.",
			Source: "linter of mcp-ts-core 0.12.3, capped-list-no-truncation", Wrong: `limit in the inputSchema, {"sites":[…]} as the result`, Right: `{"sites":[…],"truncated":true,"totalCount":40}`, Run: runCappedList},
	}
}

// jsonText are the words by which a description owns that its string is JSON.
var jsonText = regexp.MustCompile(`(?i)\bJSON[- ](string|object|array|encoded|formatted|serialized|stringified|payload|text|blob)|\b(as|in|is|valid|stringified|serialized|encoded|raw|of) (a |an )?(valid )?JSON\b|\bstringified\b|\{\s*\\?"[A-Za-z_$][\w$-]*\\?"\s*:`)

// notJSON are words that show that the string is something else.
var notJSON = regexp.MustCompile(`(?i)\bJSON (path|pointer|schema file|file)\b|path to|file ?name|file path|\bURL\b|\bone of\b|output format`)

func runJSONInString(p *Pass) (out []Finding, err error) {
	p.EachTool(func(s *recording.Session, t *recording.Tool) {
		schema.Walk(t.Input, func(n schema.Node) bool {
			if n.Keyword != "properties" || kindOf(n.Schema) != "object" {
				return n.Depth < 64
			}
			if kind, _ := n.Schema.Get("type").IsString(); kind != "string" || n.Schema.Has("enum") || n.Schema.Has("const") {
				return n.Depth < 64
			}
			name := n.Pointer[len(n.Pointer)-1]
			description, _ := n.Schema.Get("description").IsString()
			media, _ := n.Schema.Get("contentMediaType").IsString()
			hit := strings.HasSuffix(media, "json") || strings.HasSuffix(strings.ToLower(name), "json") && len(name) > 4 || jsonText.MatchString(description) && !notJSON.MatchString(description)
			if hit {
				out = append(out, Finding{Tool: t.Name, Session: s.ID, Pointer: "/inputSchema" + n.Pointer.String(), Message: "The argument " + quote(name) + " is a string that holds JSON"})
			}
			return n.Depth < 64
		})
	})
	return out, nil
}

// capName is the form of an argument that limits a list, in snake case.
var capName = regexp.MustCompile(`^(limit|per_page|page_size|max_.*|.*_limit)$`)

// tellsMore are fields beside a list that say whether more exist.
var tellsMore = regexp.MustCompile(`(?i)^(truncated|total_?\w*|\w*results?_?count|\w*applied_?limits?|limit_?reached|capped|has_?more|has_?next(_?page)?|next_?(cursor|page|token|page_?token|offset)|cursor|next|page_?info|pagination|meta|metadata|is_?last|more)$`)

func runCappedList(p *Pass) (out []Finding, err error) {
	p.EachTool(func(s *recording.Session, t *recording.Tool) {
		properties := t.Output.Get("properties")
		if kindOf(properties) != "object" {
			return
		}
		list := ""
		for _, m := range properties.Unique() {
			if kind, _ := m.Value.Get("type").IsString(); kind == "array" && list == "" {
				list = m.Key
			}
			if tellsMore.MatchString(m.Key) {
				return
			}
		}
		if list == "" {
			return
		}
		for _, m := range t.Input.Get("properties").Unique() {
			kind, _ := m.Value.Get("type").IsString()
			snake := strings.ToLower(camelBoundary.ReplaceAllString(m.Key, "${1}_$2"))
			if capName.MatchString(snake) && (kind == "integer" || kind == "number") {
				out = append(out, Finding{Tool: t.Name, Session: s.ID, Pointer: "/outputSchema/properties", Message: "The argument " + quote(m.Key) + " limits " + quote(list) + ", and no field says whether more exist"})
				return
			}
		}
	})
	return out, nil
}
