package operation

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRewrite(Rewrite{
		Name: "dereference-refs",
		Doc: `Puts what a $ref names, part by part as the path is written, in its place, the siblings over its members; a reference that is met inside its own target leaves its siblings. ` +
			`$defs are not looked into, and $defs and definitions of the root go. A reference that names nothing costs the tool. "titles": "strip" takes every title out that is no property, ` +
			`and the description of the root.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				Titles string `json:"titles"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(s Subject) (Subject, error) {
				if s.Schema == nil || s.Schema.Kind != schema.Object {
					return s, nil
				}
				d := dereferencer{root: s.Schema}
				out := d.resolve(s.Schema, nil)
				if d.missing != "" {
					return s, &DropError{Detail: fmt.Sprintf("Reference '%s' not found.", d.missing)}
				}
				out = out.Without("$defs", "definitions")
				if p.Titles == "strip" {
					out = stripTitles(out.Without("title", "description"), "")
				}
				s.Schema = out
				return s, nil
			}, nil
		},
	})
}

// dereferencer is dereference_refs of langchain-core, as langchain-mcp-adapters 0.3.2
// for Python runs it.
type dereferencer struct {
	root    *schema.Value
	made    int
	missing string // the first reference that names nothing
}

func (d *dereferencer) resolve(v *schema.Value, open []string) *schema.Value {
	switch {
	case d.missing != "" || d.made > maxInlined:
		return v
	case v.Kind == schema.Array:
		items := make([]*schema.Value, len(v.Items))
		for i, item := range v.Items {
			items[i] = d.resolve(item, open)
		}
		return schema.List(items...)
	case v.Kind != schema.Object:
		return v
	}
	ref := v.Get("$ref")
	if ref == nil {
		return d.members(v, open)
	}
	path, ok := ref.IsString()
	siblings := v.Without("$ref")
	if slices.Contains(open, path) {
		return d.members(siblings, open)
	}
	target := d.named(path)
	if !ok || target == nil {
		d.missing = ref.Compact()
		if ok {
			d.missing = path
		}
		return v
	}
	d.made++
	out := d.resolve(target, append(open[:len(open):len(open)], path))
	if len(siblings.Members) == 0 {
		return out
	}
	if out.Kind != schema.Object {
		out = schema.Obj()
	}
	for _, m := range d.members(siblings, open).Unique() {
		out = out.With(m.Key, m.Value)
	}
	return out
}

func (d *dereferencer) members(v *schema.Value, open []string) *schema.Value {
	var out []schema.Member
	for _, m := range v.Unique() {
		if m.Key != "$defs" {
			m.Value = d.resolve(m.Value, open)
		}
		out = append(out, m)
	}
	return schema.Obj(out...)
}

func (d *dereferencer) named(path string) *schema.Value {
	parts := strings.Split(path, "/")
	if parts[0] != "#" {
		return nil
	}
	at := d.root
	for _, part := range parts[1:] {
		next := at.Get(part)
		if index, err := strconv.Atoi(part); next == nil && err == nil && at != nil && at.Kind == schema.Array && index >= 0 && index < len(at.Items) {
			next = at.Items[index]
		}
		if at = next; at == nil {
			return nil
		}
	}
	if at.Kind != schema.Object && at.Kind != schema.Array {
		return nil
	}
	return at
}

// stripTitles takes titles out of an object and the objects that are its members; a
// property of that name stays.
func stripTitles(v *schema.Value, key string) *schema.Value {
	var out []schema.Member
	for _, m := range v.Unique() {
		switch {
		case m.Value.Kind == schema.Object && (m.Key != "title" || key == "properties"):
			m.Value = stripTitles(m.Value, m.Key)
		case m.Key == "title":
			continue
		}
		out = append(out, m)
	}
	return schema.Obj(out...)
}
