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
		Doc: `Refuses references: "any" all of them, "dangling" those that name nothing in the document, "external" those that leave it, "recursive" those that lead back to themselves, ` +
			`"to" those to a schema of this type ("under": only below this keyword), "outside" those that do not begin with this. "of": "output" looks at the outputSchema, "both" at it too. "along" names the keywords that are gone down, all without it.`,
		New: func(params json.RawMessage) (CheckFunc, error) {
			var p struct {
				Any       bool     `json:"any"`
				Dangling  bool     `json:"dangling"`
				External  bool     `json:"external"`
				Recursive bool     `json:"recursive"`
				To        string   `json:"to"`
				Under     string   `json:"under"`
				Outside   string   `json:"outside"`
				Of        string   `json:"of"`
				Along     []string `json:"along"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			refused := func(s Subject) []Problem {
				cyclic := newCycles(s.Schema)
				return walkAlong(s, p.Along, func(node *schema.Value, at schema.Pointer) *Problem {
					ref, ok := node.Get("$ref").IsString()
					if !ok {
						return nil
					}
					local := strings.HasPrefix(ref, "#")
					switch at := at.Append("$ref"); {
					case p.Any:
						return problemf(at, "reference %q", ref)
					case p.To != "" && local && (p.Under == "" || slices.Contains(at, p.Under)) && isOfType(Resolve(s.Schema, ref), p.To):
						return problemf(at, "reference %q to a schema of type %s", ref, p.To)
					case p.Outside != "" && !strings.HasPrefix(ref, p.Outside):
						return problemf(at, "reference %q", ref)
					case p.External && !local:
						return problemf(at, "reference %q leaves the document", ref)
					case p.Dangling && local && Resolve(s.Schema, ref) == nil:
						return problemf(at, "reference to undefined schema %q", ref)
					case p.Recursive && local && cyclic.leadsBack(ref):
						return problemf(at, "reference %q is recursive", ref)
					}
					return nil
				})
			}
			return func(s Subject) []Problem {
				output := s
				output.Schema = s.Tool.Get("outputSchema")
				switch p.Of {
				case "output":
					return refused(output)
				case "both":
					return append(refused(s), refused(output)...)
				}
				return refused(s)
			}, nil
		},
	})
	RegisterCheck(Check{
		Name: "refuse-formats",
		Doc:  `Refuses an inputSchema with a format that is none of "known". "of": "output" looks at the outputSchema.`,
		New: func(params json.RawMessage) (CheckFunc, error) {
			var p struct {
				Known []string `json:"known"`
				Of    string   `json:"of"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(s Subject) []Problem {
				if p.Of == "output" {
					s.Schema = s.Tool.Get("outputSchema")
				}
				return walkInput(s, func(node *schema.Value, at schema.Pointer) *Problem {
					if format, ok := node.Get("format").IsString(); ok && !slices.Contains(p.Known, format) {
						return problemf(at.Append("format"), "%q", format)
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

// isOfType reports whether a schema says that it is of one type.
func isOfType(v *schema.Value, name string) bool {
	is, _ := v.Get("type").IsString()
	return is == name
}
