package rewrite

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
)

var dialectRewrites = []Rewrite{
	{
		Name: "schema-tag-off", Title: "Leave out $schema",
		Doc:       "Some hosts refuse every $schema but their own, others read it and change dialect. Without it MCP means 2020-12.",
		Condition: "$schema at the root", Loss: "the dialect: what 2020-12 reads otherwise than the one that was named, as keywords beside $ref, changes its meaning",
		Before: `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`, After: `{"type":"object"}`, Cost: 1,
		Apply: onRoot(func(root *schema.Value) *schema.Value { return without(root, "$schema") }),
	},
	{
		Name: "id-off", Title: "Leave out $id",
		Doc:       "A client that meets one $id twice validates with the first schema or fails; a relative or odd $id cannot be compiled by some. Nobody fetches it.",
		Condition: "$id or id that nothing in the schema refers to",
		Before:    `{"$id":"https://example.com/a","type":"object"}`, After: `{"type":"object"}`,
		Apply: rooted(func(root *schema.Value) (*schema.Value, bool) {
			if refersByID(root) {
				return root, false
			}
			return onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
				out := s
				for _, keyword := range []string{"$id", "id"} {
					if out.Get(keyword) != nil {
						out = out.Without(keyword)
					}
				}
				return out
			})(root)
		}),
	},
	{
		Name: "type-names", Title: "Use the type names of JSON Schema",
		Doc:       "Types such as int, float, any, file or STRING are none: validators do not compile them, and several hosts lose the server with them.",
		Condition: "type that is no name of JSON Schema", Loss: "nothing for known aliases; an unknown type becomes any value",
		Before: `{"type":"int"}`, After: `{"type":"integer"}`, Cost: 1,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			name, ok := s.Get("type").IsString()
			if !ok {
				return s
			}
			known, isAlias := typeAliases[strings.ToLower(name)]
			switch {
			case typeNames[name]:
				return s
			case typeNames[strings.ToLower(name)]:
				return s.With("type", schema.Str(strings.ToLower(name)))
			case isAlias:
				return s.With("type", schema.Str(known))
			}
			return s.Without("type")
		}),
	},
	{
		Name: "unknown-keywords-off", Title: "Leave out keywords that JSON Schema does not know",
		Doc: "Strict validators and model APIs with a fixed set of keywords refuse what they do not know (discriminator, example, x-…). " +
			"nullable stays: Ajv honours it, and it has rewrites of its own.",
		Condition: "a keyword of no draft", Loss: "notes for other tools",
		Before: `{"type":"string","example":"x"}`, After: `{"type":"string"}`,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			out := s
			for _, m := range s.Unique() {
				if _, applicator := schema.PlaceOf(m.Key); !applicator && !vocabulary[m.Key] && m.Key != "nullable" {
					out = out.Without(m.Key)
				}
			}
			return out
		}),
	},
	{
		Name: "annotations-off", Title: "Leave out notes of the wrong shape and defaults",
		Doc:       "A title that is no text, or a default, stops model APIs that take a subset, and validators that check the schema first.",
		Condition: "title, default, examples, deprecated, readOnly, writeOnly or $comment", Loss: "notes for people; a default may move into the description",
		Before: `{"type":"string","default":"x"}`, After: `{"type":"string"}`, Cost: 1,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			return without(s, "title", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "$async")
		}),
	},
	{
		Name: "required-clean", Title: "Name each required member once, and declare it",
		Doc:       "A name listed twice, a required that is no list, or a name without a property is refused by model APIs and strict metaschema checks.",
		Condition: "required with repetitions, undeclared names, or of the wrong type",
		Before:    `{"properties":{"a":{}},"required":["a","a","b"]}`, After: `{"properties":{"a":{},"b":{}},"required":["a","b"]}`,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			required := s.Get("required")
			if required == nil {
				return s
			}
			if required.Kind != schema.Array {
				return s.Without("required")
			}
			names := distinct(required.Items)
			out := s
			if len(names) != len(required.Items) {
				out = out.With("required", schema.List(names...))
			}
			properties := s.Get("properties")
			if properties == nil || properties.Kind != schema.Object {
				return out
			}
			for _, n := range names {
				if name, ok := n.IsString(); ok && !properties.Has(name) && !s.Get("additionalProperties").IsFalse() {
					properties = properties.With(name, schema.Obj())
				}
			}
			if properties != s.Get("properties") {
				out = out.With("properties", properties)
			}
			return out
		}),
	},
}

var typeNames = map[string]bool{"object": true, "array": true, "string": true, "number": true, "integer": true, "boolean": true, "null": true}

var typeAliases = map[string]string{"int": "integer", "int32": "integer", "int64": "integer", "long": "integer", "float": "number", "double": "number",
	"decimal": "number", "bool": "boolean", "str": "string", "text": "string", "file": "string", "date": "string", "datetime": "string", "list": "array",
	"dict": "object", "map": "object", "none": "null", "nil": "null"}

// vocabulary are the keywords of draft-04 to 2020-12 that hold no schema.
var vocabulary = map[string]bool{
	"$schema": true, "$id": true, "id": true, "$ref": true, "$anchor": true, "$dynamicRef": true, "$dynamicAnchor": true, "$recursiveRef": true,
	"$recursiveAnchor": true, "$vocabulary": true, "$comment": true, "type": true, "enum": true, "const": true, "multipleOf": true, "maximum": true,
	"exclusiveMaximum": true, "minimum": true, "exclusiveMinimum": true, "maxLength": true, "minLength": true, "pattern": true, "maxItems": true,
	"minItems": true, "uniqueItems": true, "maxContains": true, "minContains": true, "maxProperties": true, "minProperties": true, "required": true,
	"dependentRequired": true, "title": true, "description": true, "default": true, "deprecated": true, "readOnly": true, "writeOnly": true,
	"examples": true, "format": true, "contentEncoding": true, "contentMediaType": true,
}

// without is Without that returns its argument when nothing goes.
func without(s *schema.Value, keys ...string) *schema.Value {
	for _, k := range keys {
		if s.Get(k) != nil {
			return s.Without(keys...)
		}
	}
	return s
}
