package operation

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// maxInlined bounds the references that inlining may follow: a fan of them grows
// exponentially.
const maxInlined = 20_000

func init() {
	RegisterRewrite(Rewrite{
		Name: "inline-refs",
		Doc: `Puts a definition of the root ($defs and definitions, by its name as it is written) in the place of each $ref to it, the siblings of $ref over its members, and takes the definitions out; ` +
			`a reference that is met inside its own target becomes "recursive" (a schema). Other references stay. Where there are $defs, definitions name nothing.`,
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
			return rootOnly(func(root *schema.Value) *schema.Value {
				in := inliner{recursive: recursive, named: map[string]*schema.Value{}}
				definitions := root.Get("$defs")
				if definitions == nil {
					definitions = root.Get("definitions")
				}
				for _, m := range definitions.Unique() {
					in.named[m.Key] = m.Value
				}
				return in.resolve(root, nil)
			}), nil
		},
	})
}

type inliner struct {
	recursive *schema.Value
	named     map[string]*schema.Value
	made      int
}

// resolve walks the document as JSON, as langchain-mcp-adapters 1.1.4 does: what
// looks like a reference is one, wherever it stands.
func (in *inliner) resolve(v *schema.Value, open []string) *schema.Value {
	switch v.Kind {
	case schema.Array:
		items := make([]*schema.Value, len(v.Items))
		for i, item := range v.Items {
			if item.Kind == schema.Array { // its members are copied as those of an object
				members := make([]schema.Member, len(item.Items))
				for j, inner := range item.Items {
					members[j] = schema.Member{Key: strconv.Itoa(j), Value: inner}
				}
				item = schema.Obj(members...)
			}
			items[i] = in.resolve(item, open)
		}
		return schema.List(items...)
	case schema.Object:
		if ref, ok := v.Get("$ref").IsString(); ok && ref != "" {
			return in.follow(v, ref, open)
		}
		var members []schema.Member
		for _, m := range v.Unique() {
			if m.Key != "$defs" && m.Key != "definitions" {
				members = append(members, schema.Member{Key: m.Key, Value: in.resolve(m.Value, open)})
			}
		}
		return schema.Obj(members...)
	}
	return v
}

func (in *inliner) follow(v *schema.Value, ref string, open []string) *schema.Value {
	name, ok := strings.CutPrefix(ref, "#/$defs/")
	if !ok {
		name, ok = strings.CutPrefix(ref, "#/definitions/")
	}
	target := in.named[name]
	if !ok || target == nil || target.Kind != schema.Object || in.made > maxInlined {
		return v
	}
	for _, above := range open {
		if above == ref {
			return in.recursive
		}
	}
	in.made++
	out := in.resolve(target, append(open[:len(open):len(open)], ref))
	for _, m := range v.Unique() {
		if m.Key != "$ref" {
			out = out.With(m.Key, m.Value)
		}
	}
	return out
}
