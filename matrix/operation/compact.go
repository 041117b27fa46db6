package operation

import (
	"encoding/json"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRewrite(Rewrite{
		Name: "compact-over-bytes",
		Doc: `Shrinks an inputSchema whose compact JSON has more than "max" bytes, step by step until it fits: all descriptions go; ` +
			`$defs and definitions go and every $ref into them becomes {}; subschemas with structure at depth "depth" (counted in subschemas from the root) become {}; ` +
			`subschemas with anyOf, oneOf or allOf become {}.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				Max   int `json:"max"`
				Depth int `json:"depth"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			steps := []func(*schema.Value) *schema.Value{
				dropDescriptions, dropDefinitions,
				func(v *schema.Value) *schema.Value { return flattenBelow(v, p.Depth) },
				dropCompositions,
			}
			return rootOnly(func(root *schema.Value) *schema.Value {
				for _, step := range steps {
					if len(root.Compact()) <= p.Max {
						break
					}
					root = step(root)
				}
				return root
			}), nil
		},
	})
}

func dropDescriptions(root *schema.Value) *schema.Value {
	return schema.Map(root, func(n schema.Node) *schema.Value { return without(n.Schema, []string{"description"}) })
}

func dropDefinitions(root *schema.Value) *schema.Value {
	root = without(root, []string{"$defs", "definitions"})
	return schema.Map(root, func(n schema.Node) *schema.Value {
		ref, _ := n.Schema.Get("$ref").IsString()
		if strings.HasPrefix(ref, "#/$defs/") || strings.HasPrefix(ref, "#/definitions/") {
			return schema.Obj()
		}
		return n.Schema
	})
}

func dropCompositions(root *schema.Value) *schema.Value {
	return schema.Map(root, func(n schema.Node) *schema.Value {
		if n.Schema.Has("anyOf") || n.Schema.Has("oneOf") || n.Schema.Has("allOf") {
			return schema.Obj()
		}
		return n.Schema
	})
}

func flattenBelow(root *schema.Value, depth int) *schema.Value {
	return schema.Map(root, func(n schema.Node) *schema.Value {
		if n.Depth < depth || n.Schema.Kind != schema.Object {
			return n.Schema
		}
		for _, m := range n.Schema.Members {
			if _, structured := schema.PlaceOf(m.Key); structured || m.Key == "$ref" {
				return schema.Obj()
			}
		}
		return n.Schema
	})
}
