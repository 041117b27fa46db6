package operation

import (
	"encoding/json"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRewrite(Rewrite{
		Name: "definitions-to-defs",
		Doc:  `Moves the root's definitions into $defs and makes every reference into definitions one into $defs; where there are $defs already, definitions go and references stay.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return rootOnly(definitionsToDefs), nil
		},
	})
}

func definitionsToDefs(root *schema.Value) *schema.Value {
	const from, to = "#/definitions/", "#/$defs/"
	if root.Has("$defs") {
		return root.Without("definitions")
	}
	if definitions := root.Get("definitions"); definitions != nil && definitions.Kind == schema.Object {
		root = root.Without("definitions").With("$defs", definitions)
	}
	return schema.Map(root, func(n schema.Node) *schema.Value {
		ref, ok := n.Schema.Get("$ref").IsString()
		if name, inside := strings.CutPrefix(ref, from); ok && inside {
			return n.Schema.With("$ref", schema.Str(to+name))
		}
		return n.Schema
	})
}
