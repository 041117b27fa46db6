package ground

import (
	"strings"
	"unicode/utf8"

	"github.com/hostmatrix/conform/schema"
)

// Inherited are the members that every JavaScript object seems to have: validators
// that look with `in` or compare with undefined meet them.
// Source: observed on Ajv 6 and 8 and on @cfworker/json-schema 4.1.1.
var Inherited = map[string]bool{
	"__proto__": true, "constructor": true, "hasOwnProperty": true, "isPrototypeOf": true,
	"propertyIsEnumerable": true, "toLocaleString": true, "toString": true, "valueOf": true,
	"__defineGetter__": true, "__defineSetter__": true, "__lookupGetter__": true, "__lookupSetter__": true,
}

// Assumption is what the common ground takes for granted about instances: beyond it
// every pair of libraries differs, whatever the schema says.
const Assumption = "for objects with numbers of at most 15 digits written without an exponent, without lone surrogates and duplicate keys, nested less than 100 deep"

// Assumed reports whether an instance is one of which [Assumption] speaks.
func Assumed(v *schema.Value) bool {
	return v.Kind == schema.Object && (&assuming{depth: 100}).value(v)
}

// plain is Assumed, and nothing else that one library or another stumbles over: a
// member of every JavaScript object, -0, more than a stack holds.
func plain(v *schema.Value) bool {
	return v.Kind == schema.Object && (&assuming{depth: maxDepth, careful: true}).value(v)
}

type assuming struct {
	depth   int // levels that may follow
	careful bool
	shown   bool // members must not look like keywords
}

func (a *assuming) value(v *schema.Value) bool {
	if a.depth == 0 {
		return false
	}
	switch v.Kind {
	case schema.String:
		return utf8.ValidString(v.Text)
	case schema.Number:
		return a.careful && isSureNumber(v.Text) || !a.careful && isPlainNumber(v.Text)
	case schema.Array, schema.Object:
		a.depth--
		defer func() { a.depth++ }()
		if !differ(v.Members) {
			return false
		}
		for _, item := range v.Items {
			if !a.value(item) {
				return false
			}
		}
		for _, m := range v.Members {
			if !utf8.ValidString(m.Key) || a.careful && Inherited[m.Key] || a.shown && isKeyword(m.Key) || !a.value(m.Value) {
				return false
			}
		}
	}
	return true
}

// isPlainNumber: at most 15 digits, which a double keeps in order, and no exponent.
func isPlainNumber(text string) bool {
	digits := 0
	for i := range len(text) {
		switch c := text[i]; {
		case '0' <= c && c <= '9':
			digits++
		case c == 'e' || c == 'E':
			return false
		}
	}
	return digits <= 15
}

// isSureNumber is isPlainNumber or an integer up to Number.MAX_SAFE_INTEGER, which zod
// writes as the bound of every integer; not -0.
func isSureNumber(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	if len(digits) == len(safe) && digits <= safe && strings.Trim(digits, "0123456789") == "" {
		return true
	}
	return isPlainNumber(text) && (len(digits) == len(text) || strings.Trim(digits, "0.") != "")
}

const safe = "9007199254740991"

// isExample is a value that is shown, not asserted. Ajv 6 and cfworker look for ids and
// references in places where they do not know the keyword.
func isExample(v *schema.Value) bool {
	return (&assuming{depth: maxDepth, careful: true, shown: true}).value(v)
}

func isKeyword(name string) bool {
	_, applies := schema.PlaceOf(name)
	return applies || strings.HasPrefix(name, "$") || name == "id"
}

// few is the number up to which each is compared with each.
const few = 12

// differ reports that no key stands twice.
func differ(members []schema.Member) bool {
	if len(members) > few {
		seen := make(map[string]struct{}, len(members))
		for _, m := range members {
			seen[m.Key] = struct{}{}
		}
		return len(seen) == len(members)
	}
	for i := range members {
		for j := range i {
			if members[i].Key == members[j].Key {
				return false
			}
		}
	}
	return true
}

// distinct is differ for a part of the document.
func (s *surveyor) distinct(members []schema.Member) bool {
	if s.listed += len(members); s.listed > maxListed || !differ(members) {
		return false
	}
	for _, m := range members {
		if !utf8.ValidString(m.Key) {
			return false
		}
	}
	return true
}

// allDifferent compares scalars.
func allDifferent(values []*schema.Value) bool {
	if len(values) > few {
		seen := make(map[string]struct{}, len(values))
		for _, v := range values {
			seen[v.Kind.String()+v.Text] = struct{}{}
		}
		bools := 0
		for _, v := range values {
			if v.Kind == schema.Bool {
				bools++
			}
		}
		return len(seen) == len(values) && bools <= 1
	}
	for i, a := range values {
		for _, b := range values[:i] {
			if a.Kind == b.Kind && a.Text == b.Text && a.Bool == b.Bool {
				return false
			}
		}
	}
	return true
}

func isText(v *schema.Value) bool { return v.Kind == schema.String && utf8.ValidString(v.Text) }

// isCount is a natural number below a billion, written plainly.
func isCount(v *schema.Value) bool {
	return v.Kind == schema.Number && len(v.Text) <= 9 && strings.Trim(v.Text, "0123456789") == ""
}

func isBound(v *schema.Value) bool { return v.Kind == schema.Number && isSureNumber(v.Text) }

// isSmallWhole is an integer of at most 12 digits, not -0.
func isSmallWhole(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return len(digits) <= 12 && strings.Trim(digits, "0123456789") == "" && text != "-0"
}
