package stage

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/operation"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// checkedSchema is the schema by which the host checks the arguments: the server's,
// or the one that it offered to the model.
func checkedSchema(a *capabilities.Arguments, t *Tool) *schema.Value {
	if a.Offered && t.Offered.Schema != nil {
		return t.Offered.Schema
	}
	return t.Input
}

// validateMended asks the validator once more with arguments that the host has
// mended, where it does that: a model may write the number 5 as "5".
func validateMended(how string, v validators.Validator, input, arguments *schema.Value) validators.Result {
	r := v.Validate(arguments)
	if r.Outcome == validators.Valid || how == "" || arguments.Kind != schema.Object {
		return r
	}
	m := mender{root: input}
	if how == "blind" {
		arguments = blindly(m.texts(arguments), 0)
	} else {
		arguments = numbers(m.object(arguments, input, 0), input, 0)
	}
	return v.Validate(arguments)
}

// maxMended bounds the depth of mending. Source: Qwen Code 0.24.4, schemaValidator.
const maxMended = 64

// mender changes values to a type that their schema accepts.
type mender struct{ root *schema.Value }

func (m mender) object(v, s *schema.Value, depth int) *schema.Value {
	if depth > maxMended {
		return v
	}
	for _, member := range v.Unique() {
		of := m.property(s, member.Key)
		if of == nil {
			of = s.Get("additionalProperties")
		}
		if of = m.resolve(of); of != nil {
			v = v.With(member.Key, m.value(member.Value, of, depth+1))
		}
	}
	return v
}

// property finds the schema of a member, in the branches of a combination too.
func (m mender) property(s *schema.Value, key string) *schema.Value {
	if own := s.Get("properties").Get(key); own != nil {
		return own
	}
	for _, branch := range m.branches(s) {
		if found := branch.Get("properties").Get(key); found != nil {
			return found
		}
	}
	return nil
}

func (m mender) branches(s *schema.Value) (out []*schema.Value) {
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		if list := s.Get(keyword); list != nil {
			for _, item := range list.Items {
				if item = m.resolve(item); item != nil {
					out = append(out, item)
				}
			}
		}
	}
	return out
}

func (m mender) resolve(s *schema.Value) *schema.Value {
	for range maxMended {
		ref, ok := s.Get("$ref").IsString()
		if !ok {
			break
		}
		target := operation.Resolve(m.root, ref)
		if target == nil {
			break
		}
		s = target
	}
	if s == nil || s.Kind != schema.Object {
		return nil
	}
	return s
}

func (m mender) value(v, s *schema.Value, depth int) *schema.Value {
	switch v.Kind {
	case schema.Object:
		return m.object(v, s, depth)
	case schema.Array:
		items := make([]*schema.Value, len(v.Items))
		prefix := s.Get("prefixItems")
		for i, item := range v.Items {
			of := s.Get("items")
			if prefix != nil && i < len(prefix.Items) {
				of = prefix.Items[i]
			}
			if items[i] = item; m.resolve(of) != nil {
				items[i] = m.value(item, m.resolve(of), depth+1)
			}
		}
		return schema.List(items...)
	}
	accepted := map[string]bool{}
	m.accepted(s, accepted, 0)
	return mended(v, accepted)
}

// accepted collects the types that a schema and the branches of its combinations name.
func (m mender) accepted(s *schema.Value, types map[string]bool, depth int) {
	if s = m.resolve(s); s == nil || depth > maxMended {
		return
	}
	if name, ok := s.Get("type").IsString(); ok {
		types[name] = true
	} else if list := s.Get("type"); list != nil {
		for _, item := range list.Items {
			types[item.Text] = true
		}
	}
	for _, branch := range m.branches(s) {
		m.accepted(branch, types, depth+1)
	}
}

var plainNumber = regexp.MustCompile(`^-?\d+(\.\d+)?$`)

// mended changes one value that is no object and no list.
func mended(v *schema.Value, accepted map[string]bool) *schema.Value {
	text, isText := v.IsString()
	switch {
	case !isText && (v.Kind == schema.Number || v.Kind == schema.Bool):
		own := v.Kind.String()
		whole := v.Kind == schema.Number && v.Float() == math.Trunc(v.Float())
		if !accepted["string"] || accepted[own] || whole && accepted["integer"] {
			return v
		}
		return schema.Str(v.Stringify(""))
	case !isText || accepted["string"]:
		return v
	}
	trimmed := strings.TrimSpace(text)
	switch lower := strings.ToLower(text); {
	case accepted["boolean"] && (lower == "true" || lower == "false"):
		return schema.Flag(lower == "true")
	case accepted["array"] || accepted["object"]:
		if parsed := textual(trimmed); parsed != nil && accepted[parsed.Kind.String()] {
			return parsed
		}
	}
	return v
}

