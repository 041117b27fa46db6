package schema

import "strconv"

// Str, Num, Flag, List and Obj build values in code (rewrites, synthesized
// samples, tests). Built values have no source offsets.

// Str returns a JSON string.
func Str(s string) *Value { return &Value{Kind: String, Text: s} }

// Num returns a JSON integer.
func Num(n int64) *Value { return &Value{Kind: Number, Text: strconv.FormatInt(n, 10)} }

// Flag returns a JSON boolean.
func Flag(b bool) *Value { return &Value{Kind: Bool, Bool: b} }

// List returns a JSON array.
func List(items ...*Value) *Value { return &Value{Kind: Array, Items: items} }

// Obj returns a JSON object with the members in the given order.
func Obj(members ...Member) *Value { return &Value{Kind: Object, Members: members} }

// With returns a copy of the object with member key set to value, in place when
// the key exists, else appended. A nil value removes the key.
func (v *Value) With(key string, value *Value) *Value {
	out := &Value{Kind: Object, Members: make([]Member, 0, len(v.Members)+1)}
	done := false
	for _, m := range v.Unique() {
		if m.Key != key {
			out.Members = append(out.Members, m)
			continue
		}
		done = true
		if value != nil {
			out.Members = append(out.Members, Member{key, value})
		}
	}
	if !done && value != nil {
		out.Members = append(out.Members, Member{key, value})
	}
	return out
}

// Without returns a copy of the object without the given keys.
func (v *Value) Without(keys ...string) *Value {
	out := &Value{Kind: Object, Members: make([]Member, 0, len(v.Members))}
next:
	for _, m := range v.Unique() {
		for _, key := range keys {
			if m.Key == key {
				continue next
			}
		}
		out.Members = append(out.Members, m)
	}
	return out
}
