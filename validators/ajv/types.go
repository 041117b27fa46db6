package ajv

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/js"
)

// schemaTypes reads type and nullable. text is how the type reads in an error.
func (it *context) schemaTypes(s *schema.Value) (types []string, text string) {
	t := s.Get("type")
	switch {
	case t != nil && t.Kind == schema.Array:
		for _, item := range t.Items {
			if name, ok := item.IsString(); !ok || typeBits[name] == 0 {
				throw("type must be JSONType or JSONType[]: ", joined(t.Items, ","))
			}
			types = append(types, item.Text)
		}
		text = strings.Join(types, ",")
	case js.Truthy(t):
		if name, ok := t.IsString(); !ok || typeBits[name] == 0 {
			throw("type must be JSONType or JSONType[]: ", joined([]*schema.Value{t}, ","))
		}
		types, text = []string{t.Text}, t.Text
	}
	nullable := s.Get("nullable")
	for _, name := range types {
		if name == "null" {
			if nullable.IsFalse() {
				throw("type: null contradicts nullable: false")
			}
			return types, text
		}
	}
	if len(types) == 0 && nullable != nil {
		throw(`"nullable" cannot be used without "type"`)
	}
	if nullable.IsTrue() {
		types = append(types, "null")
		if t.Kind == schema.Array {
			text += ",null" // the library adds to the schema's own array, which its message prints
		}
	}
	return types, text
}

// joined is items.join(separator) while a schema is compiled.
func joined(items []*schema.Value, separator string) string {
	for _, item := range items {
		if !js.Convertible(item) {
			throw("Cannot convert object to primitive value")
		}
	}
	return js.Join(items, separator)
}

func (it *context) typeSet(types []string) typeSet {
	var set typeSet
	for _, t := range types {
		set |= typeBits[t]
	}
	if it.c.opts.strictNumbers {
		set |= tFinite
	}
	return set
}

func (it *context) groupTypes(kind string) typeSet {
	if kind == "" {
		return 0
	}
	return it.typeSet([]string{kind})
}

// groupOf is the group of keywords for a type; the others have none.
func groupOf(t string) string {
	switch t {
	case "number", "string", "array", "object":
		return t
	}
	return ""
}

func (it *context) usesGroup(kind string) bool {
	if kind == "" {
		return false
	}
	for i := range it.c.opts.rules.groups {
		if it.c.opts.rules.groups[i].kind != kind {
			continue
		}
		for _, r := range it.c.opts.rules.groups[i].rules {
			if it.schema.Has(r.keyword) {
				return true
			}
		}
	}
	return false
}

// typeSet is a set of JSON Schema types.
type typeSet uint16

const (
	tNull typeSet = 1 << iota
	tBoolean
	tNumber
	tInteger
	tString
	tArray
	tObject
	tFinite // numbers must be finite (option strictNumbers)
)

var typeBits = map[string]typeSet{
	"null": tNull, "boolean": tBoolean, "number": tNumber, "integer": tInteger,
	"string": tString, "array": tArray, "object": tObject,
}

func (t typeSet) has(v *schema.Value) bool {
	switch v.Kind {
	case schema.Null:
		return t&tNull != 0
	case schema.Bool:
		return t&tBoolean != 0
	case schema.String:
		return t&tString != 0
	case schema.Array:
		return t&tArray != 0
	case schema.Object, js.PrototypeKind:
		return t&tObject != 0
	case schema.Number:
		if t&(tNumber|tInteger) == 0 {
			return false
		}
		return t.hasNumber(v)
	}
	return false
}

// hasNumber: Infinity is an integer to JavaScript's % unless numbers must be finite.
func (t typeSet) hasNumber(v *schema.Value) bool {
	if t&tNumber != 0 && t&tFinite == 0 || plainInteger(v.Text) {
		return true
	}
	f := v.Float()
	if f-f != 0 {
		return t&tFinite == 0
	}
	return t&tNumber != 0 || f == float64(int64(f)) || f >= 1<<53 || f <= -(1<<53)
}

// plainInteger reports a literal short enough that no rounding can touch it.
func plainInteger(text string) bool {
	if len(text) > 15 {
		return false
	}
	for i := 0; i < len(text); i++ {
		if c := text[i]; (c < '0' || c > '9') && (i > 0 || c != '-') {
			return false
		}
	}
	return true
}
