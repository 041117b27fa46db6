package lint

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// fieldsPerTool bounds how many fields one finding names.
const fieldsPerTool = 5

// describeRules are about what a model can read of a tool.
func describeRules() []*Rule {
	return []*Rule{
		{ID: "tool-description", Title: "A tool has no description", Covers: []string{"R26", "DESC"}, Stage: verdict.Offer, Level: Quality,
			Why:    "The description is how a model decides whether and when to call the tool.",
			Source: "linter of mcp-ts-core 0.12.3, description-required", Wrong: `{"name":"status"}`, Right: `{"name":"status","description":"Reports how many haulers move."}`,
			Run: eachToolValue(func(v *schema.Value, report reporter) {
				if v == nil || v.Kind != schema.Object {
					return
				}
				d := v.Get("description")
				name, _ := v.Get("name").IsString()
				switch text, ok := d.IsString(); {
				case d == nil || ok && strings.TrimSpace(text) == "":
					report("/description", "The tool has no description")
				case ok && placeholder(text, name):
					report("/description", "The description says nothing: %s", quote(strings.TrimSpace(text)))
				}
			})},
		{ID: "describe-arguments", Title: "Arguments have no description", Covers: []string{"R21", "FIELD"}, Stage: verdict.Offer, Level: Quality,
			Why:    "What an argument means, its unit and its form stand in its description; a name alone makes models guess. Fields of objects and the elements of lists of objects are looked at; constants and elements of primitive lists need none.",
			Source: "linter of mcp-ts-core 0.12.3, describe-on-fields", Wrong: `"radius":{"type":"number"}`, Right: `"radius":{"type":"number","description":"In km, from the depot."}`,
			Run: func(p *Pass) ([]Finding, error) {
				return p.undescribed("inputSchema", func(t *recording.Tool) *schema.Value { return t.Input })
			}},
		{ID: "describe-output", Title: "Fields of the result have no description", Covers: []string{"R21", "FIELD"}, Stage: verdict.Offer, Level: Quality,
			Why:    "Hosts that show the model the outputSchema show it these descriptions; without them it guesses what the fields mean.",
			Source: "linter of mcp-ts-core 0.12.3, describe-on-fields", Wrong: `"total":{"type":"integer"}`, Right: `"total":{"type":"integer","description":"Depots of all regions."}`,
			Run: func(p *Pass) ([]Finding, error) {
				return p.undescribed("outputSchema", func(t *recording.Tool) *schema.Value { return t.Output })
			}},
		{ID: "schema-unsatisfiable", Title: "A place of a schema can't be filled", Covers: []string{"R23", "UNSAT"}, Stage: verdict.Offer, Level: Quality, Severity: verdict.Error,
			Why:    "An empty enum, an empty anyOf, {\"not\":{}} or a minimum above the maximum admit no value: the model sees an argument that nobody can give, and for a required one the tool can't be called. Nothing else reports it. Zod writes z.enum([]) and z.enum([1,2]) so, as {\"type\":\"string\",\"enum\":[]} in older versions and {\"not\":{}} in 4.6.7.",
			Source: "linter of mcp-ts-core 0.12.3, schema-unsatisfiable, and its gaps", Wrong: `{"type":"string","enum":[]}`, Right: `{"type":"string","enum":["north","south"]}`, Run: runUnsatisfiable},
	}
}

// emptyWords is a description that nobody has written yet.
var emptyWords = regexp.MustCompile(`(?i)^\W*(todo|tbd|fixme|n/?a|none|null|undefined|(no|add|insert|your|the|a|tool|some)?\s*(description|desc)( here| goes here)?|lorem ipsum.*|placeholder)\W*$`)

