package operation

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRewrite(Rewrite{
		Name: "move-to-description",
		Doc: `Takes "keywords" out of every subschema and writes them, in this order, at the end of its description as {keyword: value, keyword: value}, ` +
			`values as the server sent them, as compact JSON with sorted keys, behind "separator" where a description stands. "scope": "all" (default), "root", "below".`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				Keywords  []string `json:"keywords"`
				Separator string   `json:"separator"`
				Scope     string   `json:"scope"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return rootOnly(func(root *schema.Value) *schema.Value {
				return schema.Map(root, func(n schema.Node) *schema.Value {
					if (p.Scope == "root" && n.Depth > 0) || (p.Scope == "below" && n.Depth == 0) {
						return n.Schema
					}
					return moveToDescription(n.Schema, root.Lookup(n.Pointer), p.Keywords, p.Separator)
				})
			}), nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "boolean-schemas",
		Doc: `Replaces boolean subschemas: "true" and "false" are what stands for each. "under" limits it to subschemas directly under these keywords ` +
			`(default properties, items, additionalItems, prefixItems, anyOf, oneOf, allOf, not, contains).`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				True  json.RawMessage `json:"true"`
				False json.RawMessage `json:"false"`
				Under []string        `json:"under"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			if p.Under == nil {
				p.Under = []string{"properties", "items", "additionalItems", "prefixItems", "anyOf", "oneOf", "allOf", "not", "contains"}
			}
			replacement := map[bool]*schema.Value{}
			for value, raw := range map[bool]json.RawMessage{true: p.True, false: p.False} {
				if raw == nil {
					continue
				}
				v, err := schema.Parse(raw, schema.Limits{})
				if err != nil {
					return nil, err
				}
				replacement[value] = v
			}
			return everyNode(func(n schema.Node) *schema.Value {
				if n.Schema.Kind != schema.Bool || !slices.Contains(p.Under, n.Keyword) || replacement[n.Schema.Bool] == nil {
					return n.Schema
				}
				return replacement[n.Schema.Bool]
			}), nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "items-array-to-any-of",
		Doc:  `Rewrites items as an array of schemas (draft-07 tuple) to items with an anyOf of them, or to the only one.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return everyNode(func(n schema.Node) *schema.Value {
				items := n.Schema.Get("items")
				if items == nil || items.Kind != schema.Array {
					return n.Schema
				}
				if len(items.Items) == 1 {
					return n.Schema.With("items", items.Items[0])
				}
				return n.Schema.With("items", schema.Obj(schema.Member{Key: "anyOf", Value: items}))
			}), nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "root-unions-to-description",
		Doc: `Takes anyOf and oneOf off the root: the branches' properties join the root's, the keyword itself goes into the root's description. A property of every branch is an enum of its constants, ` +
			`the one schema that all give it or an anyOf of them; one that a branch lacks is {}.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return rootOnly(func(root *schema.Value) *schema.Value {
				for _, keyword := range []string{"anyOf", "oneOf"} {
					branches := root.Get(keyword)
					if branches == nil || branches.Kind != schema.Array {
						continue
					}
					properties := root.Get("properties")
					if properties == nil {
						properties = schema.Obj()
					}
					for _, b := range branches.Items {
						for _, m := range b.Get("properties").Unique() {
							if !properties.Has(m.Key) {
								properties = properties.With(m.Key, unionOf(branches.Items, m.Key))
							}
						}
					}
					root = root.With("properties", properties)
					root = moveToDescription(root, root, []string{keyword}, "\n\n")
				}
				return root
			}), nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "merge-root-all-of",
		Doc:  `Merges the branches of a root allOf into the root: properties and required join, other members fill gaps; a branch's $ref is lost.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return rootOnly(mergeRootAllOf), nil
		},
	})
}

// moveToDescription moves keywords of v with the values that they have in sent.
func moveToDescription(v, sent *schema.Value, keywords []string, separator string) *schema.Value {
	if v.Kind != schema.Object {
		return v
	}
	var moved []string
	for _, keyword := range keywords {
		if value := sent.Get(keyword); value != nil {
			moved = append(moved, keyword+": "+string(schema.Append(nil, value, schema.Style{SortKeys: true})))
		}
	}
	if moved == nil {
		return v
	}
	note := "{" + strings.Join(moved, ", ") + "}"
	if d, _ := v.Get("description").IsString(); d != "" {
		note = d + separator + note
	}
	return v.Without(keywords...).With("description", schema.Str(note))
}

// unionOf is what the branches of a union say of a property together.
func unionOf(branches []*schema.Value, name string) *schema.Value {
	var given, constants []*schema.Value
	for _, b := range branches {
		property := b.Get("properties").Get(name)
		if property == nil {
			return schema.Obj()
		}
		if c := property.Get("const"); c != nil {
			constants = append(constants, c)
		}
		if !slices.ContainsFunc(given, func(v *schema.Value) bool { return schema.Equal(v, property) }) {
			given = append(given, property)
		}
	}
	switch {
	case len(given) == 1:
		return given[0]
	case len(constants) == len(branches):
		return schema.Obj(schema.Member{Key: "enum", Value: schema.List(constants...)})
	}
	return schema.Obj(schema.Member{Key: "anyOf", Value: schema.List(given...)})
}

func mergeRootAllOf(root *schema.Value) *schema.Value {
	branches := root.Get("allOf")
	if branches == nil || branches.Kind != schema.Array {
		return root
	}
	root = root.Without("allOf")
	for _, b := range branches.Items {
		for _, m := range b.Unique() {
			there := root.Get(m.Key)
			switch {
			case m.Key == "$ref":
			case there == nil:
				root = root.With(m.Key, m.Value)
			case m.Key == "properties" && there.Kind == schema.Object && m.Value.Kind == schema.Object:
				for _, p := range m.Value.Unique() {
					if !there.Has(p.Key) {
						there = there.With(p.Key, p.Value)
					}
				}
				root = root.With(m.Key, there)
			case m.Key == "required" && there.Kind == schema.Array && m.Value.Kind == schema.Array:
				items := slices.Clone(there.Items)
				for _, r := range m.Value.Items {
					if !slices.ContainsFunc(items, func(x *schema.Value) bool { return schema.Equal(x, r) }) {
						items = append(items, r)
					}
				}
				root = root.With(m.Key, schema.List(items...))
			}
		}
	}
	return root
}
