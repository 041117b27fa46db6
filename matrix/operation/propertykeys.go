package operation

import (
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterCheck(Check{
		Name: "property-keys",
		Doc: `Refuses an inputSchema with a property whose name does not match "pattern" (RE2). ` +
			`"scope": "root" looks at the root's properties only, "below" at all others, "all" (default) at every level.`,
		New: func(params json.RawMessage) (CheckFunc, error) {
			var p struct {
				Pattern string `json:"pattern"`
				Scope   string `json:"scope"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			re, err := regexp.Compile(p.Pattern)
			if err != nil {
				return nil, fmt.Errorf("property-keys: pattern: %w", err)
			}
			return func(s Subject) []Problem {
				return walkInput(s, func(node *schema.Value, at schema.Pointer) *Problem {
					if (p.Scope == "root" && len(at) > 0) || (p.Scope == "below" && len(at) == 0) {
						return nil
					}
					properties := node.Get("properties")
					if properties == nil {
						return nil
					}
					for _, m := range properties.Unique() {
						if !re.MatchString(m.Key) {
							return problemf(at.Append("properties", m.Key), "property key %q does not match /%s/", m.Key, p.Pattern)
						}
					}
					return nil
				})
			}, nil
		},
	})
}