// placeholder reports whether a description only repeats the name, or is none.
func placeholder(text, name string) bool {
	plain := func(s string) string { return strings.ToLower(strings.Join(strings.FieldsFunc(s, notWord), "")) }
	return len(plain(name)) > 2 && plain(text) == plain(name) || emptyWords.MatchString(text)
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func (p *Pass) undescribed(key string, of func(*recording.Tool) *schema.Value) (out []Finding, err error) {
	walks := map[*recording.Tool]*describeWalk{}
	fields, bare := map[*recording.Session]int{}, map[*recording.Session]int{}
	p.EachTool(func(s *recording.Session, t *recording.Tool) {
		if root := of(t); kindOf(root) == "object" {
			w := &describeWalk{root: root, followed: map[*schema.Value]bool{}}
			w.object(root, "", 0)
			walks[t] = w
			fields[s] += w.fields
			bare[s] += len(w.bare)
		}
	})
	p.EachTool(func(s *recording.Session, t *recording.Tool) {
		w := walks[t]
		if w != nil && len(w.parts) > 0 {
			named := w.parts[:min(len(w.parts), fieldsPerTool)]
			f := Finding{Tool: t.Name, Session: s.ID, Pointer: "/" + key, Severity: verdict.Info, Message: fmt.Sprintf("%d elements of lists or branches of unions have no description: %s", len(w.parts), strings.Join(named, ", "))}
			if p.Config.Portability == PortabilityStrict {
				f.Severity = ""
			}
			out = append(out, f)
		}
		if w == nil || len(w.bare) == 0 {
			return
		}
		named := w.bare[:min(len(w.bare), fieldsPerTool)]
		text := fmt.Sprintf("%d of %d fields have no description: %s", len(w.bare), w.fields, strings.Join(named, ", "))
		if len(w.bare) > len(named) {
			text += ", …"
		}
		f := Finding{Tool: t.Name, Session: s.ID, Pointer: "/" + key, Message: text}
		// Real servers leave many fields bare, and no host is known to mind: a warning
		// by itself is only what was forgotten where all else is described, in the tool
		// or in the server.
		inTool := w.bareTop == 1 && w.top > 1 && len(w.bare) <= 2
		inServer := bare[s] == 1 || 50*bare[s] <= fields[s] || bare[s] == len(w.bare) && len(w.bare) < fields[s]-bare[s]
		if p.Config.Portability != PortabilityStrict && !inTool && !inServer {
			f.Severity = verdict.Info
		}
		out = append(out, f)
	})
	return out, nil
}

// describeWalk collects the fields without a description, as the linter walks:
// object fields; elements of lists when they are objects, lists or unions; branches
// of unions except constants; not the root itself.
type describeWalk struct {
	root     *schema.Value
	fields   int
	bare     []string
	parts    []string // elements of lists and branches of unions without a description
	followed map[*schema.Value]bool
	// top and bareTop count the fields directly below the root.
	top, bareTop int
}

func (w *describeWalk) object(node *schema.Value, path string, depth int) {
	for _, m := range node.Get("properties").Unique() {
		w.field(m.Value, path+"."+printable(cut(m.Key)), depth+1)
	}
}

func (w *describeWalk) field(node *schema.Value, path string, depth int) {
	if kindOf(node) != "object" || depth > 16 || w.fields > 5000 {
		return
	}
	w.fields++
	bare := !w.described(node)
	if bare {
		w.bare = append(w.bare, strings.TrimPrefix(path, "."))
	}
	if depth == 1 {
		w.top++
		if bare {
			w.bareTop++
		}
	}
	w.inside(node, path, depth)
}

// within keeps an element of a list, or a branch of a union, that nothing describes.
func (w *describeWalk) within(node *schema.Value, path string) {
	if !w.described(node) && len(w.parts) < 5000 {
		w.parts = append(w.parts, strings.TrimPrefix(path, "."))
	}
}

// described looks at the field itself and at what its reference names.
func (w *describeWalk) described(node *schema.Value) bool {
	for range 8 {
		if text, ok := node.Get("description").IsString(); ok && strings.TrimSpace(text) != "" {
			return !emptyWords.MatchString(text)
		}
		next := w.target(node)
		if next == nil {
			return false
		}
		node = next
	}
	return false
}

func (w *describeWalk) target(node *schema.Value) *schema.Value {
	ref, ok := node.Get("$ref").IsString()
	if !ok || !strings.HasPrefix(ref, "#") {
		return nil
	}
	pointer, ok := schema.ParsePointer(ref[1:])
	if !ok {
		return nil
	}
	return w.root.Lookup(pointer)
}

func (w *describeWalk) inside(node *schema.Value, path string, depth int) {
	// What a reference names is as good as written here; each is followed once, so that
	// a type that holds itself ends.
	for target := w.target(node); target != nil && !w.followed[target]; target = w.target(target) {
		w.followed[target] = true
		w.inside(target, path, depth)
	}
	w.object(node, path, depth)
	if items := node.Get("items"); kindOf(items) == "object" && structuredNode(items) {
		w.within(items, path+"[]")
		w.inside(items, path+"[]", depth+1)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches := node.Get(keyword); kindOf(branches) == "array" {
			for i, branch := range branches.Items {
				if kindOf(branch) == "object" && structuredNode(branch) {
					w.within(branch, fmt.Sprintf("%s|%d", path, i))
					w.inside(branch, fmt.Sprintf("%s|%d", path, i), depth+1)
				}
			}
		}
	}
}

// structuredNode reports whether a schema is of an object, a list or a union.
func structuredNode(v *schema.Value) bool {
	t, _ := v.Get("type").IsString()
	return t == "object" || t == "array" || v.Has("properties") || v.Has("anyOf") || v.Has("oneOf") || v.Has("$ref")
}
