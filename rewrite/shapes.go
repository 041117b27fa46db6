package rewrite

import (
	"slices"

	"github.com/hostmatrix/conform/schema"
)

// wantsBoolean are the applicators under which true and false are usual and read
// by all hosts; elsewhere a boolean in place of a schema loses tools.
var wantsBoolean = map[string]bool{"additionalProperties": true, "unevaluatedProperties": true, "additionalItems": true, "unevaluatedItems": true}

// anyKind is every kind of value; a list needs items for many hosts.
const anyKind = `[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"object"},{"type":"array","items":{"type":"string"}},{"type":"null"}]`

var shapeRewrites = []Rewrite{
	{
		Name: "boolean-subschemas", Title: "Write true as {} and false as {\"not\": {}}",
		Doc: "The list parsers of many hosts want an object for every property: true there loses every tool of the server. " +
			"items: false has its own rewrites for tuples.",
		Condition: "true or false where a schema stands, but for additionalProperties and its like",
		Before:    `{"properties":{"any":true}}`, After: `{"properties":{"any":{}}}`,
		Apply: func(root *schema.Value) (*schema.Value, bool) {
			out := schema.Map(root, func(n schema.Node) *schema.Value {
				if n.Schema == nil || n.Schema.Kind != schema.Bool || wantsBoolean[n.Keyword] {
					return n.Schema
				}
				if n.Schema.Bool {
					return schema.Obj()
				}
				return object("not", schema.Obj())
			})
			return out, out != root
		},
	},
	{
		Name: "any-value-named", Title: "Name the kinds of an open value",
		Doc: "Some model APIs want a type, a union or a reference in every property and refuse {}, others offer it as a text. A union of the kinds says " +
			"nearly the same; of lists it names those of texts. Better still is the kind that the tool takes.",
		Condition: "a property, or the items of one, without a type and without anything that implies it", Loss: "lists of other than texts",
		Before: `{"properties":{"v":{"description":"any"}}}`,
		After: `{"properties":{"v":{"description":"any","anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"object"},` +
			`{"type":"array","items":{"type":"string"}},{"type":"null"}]}}}`, Cost: 3,
		Apply: onSchemas(func(s *schema.Value, n schema.Node) *schema.Value {
			if n.Keyword != "properties" && n.Keyword != "items" {
				return s
			}
			for _, m := range s.Members {
				if m.Key != "description" && m.Key != "title" && m.Key != "default" && m.Key != "examples" {
					return s
				}
			}
			return s.With("anyOf", schema.MustParse(anyKind))
		}),
	},
	{
		Name: "forbidden-members-off", Title: "Leave out members that may never be there",
		Doc: "A property of false, or of {\"not\": {}}, says that the member is forbidden. Parsers that want an object refuse the one, and model APIs " +
			"without not the other; a closed object says the same by leaving the member out.",
		Condition: "a property whose schema is false or {\"not\": {}}, and that is not required", Loss: "that the member is forbidden, where other members are not",
		Before: `{"properties":{"a":{},"old":false}}`, After: `{"properties":{"a":{}}}`, Cost: 1,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			properties := s.Get("properties")
			required := s.StringsOf("required")
			kept := properties
			for _, m := range properties.Unique() {
				if allowsNothing(m.Value) && !slices.Contains(required, m.Key) {
					kept = kept.Without(m.Key)
				}
			}
			if kept == properties {
				return s
			}
			return s.With("properties", kept)
		}),
	},
	{
		Name: "object-open", Title: "Let objects hold more members",
		Doc: "A closed object rejects the field that the next version of the server adds, in each host that validates; hosts that read allOf or $ref " +
			"beside additionalProperties differently reject what was meant to pass.",
		Condition: "additionalProperties or unevaluatedProperties of false", Loss: "members that nobody declared pass",
		Before: `{"properties":{"a":{}},"additionalProperties":false}`, After: `{"properties":{"a":{}}}`, Cost: 2,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			for _, keyword := range []string{"additionalProperties", "unevaluatedProperties"} {
				if s.Get(keyword).IsFalse() {
					s = s.Without(keyword)
				}
			}
			return s
		}),
	},
	{
		Name: "members-optional", Title: "Promise no member of a result",
		Doc: "A server that leaves a member out when it has no value breaks required in every host that validates. " +
			"Sending the member is the better mend; where other versions of the server are in use, only the schema can change.",
		Condition: "required in an outputSchema", Loss: "which members a result always has",
		Before: `{"properties":{"a":{}},"required":["a"]}`, After: `{"properties":{"a":{}}}`, Cost: 4, Part: Output,
		Apply: onSchemas(func(s *schema.Value, n schema.Node) *schema.Value {
			if deciding(n.Pointer) {
				return s
			}
			return without(s, "required")
		}),
	},
	{
		Name: "null-allowed", Title: "Let members and elements of a result be null",
		Doc: "Go writes a nil slice, Java and C# an absent value as null; a schema without null then rejects the result in every host that validates. " +
			"Sending [] or leaving the member out is the better mend.",
		Condition: "a type below the root of an outputSchema that is one word", Loss: "that values are never null",
		Before: `{"properties":{"a":{"type":"array","items":{}}}}`, After: `{"properties":{"a":{"type":["array","null"],"items":{}}}}`, Cost: 4, Part: Output,
		Apply: onSchemas(func(s *schema.Value, n schema.Node) *schema.Value {
			name, ok := s.Get("type").IsString()
			if !ok || name == "null" || deciding(n.Pointer) || n.Keyword != "properties" && n.Keyword != "items" && n.Keyword != "additionalProperties" && n.Keyword != "prefixItems" {
				return s
			}
			out := s.With("type", schema.List(schema.Str(name), schema.Str("null")))
			if values := s.ListOf("enum"); values != nil {
				out = out.With("enum", schema.List(distinct(append(append([]*schema.Value(nil), values...), &schema.Value{}))...))
			}
			return out
		}),
	},
	{
		Name: "object-close", Title: "Close objects",
		Doc:       "Strict modes of model APIs take only objects with additionalProperties: false.",
		Condition: "an object with properties and without additionalProperties", Loss: "nothing passes any more that was not declared (this one tightens)",
		Before: `{"type":"object","properties":{"a":{}}}`, After: `{"type":"object","properties":{"a":{}},"additionalProperties":false}`, Cost: 3,
		Part: Input,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			if !hasType(s, "object") || !s.Has("properties") || s.Has("additionalProperties") {
				return s
			}
			return s.With("additionalProperties", schema.Flag(false))
		}),
	},
	{
		Name: "additional-properties-plain", Title: "Write additionalProperties as true or false",
		Doc:       "Typed list parsers (Java) take only a boolean there; a schema loses the server.",
		Condition: "additionalProperties that is a schema", Loss: "what the other members hold",
		Before: `{"additionalProperties":{"type":"string"}}`, After: `{"additionalProperties":true}`, Cost: 2,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			v := s.Get("additionalProperties")
			switch {
			case v == nil || v.Kind == schema.Bool:
				return s
			case v.Kind == schema.Object && len(v.Members) == 0:
				return s.With("additionalProperties", schema.Flag(true))
			}
			return s.With("additionalProperties", schema.Flag(true))
		}),
	},
	{
		Name: "properties-declared", Title: "Give every object its properties",
		Doc:       "Model APIs refuse an object without properties.",
		Condition: "type object without properties",
		Before:    `{"type":"object"}`, After: `{"type":"object","properties":{}}`,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			if !hasType(s, "object") || s.Has("properties") {
				return s
			}
			return s.With("properties", schema.Obj())
		}),
	},
	{
		Name: "type-implied", Title: "Say the type that the keywords imply",
		Doc:       "Some model APIs and hosts refuse, or read as a text, a property without a type.",
		Condition: "a schema without type whose keywords speak about one type, or that is an enum of one type", Loss: "values of other types, which the old schema let pass",
		Before: `{"items":{"enum":["x"]}}`, After: `{"type":"array","items":{"type":"string","enum":["x"]}}`, Cost: 1,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			for _, keyword := range []string{"type", "$ref", "anyOf", "oneOf", "allOf", "not", "if"} {
				if s.Has(keyword) {
					return s
				}
			}
			name := impliedType(s)
			if name == "" {
				return s
			}
			out := object("type", schema.Str(name))
			out.Members = append(out.Members, s.Unique()...)
			return out
		}),
	},
}

// deciding reports whether a schema stands where loosening it may forbid values:
// below not, if, oneOf, or a contains that is bounded. A property of such a name
// counts too, which only leaves more alone.
func deciding(at schema.Pointer) bool {
	for _, token := range at {
		switch token {
		case "not", "if", "oneOf", "contains":
			return true
		}
	}
	return false
}

// impliedType returns the one type that the keywords of s speak about.
func impliedType(s *schema.Value) string {
	found := ""
	add := func(name string) bool {
		if found != "" && found != name {
			return false
		}
		found = name
		return true
	}
	for _, m := range s.Unique() {
		if name := typed[m.Key]; name != "" && !add(name) {
			return ""
		}
	}
	values := s.ListOf("enum")
	if v := s.Get("const"); v != nil {
		values = append(values, v)
	}
	for _, v := range values {
		if !add(v.Kind.String()) {
			return ""
		}
	}
	return found
}
