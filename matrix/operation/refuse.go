package operation

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterCheck(Check{
		Name: "refuse-keywords",
		Doc:  `Refuses an inputSchema that uses one of "keywords"; with "only", one that uses a keyword not in that list. "scope": "root", "all" (default), "below".`,
		New: func(params json.RawMessage) (CheckFunc, error) {
			var p struct {
				Keywords []string `json:"keywords"`
				Only     []string `json:"only"`
				Scope    string   `json:"scope"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(s Subject) []Problem {
				return walkInput(s, func(node *schema.Value, at schema.Pointer) *Problem {
					if (p.Scope == "root" && len(at) > 0) || (p.Scope == "below" && len(at) == 0) {
						return nil
					}
					for _, m := range node.Unique() {
						if slices.Contains(p.Keywords, m.Key) || (p.Only != nil && !slices.Contains(p.Only, m.Key)) {
							return problemf(at.Append(m.Key), "%s", m.Key)
						}
					}
					return nil
				})
			}, nil
		},
	})
	RegisterCheck(Check{
		Name: "refuse-references",
		Doc:  `Refuses references: "any" all of them, "dangling" those that name nothing in the document, "external" those that leave it, "recursive" those that lead back to themselves. "of": "output" looks at the outputSchema.`,
		New: func(params json.RawMessage) (CheckFunc, error) {
			var p struct {
				Any       bool   `json:"any"`
				Dangling  bool   `json:"dangling"`
				External  bool   `json:"external"`
				Recursive bool   `json:"recursive"`
				Of        string `json:"of"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(s Subject) []Problem {
				if p.Of == "output" {
					s.Schema = s.Tool.Get("outputSchema")
				}
				return walkInput(s, func(node *schema.Value, at schema.Pointer) *Problem {
					ref, ok := node.Get("$ref").IsString()
					if !ok {
						return nil
					}
					local := strings.HasPrefix(ref, "#")
					switch at := at.Append("$ref"); {
					case p.Any:
						return problemf(at, "reference %q", ref)
					case p.External && !local:
						return problemf(at, "reference %q leaves the document", ref)
					case p.Dangling && local && Resolve(s.Schema, ref) == nil:
						return problemf(at, "reference to undefined schema %q", ref)
					case p.Recursive && local && leadsBack(s.Schema, ref):
						return problemf(at, "reference %q is recursive", ref)
					}
					return nil
				})
			}, nil
		},
	})
	RegisterCheck(Check{
		Name: "refuse-patterns",
		Doc:  `Refuses an inputSchema with a pattern that contains one of "containing", e.g. the look-around openers "(?=", "(?!", "(?<=", "(?<!".`,
		New: func(params json.RawMessage) (CheckFunc, error) {
			var p struct {
				Containing []string `json:"containing"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(s Subject) []Problem {
				return walkInput(s, func(node *schema.Value, at schema.Pointer) *Problem {
					pattern, _ := node.Get("pattern").IsString()
					for _, part := range p.Containing {
						if strings.Contains(pattern, part) {
							return problemf(at.Append("pattern"), "%s in %q", part, pattern)
						}
					}
					return nil
				})
			}, nil
		},
	})
}

// leadsBack reports whether the target of a local reference contains, through
// further references, the same reference again.
func leadsBack(root *schema.Value, ref string) bool {
	seen := map[string]bool{}
	var reaches func(string) bool
	reaches = func(from string) bool {
		if seen[from] {
			return false
		}
		seen[from] = true
		found := false
		schema.Walk(Resolve(root, from), func(n schema.Node) bool {
			if next, ok := n.Schema.Get("$ref").IsString(); ok && !found {
				found = next == ref || reaches(next)
			}
			return !found
		})
		return found
	}
	return reaches(ref)
}
