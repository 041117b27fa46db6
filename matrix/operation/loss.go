package operation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// Loss is one thing that is in the server's schema and not in the offered one.
type Loss struct {
	Rule     string
	Detail   string
	Pointer  schema.Pointer
	Degrades bool // the model is worse off; false for losses that change nothing in practice
}

// Losses compares the schema as sent with the schema as offered.
func Losses(sent, offered *schema.Value) []Loss {
	var out []Loss
	if sent == nil || offered == nil {
		return nil
	}
	compareSchemas(sent, offered, nil, &out, 0)
	return append(out, dangling(sent, offered)...)
}

// dangling names the first reference that the server resolves and the model cannot:
// what it names is not in what the model gets.
func dangling(sent, offered *schema.Value) []Loss {
	var out []Loss
	schema.Walk(offered, func(n schema.Node) bool {
		ref, ok := n.Schema.Get("$ref").IsString()
		if ok && len(out) == 0 && strings.HasPrefix(ref, "#") && Resolve(offered, ref) == nil && Resolve(sent, ref) != nil {
			out = append(out, Loss{Rule: "offered-type-lost", Degrades: true, Pointer: n.Pointer.Append("$ref"),
				Detail: fmt.Sprintf("the reference %q names nothing in what the model gets", ref)})
		}
		return len(out) == 0
	})
	return out
}

const maxLosses = 50

func compareSchemas(sent, offered *schema.Value, at schema.Pointer, out *[]Loss, depth int) {
	if sent.IsTrue() && offered != nil && offered.Has("type") {
		*out = append(*out, Loss{Rule: "offered-type-changed", Degrades: true, Pointer: at.Append(),
			Detail: "any value is offered to the model as " + offered.Get("type").Compact()})
		return
	}
	if sent == offered || len(*out) >= maxLosses || depth > 200 || sent.Kind != schema.Object || offered == nil || offered.Kind != schema.Object {
		return
	}
	lose := func(degrades bool, rule, format string, args ...any) {
		*out = append(*out, Loss{Rule: rule, Degrades: degrades, Pointer: at.Append(), Detail: fmt.Sprintf(format, args...)})
	}
	if st, ot := sent.Get("type"), offered.Get("type"); st != nil && ot != nil && !schema.Equal(st, ot) && !offered.Get("nullable").IsTrue() {
		lose(true, "offered-type-changed", "the type %s is offered to the model as %s", st.Compact(), ot.Compact())
	} else if st != nil && ot == nil && !offered.Has("anyOf") && !offered.Has("$ref") {
		lose(true, "offered-type-lost", "the type %s is not offered to the model", st.Compact())
	}
	if ref, ok := sent.Get("$ref").IsString(); ok && onlyWords(offered) {
		lose(true, "offered-type-lost", "neither the reference %q nor what it names is offered to the model", ref)
	}
	if sent.Has("prefixItems") && !offered.Has("prefixItems") || isTuple(sent) && !isTuple(offered) && !offered.Has("prefixItems") {
		lose(true, "offered-tuple-lost", "the tuple's positions are not offered to the model")
	}
	for _, union := range []string{"anyOf", "oneOf", "allOf"} {
		if sent.Has(union) && !offered.Has("anyOf") && !offered.Has("oneOf") && !offered.Has("allOf") {
			lose(union != "allOf" || !merged(sent.Get(union), offered), "offered-union-lost", "%s is not offered to the model", union)
		}
	}
	for _, keyword := range []string{"title", "default", "$schema", "$id", "examples", "format", "pattern", "minimum", "maximum",
		"exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems",
		"minProperties", "maxProperties", "additionalProperties", "patternProperties", "propertyNames", "not", "if"} {
		if sent.Has(keyword) && !offered.Has(keyword) {
			lose(false, "offered-keyword-lost", "%s is not offered to the model", keyword)
		}
	}
	for _, fixed := range []string{"enum", "const"} {
		if sent.Has(fixed) && !offered.Has("enum") && !offered.Has("const") {
			lose(true, "offered-enum-lost", "the %s is not offered to the model", fixed)
		}
	}
	if other := foreignValue(sent.ListOf("enum"), offered.ListOf("enum")); other != nil {
		lose(true, "offered-enum-lost", "the enum is offered to the model with %s, which is none of its values", other.Compact())
	}
	if freeForm(sent, depth) && offered.Get("additionalProperties").IsFalse() {
		lose(true, "offered-type-changed", "an object with keys of the caller's own is offered to the model as one that takes none")
	}
	if d, ok := sent.Get("description").IsString(); ok && d != "" {
		if got, _ := offered.Get("description").IsString(); got == "" {
			lose(true, "offered-description-lost", "the description is not offered to the model")
		}
	}
	sp, op := sent.Get("properties"), offered.Get("properties")
	if sp != nil && sp.Kind == schema.Object {
		for _, m := range sp.Unique() {
			sub := op.Get(m.Key)
			if sub == nil {
				*out = append(*out, Loss{Rule: "offered-property-lost", Degrades: true, Pointer: at.Append("properties", m.Key),
					Detail: fmt.Sprintf("the property %q is not offered to the model", m.Key)})
				continue
			}
			compareSchemas(m.Value, sub, at.Append("properties", m.Key), out, depth+1)
		}
	}
	if si := sent.Get("items"); si != nil {
		compareSchemas(si, offered.Get("items"), at.Append("items"), out, depth+1)
	}
}

// foreignValue is the first text of an enum as offered that the server's neither has
// nor, as a number or the like, would be written as; nil for none.
func foreignValue(sent, offered []*schema.Value) *schema.Value {
	if len(sent) == 0 {
		return nil
	}
	for _, o := range offered {
		if o.Kind == schema.String && !slices.ContainsFunc(sent, func(s *schema.Value) bool {
			return s.Text == o.Text || s.Compact() == o.Text || s.Stringify("") == o.Text
		}) {
			return o
		}
	}
	return nil
}

// onlyWords says that a schema holds nothing but words for people.
func onlyWords(v *schema.Value) bool {
	return !slices.ContainsFunc(v.Unique(), func(m schema.Member) bool {
		return !slices.Contains([]string{"title", "description", "default", "examples"}, m.Key)
	})
}

// freeForm says that a schema describes an object whose keys it does not name. At
// the root, silence means a tool without arguments.
func freeForm(v *schema.Value, depth int) bool {
	if properties := v.Get("properties"); properties != nil && (properties.Kind != schema.Object || len(properties.Members) > 0) {
		return false
	}
	more := v.Get("additionalProperties")
	if more == nil {
		return depth > 0 && saysType(v.Get("type"), "object") && !v.Has("anyOf") && !v.Has("oneOf") && !v.Has("allOf") && !v.Has("$ref")
	}
	return !more.IsFalse()
}

// merged says that the offered schema has all properties of the branches of an
// allOf, which are then as good beside it as in it.
func merged(branches, offered *schema.Value) bool {
	for _, branch := range branches.Items {
		for _, m := range branch.Unique() {
			if m.Key != "properties" && m.Key != "required" && m.Key != "type" {
				return false
			}
		}
		for _, m := range branch.Get("properties").Unique() {
			if !offered.Get("properties").Has(m.Key) {
				return false
			}
		}
	}
	return true
}

// isTuple says that items is a list of schemas, as a tuple was written up to 2019-09.
func isTuple(v *schema.Value) bool {
	items := v.Get("items")
	return items != nil && items.Kind == schema.Array && len(items.Items) > 0
}
