package rewrite

import (
	"slices"

	"github.com/hostmatrix/conform/schema"
)

// wrapped is the name of the member that a wrapped value gets.
const wrapped = "result"

var rootRewrites = []Rewrite{
	{
		Name: "root-type-object", Title: "Say type: object at the root",
		Doc:       "Before 2026-07-28 both schemas must have type \"object\", and the parsers of most hosts lose every tool of the server without it.",
		Condition: "a root without type, or with a list that holds object",
		Before:    `{"anyOf":[{"type":"object"},{"type":"object"}]}`, After: `{"type":"object","anyOf":[{"type":"object"},{"type":"object"}]}`, Cost: 1,
		Loss: "values that are no objects, where the old schema let them pass",
		Apply: onRoot(func(root *schema.Value) *schema.Value {
			if name, ok := root.Get("type").IsString(); ok && name != "" {
				return root
			}
			if root.Has("type") && !hasType(root, "object") {
				return root
			}
			out := object("type", schema.Str("object"))
			out.Members = append(out.Members, root.Without("type").Unique()...)
			return out
		}),
	},
	{
		Name: "root-wrap-object", Title: "Wrap the result in an object",
		Doc:       "structuredContent must be an object before 2026-07-28; a list or a text loses the call, and its schema the whole server.",
		Condition: "an outputSchema that allows no object", Loss: "the shape: structuredContent becomes {\"result\": …}, in the server's code too",
		Before: `{"type":"array","items":{}}`, After: `{"type":"object","properties":{"result":{"type":"array","items":{}}},"required":["result"]}`, Cost: 3,
		Part: Output,
		Apply: onRoot(func(root *schema.Value) *schema.Value {
			if !root.Has("type") && !root.Has("anyOf") && !root.Has("oneOf") || hasType(root, "object") {
				return root
			}
			outer, inner := schema.Obj(), schema.Obj()
			for _, m := range root.Unique() {
				switch m.Key {
				case "$schema", "$id", "$defs", "definitions":
					outer.Members = append(outer.Members, m)
				default:
					inner.Members = append(inner.Members, m)
				}
			}
			out := object("type", schema.Str("object"), "properties", object(wrapped, inner), "required", schema.List(schema.Str(wrapped)))
			out.Members = append(out.Members, outer.Members...)
			return out
		}),
		Reshape: func(_, data *schema.Value) *schema.Value { return object(wrapped, data) },
	},
	{
		Name: "root-ref-inline", Title: "Put the root definition at the root",
		Doc:       "A root that is only a $ref has no type for the parsers that look for it.",
		Condition: "$ref at the root",
		Before:    `{"$ref":"#/$defs/A","$defs":{"A":{"type":"object"}}}`, After: `{"type":"object","$defs":{"A":{"type":"object"}}}`,
		Apply: rooted(onRoot(func(root *schema.Value) *schema.Value {
			t := target(root, root)
			if t == nil || t == root || t.Kind != schema.Object {
				return root
			}
			out := t.Without("$id", "$anchor") // which stay at the definition
			for _, m := range root.Unique() {
				if m.Key != "$ref" {
					out = out.With(m.Key, m.Value)
				}
			}
			return out
		})),
	},
	{
		Name: "root-combinators-flatten", Title: "Merge the branches at the root into one object",
		Doc: "Anthropic's API refuses oneOf, anyOf and allOf at the root of an inputSchema, other hosts delete them. " +
			"One object with all members says the same to the model; the server still checks which belong together.",
		Condition: "oneOf, anyOf or allOf at the root", Loss: "which members belong together",
		Before: `{"type":"object","oneOf":[{"properties":{"a":{}},"required":["a"]},{"properties":{"b":{}},"required":["b"]}]}`,
		After:  `{"type":"object","properties":{"a":{},"b":{}}}`, Cost: 2,
		Apply: onRoot(func(root *schema.Value) *schema.Value {
			if !root.Has("oneOf") && !root.Has("anyOf") && !root.Has("allOf") {
				return root
			}
			return flattened(root, root)
		}),
	},
	{
		Name: "root-conditions-off", Title: "Leave out not, if, then and else at the root",
		Doc:       "Hosts and model APIs that refuse combinators at the root refuse or delete these as well.",
		Condition: "not, if, then, else, dependentRequired or dependentSchemas at the root", Loss: "the condition",
		Before: `{"type":"object","not":{"required":["a"]}}`, After: `{"type":"object"}`, Cost: 2,
		Apply: onRoot(func(root *schema.Value) *schema.Value {
			return without(root, "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "dependencies")
		}),
	},
	{
		Name: "property-keys", Title: "Name arguments with letters, digits, _, . and - only",
		Doc:       "Anthropic's API and Bedrock refuse the whole request when a key of the inputSchema's properties does not match ^[a-zA-Z0-9_.-]{1,64}$; some hosts drop the tool first.",
		Condition: "a key of the root properties of an inputSchema with other characters, or longer than 64", Loss: "the names of arguments, in the server's code too",
		Before: `{"properties":{"filters[status]":{}},"required":["filters[status]"]}`, After: `{"properties":{"filters_status_":{}},"required":["filters_status_"]}`, Cost: 3,
		Part: Input,
		Apply: onRoot(func(root *schema.Value) *schema.Value {
			properties := root.Get("properties")
			renamed := plainKeys(properties)
			if properties == nil || renamed == properties {
				return root
			}
			out := root.With("properties", renamed)
			if names := root.StringsOf("required"); names != nil {
				var plain []*schema.Value
				for _, name := range names {
					plain = append(plain, schema.Str(plainKey(name)))
				}
				out = out.With("required", schema.List(plain...))
			}
			return out
		}),
		Reshape: func(_, data *schema.Value) *schema.Value { return plainKeys(data) },
	},
	{
		Name: "root-combinators-lift", Title: "Move the union at the root under a property",
		Doc:       "Where the branches must stay apart, a property may hold the union that the root may not.",
		Condition: "oneOf or anyOf at the root of an inputSchema", Loss: "the shape: arguments become {\"request\": …}, in the server's code too",
		Before: `{"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}]}`,
		After:  `{"type":"object","properties":{"request":{"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}]}},"required":["request"]}`, Cost: 3,
		Part: Input,
		Apply: onRoot(func(root *schema.Value) *schema.Value {
			if !root.Has("oneOf") && !root.Has("anyOf") {
				return root
			}
			outer, inner := schema.Obj(), schema.Obj()
			for _, m := range root.Unique() {
				if slices.Contains([]string{"$schema", "$id", "$defs", "definitions"}, m.Key) {
					outer.Members = append(outer.Members, m)
				} else {
					inner.Members = append(inner.Members, m)
				}
			}
			out := object("type", schema.Str("object"), "properties", object("request", inner), "required", schema.List(schema.Str("request")))
			out.Members = append(out.Members, outer.Members...)
			return out
		}),
		Reshape: func(_, data *schema.Value) *schema.Value { return object("request", data) },
	},
}

// flattened merges the branches of s into one object: every member of any branch,
// required where every branch (of a union) or any (of allOf) requires it.
func flattened(root, s *schema.Value) *schema.Value {
	out := s.Without("oneOf", "anyOf", "allOf")
	properties := schema.Obj()
	kinds := map[string][]*schema.Value{}
	add := func(from *schema.Value) {
		for _, m := range from.Get("properties").Unique() {
			kinds[m.Key] = append(kinds[m.Key], m.Value)
			properties = properties.With(m.Key, m.Value)
		}
	}
	add(s)
	required := s.StringsOf("required")
	closed := s.Get("additionalProperties").IsFalse()
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		branches := s.ListOf(keyword)
		if len(branches) == 0 {
			continue
		}
		count := map[string]int{}
		order := []string{}
		for _, b := range branches {
			if t := target(root, b); t != nil {
				b = t
			}
			if b.Kind != schema.Object {
				continue
			}
			add(b)
			for _, name := range b.StringsOf("required") {
				if count[name]++; count[name] == 1 {
					order = append(order, name)
				}
			}
		}
		for _, name := range order {
			if (keyword == "allOf" || count[name] == len(branches)) && !slices.Contains(required, name) {
				required = append(required, name)
			}
		}
	}
	merged := schema.Obj()
	for _, m := range properties.Members {
		merged.Members = append(merged.Members, schema.Member{Key: m.Key, Value: mergedKinds(kinds[m.Key])})
	}
	if !out.Has("type") {
		out = out.With("type", schema.Str("object"))
	}
	out = out.With("properties", merged).Without("required")
	if len(required) > 0 {
		var names []*schema.Value
		for _, name := range required {
			names = append(names, schema.Str(name))
		}
		out = out.With("required", schema.List(names...))
	}
	if closed && len(merged.Members) > len(s.Get("properties").Unique()) {
		return out
	}
	return out
}

