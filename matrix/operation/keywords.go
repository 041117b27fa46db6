package operation

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRewrite(Rewrite{
		Name: "strip-keywords",
		Doc:  `Takes "keywords" out of the inputSchema; "scope": "root", "all" (default) or "below" (everywhere but the root).`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				Keywords []string `json:"keywords"`
				Scope    string   `json:"scope"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return everyNode(func(n schema.Node) *schema.Value {
				if (p.Scope == "root" && n.Depth > 0) || (p.Scope == "below" && n.Depth == 0) {
					return n.Schema
				}
				return without(n.Schema, p.Keywords)
			}), nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "keep-root-keywords",
		Doc:  `Keeps only "keywords" at the root of the inputSchema.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				Keywords []string `json:"keywords"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return rootOnly(func(root *schema.Value) *schema.Value {
				var kept []schema.Member
				for _, m := range root.Unique() {
					if slices.Contains(p.Keywords, m.Key) {
						kept = append(kept, m)
					}
				}
				return schema.Obj(kept...)
			}), nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "set-root",
		Doc: `Sets members at the root of the inputSchema: "always" whatever stands there, "missing" only where the member is absent or, with "null": true, null. ` +
			`"create": true makes an object of an inputSchema that is absent or none.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				Always  json.RawMessage `json:"always"`
				Missing json.RawMessage `json:"missing"`
				Null    bool            `json:"null"`
				Create  bool            `json:"create"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			always, err := members(p.Always)
			if err != nil {
				return nil, err
			}
			missing, err := members(p.Missing)
			if err != nil {
				return nil, err
			}
			set := rootOnly(func(root *schema.Value) *schema.Value {
				for _, m := range missing {
					if there := root.Get(m.Key); there == nil || (p.Null && there.Kind == schema.Null) {
						root = root.With(m.Key, m.Value)
					}
				}
				for _, m := range always {
					root = root.With(m.Key, m.Value)
				}
				return root
			})
			return func(s Subject) (Subject, error) {
				if p.Create && (s.Schema == nil || s.Schema.Kind != schema.Object) {
					s.Schema = schema.Obj()
				}
				return set(s)
			}, nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "add-property",
		Doc:  `Adds the property "name" with "schema" to the inputSchema's properties, behind the others.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				Name   string          `json:"name"`
				Schema json.RawMessage `json:"schema"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			added, err := schema.Parse(p.Schema, schema.Limits{})
			if err != nil {
				return nil, fmt.Errorf("add-property: schema: %w", err)
			}
			return rootOnly(func(root *schema.Value) *schema.Value {
				properties := root.Get("properties")
				if properties == nil || properties.Kind != schema.Object {
					properties = schema.Obj()
				}
				return root.With("properties", properties.With(p.Name, added))
			}), nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "null-type-to-nullable",
		Doc: `Rewrites a type list of one type and "null" to that type with "nullable": true; ` +
			`"anywhere": true does so in every object of the document, examples and defaults included.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				Anywhere bool `json:"anywhere"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			if p.Anywhere {
				return rootOnly(func(root *schema.Value) *schema.Value { return anywhere(root, nullable) }), nil
			}
			return everyNode(func(n schema.Node) *schema.Value { return nullable(n.Schema) }), nil
		},
	})
}

// nullable replaces ["x","null"] by "x" and the keyword of OpenAPI 3.0.
func nullable(v *schema.Value) *schema.Value {
	typ := v.Get("type")
	if typ == nil || typ.Kind != schema.Array || len(typ.Items) != 2 {
		return v
	}
	for i, item := range typ.Items {
		if t, _ := item.IsString(); t == "null" {
			return v.With("type", typ.Items[1-i]).With("nullable", schema.Flag(true))
		}
	}
	return v
}

// anywhere applies a change to every object of a document, inside out.
func anywhere(v *schema.Value, change func(*schema.Value) *schema.Value) *schema.Value {
	switch v.Kind {
	case schema.Array:
		items := make([]*schema.Value, len(v.Items))
		for i, item := range v.Items {
			items[i] = anywhere(item, change)
		}
		return schema.List(items...)
	case schema.Object:
		members := make([]schema.Member, len(v.Members))
		for i, m := range v.Members {
			members[i] = schema.Member{Key: m.Key, Value: anywhere(m.Value, change)}
		}
		return change(schema.Obj(members...))
	}
	return v
}

// everyNode makes a rewrite of a change to each subschema.
func everyNode(change func(schema.Node) *schema.Value) RewriteFunc {
	return func(s Subject) (Subject, error) {
		if s.Schema != nil {
			s.Schema = schema.Map(s.Schema, change)
		}
		return s, nil
	}
}

// rootOnly makes a rewrite of a change to the root, where that is an object.
func rootOnly(change func(*schema.Value) *schema.Value) RewriteFunc {
	return func(s Subject) (Subject, error) {
		if s.Schema != nil && s.Schema.Kind == schema.Object {
			s.Schema = change(s.Schema)
		}
		return s, nil
	}
}

// without returns the object without keys; the same value when none is there.
func without(v *schema.Value, keys []string) *schema.Value {
	if v == nil || v.Kind != schema.Object || !slices.ContainsFunc(keys, v.Has) {
		return v
	}
	return v.Without(keys...)
}

func members(raw json.RawMessage) ([]schema.Member, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	v, err := schema.Parse(raw, schema.Limits{})
	if err != nil {
		return nil, err
	}
	return v.Members, nil
}
