package spec

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/hostmatrix/conform/schema"
)

// maxDigits bounds a number as it is written: the library's exact arithmetic takes
// seconds for a million digits, and again for each keyword.
const maxDigits = 20_000

// toAny turns a document into what santhosh-tekuri/jsonschema walks: maps,
// slices and json.Number. ok is false when a number is too long to be held
// exactly (see [schema.Value.Exact]).
func toAny(v *schema.Value) (out any, ok bool) {
	switch v.Kind {
	case schema.Bool:
		return v.Bool, true
	case schema.Number:
		if len(v.Text) > maxDigits {
			return nil, false
		}
		if strings.ContainsAny(v.Text, "eE") {
			if _, ok := v.Exact(); !ok {
				return nil, false
			}
		}
		return json.Number(v.Text), true
	case schema.String:
		return text(v.Text), true
	case schema.Array:
		items := make([]any, len(v.Items))
		for i, item := range v.Items {
			if items[i], ok = toAny(item); !ok {
				return nil, false
			}
		}
		return items, true
	case schema.Object:
		members := make(map[string]any, len(v.Members))
		for _, m := range v.Members { // a later duplicate wins
			if members[text(m.Key)], ok = toAny(m.Value); !ok {
				return nil, false
			}
		}
		return members, true
	}
	return nil, true
}

// text replaces lone surrogates, which are three bytes in a [schema.Value], by
// U+FFFD: Go would count each byte as a character.
func text(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := schema.DecodeWTF8(s)
		b.WriteRune(r) // a surrogate is written as U+FFFD
		s = s[n:]
	}
	return b.String()
}

// prepare takes the keywords out that the profile decides on: $schema always,
// format where it is an annotation. Other than a string they stay, so that the
// metaschema check still refuses them.
func prepare(document *schema.Value, assertFormat bool) *schema.Value {
	return schema.Map(document, func(n schema.Node) *schema.Value {
		if n.Schema == nil || n.Schema.Kind != schema.Object {
			return n.Schema
		}
		var drop []string
		if _, ok := n.Schema.Get("$schema").IsString(); ok {
			drop = append(drop, "$schema")
		}
		if _, ok := n.Schema.Get("format").IsString(); ok && !assertFormat {
			drop = append(drop, "format")
		}
		if len(drop) == 0 {
			return n.Schema
		}
		return n.Schema.Without(drop...)
	})
}
