package recording

import (
	"slices"

	"github.com/hostmatrix/conform/schema"
)

// flatten unites a schema with the ones that its $ref, allOf and if add to it, so
// that one object says everything. used are the
// definitions that were followed. nil: nothing satisfies the schema, or a
// reference leads nowhere.
func (g *synthesizer) flatten(s *schema.Value, depth int) (flat *schema.Value, used []*schema.Value) {
	g.steps--
	switch {
	case g.steps < 0 || depth > maxSynthesisDepth || s == nil || s.IsFalse():
		return nil, nil
	case s.Kind == schema.Bool:
		return schema.Obj(), nil
	case s.Kind != schema.Object, s.Has("$dynamicRef"), s.Has("$recursiveRef"): // what they mean depends on the way there
		return nil, nil
	}
	flat = s.Without("$ref", "allOf", "if", "then", "else", "$defs", "definitions", "$schema", "$id")
	var parts []*schema.Value
	if s.Has("$ref") {
		target := resolve(g.root, s)
		if target == nil {
			return nil, nil
		}
		used = append(used, target)
		parts = append(parts, target)
	}
	parts = append(parts, schemaList(s, "allOf")...)
	if s.Has("if") {
		parts = append(parts, conditionOf(s))
	}
	for _, part := range parts {
		more, alsoUsed := g.flatten(part, depth+1)
		if more == nil {
			return nil, nil
		}
		used = append(used, alsoUsed...)
		if flat = unite(flat, more); flat == nil {
			return nil, nil
		}
	}
	return flat, used
}

// conditionOf turns an if into the union of its two ways: the condition with
// then, or else alone, which is only taken where the first is impossible.
func conditionOf(s *schema.Value) *schema.Value {
	part := func(keyword string) *schema.Value {
		if v := s.Get(keyword); v != nil {
			return v
		}
		return schema.Flag(true)
	}
	return schema.Obj(schema.Member{Key: "anyOf", Value: schema.List(both(part("if"), part("then")), part("else"))})
}

// unite returns a schema that demands what both demand, as far as a value can be
// built from it; nil when they contradict each other.
func unite(a, b *schema.Value) *schema.Value {
	a, b = closedBy(a, b), closedBy(b, a)
	for _, m := range b.Unique() {
		had := a.Get(m.Key)
		if had == nil {
			a = a.With(m.Key, m.Value)
			continue
		}
		v := uniteKeyword(m.Key, had, m.Value)
		if v == nil {
			return nil
		}
		if v == pending {
			a = a.With("allOf", schema.List(append(slices.Clone(schemaList(a, "allOf")), schema.Obj(m))...))
			continue
		}
		a = a.With(m.Key, v)
	}
	return a
}

// closedBy returns v with its properties under the additionalProperties of the
// other schema where that one does not name them: in an allOf each part closes
// the object by its own properties.
func closedBy(v, other *schema.Value) *schema.Value {
	rest, properties := other.Get("additionalProperties"), v.Get("properties")
	if rest == nil || rest.IsTrue() || properties == nil {
		return v
	}
	var members []schema.Member
	for _, m := range properties.Unique() {
		if memberSchema(other, m.Key) == rest {
			m.Value = both(m.Value, rest)
		}
		members = append(members, m)
	}
	return v.With("properties", schema.Obj(members...))
}

// uniteMaps joins two maps of schemas.
func uniteMaps(a, b *schema.Value) *schema.Value {
	var members []schema.Member
	for _, m := range a.Unique() {
		if other := b.Get(m.Key); other != nil {
			m.Value = both(m.Value, other)
		}
		members = append(members, m)
	}
	for _, m := range b.Unique() {
		if !a.Has(m.Key) {
			members = append(members, m)
		}
	}
	return schema.Obj(members...)
}

// pending marks a keyword that can't be united and is kept beside the first.
var pending = schema.Obj()

func uniteKeyword(keyword string, a, b *schema.Value) *schema.Value {
	switch keyword {
	case "properties", "patternProperties":
		return uniteMaps(a, b)
	case "required":
		return schema.List(append(slices.Clone(a.Items), b.Items...)...)
	case "items", "additionalProperties", "propertyNames", "contains", "additionalItems":
		if a.Kind == schema.Array || b.Kind == schema.Array {
			return a
		}
		return both(a, b)
	case "prefixItems":
		return unitePrefix(a, b)
	case "type":
		return uniteTypes(a, b)
	case "enum":
		return common(a.Items, b.Items)
	case "const":
		if schema.Equal(a, b) {
			return a
		}
		return nil
	case "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties":
		return extreme(a, b, 1)
	case "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties":
		return extreme(a, b, -1)
	case "anyOf", "oneOf", "allOf":
		if keyword == "allOf" {
			return schema.List(append(slices.Clone(a.Items), b.Items...)...)
		}
		return pending
	}
	return a // annotations, and what only a validator can tell
}

func both(a, b *schema.Value) *schema.Value {
	return schema.Obj(schema.Member{Key: "allOf", Value: schema.List(a, b)})
}

func unitePrefix(a, b *schema.Value) *schema.Value {
	var items []*schema.Value
	for i := range max(len(a.Items), len(b.Items)) {
		switch {
		case i >= len(a.Items):
			items = append(items, b.Items[i])
		case i >= len(b.Items):
			items = append(items, a.Items[i])
		default:
			items = append(items, both(a.Items[i], b.Items[i]))
		}
	}
	return schema.List(items...)
}

func uniteTypes(a, b *schema.Value) *schema.Value {
	other := typesOf(schema.Obj(schema.Member{Key: "type", Value: b}))
	var names []*schema.Value
	for _, t := range typesOf(schema.Obj(schema.Member{Key: "type", Value: a})) {
		switch {
		case slices.Contains(other, t), t == "integer" && slices.Contains(other, "number"):
			names = append(names, schema.Str(t))
		case t == "number" && slices.Contains(other, "integer"):
			names = append(names, schema.Str("integer"))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return schema.List(names...)
}

func common(a, b []*schema.Value) *schema.Value {
	var out []*schema.Value
	for _, v := range a {
		if slices.ContainsFunc(b, func(other *schema.Value) bool { return schema.Equal(v, other) }) {
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return schema.List(out...)
}

// extreme returns the greater (sign 1) or smaller (sign -1) of two bounds.
func extreme(a, b *schema.Value, sign int) *schema.Value {
	x, ok1 := a.Exact()
	y, ok2 := b.Exact()
	if ok1 && ok2 && x.Cmp(y)*sign < 0 {
		return b
	}
	return a
}
