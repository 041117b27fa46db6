package operation

import (
	"encoding/json"

	"github.com/hostmatrix/conform/schema"
)

var arrayKeywords = []string{"items", "minItems", "maxItems", "uniqueItems"}

func init() {
	RegisterRewrite(Rewrite{
		Name: "type-list-to-any-of",
		Doc:  `Rewrites a type list to an anyOf of schemas with one type each; with "arrays": true the branch of type array takes items, minItems, maxItems and uniqueItems with it.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				Arrays bool `json:"arrays"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return everyNode(func(n schema.Node) *schema.Value {
				typ := n.Schema.Get("type")
				if typ == nil || typ.Kind != schema.Array {
					return n.Schema
				}
				rest := n.Schema.Without("type")
				if p.Arrays {
					rest = without(rest, arrayKeywords)
				}
				branches := make([]*schema.Value, len(typ.Items))
				for i, t := range typ.Items {
					branches[i] = schema.Obj(schema.Member{Key: "type", Value: t})
					if name, _ := t.IsString(); p.Arrays && name == "array" {
						for _, keyword := range arrayKeywords {
							if value := n.Schema.Get(keyword); value != nil {
								branches[i] = branches[i].With(keyword, value)
							}
						}
					}
				}
				return rest.With("anyOf", schema.List(branches...))
			}), nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "array-items-default",
		Doc:  `Gives every array without items the items "items".`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			items, err := itemsParameter(params)
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
