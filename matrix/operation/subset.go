package operation

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRewrite(Rewrite{
		Name: "coerce-to-subset",
		Doc: `Reads the inputSchema into a typed structure with only the members "keep" (a list of keyword names) and writes it out again: ` +
			`boolean schemas become "boolean", const becomes a one-element enum, unknown type names go and a list of one is that one, a missing type is inferred ` +
			`where neither $ref nor a combinator stands (properties, required or additionalProperties: object; items or prefixItems: array; enum, const or format: string; numeric bounds: number; ` +
			`else nothing is kept), an array without items (or with boolean or no single-schema items after a prefix) gets "items", an object gets properties. ` +
			`What the structure cannot hold (items as an array, required that is no list of strings, enum that is no list, a description or $ref that is no string, properties as an array) drops the tool; a table of definitions that is no object is left out.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p subset
			var raw struct {
				Keep    []string        `json:"keep"`
				Boolean json.RawMessage `json:"boolean"`
				Items   json.RawMessage `json:"items"`
			}
			if err := Decode(params, &raw); err != nil {
				return nil, err
			}
			p.keep = raw.Keep
			var err error
			if p.boolean, err = schema.Parse(raw.Boolean, schema.Limits{}); err != nil {
				return nil, err
			}
			if p.items, err = schema.Parse(raw.Items, schema.Limits{}); err != nil {
				return nil, err
			}
			return func(s Subject) (Subject, error) {
				if s.Schema == nil {
					return s, nil
				}
				root := s.Schema
				if there := root.Get("properties"); root.Kind == schema.Object && (there == nil || there.Kind == schema.Null) {
					root = root.With("properties", schema.Obj())
				}
				out, err := p.coerce(root)
				if err != nil {
					return s, err
				}
				s.Schema = out
				return s, nil
			}, nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "prune-definitions",
		Doc:  `Drops entries of $defs and definitions that no $ref reaches from the rest of the schema, and the keyword when nothing is left.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return rootOnly(pruneDefinitions), nil
		},
	})
}

// subset is the typed structure that coerce-to-subset reads into.
type subset struct {
	keep           []string
	boolean, items *schema.Value
}

var (
	typeNames    = []string{"string", "number", "boolean", "integer", "object", "array", "null"}
	numericWords = []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
)

func (p subset) coerce(v *schema.Value) (*schema.Value, error) {
	if v.Kind == schema.Bool {
		return p.boolean, nil
	}
	if v.Kind != schema.Object {
		return nil, &DropError{"invalid type: " + v.Kind.String() + ", expected a schema"}
	}
	var out []schema.Member
	add := func(key string, value *schema.Value) { out = append(out, schema.Member{Key: key, Value: value}) }
	types := p.types(v)
	if len(types) == 0 && !composed(v) {
		return schema.Obj(), nil
	}
	for _, m := range v.Unique() {
		if m.Key == "type" || !slices.Contains(p.keep, m.Key) && m.Key != "const" || m.Value.Kind == schema.Null && m.Key != "const" {
			continue
		}
		value, err := p.member(m, types)
		if err != nil {
			return nil, err
		}
		if value == nil {
			continue
		}
		if m.Key == "const" {
			m.Key = "enum"
		}
		add(m.Key, value)
	}
	if typ := typeValue(types); typ != nil {
		add("type", typ)
	}
	result := schema.Obj(out...)
	if slices.Contains(types, "object") && !v.Has("properties") {
		result = result.With("properties", schema.Obj())
	}
	if slices.Contains(types, "array") && !v.Has("items") {
		result = result.With("items", p.items)
	}
	return result, nil
}

