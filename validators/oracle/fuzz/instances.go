package main

import (
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// sampler draws instances that mean to reach deep into one document: mostly what
// a subschema asks for, now and then something else.
type sampler struct {
	dice
	document *schema.Value
	// calm samples hold what the schema asks for, as far as that is easily had.
	calm bool
}

// odd is chance, which a calm sampler does not take.
func (s sampler) odd(n int) bool { return !s.calm && s.chance(n) }

// maxSample bounds how deep a sample follows its schema.
const maxSample = 6

// instances draws n instances for a document.
func (d dice) instances(document *schema.Value, n int) []string {
	s := sampler{dice: d, document: document}
	out := make([]string, n)
	for i := range out {
		out[i] = text(s.sample(document, maxSample))
	}
	return out
}

func (s sampler) sample(node *schema.Value, depth int) *schema.Value {
	if depth <= 0 || node.Kind != schema.Object || s.odd(6) {
		return s.value(2)
	}
	if target := s.resolve(node); target != nil && !s.odd(5) {
		return s.sample(target, depth-1)
	}
	if c := node.Get("const"); c != nil && !s.odd(5) {
		return s.nearly(c)
	}
	if e := node.Get("enum"); e != nil && len(e.Items) > 0 && !s.odd(5) {
		return s.nearly(pick(s.dice, e.Items...))
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		if branches := node.Get(keyword); branches != nil && branches.Kind == schema.Array && len(branches.Items) > 0 && (s.calm || s.chance(2)) {
			return s.sample(pick(s.dice, branches.Items...), depth-1)
		}
	}
	switch s.kind(node) {
	case "object":
		return s.object(node, depth)
	case "array":
		return s.array(node, depth)
	case "string":
		return str(s.text())
	case "integer", "number":
		return num(s.number())
	case "boolean":
		return schema.Flag(s.chance(2))
	case "null":
		return null
	}
	return s.value(2)
}

// kind guesses the type that a subschema speaks about.
func (s sampler) kind(node *schema.Value) string {
	declared := node.Get("type")
	if name, ok := declared.IsString(); ok {
		return name
	}
	if declared != nil && declared.Kind == schema.Array && len(declared.Items) > 0 {
		name, _ := pick(s.dice, declared.Items...).IsString()
		return name
	}
	var kinds []string
	for _, m := range node.Members {
		switch m.Key {
		case "properties", "required", "patternProperties", "additionalProperties", "propertyNames", "minProperties", "maxProperties",
			"dependencies", "dependentRequired", "dependentSchemas", "unevaluatedProperties":
			kinds = append(kinds, "object")
		case "items", "prefixItems", "additionalItems", "contains", "minItems", "maxItems", "uniqueItems", "unevaluatedItems":
			kinds = append(kinds, "array")
		case "pattern", "format", "minLength", "maxLength":
			kinds = append(kinds, "string")
		case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
			kinds = append(kinds, "number")
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	return pick(s.dice, kinds...)
}

func (s sampler) object(node *schema.Value, depth int) *schema.Value {
	out := obj()
	properties := node.Get("properties")
	if properties != nil && properties.Kind == schema.Object {
		required := node.Get("required")
		for _, m := range properties.Members {
			if s.calm && required != nil && slices.ContainsFunc(required.Items, func(v *schema.Value) bool { return v.Text == m.Key }) || !s.chance(4) {
				out = out.With(m.Key, s.sample(m.Value, depth-1))
			}
		}
	}
	if required := node.Get("required"); required != nil {
		for _, item := range required.Items {
			if name, ok := item.IsString(); ok && !out.Has(name) && !s.chance(4) {
				out = out.With(name, s.value(1))
			}
		}
	}
	for range s.upTo(2) {
		if !s.calm && s.chance(2) {
			out = out.With(pick(s.dice, names...), s.value(2))
		}
	}
	if s.odd(30) { // a duplicate key
		out.Members = append(out.Members, member(pick(s.dice, names...), s.scalar()))
	}
	return out
}

func (s sampler) array(node *schema.Value, depth int) *schema.Value {
	var at []*schema.Value // schemas by position, the last for the rest
	for _, keyword := range []string{"prefixItems", "items", "contains"} {
		if v := node.Get(keyword); v != nil && v.Kind == schema.Array {
			at = append(at, v.Items...)
		} else if v != nil {
			at = append(at, v)
		}
	}
	out := list()
	for i := range s.upTo(3) + s.upTo(1) {
		if len(at) == 0 {
			out.Items = append(out.Items, s.value(1))
			continue
		}
		out.Items = append(out.Items, s.sample(at[min(i, len(at)-1)], depth-1))
	}
	if len(out.Items) > 0 && s.chance(4) {
		out.Items = append(out.Items, pick(s.dice, out.Items...))
	}
	return out
}

// nearly returns the value, or one that is easily mistaken for it.
func (s sampler) nearly(v *schema.Value) *schema.Value {
	if v.Kind == schema.Number && s.odd(3) {
		longer := v.Text
		if !v.HasFraction() {
			longer += ".0"
		}
		return pick(s.dice, num(longer), str(v.Text), num("1"), schema.Flag(true))
	}
	return v
}

// resolve follows a local $ref by name; other references are left to chance.
func (s sampler) resolve(node *schema.Value) *schema.Value {
	ref, ok := node.Get("$ref").IsString()
	if !ok {
		return nil
	}
	if ref == "#" || ref == "" {
		return s.document
	}
	parts := strings.Split(ref, "/")
	if len(parts) != 3 || parts[0] != "#" {
		return nil
	}
	name := strings.NewReplacer("~1", "/", "~0", "~").Replace(parts[2])
	return s.document.Get(parts[1]).Get(name)
}
