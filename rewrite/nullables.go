package rewrite

import "github.com/hostmatrix/conform/schema"

var nullableRewrites = []Rewrite{
	{
		Name: "nullable-as-type-list", Title: "Write nullable as a list of types",
		Doc:       "nullable is OpenAPI 3.0; JSON Schema does not know it, and Ajv refuses to compile it without a type.",
		Condition: "nullable", Loss: "for JSON Schema the old one allowed no null; now null is allowed, as was meant",
		Before: `{"type":"string","nullable":true}`, After: `{"type":["string","null"]}`, Cost: 1,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			nullable := s.Get("nullable")
			if nullable == nil {
				return s
			}
			out := s.Without("nullable")
			t, ok := s.Get("type").IsString()
			if !nullable.IsTrue() || !ok {
				return out
			}
			out = out.With("type", schema.List(schema.Str(t), schema.Str("null")))
			if values := s.ListOf("enum"); values != nil {
				out = out.With("enum", schema.List(distinct(append(append([]*schema.Value(nil), values...), &schema.Value{}))...))
			}
			return out
		}),
	},
	{
		Name: "nullable-as-any-of", Title: "Write nullable as a union with null",
		Doc:       "nullable is OpenAPI 3.0; a union with null means the same in every draft, and is read by hosts that take no list of types.",
		Condition: "nullable", Loss: "for JSON Schema the old one allowed no null; now null is allowed, as was meant",
		Before: `{"type":"string","nullable":true}`, After: `{"anyOf":[{"type":"string"},{"type":"null"}]}`, Cost: 1,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			nullable := s.Get("nullable")
			if nullable == nil {
				return s
			}
			out := s.Without("nullable")
			if !nullable.IsTrue() || !out.Has("type") || hasType(out, "null") {
				return out
			}
			return orNull(out)
		}),
	},
	{
		Name: "type-list-as-any-of", Title: "Write a list of types as a union",
		Doc:       "Several hosts and model APIs take one type per schema only, or keep the first of a list.",
		Condition: "type as a list",
		Before:    `{"type":["string","null"]}`, After: `{"anyOf":[{"type":"string"},{"type":"null"}]}`,
		Apply: onSchemas(func(s *schema.Value, n schema.Node) *schema.Value {
			names := s.StringsOf("type")
			if len(names) == 0 || n.Depth == 0 || s.Has("anyOf") {
				return s
			}
			if len(names) == 1 {
				return s.With("type", schema.Str(names[0]))
			}
			outside, inside := split(s.Without("type"))
			var branches []*schema.Value
			for _, name := range names {
				branches = append(branches, onlyFor(name, inside))
			}
			return outside.With("anyOf", schema.List(branches...))
		}),
	},
	{
		Name: "any-of-as-type-list", Title: "Write a union of plain types as a list of types",
		Doc:       "Some hosts drop unions and keep lists of types.",
		Condition: "anyOf of schemas that hold nothing but a type",
		Before:    `{"anyOf":[{"type":"string"},{"type":"null"}]}`, After: `{"type":["string","null"]}`,
		Apply: onSchemas(func(s *schema.Value, n schema.Node) *schema.Value {
			branches := s.ListOf("anyOf")
			if len(branches) < 2 || s.Has("type") || n.Depth == 0 {
				return s
			}
			var names []*schema.Value
			for _, b := range branches {
				t := b.Get("type")
				if t == nil || t.Kind != schema.String || len(b.Members) != 1 {
					return s
				}
				names = append(names, t)
			}
			return s.With("anyOf", nil).With("type", schema.List(distinct(names)...))
		}),
	},
}

// orNull is a schema that null satisfies too; notes for people stay outside.
func orNull(s *schema.Value) *schema.Value {
	outside, inside := split(s)
	return outside.With("anyOf", schema.List(inside, object("type", schema.Str("null"))))
}

// split parts what people read from what validators read.
func split(s *schema.Value) (outside, inside *schema.Value) {
	outside, inside = schema.Obj(), schema.Obj()
	for _, m := range s.Unique() {
		switch m.Key {
		case "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "$id", "$anchor", "$defs", "definitions", "$schema":
			outside.Members = append(outside.Members, m)
		default:
			inside.Members = append(inside.Members, m)
		}
	}
	return outside, inside
}

// typed lists the keywords that speak about one type alone.
var typed = map[string]string{
	"properties": "object", "required": "object", "additionalProperties": "object", "patternProperties": "object", "propertyNames": "object",
	"minProperties": "object", "maxProperties": "object", "dependentRequired": "object", "dependentSchemas": "object", "unevaluatedProperties": "object",
	"items": "array", "prefixItems": "array", "additionalItems": "array", "contains": "array", "minItems": "array", "maxItems": "array",
	"uniqueItems": "array", "minContains": "array", "maxContains": "array", "unevaluatedItems": "array",
	"pattern": "string", "format": "string", "minLength": "string", "maxLength": "string", "contentEncoding": "string", "contentMediaType": "string",
	"minimum": "number", "maximum": "number", "exclusiveMinimum": "number", "exclusiveMaximum": "number", "multipleOf": "number",
}

// onlyFor is the schema of one type with the keywords that speak about it.
func onlyFor(name string, s *schema.Value) *schema.Value {
	out := object("type", schema.Str(name))
	for _, m := range s.Unique() {
		switch about := typed[m.Key]; {
		case m.Key == "enum":
			var values []*schema.Value
			for _, v := range m.Value.Items {
				if v.Kind.String() == name || name == "integer" && v.Kind == schema.Number {
					values = append(values, v)
				}
			}
			if name != "null" {
				out = out.With("enum", schema.List(values...))
			}
		case about == "" || about == name || about == "number" && name == "integer":
			if name != "null" {
				out.Members = append(out.Members, m)
			}
		}
	}
	return out
}
