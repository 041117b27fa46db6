package shape

import (
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// Output returns what the parser makes of a value that [Shape.Check] accepted:
// named members in the order of the shape, then the others that it keeps, in
// theirs; defaults filled in, unknown members stripped where the parser strips
// them. v itself is returned for a part that the shape does not model.
func (sh *Shape) Output(part string, v *schema.Value) *schema.Value {
	n := sh.parts[part]
	if n == nil || v == nil {
		return v
	}
	return sh.output(n, v, 0)
}

// maxOutputDepth bounds the walk; deeper values are passed on as they are.
const maxOutputDepth = 200

func (sh *Shape) output(n *node, v *schema.Value, depth int) *schema.Value {
	n = n.follow()
	if n == nil || v == nil || depth > maxOutputDepth {
		return v
	}
	if sh.words.rules.written != nil {
		v = sh.words.rules.written(n, v)
	}
	switch n.kind {
	case kindObject:
		if v.Kind == schema.Object {
			return sh.outputObject(n, v, depth)
		}
	case kindArray:
		if v.Kind == schema.Array {
			items := make([]*schema.Value, len(v.Items))
			for i, item := range v.Items {
				items[i] = sh.output(n.item, item, depth+1)
			}
			return schema.List(items...)
		}
	case kindNumber:
		if n.float && v.Kind == schema.Number && !strings.ContainsAny(v.Text, ".eE") {
			return &schema.Value{Kind: schema.Number, Text: v.Text + ".0"}
		}
	case kindRecord:
		// zod's record leaves __proto__ out (observed in TypeScript SDK 1.17.0, 1.32.2).
		if v.Has("__proto__") && (sh.words == zod3Words || sh.words.rules.skipProto) {
			return v.Without("__proto__")
		}
	case kindTagged:
		tag, _ := v.Get(n.tag).IsString()
		for i, t := range n.tags {
			if t != tag {
				continue
			}
			out := sh.output(n.options[i], v, depth)
			if out.Kind == schema.Object && !out.Has(n.tag) { // serde names the tag apart from the fields
				out = schema.Obj(append([]schema.Member{{Key: n.tag, Value: v.Get(n.tag)}}, out.Members...)...)
			}
			return out
		}
		if n.other != nil {
			return sh.output(n.other, v, depth)
		}
	case kindUnion:
		for _, option := range n.options {
			if sh.accepts(option, v) {
				return sh.output(option, v, depth)
			}
		}
	}
	return v
}

// accepts reports whether n takes v.
func (sh *Shape) accepts(n *node, v *schema.Value) bool {
	c := checker{rules: &sh.words.rules, root: v}
	c.check(n, v, nil)
	return len(c.faults) == 0
}

func (sh *Shape) outputObject(n *node, v *schema.Value, depth int) *schema.Value {
	if kind, _ := v.Get("type").IsString(); n.as[kind] != nil {
		return sh.output(n.as[kind], v, depth+1)
	}
	var members []schema.Member
	for _, f := range n.fields {
		value := v.Get(f.key)
		if value == nil {
			value = f.node.fallback
		} else if value.Kind == schema.Null && f.node.optional && sh.words.rules.nullIsAbsent && f.node.follow().kind != kindAny {
			value = nil
		} else {
			value = sh.output(f.node, value, depth+1)
		}
		if n.written != nil {
			value = asWritten(f.node, value, slices.Contains(n.written, f.key))
		}
		if value != nil {
			members = append(members, schema.Member{Key: f.key, Value: value})
		}
	}
	if n.unknown == unknownKeep {
		for _, m := range sh.words.rules.members(v) {
			if n.get(m.Key) == nil {
				members = append(members, m)
			}
		}
	}
	return schema.Obj(members...)
}

// asWritten is a field as a typed object is written with it: nil where it is left
// out, the zero value of its type where it is always there. A number stays as it is,
// as behind a pointer, unless the shape says omitzero.
func asWritten(n *node, value *schema.Value, always bool) *schema.Value {
	empty := value == nil
	if !empty {
		switch value.Kind {
		case schema.Null:
			empty = true
		case schema.Bool:
			empty = !value.Bool
		case schema.Number:
			empty = n.follow().omitzero && value.Float() == 0
		case schema.String:
			empty = value.Text == "" && !n.kept && !n.follow().kept
		case schema.Array:
			empty = len(value.Items) == 0
		case schema.Object: // a struct stands behind a pointer, which is there
			empty = len(value.Members) == 0 && n.follow().kind != kindObject && !n.kept && !n.follow().kept
		}
	}
	switch {
	case !empty || value != nil && n.follow().kind == kindAny: // kept as raw JSON
		return value
	case !always:
		return nil
	case value != nil && value.Kind != schema.Null:
		return value
	}
	switch n.follow().kind {
	case kindString:
		return schema.Str("")
	case kindArray:
		return schema.List()
	case kindBoolean:
		return schema.Flag(false)
	}
	return schema.Obj()
}
