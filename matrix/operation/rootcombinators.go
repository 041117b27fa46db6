package operation

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterCheck(Check{
		Name: "root-combinators",
		Doc:  `Refuses an inputSchema with one of "keywords" (default oneOf, anyOf, allOf) at its root.`,
		New: func(params json.RawMessage) (CheckFunc, error) {
			var p struct {
				Keywords []string `json:"keywords"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			if p.Keywords == nil {
				p.Keywords = []string{"oneOf", "anyOf", "allOf"}
			}
			return func(s Subject) []Problem {
				if s.Schema == nil {
					return nil
				}
				for _, m := range s.Schema.Unique() {
					if slices.Contains(p.Keywords, m.Key) {
						return []Problem{{Detail: m.Key, Pointer: schema.Pointer{m.Key}}}
					}
				}
				return nil
			}, nil
		},
	})
	RegisterCheck(Check{
		Name: "root-type-object",
		Doc:  `Refuses an inputSchema whose root type is not exactly the string "object".`,
		New: func(params json.RawMessage) (CheckFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return func(s Subject) []Problem {
				if typ, ok := s.Schema.Get("type").IsString(); ok && typ == "object" {
					return nil
				}
				return []Problem{{Detail: `the root of the inputSchema does not say "type": "object"`}}
			}, nil
		},
	})
}

// walkInput visits every subschema of the subject's inputSchema; the pointers are
// copies.
func walkInput(s Subject, visit func(node *schema.Value, at schema.Pointer) *Problem) []Problem {
	var found []Problem
	if s.Schema == nil {
		return nil // that a tool has none is the parser's to say
	}
	schema.Walk(s.Schema, func(n schema.Node) bool {
		if len(found) > 0 {
			return false
		}
		if p := visit(n.Schema, n.Pointer.Append()); p != nil {
			found = append(found, *p)
			return false
		}
		return true
	})
	return found
}

// walkAlong is walkInput that goes down these keywords only, where any are named.
func walkAlong(s Subject, along []string, visit func(node *schema.Value, at schema.Pointer) *Problem) []Problem {
	if along == nil || s.Schema == nil {
		return walkInput(s, visit)
	}
	var found []Problem
	schema.Walk(s.Schema, func(n schema.Node) bool {
		if len(found) > 0 || n.Depth > 0 && !slices.Contains(along, n.Keyword) {
			return false
		}
		if p := visit(n.Schema, n.Pointer.Append()); p != nil {
			found = append(found, *p)
		}
		return len(found) == 0
	})
	return found
}

func problemf(at schema.Pointer, format string, args ...any) *Problem {
	return &Problem{Detail: fmt.Sprintf(format, args...), Pointer: at}
}
