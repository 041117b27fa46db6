package rewrite

import "github.com/hostmatrix/conform/schema"

var unionRewrites = []Rewrite{
	unionSplit,
	{
		Name: "union-merge", Title: "Merge the branches of a discriminated union into one object",
		Doc:       "Some hosts keep the first branch of a union or none. One object with the discriminator as an enum and the members of all branches is offered whole.",
		Condition: "oneOf or anyOf below the root whose branches are objects", Loss: "which members belong to which branch",
		Before: `{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"x":{}}},{"type":"object","properties":{"kind":{"const":"b"},"y":{}}}]}`,
		After:  `{"type":"object","properties":{"kind":{"enum":["a","b"]},"x":{},"y":{}}}`, Cost: 2,
		Apply: func(root *schema.Value) (*schema.Value, bool) {
			return onSchemas(func(s *schema.Value, n schema.Node) *schema.Value {
				if n.Depth == 0 {
					return s
				}
				for _, keyword := range []string{"oneOf", "anyOf"} {
					branches := s.ListOf(keyword)
					if len(branches) < 2 {
						continue
					}
					objects := true
					for _, b := range branches {
						if t := target(root, b); t != nil {
							b = t
						}
						objects = objects && hasType(b, "object") && b.Has("properties")
					}
					if objects {
						return flattened(root, s)
					}
				}
				return s
			})(root)
		},
	},
	{
		Name: "one-of-as-any-of", Title: "Write oneOf as anyOf",
		Doc:       "Model APIs with a subset of JSON Schema take anyOf and refuse oneOf; validators differ in what they print, not in what they accept, unless two branches fit.",
		Condition: "oneOf", Loss: "that no two branches may fit",
		Before: `{"oneOf":[{"type":"string"},{"type":"null"}]}`, After: `{"anyOf":[{"type":"string"},{"type":"null"}]}`, Cost: 1,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			branches := s.Get("oneOf")
			if branches == nil || s.Has("anyOf") {
				return s
			}
			return s.Without("oneOf").With("anyOf", branches)
		}),
	},
	{
		Name: "all-of-merge", Title: "Merge allOf into the schema that holds it",
		Doc:       "Model APIs refuse allOf, and additionalProperties: false beside it forbids the members of the parts.",
		Condition: "allOf whose parts repeat no keyword of each other but properties and required",
		Before:    `{"allOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]}`, After: `{"properties":{"a":{},"b":{}}}`,
		Loss: "members that a closed part forbade", Cost: 1,
		Apply: func(root *schema.Value) (*schema.Value, bool) {
			return onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
				parts := s.ListOf("allOf")
				if len(parts) == 0 {
					return s
				}
				out := s.Without("allOf")
				for _, p := range parts {
					if t := target(root, p); t != nil && len(p.Members) == 1 {
						p = t
					}
					if p.Kind != schema.Object || p.Has("$ref") {
						return s
					}
					for _, m := range p.Unique() {
						had := out.Get(m.Key)
						switch {
						case had == nil || schema.Equal(had, m.Value):
							out = out.With(m.Key, m.Value)
						case m.Key == "properties":
							for _, e := range m.Value.Unique() {
								if old := had.Get(e.Key); old != nil && !schema.Equal(old, e.Value) {
									return s
								}
								had = had.With(e.Key, e.Value)
							}
							out = out.With(m.Key, had)
						case m.Key == "required":
							out = out.With(m.Key, schema.List(distinct(append(append([]*schema.Value(nil), had.Items...), m.Value.Items...))...))
						case m.Key == "title" || m.Key == "description":
						default:
							return s
						}
					}
				}
				return out
			})(root)
		},
	},
	{
		Name: "union-anything", Title: "Allow anything where a union stands",
		Doc:       "The last resort for hosts that take no union below the root: the note for people stays.",
		Condition: "oneOf or anyOf below the root", Loss: "what the branches say",
		Before: `{"description":"a or b","anyOf":[{"type":"string"},{"type":"number"}]}`, After: `{"description":"a or b"}`, Cost: 5,
		Apply: onSchemas(func(s *schema.Value, n schema.Node) *schema.Value {
			if n.Depth == 0 {
				return s
			}
			return without(s, "oneOf", "anyOf")
		}),
	},
}
