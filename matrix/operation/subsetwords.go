package operation

import (
	"encoding/json"

	"github.com/hostmatrix/conform/schema"
)

// What hosts do to say a schema in the words of the Gemini API's Schema.
func init() {
	RegisterRewrite(Rewrite{
		Name: "rename-keyword",
		Doc:  `Renames the keyword "from" to "to" in every subschema; what stood under the new name is replaced.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				From string `json:"from"`
				To   string `json:"to"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return everyNode(func(n schema.Node) *schema.Value {
				value := n.Schema.Get(p.From)
				if value == nil || n.Schema.Kind != schema.Object {
					return n.Schema
				}
				return n.Schema.Without(p.From).With(p.To, value)
			}), nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "null-default-to-nullable",
		Doc:  `Takes default out of every subschema; a default of null leaves "nullable": true.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return everyNode(func(n schema.Node) *schema.Value {
				value := n.Schema.Get("default")
				if value == nil || n.Schema.Kind != schema.Object {
					return n.Schema
				}
				out := n.Schema.Without("default")
				if value.Kind == schema.Null {
					return out.With("nullable", schema.Flag(true))
				}
				return out
			}), nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "default-type",
		Doc:  `Gives the type "type" to every subschema that has a description and neither a type nor one of anyOf, oneOf, allOf.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				Type string `json:"type"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return everyNode(func(n schema.Node) *schema.Value {
				v := n.Schema
				if v.Kind != schema.Object || !v.Has("description") || v.Has("type") || v.Has("anyOf") || v.Has("oneOf") || v.Has("allOf") {
					return v
				}
				return v.With("type", schema.Str(p.Type))
			}), nil
		},
	})
}
