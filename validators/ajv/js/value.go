// Package js reads [schema.Value] the way JavaScript code reads what JSON.parse
// made of it: properties that fall through to Object.prototype, IEEE doubles,
// String(x), strict and deep equality. Validators written in JavaScript are
// emulated on top of it.
package js

import (
	"math"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// Kinds beyond JSON that a property look-up can produce.
const (
	// FunctionKind is a function inherited from Object.prototype (toString, ...).
	FunctionKind schema.Kind = 100 + iota
	// PrototypeKind is Object.prototype itself, what obj.__proto__ gives.
	PrototypeKind
	// UndefinedKind is the value of an absent property where one must be passed on.
	UndefinedKind
)

// Values of the kinds above. Each is one object, so that identity is equality.
var (
	Function  = &schema.Value{Kind: FunctionKind}
	Prototype = &schema.Value{Kind: PrototypeKind}
	Undefined = &schema.Value{Kind: UndefinedKind}
)

// Inherited reports whether every JavaScript object has a property of this name
// from Object.prototype. Source: ECMA-262, Properties of the Object Prototype Object.
func Inherited(name string) bool {
	switch name {
	case "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable",
		"toLocaleString", "toString", "valueOf", "__proto__",
		"__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__":
		return true
	}
	return false
}

// Get is obj[name] for an object that came from JSON.parse; nil is undefined.
func Get(object *schema.Value, name string) *schema.Value {
	if own := object.Get(name); own != nil {
		return own
	}
	if !Inherited(name) {
		return nil
	}
	if name == "__proto__" {
		return Prototype
	}
	return Function
}

// CallInherited is what calling an inherited function with a string and without an
// object gives: whether the result is truthy, or the exception's message.
// Observed on Node 20.
func CallInherited(name string) (truthy bool, thrown string) {
	switch name {
	case "constructor", "toString":
		return true, ""
	case "isPrototypeOf":
		return false, ""
	case "toLocaleString":
		return false, "Object.prototype.toLocaleString called on null or undefined"
	case "__proto__": // no function: the caller looks for a method "test" in vain
		return false, "Cannot read properties of undefined (reading 'test')"
	}
	return false, "Cannot convert undefined or null to object"
}

// smallObject is the member count up to which comparing keys pairwise is cheaper
// than the object's index.
const smallObject = 8

// Members returns the own members in the order of for-in, without allocating when
// the source has no duplicate and no array-index key.
func Members(object *schema.Value) []schema.Member {
	if object == nil || object.Kind != schema.Object {
		return nil
	}
	if plain(object) {
		return object.Members
	}
	return object.JSMembers()
}

// plain reports that source order is enumeration order.
func plain(object *schema.Value) bool {
	for i := range object.Members {
		key := object.Members[i].Key
		if key != "" && key[0] >= '0' && key[0] <= '9' {
			return false
		}
		if len(object.Members) > smallObject {
			if object.Get(key) != object.Members[i].Value {
				return false
			}
			continue
		}
		for j := 0; j < i; j++ {
			if object.Members[j].Key == key {
				return false
			}
		}
	}
	return true
}

// Truthy is Boolean(v); nil is undefined.
func Truthy(v *schema.Value) bool {
	if v == nil {
		return false
	}
	switch v.Kind {
	case schema.Null, UndefinedKind:
		return false
	case schema.Bool:
		return v.Bool
	case schema.Number:
		f := v.Float()
		return f != 0 && !math.IsNaN(f)
	case schema.String:
		return v.Text != ""
	}
	return true
}

// IsObject is v && typeof v == "object" && !Array.isArray(v).
func IsObject(v *schema.Value) bool {
	return v != nil && (v.Kind == schema.Object || v.Kind == PrototypeKind)
}

// TypeOf is the typeof operator; nil is undefined.
func TypeOf(v *schema.Value) string {
	if v == nil {
		return "undefined"
	}
	switch v.Kind {
	case schema.Bool:
		return "boolean"
	case schema.Number:
		return "number"
	case schema.String:
		return "string"
	case FunctionKind:
		return "function"
	case UndefinedKind:
		return "undefined"
	}
	return "object"
}

// String is String(v) for values that came from JSON.parse.
func String(v *schema.Value) string {
	if v == nil {
		return "undefined"
	}
	switch v.Kind {
	case schema.Null:
		return "null"
	case schema.Bool:
		if v.Bool {
			return "true"
		}
		return "false"
	case schema.Number:
		return schema.JSNumber(v.Float(), false)
	case schema.String:
		return v.Text
	case schema.Array:
		return Join(v.Items, ",")
	case UndefinedKind:
		return "undefined"
	}
	return "[object Object]"
}

// Convertible reports whether String(v) doesn't throw: an object whose own member
// toString hides the inherited function can't be converted.
func Convertible(v *schema.Value) bool {
	switch v.Kind {
	case schema.Object:
		return !v.Has("toString")
	case schema.Array:
		for _, item := range v.Items {
			if !Convertible(item) {
				return false
			}
		}
	}
	return true
}

// Join is items.join(separator): null and undefined become the empty string.
func Join(items []*schema.Value, separator string) string {
	var b strings.Builder
	for i, item := range items {
		if i > 0 {
			b.WriteString(separator)
		}
		if item != nil && item.Kind != schema.Null && item.Kind != UndefinedKind {
			b.WriteString(String(item))
		}
	}
	return b.String()
}

// Length is the number of code points of a string as validators count them: a
// surrogate pair is one, a lone surrogate is one.
func Length(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i]&0xC0 != 0x80 {
			n++
		}
	}
	return n
}
