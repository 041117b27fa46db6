package operation

import (
	"encoding/json"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterCheck(Check{
		Name: "array-without-items",
		Doc: `Refuses an inputSchema with an array that says nothing of its items. ` +
			`"type_lists": true counts a type list that contains "array" too; "prefix_items": true lets prefixItems stand for items.`,
		New: func(params json.RawMessage) (CheckFunc, error) {
			var p struct {
				TypeLists   bool `json:"type_lists"`
				PrefixItems bool `json:"prefix_items"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(s Subject) []Problem {
				return walkInput(s, func(node *schema.Value, at schema.Pointer) *Problem {
					if !saysArray(node.Get("type"), p.TypeLists) || (p.PrefixItems && node.Has("prefixItems")) {
						return nil
					}
					if items := node.Get("items"); items == nil || items.IsFalse() || items.Kind == schema.Null {
						return problemf(at, "array schema missing items")
					}
					return nil
				})
			}, nil
		},
	})
}

func init() {
	RegisterRewrite(Rewrite{
		Name: "fill-items",
		Doc:  `Gives "items" to every subschema of type array that has none, or none that is a schema.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			items, err := itemsParameter(params)
			if err != nil {
				return nil, err
			}
			return everyNode(func(n schema.Node) *schema.Value {
				there := n.Schema.Get("items")
				schematic := there != nil && (there.Kind == schema.Object || there.Kind == schema.Array || there.Kind == schema.Bool)
				if n.Schema.Kind != schema.Object || schematic || !saysArray(n.Schema.Get("type"), false) {
					return n.Schema
				}
				return n.Schema.With("items", items)
			}), nil
		},
	})
}

// itemsParameter reads the parameter of the rewrites that give arrays an "items".
func itemsParameter(params json.RawMessage) (*schema.Value, error) {
	var p struct {
		Items json.RawMessage `json:"items"`
	}
	if err := Decode(params, &p); err != nil {
		return nil, err
	}
	return schema.Parse(p.Items, schema.Limits{})
}

func saysArray(typ *schema.Value, lists bool) bool {
	if t, ok := typ.IsString(); ok {
		return t == "array"
	}
	if !lists || typ == nil {
		return false
	}
	for _, item := range typ.Items {
		if t, _ := item.IsString(); t == "array" {
			return true
		}
	}
	return false
}
