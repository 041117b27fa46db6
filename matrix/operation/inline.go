package operation

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// maxInlined bounds the subschemas that inlining may create: a fan of references
// grows exponentially.
const maxInlined = 20_000

func init() {
	RegisterRewrite(Rewrite{
		Name: "inline-refs",
		Doc: `Puts the target of every local $ref in its place, its siblings over the target's members; a reference that is met inside its own target becomes "recursive" (a schema). ` +
			`References that don't resolve stay.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				Recursive json.RawMessage `json:"recursive"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			recursive, err := schema.Parse(p.Recursive, schema.Limits{})
			if err != nil {
				return nil, err
			}
			return func(s Subject) (Subject, error) {
				if s.Schema != nil {
					in := inliner{root: s.Schema, recursive: recursive}
					s.Schema = in.inline(s.Schema, nil)
				}
				return s, nil
			}, nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "simplify-applicators",
		Doc: `Rewrites what small models don't read: allOf is merged into its schema, anyOf and oneOf are dropped unless all branches are objects, whose properties then join, ` +
			`not is dropped, then is merged in place of if, then, else.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return everyNode(func(n schema.Node) *schema.Value {
				if n.Schema.Kind != schema.Object {
					return n.Schema
				}
				return simplify(n.Schema)
			}), nil
		},
	})
	RegisterRewrite(Rewrite{
		Name: "close-objects",
		Doc: `Adds "additionalProperties": false to every subschema with properties that does not say anything about others; ` +
			`"typed": true only where its type is the word "object".`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				Typed bool `json:"typed"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return everyNode(func(n schema.Node) *schema.Value {
				name, _ := n.Schema.Get("type").IsString()
				if !n.Schema.Has("properties") || n.Schema.Has("additionalProperties") || p.Typed && name != "object" {
					return n.Schema
				}
				return n.Schema.With("additionalProperties", schema.Flag(false))
			}), nil
		},
	})
}

type inliner struct {
	root, recursive *schema.Value
	made            int
}

func (in *inliner) inline(v *schema.Value, open []string) *schema.Value {
	return schema.Map(v, func(n schema.Node) *schema.Value {
		ref, ok := n.Schema.Get("$ref").IsString()
		if !ok || in.made > maxInlined {
			return n.Schema
		}
		target := Resolve(in.root, ref)
		if target == nil || target.Kind != schema.Object {
			return n.Schema
		}
		for _, above := range open {
			if above == ref {
				return in.recursive
			}
		}
		in.made++
		out := in.inline(target, append(open[:len(open):len(open)], ref))
		for _, m := range n.Schema.Unique() {
			if m.Key != "$ref" {
				out = out.With(m.Key, m.Value)
			}
		}
		return out
	})
}

// Resolve returns what a reference inside one document names by JSON Pointer, nil
// for anything else.
func Resolve(root *schema.Value, ref string) *schema.Value {
	fragment, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	if decoded, err := url.PathUnescape(fragment); err == nil {
		fragment = decoded
	}
	p, ok := schema.ParsePointer(fragment)
	if !ok {
		return nil
	}
	return root.Lookup(p)
}

func simplify(v *schema.Value) *schema.Value {
	v = mergeRootAllOf(v).Without("not")
	for _, keyword := range []string{"anyOf", "oneOf"} {
		branches := v.Get(keyword)
		if branches == nil || branches.Kind != schema.Array {
			continue
		}
		v = v.Without(keyword)
		properties := v.Get("properties")
		if properties == nil {
			properties = schema.Obj()
		}
		objects := true
		for _, b := range branches.Items {
			objects = objects && b.Has("properties")
			for _, m := range b.Get("properties").Unique() {
				if !properties.Has(m.Key) {
					properties = properties.With(m.Key, m.Value)
				}
			}
		}
		if objects {
			v = v.With("properties", properties)
		}
	}
	if v.Has("if") {
		then := v.Get("then")
		v = v.Without("if", "then", "else")
		for _, m := range then.Unique() {
			if !v.Has(m.Key) {
				v = v.With(m.Key, m.Value)
			}
		}
	}
	return v
}
