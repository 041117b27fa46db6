package cfworker

import (
	"strconv"

	"github.com/hostmatrix/conform/schema"
)

type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
	// kindFunction is what a name of Object.prototype gives on a plain object.
	kindFunction
)

// value is a JSON text as JavaScript holds it after JSON.parse. A nil value is
// undefined. Identity counts: lookups compare schemas by it.
type value struct {
	kind  kind
	truth bool
	num   float64
	str   string // WTF-8 where the text has lone surrogates
	items []*value
	keys  []string // in the order of enumeration: array indices first
	own   map[string]*value

	// What dereference defines on a schema object, "" for undefined.
	absoluteRef, absoluteRecursiveRef string
}

func load(v *schema.Value) *value {
	switch v.Kind {
	case schema.Bool:
		return &value{kind: kindBool, truth: v.Bool}
	case schema.Number:
		return &value{kind: kindNumber, num: v.Float()}
	case schema.String:
		return &value{kind: kindString, str: v.Text}
	case schema.Array:
		out := &value{kind: kindArray, items: make([]*value, len(v.Items))}
		for i, item := range v.Items {
			out.items[i] = load(item)
		}
		return out
	case schema.Object:
		members := v.JSMembers()
		out := &value{kind: kindObject, keys: make([]string, len(members)), own: make(map[string]*value, len(members))}
		for i, m := range members {
			out.keys[i] = m.Key
			out.own[m.Key] = load(m.Value)
		}
		return out
	}
	return &value{kind: kindNull}
}

// get is value[key] on a parsed object, own members only; undefined elsewhere.
func (v *value) get(key string) *value {
	if v == nil || v.own == nil {
		return nil
	}
	return v.own[key]
}

// prototypeNames are the names that `key in {}` finds.
var prototypeNames = map[string]bool{
	"constructor": true, "__defineGetter__": true, "__defineSetter__": true, "hasOwnProperty": true,
	"__lookupGetter__": true, "__lookupSetter__": true, "isPrototypeOf": true, "propertyIsEnumerable": true,
	"toString": true, "valueOf": true, "__proto__": true, "toLocaleString": true,
}

var inheritedFunction = &value{kind: kindFunction}

// prototype stands for Object.prototype: an object without enumerable members.
var prototype = &value{kind: kindObject}

var arrayPrototype = &value{kind: kindArray}

// inherited is value[key] with the prototype's members.
func (v *value) inherited(key string) *value {
	if own := v.own[key]; own != nil {
		return own
	}
	switch {
	case key == "__proto__" && v == prototype:
		return &value{kind: kindNull}
	case key == "__proto__":
		return prototype
	case prototypeNames[key]:
		return inheritedFunction
	}
	return nil
}

// member is value[key] of an object or array; the methods of an array are told
// from an object's no further than that they are functions, which equal nothing.
func (v *value) member(key string) *value {
	if v.kind != kindArray {
		return v.inherited(key)
	}
	if key == "length" {
		return &value{kind: kindNumber, num: float64(len(v.items))}
	}
	if key == "__proto__" {
		return arrayPrototype
	}
	if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(v.items) && strconv.Itoa(i) == key {
		return v.items[i]
	}
	return nil
}

// enumerate is the keys of `for (key in value)` with their values.
func enumerate(v *value) (keys []string, at func(string) *value) {
	switch v.kind {
	case kindObject:
		return v.keys, func(key string) *value { return v.own[key] }
	case kindArray, kindString:
		items := v.items
		if v.kind == kindString {
			items = codeUnits(v.str)
		}
		keys = make([]string, len(items))
		for i := range items {
			keys[i] = strconv.Itoa(i)
		}
		return keys, func(key string) *value {
			i, _ := strconv.Atoi(key)
			return items[i]
		}
	}
	return nil, func(string) *value { return nil }
}

// codeUnits splits a string at UTF-16 code units; only ASCII is ever asked for
// in earnest, a schema keyword that should not be a string.
func codeUnits(s string) (out []*value) {
	for len(s) > 0 {
		r, n := schema.DecodeWTF8(s)
		out = append(out, &value{kind: kindString, str: s[:n]})
		if r > 0xFFFF {
			out = append(out, &value{kind: kindString, str: s[:n]})
		}
		s = s[n:]
	}
	return out
}
