package recording

import (
	"net/url"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// maxRefs bounds a chain of references; a longer one is a cycle.
const maxRefs = 20

// resolve follows $ref as long as it points into the same document, by JSON
// Pointer only. It returns nil when a reference leads nowhere, out of the
// document, or in a circle.
func resolve(root, v *schema.Value) *schema.Value {
	for range maxRefs {
		ref, ok := v.Get("$ref").IsString()
		if !ok {
			return v
		}
		fragment, local := strings.CutPrefix(ref, "#")
		if !local {
			return nil
		}
		if decoded, err := url.PathUnescape(fragment); err == nil {
			fragment = decoded
		}
		pointer, ok := schema.ParsePointer(fragment)
		if !ok {
			return nil
		}
		if v = root.Lookup(pointer); v == nil {
			return nil
		}
	}
	return nil
}

// typesOf returns what "type" allows; empty means that it says nothing.
func typesOf(v *schema.Value) []string {
	t := v.Get("type")
	if name, ok := t.IsString(); ok {
		return []string{name}
	}
	var names []string
	if t != nil && t.Kind == schema.Array {
		for _, item := range t.Items {
			if name, ok := item.IsString(); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

// hasType reports whether "type" allows the value, or says nothing.
func hasType(s, value *schema.Value) bool {
	types := typesOf(s)
	for _, t := range types {
		if t == value.Kind.String() || t == "integer" && isInteger(value) {
			return true
		}
	}
	return len(types) == 0
}

func isInteger(v *schema.Value) bool {
	r, ok := v.Exact()
	return ok && r.IsInt()
}
