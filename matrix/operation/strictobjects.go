package operation

import (
	"encoding/json"
	"slices"

	"github.com/hostmatrix/conform/schema"
)

// What hosts do to bring an inputSchema into the form that strict function calling
// takes, whatever the schema said before.
func init() {
	RegisterRewrite(Rewrite{
		Name: "seal-objects",
		Doc: `Sets "additionalProperties": false in every subschema that is of type object or has properties, whatever it said before, ` +
			`gives it properties when it has none, and takes additionalProperties out of all other subschemas.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return everyNode(func(n schema.Node) *schema.Value {
				if n.Schema.Kind != schema.Object {
					return n.Schema
				}
				if !n.Schema.Has("properties") && !saysType(n.Schema.Get("type"), "object") {
					return without(n.Schema, []string{"additionalProperties"})
				}
				sealed := n.Schema
				if !sealed.Has("properties") {
					sealed = sealed.With("properties", schema.Obj())
				}
				return sealed.With("additionalProperties", schema.Flag(false))
			}), nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "keep-formats",
		Doc:  `Takes out every format that is not one of "formats".`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				Formats []string `json:"formats"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return everyNode(func(n schema.Node) *schema.Value {
				if format, ok := n.Schema.Get("format").IsString(); ok && slices.Contains(p.Formats, format) {
					return n.Schema
				}
				return without(n.Schema, []string{"format"})
			}), nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "first-root-branch",
		Doc: `Takes anyOf, oneOf and allOf off the root and puts the first branch that is an object in their place: its members over the root's. ` +
			`The other branches are gone; without such a branch nothing changes.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return rootOnly(firstRootBranch), nil
		},
	})
}

func firstRootBranch(root *schema.Value) *schema.Value {
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		branches := root.Get(keyword)
		if branches == nil || branches.Kind != schema.Array {
			continue
		}
		for _, b := range branches.Items {
			if !b.Has("properties") && !saysType(b.Get("type"), "object") {
				continue
			}
			out := root.Without("anyOf", "oneOf", "allOf")
			for _, m := range b.Unique() {
				out = out.With(m.Key, m.Value)
			}
			return out
		}
		return root
	}
	return root
}

// saysType says that a type, or a list of types, names want.
func saysType(typ *schema.Value, want string) bool {
	if t, ok := typ.IsString(); ok {
		return t == want
	}
	if typ == nil || typ.Kind != schema.Array {
		return false
	}
	return slices.ContainsFunc(typ.Items, func(item *schema.Value) bool {
		t, ok := item.IsString()
		return ok && t == want
	})
}
