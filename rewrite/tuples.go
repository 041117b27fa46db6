package rewrite

import "github.com/hostmatrix/conform/schema"

var tupleRewrites = []Rewrite{
	{
		Name: "tuple-open-tail", Title: "Close a tuple by maxItems in place of items: false",
		Doc: "Draft-07 does not know prefixItems and reads items: false as \"no element at all\", so that every filled array is rejected. " +
			"With maxItems the tuple stays as long as it was, and readers of 2020-12 still check each position.",
		Condition: "prefixItems beside items, additionalItems or unevaluatedItems of false or {\"not\": {}}",
		Loss:      "hosts that read draft-07 no longer check the positions; for 2020-12 nothing",
		Before:    `{"type":"array","prefixItems":[{"type":"number"},{"type":"integer"}],"items":false}`,
		After:     `{"type":"array","prefixItems":[{"type":"number"},{"type":"integer"}],"maxItems":2}`,
		Cost:      1,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			prefix := s.ListOf("prefixItems")
			closed := allowsNothing(s.Get("items")) || allowsNothing(s.Get("unevaluatedItems")) || allowsNothing(s.Get("additionalItems"))
			if len(prefix) == 0 || !closed {
				return s
			}
			out := s
			for _, keyword := range []string{"items", "unevaluatedItems", "additionalItems"} {
				if allowsNothing(out.Get(keyword)) {
					out = out.Without(keyword)
				}
			}
			if allowsNothing(s.Get("items")) || allowsNothing(s.Get("unevaluatedItems")) {
				out = withMaxItems(out, len(prefix))
			}
			return out
		}),
	},
	{
		Name: "tuple-union-items", Title: "Describe a tuple by one schema for all its positions",
		Doc: "No positional keyword is read by every host: prefixItems is unknown to draft-07, and items as a list is refused by 2020-12 and by most model APIs. " +
			"A plain items with the union of the positions, and minItems and maxItems, means the same everywhere.",
		Condition: "prefixItems, or items as a list",
		Loss:      "which type stands at which position",
		Before:    `{"type":"array","prefixItems":[{"type":"number"},{"type":"string"}],"items":false,"minItems":2}`,
		After:     `{"type":"array","items":{"anyOf":[{"type":"number"},{"type":"string"}]},"minItems":2,"maxItems":2}`,
		Cost:      2,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			prefix, rest := positions(s)
			if prefix == nil {
				return s
			}
			out := s.Without("prefixItems", "additionalItems")
			if allowsNothing(out.Get("unevaluatedItems")) {
				rest, out = schema.Flag(false), out.Without("unevaluatedItems")
			}
			kinds := prefix
			switch {
			case allowsNothing(rest):
				out = withMaxItems(out, len(prefix))
			case schema.Equal(withMaxItems(out, len(prefix)), out): // already no longer than its positions
			case rest == nil || rest.IsTrue() || rest.Kind == schema.Object && len(rest.Members) == 0:
				return out.With("items", schema.Obj())
			default:
				kinds = append(append([]*schema.Value(nil), prefix...), rest)
			}
			return out.With("items", unionOf(kinds))
		}),
	},
	{
		Name: "tuple-prefix-items", Title: "Write a tuple with prefixItems, as 2020-12 does",
		Doc:       "items as a list is the tuple of draft-07; validators of 2020-12 do not compile it.",
		Condition: "items as a list",
		Loss:      "hosts that read draft-07 no longer check the positions",
		Before:    `{"type":"array","items":[{"type":"number"},{"type":"number"}],"additionalItems":false}`,
		After:     `{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}],"maxItems":2}`,
		Cost:      1,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			prefix := s.ListOf("items")
			if prefix == nil {
				return s
			}
			rest := s.Get("additionalItems")
			out := s.Without("items", "additionalItems")
			if len(prefix) > 0 {
				out = out.With("prefixItems", schema.List(prefix...))
			}
			switch {
			case allowsNothing(rest):
				out = withMaxItems(out, len(prefix))
			case rest != nil && len(prefix) == 0:
				out = out.With("items", rest)
			}
			return out
		}),
	},
	{
		Name: "array-items", Title: "Say what an array holds",
		Doc:       "Several hosts and model APIs refuse an array without items, or offer it as an array of strings; an empty schema allows everything and satisfies them.",
		Condition: "type array without items",
		Before:    `{"type":"array"}`,
		After:     `{"type":"array","items":{}}`,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			if !hasType(s, "array") || s.Has("items") || s.Has("prefixItems") {
				return s
			}
			return s.With("items", schema.Obj())
		}),
	},
	{
		Name: "contains-optional", Title: "Leave out contains where it may match nothing",
		Doc:       "minContains: 0 is unknown to draft-07, which then demands one matching element.",
		Condition: "contains with minContains of 0",
		Loss:      "maxContains, where there was one",
		Before:    `{"contains":{"type":"string"},"minContains":0}`,
		After:     `{}`,
		Cost:      1,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			if r, ok := s.Get("minContains").Exact(); !ok || r.Sign() != 0 || !s.Has("contains") {
				return s
			}
			return s.Without("contains", "minContains", "maxContains")
		}),
	},
}

// allowsNothing reports whether a schema is false, or {"not": {}} (or {"not": true}),
// as the Go libraries and people who avoid boolean schemas write it.
func allowsNothing(s *schema.Value) bool {
	if s.IsFalse() {
		return true
	}
	negated := s.Get("not")
	return negated.IsTrue() || negated != nil && negated.Kind == schema.Object && len(negated.Members) == 0
}

// positions returns the tuple of a schema and what stands behind it.
func positions(s *schema.Value) (prefix []*schema.Value, rest *schema.Value) {
	if prefix = s.ListOf("prefixItems"); len(prefix) > 0 {
		return prefix, s.Get("items")
	}
	if prefix = s.ListOf("items"); len(prefix) > 0 {
		return prefix, s.Get("additionalItems")
	}
	return nil, nil
}

// withMaxItems bounds an array, unless it is bounded more tightly.
func withMaxItems(s *schema.Value, n int) *schema.Value {
	if r, ok := s.Get("maxItems").Exact(); ok {
		if f, _ := r.Float64(); f <= float64(n) {
			return s
		}
	}
	return s.With("maxItems", schema.Num(int64(n)))
}

// unionOf is the schema that any of them satisfies.
func unionOf(kinds []*schema.Value) *schema.Value {
	kinds = distinct(kinds)
	if len(kinds) == 1 {
		return kinds[0]
	}
	return object("anyOf", schema.List(kinds...))
}

// hasType reports whether a schema's type is the name, or a list that holds it.
func hasType(s *schema.Value, name string) bool {
	t := s.Get("type")
	if text, ok := t.IsString(); ok {
		return text == name
	}
	for _, text := range s.StringsOf("type") {
		if text == name {
			return true
		}
	}
	return false
}