// member coerces one kept member; nil leaves it out.
func (p subset) member(m schema.Member, types []string) (*schema.Value, error) {
	v := m.Value
	switch place, applicator := schema.PlaceOf(m.Key); {
	case m.Key == "const":
		return schema.List(v), nil
	case m.Key == "description" || m.Key == "$ref":
		if v.Kind != schema.String {
			return nil, &DropError{"invalid type: " + v.Kind.String() + ", expected a string"}
		}
	case m.Key == "required" || m.Key == "enum":
		if v.Kind != schema.Array {
			return nil, &DropError{"invalid type: " + v.Kind.String() + ", expected a sequence"}
		}
		if i := slices.IndexFunc(v.Items, func(name *schema.Value) bool { return name.Kind != schema.String }); i >= 0 && m.Key == "required" {
			return nil, &DropError{"invalid type: " + v.Items[i].Kind.String() + ", expected a string"}
		}
	case m.Key == "minItems":
		if v.Kind != schema.Number || v.HasFraction() || v.Float() < 0 {
			return nil, &DropError{"invalid type: " + v.Kind.String() + ", expected usize"}
		}
	case (m.Key == "$defs" || m.Key == "definitions") && v.Kind != schema.Object:
		return nil, nil
	case m.Key == "items":
		if v.Kind == schema.Array {
			if len(v.Items) == 0 {
				return nil, &DropError{"invalid length 0, expected a schema"}
			}
			return nil, &DropError{"invalid type: map, expected a string"}
		}
		return p.coerce(v)
	case m.Key == "additionalProperties":
		if v.Kind == schema.Bool {
			return v, nil
		}
		return p.coerce(v)
	case applicator && place == schema.SchemaMap:
		if v.Kind != schema.Object {
			return nil, &DropError{"invalid type: " + v.Kind.String() + ", expected a map"}
		}
		members := make([]schema.Member, 0, len(v.Members))
		for _, sub := range v.Unique() {
			value, err := p.coerce(sub.Value)
			if err != nil {
				return nil, err
			}
			members = append(members, schema.Member{Key: sub.Key, Value: value})
		}
		return schema.Obj(members...), nil
	case applicator && place == schema.SchemaList:
		if v.Kind != schema.Array {
			return nil, &DropError{"invalid type: " + v.Kind.String() + ", expected a sequence"}
		}
		items := make([]*schema.Value, len(v.Items))
		for i, item := range v.Items {
			value, err := p.coerce(item)
			if err != nil {
				return nil, err
			}
			items[i] = value
		}
		return schema.List(items...), nil
	}
	return v, nil
}

// types returns the schema's known type names, inferred where it names none.
func (p subset) types(v *schema.Value) []string {
	typ := v.Get("type")
	if name, ok := typ.IsString(); ok && slices.Contains(typeNames, name) {
		return []string{name}
	}
	if typ != nil && typ.Kind == schema.Array {
		var names []string
		for _, item := range typ.Items {
			if name, ok := item.IsString(); ok && slices.Contains(typeNames, name) {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			return names
		}
	}
	if composed(v) {
		return nil
	}
	for _, rule := range []struct {
		typ   string
		words []string
	}{
		{"object", []string{"properties", "required", "additionalProperties"}},
		{"array", []string{"items", "prefixItems"}},
		{"string", []string{"enum", "const", "format"}},
		{"number", numericWords},
	} {
		if slices.ContainsFunc(rule.words, v.Has) {
			return []string{rule.typ}
		}
	}
	return nil
}

// composed reports whether a schema says what it is by reference or combinator.
func composed(v *schema.Value) bool {
	return slices.ContainsFunc([]string{"$ref", "anyOf", "oneOf", "allOf"}, v.Has)
}

// typeValue is the type as it is written out; nil for none.
func typeValue(types []string) *schema.Value {
	switch len(types) {
	case 0:
		return nil
	case 1:
		return schema.Str(types[0])
	}
	items := make([]*schema.Value, len(types))
	for i, t := range types {
		items[i] = schema.Str(t)
	}
	return schema.List(items...)
}

func pruneDefinitions(root *schema.Value) *schema.Value {
	reached := map[string]bool{}
	var visit func(v *schema.Value, skipDefinitions bool)
	visit = func(v *schema.Value, skipDefinitions bool) {
		schema.Walk(v, func(n schema.Node) bool {
			if skipDefinitions && len(n.Pointer) > 0 && (n.Pointer[0] == "$defs" || n.Pointer[0] == "definitions") {
				return false
			}
			ref, ok := n.Schema.Get("$ref").IsString()
			fragment := strings.TrimPrefix(ref, "#")
			if decoded, err := url.PathUnescape(fragment); err == nil {
				fragment = decoded
			}
			if p, isPointer := schema.ParsePointer(fragment); ok && isPointer && len(p) >= 2 {
				if key := p[:2].String(); !reached[key] {
					reached[key] = true
					if target := root.Lookup(p[:2]); target != nil {
						visit(target, false)
					}
				}
			}
			return true
		})
	}
	visit(root, true)
	for _, keyword := range []string{"$defs", "definitions"} {
		definitions := root.Get(keyword)
		if definitions == nil {
			continue
		}
		var kept []schema.Member
		for _, m := range definitions.Unique() {
			if reached[schema.Pointer{keyword, m.Key}.String()] {
				kept = append(kept, m)
			}
		}
		if len(kept) == 0 {
			root = root.Without(keyword)
		} else {
			root = root.With(keyword, schema.Obj(kept...))
		}
	}
	return root
}
