package recording

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// maxArgumentDepth bounds how deep required objects may nest in arguments that
// are made up from a schema.
const maxArgumentDepth = 8

// maker makes arguments from nothing but what an inputSchema offers: examples,
// default, const and enum. It never invents a value, but for the text that it is
// given to put where any text will do.
type maker struct {
	root     *schema.Value
	variant  int           // which of several examples and enum values to take
	steps    int           // left, so that branches of branches end
	invented *schema.Value // nil: none
}

// maxMakerSteps bounds the schemas looked at for the arguments of one call.
const maxMakerSteps = 10_000

// makeArguments returns arguments for a call, or what is missing.
func makeArguments(input *schema.Value, variant int) (arguments *schema.Value, missing string) {
	m := &maker{root: input, variant: variant, steps: maxMakerSteps}
	root := resolve(input, input)
	for _, candidate := range m.offered(root) {
		if candidate.Kind == schema.Object {
			return candidate, ""
		}
	}
	return m.object(root, "", 0)
}

func (m *maker) object(s *schema.Value, at string, depth int) (*schema.Value, string) {
	var members []schema.Member
	for _, name := range m.required(s, depth) {
		property := m.property(s, name, depth)
		if property == nil {
			return nil, fmt.Sprintf("the required argument %s%s has no schema", at, name)
		}
		v, missing := m.value(property, at+name, depth+1)
		if missing != "" {
			return nil, missing
		}
		members = append(members, schema.Member{Key: name, Value: v})
	}
	return schema.Obj(members...), ""
}

// required lists what an object must have: by its own word, or by that of a schema in
// allOf.
func (m *maker) required(s *schema.Value, depth int) []string {
	names := requiredOf(s)
	for _, branch := range m.conjuncts(s, depth) {
		for _, name := range m.required(branch, depth+1) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// property finds the schema of a member: in the object's own, or in one of allOf.
func (m *maker) property(s *schema.Value, name string, depth int) *schema.Value {
	if v := s.Get("properties").Get(name); v != nil {
		return v
	}
	for _, branch := range m.conjuncts(s, depth) {
		if v := m.property(branch, name, depth+1); v != nil {
			return v
		}
	}
	return nil
}

func (m *maker) conjuncts(s *schema.Value, depth int) (out []*schema.Value) {
	for _, branch := range schemaList(s, "allOf") {
		m.steps--
		if resolved := resolve(m.root, branch); resolved != nil && depth <= maxArgumentDepth && m.steps >= 0 {
			out = append(out, resolved)
		}
	}
	return out
}

func (m *maker) value(property *schema.Value, at string, depth int) (*schema.Value, string) {
	s := resolve(m.root, property)
	m.steps--
	if s == nil || depth > maxArgumentDepth || m.steps < 0 {
		return nil, fmt.Sprintf("the schema of the required argument %s can't be followed", at)
	}
	for _, source := range []*schema.Value{property, s} { // next to a $ref there may be a default
		if offered := m.offered(source); len(offered) > 0 {
			return offered[m.variant%len(offered)], ""
		}
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, branch := range schemaList(s, keyword) {
			if v, missing := m.value(branch, at, depth+1); missing == "" && hasType(s, v) {
				return v, ""
			}
		}
	}
	if len(m.required(s, depth)) > 0 {
		return m.object(s, at+".", depth)
	}
	if m.invented != nil && freeText(s) {
		return m.invented, ""
	}
	return nil, fmt.Sprintf("the required argument %s has no example, default, const or enum", at)
}

// offered returns the values that a schema itself names, examples first: they
// are what the author wants to be called with.
func (m *maker) offered(s *schema.Value) []*schema.Value {
	var out []*schema.Value
	add := func(v *schema.Value) {
		if v != nil && hasType(s, v) {
			out = append(out, v)
		}
	}
	if v := s.Get("const"); v != nil {
		add(v)
		return out
	}
	for _, v := range schemaList(s, "examples") {
		add(v)
	}
	add(s.Get("default"))
	for _, v := range schemaList(s, "enum") {
		if v.Kind != schema.Null {
			add(v)
		}
	}
	return out
}

// invalidArguments returns arguments that an inputSchema refuses, nil when it
// refuses nothing that can be seen at once: one property gets a value of another
// type.
func invalidArguments(input, good *schema.Value) *schema.Value {
	root := resolve(input, input)
	for _, m := range root.Get("properties").Unique() {
		s := resolve(input, m.Value)
		wrong := schema.Obj(schema.Member{Key: "conform", Value: schema.Str("invalid on purpose")})
		if types := typesOf(s); len(types) > 0 && !hasType(s, wrong) {
			if good == nil {
				good = schema.Obj()
			}
			return good.With(m.Key, wrong)
		}
	}
	return nil
}

// RefusedArguments returns arguments that an inputSchema refuses: none where some are
// required, and a value of a wrong type.
func RefusedArguments(input *schema.Value) (out []*schema.Value) {
	if len(requiredOf(resolve(input, input))) > 0 {
		out = append(out, schema.Obj())
	}
	good, _ := makeArguments(input, 0)
	if wrong := invalidArguments(input, good); wrong != nil {
		out = append(out, wrong)
	}
	return out
}

// UnknownArguments returns arguments that an inputSchema takes and of which one, a
// text, names nothing that exists; nil where no such are found.
func UnknownArguments(input *schema.Value, invented string) *schema.Value {
	m := &maker{root: input, steps: maxMakerSteps, invented: schema.Str(invented)}
	root := resolve(input, input)
	made, missing := m.object(root, "", 0)
	if missing != "" {
		return nil
	}
	for _, property := range root.Get("properties").Unique() {
		if s := resolve(input, property.Value); made.Has(property.Key) && freeText(s) {
			return made.With(property.Key, m.invented)
		}
	}
	return nil
}

// freeText reports whether any text will do for a schema.
func freeText(s *schema.Value) bool {
	types := typesOf(s)
	if len(types) != 1 || types[0] != "string" {
		return false
	}
	for _, keyword := range []string{"enum", "const", "format", "pattern", "maxLength", "not", "allOf", "anyOf", "oneOf"} {
		if s.Has(keyword) {
			return false
		}
	}
	return true
}

func requiredOf(s *schema.Value) []string {
	var names []string
	for _, v := range schemaList(s, "required") {
		if name, ok := v.IsString(); ok {
			names = append(names, name)
		}
	}
	return names
}

// schemaList returns the elements of an array member, nil for anything else.
func schemaList(s *schema.Value, keyword string) []*schema.Value {
	if v := s.Get(keyword); v != nil && v.Kind == schema.Array {
		return v.Items
	}
	return nil
}

// parameter is one property of an inputSchema in words.
type parameter struct{ name, comment string }

// parametersOf lists what a tool takes, for the samples file.
func parametersOf(input *schema.Value) (out []parameter) {
	root := resolve(input, input)
	required := map[string]bool{}
	for _, name := range requiredOf(root) {
		required[name] = true
	}
	for _, m := range root.Get("properties").Unique() {
		s := resolve(input, m.Value)
		what := strings.Join(typesOf(s), " or ")
		if what == "" {
			what = "any"
		}
		if required[m.Key] {
			what += ", required"
		}
		description, ok := m.Value.Get("description").IsString()
		if !ok {
			description, _ = s.Get("description").IsString()
		}
		if description != "" {
			what += ": " + description
		}
		out = append(out, parameter{m.Key, oneLine(what, 120)})
	}
	return out
}
