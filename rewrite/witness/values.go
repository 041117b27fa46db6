package witness

import "github.com/hostmatrix/conform/schema"

// impliedBy lists which keywords speak about which type; a schema without a type
// is tried with each type it speaks about, and with one of another.
var impliedBy = []struct {
	name     string
	keywords []string
}{
	{"object", []string{"properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties",
		"maxProperties", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties"}},
	{"array", []string{"items", "prefixItems", "additionalItems", "contains", "minItems", "maxItems", "uniqueItems", "unevaluatedItems",
		"minContains", "maxContains"}},
	{"string", []string{"format", "pattern", "minLength", "maxLength", "contentEncoding", "contentMediaType"}},
	{"number", []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}},
}

// anything is what a place without any rule may hold.
var anything = []string{`"text"`, `1`, `null`, `{}`, `[]`, `true`, `1.5`, `""`, `[null]`, `{"a":{"b":[1]}}`, `0`, `false`}

// build returns values for schemas whose references and combinators were expanded.
func (m *maker) build(c conj, depth, limit int) []*schema.Value {
	if named := m.named(c); named != nil {
		return named[:min(len(named), limit)]
	}
	types := c.types()
	implied := false
	if types == nil {
		implied = true
		for _, i := range impliedBy {
			if c.has(i.keywords...) {
				types = append(types, i.name)
			}
		}
	}
	var lists [][]*schema.Value
	for _, t := range types {
		lists = append(lists, m.ofType(t, c, depth, limit))
	}
	if c.isTrue("nullable") {
		lists = append(lists, []*schema.Value{{}})
	}
	for _, keyword := range []string{"examples", "default"} {
		for _, v := range c.all(keyword) {
			if keyword == "examples" {
				lists = append(lists, v.Items)
			} else {
				lists = append(lists, []*schema.Value{v})
			}
		}
	}
	out := interleave(lists, limit)
	wrong := []*schema.Value{schema.Str("text"), schema.Num(1), {}, schema.Obj(), schema.List()}
	if implied {
		out = interleave([][]*schema.Value{out, m.free(len(types) == 0)}, limit)
	} else if depth > 0 && limit > 1 {
		// One value of a wrong type: the dialect forbids it, a host may not.
		for _, v := range wrong {
			if !allows(types, v) {
				out = append(out[:min(len(out), limit-1)], v)
				break
			}
		}
	}
	return out
}

// free are values for a place that says nothing about their type.
func (m *maker) free(whole bool) []*schema.Value {
	texts := anything
	if !whole {
		texts = texts[:4]
	}
	out := make([]*schema.Value, len(texts))
	for i, text := range texts {
		out[i] = schema.MustParse(text)
	}
	return out
}

// named are the values that const and enum spell out, in other spellings too.
func (m *maker) named(c conj) []*schema.Value {
	var out []*schema.Value
	for _, v := range c.all("const") {
		out = append(out, v)
		out = append(out, otherSpellings(v)...)
	}
	if out != nil {
		return out
	}
	types := c.types()
	for _, s := range c {
		values := s.ListOf("enum")
		for _, v := range values {
			if types == nil || allows(types, v) {
				out = append(out, v)
			}
		}
		for _, v := range values {
			out = append(out, otherSpellings(v)...)
		}
		if values != nil {
			if c.isTrue("nullable") || c.has("type") {
				out = append(out, &schema.Value{})
			}
			break
		}
	}
	return out
}

// otherSpellings are values that some languages take for the same.
func otherSpellings(v *schema.Value) []*schema.Value {
	switch {
	case v.Kind == schema.Number && !v.HasFraction():
		out := []*schema.Value{{Kind: schema.Number, Text: v.Text + ".0"}}
		if v.Text == "0" || v.Text == "1" {
			out = append(out, schema.Flag(v.Text == "1"))
		}
		return append(out, neighbours(v)...)
	case v.Kind == schema.Bool && v.Bool:
		return []*schema.Value{schema.Num(1)}
	case v.Kind == schema.Bool:
		return []*schema.Value{schema.Num(0)}
	case v.Kind == schema.Object && len(v.Members) > 1:
		reversed := schema.Obj()
		for i := len(v.Members) - 1; i >= 0; i-- {
			reversed.Members = append(reversed.Members, v.Members[i])
		}
		return []*schema.Value{reversed}
	case v.Kind == schema.Array && len(v.Items) > 0:
		var items []*schema.Value
		for _, item := range v.Items {
			if other := otherSpellings(item); len(other) > 0 {
				item = other[0]
			}
			items = append(items, item)
		}
		return []*schema.Value{schema.List(items...)}
	case v.Kind == schema.String:
		return []*schema.Value{schema.Str(v.Text + "\n")}
	}
	return nil
}

func allows(types []string, v *schema.Value) bool {
	for _, t := range types {
		if t == v.Kind.String() || t == "integer" && v.Kind == schema.Number {
			return true
		}
	}
	return false
}

func (m *maker) ofType(t string, c conj, depth, limit int) []*schema.Value {
	switch t {
	case "object":
		return m.objects(c, depth, limit)
	case "array":
		return m.arrays(c, depth, limit)
	case "string":
		return m.texts(c, limit)
	case "integer", "number":
		out := numbers(c, t == "integer", limit)
		if m.number != "" {
			out = append([]*schema.Value{{Kind: schema.Number, Text: m.number}}, out...)
		}
		return out[:min(len(out), limit)]
	case "boolean":
		return []*schema.Value{schema.Flag(true), schema.Flag(false)}
	case "null":
		return []*schema.Value{{}}
	}
	return nil
}
