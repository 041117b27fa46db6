package operation

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRewrite(Rewrite{
		Name: "flatten-root-combinators",
		Doc: `Takes anyOf, oneOf and allOf off the root. The branches' properties join the root's (whose own stay, and which are schemas of object form): several of one name ` +
			`are one anyOf, strings first; of allOf the first counts. Required is the root's, what any branch of allOf and what every branch of anyOf and of oneOf requires. A branch that is a reference ` +
			`to a definition stands for it. Of the root's other members $defs, definitions, $schema, description, title and additionalProperties (default true) stay. ` +
			`The description begins with "Input constraint: Provide parameters for at least one of: (a) or (b, c)." ("exactly one of" for oneOf), naming what each branch requires, or else has.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return flattenRoot, nil
		},
	})
}

// keptByFlatten are the members that the flattened root keeps beside its type
// (observed with Claude Code 2.1.332).
var keptByFlatten = []string{"$defs", "definitions", "$schema", "description", "title"}

func flattenRoot(s Subject) (Subject, error) {
	f := flattening{root: s.Schema, pooled: map[string][]*schema.Value{}}
	if !slices.ContainsFunc([]string{"anyOf", "oneOf", "allOf"}, func(k string) bool { return f.branches(k) != nil }) {
		return s, nil
	}
	for _, m := range s.Schema.Get("properties").Unique() {
		if m.Value.Kind == schema.Object {
			f.properties = append(f.properties, m)
		}
	}
	f.required = requiredNames(s.Schema)
	f.requireOf("allOf")
	f.requireOf("anyOf")
	f.requireOf("oneOf")
	f.join()
	s.Description = f.remark() + "\n\n" + s.Description
	s.Schema = f.result()
	return s, nil
}

// flattening is one schema on its way to a root without combinators.
type flattening struct {
	root       *schema.Value
	properties []schema.Member
	required   []string
	pooled     map[string][]*schema.Value // what the branches of anyOf and oneOf say of a property
}

// branches are the branches of a keyword with references to definitions resolved,
// nil where the root has no such list. What is no object comes back as nil.
func (f *flattening) branches(keyword string) []*schema.Value {
	list := f.root.Get(keyword)
	if list == nil || list.Kind != schema.Array {
		return nil
	}
	out := []*schema.Value{}
	for _, b := range list.Items {
		if ref, ok := b.Get("$ref").IsString(); ok {
			b = f.definition(ref)
		}
		if b != nil && b.Kind != schema.Object {
			b = nil
		}
		out = append(out, b)
	}
	return out
}

// definition finds what a reference names, as it is written: neither escapes nor
// further references are followed.
func (f *flattening) definition(ref string) *schema.Value {
	for _, holder := range []string{"$defs", "definitions"} {
		if name, ok := strings.CutPrefix(ref, "#/"+holder+"/"); ok {
			return f.root.Get(holder).Get(name)
		}
	}
	return nil
}

func (f *flattening) has(name string) bool {
	return slices.ContainsFunc(f.properties, func(m schema.Member) bool { return m.Key == name })
}

// requireOf adds what the branches of a keyword require: of allOf all of it, else
// what each of them requires.
func (f *flattening) requireOf(keyword string) {
	branches := f.branches(keyword)
	for i, b := range branches {
		for _, name := range requiredNames(b) {
			inAll := !slices.ContainsFunc(branches, func(o *schema.Value) bool { return !slices.Contains(requiredNames(o), name) })
			if (keyword == "allOf" || i == 0 && inAll) && !slices.Contains(f.required, name) {
				f.required = append(f.required, name)
			}
		}
	}
}

// join takes over the branches' properties.
func (f *flattening) join() {
	var order []string
	for _, keyword := range []string{"anyOf", "oneOf"} {
		for _, b := range f.branches(keyword) {
			for _, m := range b.Get("properties").Unique() {
				text := m.Value.Compact()
				if m.Value.Kind != schema.Object || f.has(m.Key) ||
					slices.ContainsFunc(f.pooled[m.Key], func(o *schema.Value) bool { return o.Compact() == text }) {
					continue
				}
				if f.pooled[m.Key] == nil {
					order = append(order, m.Key)
				}
				f.pooled[m.Key] = append(f.pooled[m.Key], m.Value)
			}
		}
	}
	for _, name := range order {
		value := f.pooled[name][0]
		if many := f.pooled[name]; len(many) > 1 {
			slices.SortStableFunc(many, func(a, b *schema.Value) int { return notString(a) - notString(b) })
			value = schema.Obj(schema.Member{Key: "anyOf", Value: schema.List(many...)})
		}
		f.properties = append(f.properties, schema.Member{Key: name, Value: value})
	}
	for _, b := range f.branches("allOf") {
		for _, m := range b.Get("properties").Unique() {
			if m.Value.Kind == schema.Object && !f.has(m.Key) {
				f.properties = append(f.properties, m)
			}
		}
	}
}

func notString(v *schema.Value) int {
	if name, ok := v.Get("type").IsString(); ok && name == "string" {
		return 0
	}
	return 1
}

// result writes the new root.
func (f *flattening) result() *schema.Value {
	var required []*schema.Value
	for _, name := range f.required {
		if f.has(name) {
			required = append(required, schema.Str(name))
		}
	}
	members := []schema.Member{{Key: "type", Value: schema.Str("object")}, {Key: "properties", Value: schema.Obj(f.properties...)},
		{Key: "required", Value: schema.List(required...)}}
	for _, key := range keptByFlatten {
		if v := f.root.Get(key); v != nil {
			members = append(members, schema.Member{Key: key, Value: v})
		}
	}
	additional := f.root.Get("additionalProperties")
	if additional == nil {
		additional = schema.Flag(true)
	}
	return schema.Obj(append(members, schema.Member{Key: "additionalProperties", Value: additional})...)
}

// remark is the sentence that stands for what was taken off.
func (f *flattening) remark() string {
	for _, k := range []struct{ keyword, quantity string }{{"oneOf", "exactly one of"}, {"anyOf", "at least one of"}} {
		branches := f.branches(k.keyword)
		if branches == nil {
			continue
		}
		var groups []string
		for _, b := range branches {
			list := requiredNames(b)
			if len(list) == 0 {
				for _, m := range b.Get("properties").Unique() {
					list = append(list, m.Key)
				}
			}
			if group := "(" + strings.Join(list, ", ") + ")"; len(list) > 0 && !slices.Contains(groups, group) {
				groups = append(groups, group)
			}
		}
		if len(groups) == 0 {
			return "Input constraint: Provide parameters for " + k.quantity + " the documented parameter groups (flattened from a JSON Schema " + k.keyword + ")."
		}
		return "Input constraint: Provide parameters for " + k.quantity + ": " + strings.Join(groups, " or ") + "."
	}
	return "Input constraint: all listed parameters apply together (flattened from a JSON Schema allOf)."
}

// requiredNames lists the strings of a schema's required.
func requiredNames(v *schema.Value) []string {
	required := v.Get("required")
	if required == nil {
		return nil
	}
	var names []string
	for _, item := range required.Items {
		if name, ok := item.IsString(); ok {
			names = append(names, name)
		}
	}
	return names
}
