package operation

import (
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRewrite(Rewrite{
		Name: "drop-patterns",
		Doc:  `Takes pattern out of every subschema whose pattern the regular expression "matching" (RE2) finds something in.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				Matching string `json:"matching"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			re, err := regexp.Compile(p.Matching)
			if err != nil {
				return nil, fmt.Errorf("drop-patterns: %w", err)
			}
			return everyNode(func(n schema.Node) *schema.Value {
				pattern, ok := n.Schema.Get("pattern").IsString()
				if !ok || !re.MatchString(pattern) {
					return n.Schema
				}
				return n.Schema.Without("pattern")
			}), nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "drop-boolean-required",
		Doc:  `Takes required out of every subschema where it is true or false, as in draft-03.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return everyNode(func(n schema.Node) *schema.Value {
				if required := n.Schema.Get("required"); required == nil || required.Kind != schema.Bool {
					return n.Schema
				}
				return n.Schema.Without("required")
			}), nil
		},
	})
}
