package operation

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hostmatrix/conform/validators/spec"
)

func init() {
	RegisterCheck(Check{
		Name: "metaschema",
		Doc:  `Refuses an inputSchema that is not valid under the metaschema of "dialect": draft-04, draft-06, draft-07, 2019-09 or 2020-12.`,
		New: func(params json.RawMessage) (CheckFunc, error) {
			var p struct {
				Dialect string `json:"dialect"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			if !slices.Contains(spec.Dialects, p.Dialect) {
				return nil, fmt.Errorf("metaschema: no dialect %q; known are %v", p.Dialect, spec.Dialects)
			}
			return func(s Subject) []Problem {
				if s.Schema == nil {
					return nil
				}
				var out []Problem
				ask := s.Metaschema
				if ask == nil {
					ask = spec.Metaschema
				}
				for _, v := range ask(p.Dialect, s.Schema) {
					out = append(out, Problem{Detail: v.Message, Pointer: v.Instance})
				}
				return out
			}, nil
		},
	})
}
