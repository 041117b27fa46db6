package operation

import (
	"encoding/json"
	"slices"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterCheck(Check{
		Name: "empty-description",
		Doc:  `Refuses a tool whose description is empty or absent.`,
		New: func(params json.RawMessage) (CheckFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return func(s Subject) []Problem {
				if s.Description != "" {
					return nil
				}
				return []Problem{{Detail: "the tool has no description"}}
			}, nil
		},
	})
	RegisterCheck(Check{
		Name: "items-array",
		Doc:  `Refuses an inputSchema with items as an array of schemas (a draft-07 tuple).`,
		New: func(params json.RawMessage) (CheckFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return func(s Subject) []Problem {
				return walkInput(s, func(node *schema.Value, at schema.Pointer) *Problem {
					if items := node.Get("items"); items != nil && items.Kind == schema.Array {
						return problemf(at.Append("items"), "items is an array of schemas")
					}
					return nil
				})
			}, nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "filter-required",
		Doc:  `Takes names out of required that are no properties; at the root, or with "scope": "all" in every subschema, where a required that ends up empty goes too.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				Scope string `json:"scope"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			if p.Scope == "all" {
				return everyNode(func(n schema.Node) *schema.Value {
					out := filterRequired(n.Schema)
					if left := out.Get("required"); left != nil && left.Kind == schema.Array && len(left.Items) == 0 {
						return out.Without("required")
					}
					return out
				}), nil
			}
			return rootOnly(filterRequired), nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "keep-keywords-by-level",
		Doc:  `Keeps only the keywords "root" at the root and "below" in every subschema under it: a model API that decodes into fixed structures loses the others.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				Root  []string `json:"root"`
				Below []string `json:"below"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return everyNode(func(n schema.Node) *schema.Value {
				kept := p.Below
				if n.Depth == 0 {
					kept = p.Root
				}
				if n.Schema.Kind != schema.Object {
					return n.Schema
				}
				var members []schema.Member
				for _, m := range n.Schema.Unique() {
					if slices.Contains(kept, m.Key) {
						members = append(members, m)
					}
				}
				if len(members) == len(n.Schema.Members) {
					return n.Schema
				}
				return schema.Obj(members...)
			}), nil
		},
	})
}

// filterRequired returns an object schema whose required names properties only.
func filterRequired(v *schema.Value) *schema.Value {
	required := v.Get("required")
	if required == nil || required.Kind != schema.Array {
		return v
	}
	var kept []*schema.Value
	for _, r := range required.Items {
		if name, ok := r.IsString(); ok && v.Get("properties").Has(name) {
			kept = append(kept, r)
		}
	}
	if len(kept) == len(required.Items) {
		return v
	}
	return v.With("required", schema.List(kept...))
}
