package operation

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterDeclaration(Declaration{
		Name: "typescript-call",
		Doc: `Declares the tool as a TypeScript function: "template" holds {name}, {arguments} (the offered inputSchema as a type) and {result}, ` +
			`which is "result" when the tool has no outputSchema and "typed_result" with {output} (the outputSchema as a type) when it has one.`,
		New: func(params json.RawMessage) (DeclarationFunc, error) {
			var p struct {
				Template    string `json:"template"`
				Result      string `json:"result"`
				TypedResult string `json:"typed_result"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(s Subject, namespace string) (string, error) {
				result := p.Result
				if output := s.Tool.Get("outputSchema"); output != nil && output.Kind != schema.Null {
					result = strings.ReplaceAll(p.TypedResult, "{output}", TypeScript(output))
				}
				return strings.NewReplacer("{name}", s.Name, "{arguments}", TypeScript(s.Schema), "{result}", result).Replace(p.Template), nil
			}, nil
		},
	})
}

// TypeScript writes a schema as a TypeScript type as Codex 0.171.0 does for its
// code mode (observed): local references are expanded twice at most, tuples count
// only where items does not follow, formats and bounds are lost.
func TypeScript(v *schema.Value) string {
	w := tsWriter{root: v, open: map[string]int{}}
	return w.write(v)
}

// tsBudget bounds the subschemas written: references fan out.
const tsBudget = 20_000

// tsExpansions is how often a reference is expanded inside itself.
const tsExpansions = 2

type tsWriter struct {
	root  *schema.Value
	open  map[string]int
	steps int
}

func (w *tsWriter) write(v *schema.Value) string {
	w.steps++
	switch {
	case v == nil || w.steps > tsBudget || v.IsTrue():
		return "unknown"
	case v.IsFalse():
		return "never"
	case v.Kind != schema.Object:
		return "unknown"
	}
	if ref, ok := v.Get("$ref").IsString(); ok {
		return w.reference(v, ref)
	}
	return w.plain(v)
}

func (w *tsWriter) reference(v *schema.Value, ref string) string {
	target := Resolve(w.root, ref)
	if target == nil || w.open[ref] >= tsExpansions {
		return "unknown"
	}
	w.open[ref]++
	text := w.write(target)
	w.open[ref]--
	if rest := w.plain(v.Without("$ref", "description", "$defs", "definitions")); rest != "unknown" {
		return "(" + text + ") & (" + rest + ")"
	}
	return text
}

func (w *tsWriter) plain(v *schema.Value) string {
	if c := v.Get("const"); c != nil {
		return c.Compact()
	}
	if e := v.Get("enum"); e != nil && e.Kind == schema.Array && len(e.Items) > 0 {
		return w.join(e.Items, " | ", (*schema.Value).Compact)
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		joint := " | "
		if keyword == "allOf" {
			joint = " & "
		}
		if branches := v.Get(keyword); branches != nil && branches.Kind == schema.Array && len(branches.Items) > 0 {
			return w.join(branches.Items, joint, w.write)
		}
	}
	typ := v.Get("type")
	if typ != nil && typ.Kind == schema.Array {
		return w.join(typ.Items, " | ", func(t *schema.Value) string { return w.typed(v, t.Text) })
	}
	if name, ok := typ.IsString(); ok {
		return w.typed(v, name)
	}
	switch {
	case v.Has("properties") || v.Has("additionalProperties") || v.Has("required"):
		return w.object(v)
	case v.Has("items") || v.Has("prefixItems"):
		return w.array(v)
	}
	return "unknown"
}

func (w *tsWriter) join(items []*schema.Value, joint string, write func(*schema.Value) string) string {
	parts := make([]string, len(items))
	for i, item := range items {
		parts[i] = write(item)
	}
	return strings.Join(parts, joint)
}

func (w *tsWriter) typed(v *schema.Value, name string) string {
	switch name {
	case "string", "boolean", "null":
		return name
	case "number", "integer":
		return "number"
	case "array":
		return w.array(v)
	case "object":
		return w.object(v)
	}
	return "unknown"
}

func (w *tsWriter) array(v *schema.Value) string {
	if items := v.Get("items"); items != nil {
		return "Array<" + w.write(items) + ">"
	}
	if prefix := v.Get("prefixItems"); prefix != nil && len(prefix.Items) > 0 {
		parts := make([]string, len(prefix.Items))
		for i, item := range prefix.Items {
			parts[i] = w.write(item)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return "unknown[]"
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

func (w *tsWriter) object(v *schema.Value) string {
	var lines []string
	commented := false
	required := requiredNames(v)
	members := slices.Clone(v.Get("properties").Unique())
	slices.SortFunc(members, func(a, b schema.Member) int { return strings.Compare(a.Key, b.Key) })
	for _, m := range members {
		if d, _ := m.Value.Get("description").IsString(); d != "" {
			commented = true
			for _, line := range strings.Split(d, "\n") {
				if line = strings.TrimSpace(line); line != "" {
					lines = append(lines, "// "+line)
				}
			}
		}
		name := m.Key
		if !identifier.MatchString(name) {
			name = schema.Quote(name)
		}
		if !slices.Contains(required, m.Key) {
			name += "?"
		}
		lines = append(lines, name+": "+w.write(m.Value)+";")
	}
	switch additional := v.Get("additionalProperties"); {
	case additional == nil && len(members) == 0, additional.IsTrue():
		lines = append(lines, "[key: string]: unknown;")
	case additional != nil && additional.Kind == schema.Object:
		lines = append(lines, "[key: string]: "+w.write(additional)+";")
	}
	switch {
	case len(lines) == 0:
		return "{}"
	case commented:
		return "{\n  " + strings.Join(lines, "\n  ") + "\n}"
	}
	return "{ " + strings.Join(lines, " ") + " }"
}