// mergedKinds is one schema for what several branches say about one member:
// constants of a discriminator become an enum.
func mergedKinds(kinds []*schema.Value) *schema.Value {
	kinds = distinct(kinds)
	if len(kinds) == 1 {
		return kinds[0]
	}
	var values []*schema.Value
	for _, k := range kinds {
		switch {
		case k.Has("const"):
			values = append(values, k.Get("const"))
		case k.Has("enum"):
			values = append(values, k.ListOf("enum")...)
		default:
			return object("anyOf", schema.List(kinds...))
		}
	}
	out := schema.Obj()
	if name, ok := kinds[0].Get("type").IsString(); ok {
		out = out.With("type", schema.Str(name))
	}
	return out.With("enum", schema.List(distinct(values)...))
}

// plainKeys renames the members of an object to keys that every model API takes;
// the argument comes back when nothing changes or two keys would meet.
func plainKeys(v *schema.Value) *schema.Value {
	if v == nil || v.Kind != schema.Object {
		return v
	}
	var members []schema.Member // a Value must not grow once it was asked for a member
	taken := map[string]bool{}
	changed := false
	for _, m := range v.Unique() {
		key := plainKey(m.Key)
		if taken[key] {
			return v
		}
		taken[key] = true
		changed = changed || key != m.Key
		members = append(members, schema.Member{Key: key, Value: m.Value})
	}
	if !changed {
		return v
	}
	return schema.Obj(members...)
}

// plainKey keeps letters, digits, _, . and -, at most 64 of them.
func plainKey(key string) string {
	plain := plainName(key)
	return plain[:min(len(plain), 64)]
}
