package operation

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterCheck(Check{
		Name: "schema-tag",
		Doc:  `Refuses an inputSchema whose root $schema is none of "known" (a trailing # does not count): a validator that was not given that metaschema compiles nothing that names it.`,
		New: func(params json.RawMessage) (CheckFunc, error) {
			var p struct {
				Known []string `json:"known"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(s Subject) []Problem {
				tag, ok := s.Schema.Get("$schema").IsString()
				if !ok || slices.Contains(p.Known, strings.TrimSuffix(tag, "#")) {
					return nil
				}
				return []Problem{*problemf(schema.Pointer{"$schema"}, "%q", tag)}
			}, nil
		},
	})
}
