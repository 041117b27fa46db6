package operation

import (
	"encoding/json"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRewrite(Rewrite{
		Name: "type-list-to-any-of",
		Doc:  `Rewrites a type list to an anyOf of schemas with one type each.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return everyNode(func(n schema.Node) *schema.Value {
				typ := n.Schema.Get("type")
				if typ == nil || typ.Kind != schema.Array {
					return n.Schema
				}
				branches := make([]*schema.Value, len(typ.Items))
				for i, t := range typ.Items {
					branches[i] = schema.Obj(schema.Member{Key: "type", Value: t})
				}
				return n.Schema.Without("type").With("anyOf", schema.List(branches...))
			}), nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "array-items-default",
		Doc:  `Gives every array without items the items "items".`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				Items json.RawMessage `json:"items"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			items, err := schema.Parse(p.Items, schema.Limits{})
			if err != nil {
				return nil, err
			}
			return everyNode(func(n schema.Node) *schema.Value {
				if saysArray(n.Schema.Get("type"), false) && !n.Schema.Has("items") {
					return n.Schema.With("items", items)
				}
				return n.Schema
			}), nil
		},
	})
}
