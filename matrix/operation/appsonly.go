package operation

import (
	"encoding/json"
	"slices"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterCheck(Check{
		Name: "for-apps-only",
		Doc: `Finds a tool that its server keeps from the model: _meta.ui.visibility (MCP Apps extension 2026-01-26) is a list without "model". ` +
			`With the consequence "hide" the host does as the server asks.`,
		New: func(params json.RawMessage) (CheckFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return func(s Subject) []Problem {
				list := s.Tool.Get("_meta").Get("ui").Get("visibility")
				if list == nil || list.Kind != schema.Array || slices.ContainsFunc(list.Items, func(v *schema.Value) bool {
					word, ok := v.IsString()
					return ok && word == "model"
				}) {
					return nil
				}
				return []Problem{{Detail: "the server keeps the tool from the model: _meta.ui.visibility does not name it"}}
			}, nil
		},
	})
}