// numbers changes texts to numbers where a schema's own properties or items name such a
// type: references, prefixItems and additionalProperties are not looked at, as they are
// for the other types. Source: Qwen Code 0.24.4, fixNumericValues.
func numbers(v, s *schema.Value, depth int) *schema.Value {
	if depth > maxMended {
		return v
	}
	one := func(v, of *schema.Value) *schema.Value {
		switch v.Kind {
		case schema.Object, schema.Array:
			return numbers(v, of, depth+1)
		case schema.String:
			return number(v, of)
		}
		return v
	}
	switch v.Kind {
	case schema.Object:
		for _, member := range v.Unique() {
			v = v.With(member.Key, one(member.Value, s.Get("properties").Get(member.Key)))
		}
	case schema.Array:
		items := make([]*schema.Value, len(v.Items))
		for i, item := range v.Items {
			items[i] = one(item, s.Get("items"))
		}
		return schema.List(items...)
	}
	return v
}

func number(v, s *schema.Value) *schema.Value {
	accepted := map[string]bool{}
	named(s, accepted, 0)
	text := strings.TrimSpace(v.Text)
	if accepted["string"] || !accepted["number"] && !accepted["integer"] || !plainNumber.MatchString(text) {
		return v
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !accepted["number"] && f != math.Trunc(f) {
		return v
	}
	return schema.MustParse(strconv.FormatFloat(f, 'f', -1, 64))
}

// named collects the types that a schema and the branches of its combinations name
// themselves, whatever they refer to.
func named(s *schema.Value, types map[string]bool, depth int) {
	if depth > maxMended || s == nil || s.Kind != schema.Object {
		return
	}
	if name, ok := s.Get("type").IsString(); ok {
		types[name] = true
	}
	for _, name := range s.StringsOf("type") {
		types[name] = true
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		for _, branch := range s.ListOf(keyword) {
			named(branch, types, depth+1)
		}
	}
}

// textual is the object or list that a text holds as JSON, nil for none.
func textual(text string) *schema.Value {
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return nil
	}
	parsed, err := schema.ParseString(text)
	if err != nil {
		return nil
	}
	return parsed
}

// texts mends only JSON in the texts of the root's own properties. Source: Qwen Code
// 0.15.10, fixStringifiedJsonValues.
func (m mender) texts(v *schema.Value) *schema.Value {
	for _, member := range v.Unique() {
		of := m.root.Get("properties").Get(member.Key)
		text, ok := member.Value.IsString()
		if !ok || of == nil {
			continue
		}
		accepted := map[string]bool{}
		m.accepted(of, accepted, maxMended-1)
		if parsed := textual(strings.TrimSpace(text)); parsed != nil && !accepted["string"] && accepted[parsed.Kind.String()] {
			v = v.With(member.Key, parsed)
		}
	}
	return v
}

// blindly makes true and false of every such text, whatever its schema says. Source:
// Qwen Code 0.15.10, fixBooleanValues.
func blindly(v *schema.Value, depth int) *schema.Value {
	if depth > maxMended {
		return v
	}
	switch v.Kind {
	case schema.String:
		if lower := strings.ToLower(v.Text); lower == "true" || lower == "false" {
			return schema.Flag(lower == "true")
		}
	case schema.Array:
		items := make([]*schema.Value, len(v.Items))
		for i, item := range v.Items {
			items[i] = blindly(item, depth+1)
		}
		return schema.List(items...)
	case schema.Object:
		for _, member := range v.Unique() {
			v = v.With(member.Key, blindly(member.Value, depth+1))
		}
	}
	return v
}

// withoutNulls leaves out the arguments that are null.
func withoutNulls(arguments *schema.Value) *schema.Value {
	for _, m := range arguments.Unique() {
		if m.Value.Kind == schema.Null {
			arguments = arguments.Without(m.Key)
		}
	}
	return arguments
}
