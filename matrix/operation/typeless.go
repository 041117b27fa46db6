package operation

import (
	"encoding/json"
	"slices"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRewrite(Rewrite{
		Name: "type-typeless",
		Doc: `Gives a property that says neither type nor $ref, anyOf, oneOf or allOf the list "types" and takes its items out; properties of ` +
			`properties and of items too, but not those within anyOf and the like.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				Types []string `json:"types"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			types := make([]*schema.Value, len(p.Types))
			for i, name := range p.Types {
				types[i] = schema.Str(name)
			}
			return rootOnly(func(root *schema.Value) *schema.Value { return typeTypeless(root, schema.List(types...)) }), nil
		},
	})
}

func typeTypeless(node, types *schema.Value) *schema.Value {
	if node == nil || node.Kind != schema.Object {
		return node
	}
	says := func(v *schema.Value) bool {
		return slices.ContainsFunc([]string{"type", "$ref", "anyOf", "oneOf", "allOf"}, v.Has)
	}
	if properties := node.Get("properties"); properties != nil && properties.Kind == schema.Object {
		var members []schema.Member
		for _, m := range properties.Unique() {
			switch {
			case m.Value.Kind != schema.Object:
			case says(m.Value):
				m.Value = typeTypeless(m.Value, types)
			default:
				m.Value = m.Value.Without("items").With("type", types)
			}
			members = append(members, m)
		}
		node = node.With("properties", schema.Obj(members...))
	}
	switch items := node.Get("items"); {
	case items == nil:
	case items.Kind == schema.Object:
		node = node.With("items", typeTypeless(items, types))
	case items.Kind == schema.Array:
		list := make([]*schema.Value, len(items.Items))
		for i, item := range items.Items {
			list[i] = typeTypeless(item, types)
		}
		node = node.With("items", schema.List(list...))
	}
	return node
}
