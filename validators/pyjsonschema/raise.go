package pyjsonschema

import (
	"fmt"
)

// raised is a Python exception on its way up; it travels as a panic inside this
// package and never leaves it.
type raised struct {
	class   string
	message string
}

// described is "Class: message", as a host that logs an exception prints it.
func (r *raised) described() string { return r.class + ": " + r.message }

func raise(class, format string, args ...any) {
	panic(&raised{class, fmt.Sprintf(format, args...)})
}

// gaveUp is a limit of this emulation, or a question that it can't answer.
type gaveUp struct{ reason string }

func giveUp(format string, args ...any) {
	panic(&gaveUp{fmt.Sprintf(format, args...)})
}

// attempt runs f and returns the exception or the limit that ended it.
func attempt(f func()) (exception *raised, limit *gaveUp) {
	defer func() {
		switch caught := recover().(type) {
		case nil:
		case *raised:
			exception = caught
		case *gaveUp:
			limit = caught
		default:
			panic(caught)
		}
	}()
	f()
	return nil, nil
}

// The checks below raise what CPython 3.11 raises where a keyword's value has
// the wrong type. A schema that passed check_schema can still hold such values
// where the metaschema does not look and a $ref leads to.

// itemsOf is value.items().
func itemsOf(v *value) []string {
	if v.kind != kindDict {
		raise("AttributeError", "'%s' object has no attribute 'items'", v.kind)
	}
	return v.keys
}

// elements is iter(value).
func elements(v *value) []*value {
	switch v.kind {
	case kindList:
		return v.items
	case kindDict:
		out := make([]*value, len(v.keys))
		for i, key := range v.keys {
			out[i] = text(key)
		}
		return out
	case kindStr:
		var out []*value
		for _, r := range codePoints(v.str) {
			out = append(out, text(r))
		}
		return out
	}
	raise("TypeError", "'%s' object is not iterable", v.kind)
	return nil
}

// lengthOf is len(value).
func lengthOf(v *value) int {
	switch v.kind {
	case kindList:
		return len(v.items)
	case kindDict:
		return len(v.keys)
	case kindStr:
		return runeCount(v.str)
	}
	raise("TypeError", "object of type '%s' has no len()", v.kind)
	return 0
}

// order is the comparison a operator b of two values that should be numbers.
func order(a, b *value, operator string) int {
	if a.arithmetic() && b.arithmetic() {
		return compareNumbers(a, b)
	}
	if a.kind == kindStr && b.kind == kindStr {
		return compareStrings(a.str, b.str)
	}
	raise("TypeError", "'%s' not supported between instances of '%s' and '%s'", operator, a.kind, b.kind)
	return 0
}

// contains is `key in container`.
func contains(container *value, key string) bool {
	switch container.kind {
	case kindDict:
		return container.dict[key] != nil
	case kindList:
		for _, item := range container.items {
			if item.kind == kindStr && item.str == key {
				return true
			}
		}
		return false
	case kindStr:
		return indexOf(container.str, key) >= 0
	}
	raise("TypeError", "argument of type '%s' is not iterable", container.kind)
	return false
}

// mustGet is value.get(key), which only a dict has.
func mustGet(v *value, key string) *value {
	if v.kind != kindDict {
		raise("AttributeError", "'%s' object has no attribute 'get'", v.kind)
	}
	return v.dict[key]
}
