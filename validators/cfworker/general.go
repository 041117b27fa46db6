package cfworker

import (
	"fmt"
	"math"
)

// Keywords for every type of instance.

var typeNames = map[kind]string{
	kindNull: "null", kindBool: "boolean", kindNumber: "number", kindString: "string", kindArray: "array", kindObject: "object",
}

// types: in a list, Infinity is no integer; alone, it is one (x % 1 is NaN).
func (e *evaluation) types() {
	wanted := e.schema.get("type")
	if wanted == nil {
		return
	}
	name := typeNames[e.instance.kind]
	if wanted.kind == kindArray {
		for _, t := range wanted.items {
			if t.kind == kindString && (t.str == name || t.str == "integer" && e.instance.kind == kindNumber && math.Mod(e.instance.num, 1) == 0) {
				return
			}
		}
		e.fail("type", fmt.Sprintf(`Instance type "%s" is invalid. Expected "%s".`, name, joined(wanted.items, `", "`)))
		return
	}
	valid := wanted.kind == kindString && wanted.str == name
	if wanted.kind == kindString && wanted.str == "integer" {
		remainder := math.Mod(e.instance.num, 1)
		valid = e.instance.kind == kindNumber && (remainder == 0 || math.IsNaN(remainder))
	}
	if !valid {
		e.fail("type", fmt.Sprintf(`Instance type "%s" is invalid. Expected "%s".`, name, wanted.display()))
	}
}

func (e *evaluation) constAndEnum() {
	if constant := e.schema.get("const"); constant != nil && !e.equals(constant) {
		e.fail("const", "Instance does not match "+stringify(constant)+".")
	}
	enum := e.schema.get("enum")
	if enum == nil {
		return
	}
	if enum.kind != kindArray {
		throwNotFunction(enum, "$enum", "some")
	}
	for _, each := range enum.items {
		if e.equals(each) {
			return
		}
	}
	e.fail("enum", "Instance does not match any of "+stringify(enum)+".")
}

// throwNotFunction is what calling a method of something else than an array does.
func throwNotFunction(v *value, name, method string) {
	if isNullish(v) {
		throw("Cannot read properties of %s (reading '%s')", typeName(v), method)
	}
	throw("%s.%s is not a function", name, method)
}

func (e *evaluation) equals(wanted *value) bool {
	if e.instance.kind == kindObject || e.instance.kind == kindArray {
		return e.deepEqual(e.instance, wanted)
	}
	return same(e.instance, wanted)
}

// deepEqual is deepCompareStrict. In 4.1.1 an object compares with an array by
// its members, the inherited too: {} equals [] and {"length":1} equals [0].
func (r *run) deepEqual(a, b *value) bool {
	r.countComparison()
	if a.kind == kindArray || b.kind == kindArray && r.strictCompare {
		if a.kind != b.kind || len(a.items) != len(b.items) {
			return false
		}
		for i := range a.items {
			if !r.deepEqual(a.items[i], b.items[i]) {
				return false
			}
		}
		return true
	}
	if a.kind != kindObject {
		return same(a, b)
	}
	if b.kind != kindObject && b.kind != kindArray {
		return false
	}
	keys, _ := enumerate(b)
	if len(a.keys) != len(keys) {
		return false
	}
	for _, key := range a.keys {
		other := b.own[key]
		if !r.strictCompare {
			other = b.member(key)
		}
		if other == nil || !r.deepEqual(a.own[key], other) {
			return false
		}
	}
	return true
}

func (r *run) countComparison() {
	if r.calls++; r.calls > maxCalls {
		giveUp("validation takes more than %d steps", maxCalls)
	}
}

func (e *evaluation) not() {
	schema := e.schema.get("not")
	if schema == nil {
		return
	}
	if causes := e.validate(e.instance, schema, e.anchor, e.at, nil); len(causes) == 0 {
		e.fail("not", `Instance matched "not" schema.`)
	}
}

// combine runs anyOf, allOf and oneOf. Below them $recursiveAnchor counts only
// when it stands beside them. What valid branches evaluated is taken over after
// all three.
func (e *evaluation) combine() {
	var taken []*marks
	branch := func(schema *value) bool {
		anchor := e.anchor
		if !e.schema.get("$recursiveAnchor").is(true) {
			anchor = nil
		}
		inner := &marks{outer: e.evaluated}
		causes := e.validate(e.instance, schema, anchor, e.at, inner)
		e.errors = append(e.errors, causes...)
		if len(causes) == 0 {
			taken = append(taken, inner)
		}
		return len(causes) == 0
	}
	if list := e.schema.get("anyOf"); list != nil {
		before, valid := len(e.errors), 0
		branches := e.branches(list, "anyOf")
		for _, schema := range branches {
			if branch(schema) {
				valid++
			}
		}
		if valid > 0 {
			e.errors = e.errors[:before]
		} else {
			e.insert(before, "anyOf", "Instance does not match any subschemas.")
		}
	}
	if list := e.schema.get("allOf"); list != nil {
		before, valid := len(e.errors), 0
		branches := e.branches(list, "allOf")
		for _, schema := range branches {
			if branch(schema) {
				valid++
			}
		}
		if valid == len(branches) {
			e.errors = e.errors[:before]
		} else {
			e.insert(before, "allOf", "Instance does not match every subschema.")
		}
	}
	if list := e.schema.get("oneOf"); list != nil {
		if list.kind != kindArray {
			throwNotFunction(list, "$oneOf", "filter")
		}
		before, matches := len(e.errors), 0
		for _, schema := range list.items {
			if branch(schema) {
				matches++
			}
		}
		if matches == 1 {
			e.errors = e.errors[:before]
		} else {
			e.insert(before, "oneOf", fmt.Sprintf("Instance does not match exactly one subschema (%d matches).", matches))
		}
	}
	if e.instance.kind == kindObject || e.instance.kind == kindArray {
		for _, inner := range taken {
			e.evaluated.assign(inner)
		}
	}
}

// branches lists the subschemas of anyOf or allOf: 4.1.1 counts to .length,
// 4.1.6 calls .entries().
func (e *evaluation) branches(list *value, keyword string) []*value {
	switch {
	case list.kind == kindArray:
		return list.items
	case e.strictLists:
		if !isNullish(list) {
			throw("$%s.entries is not a function or its return value is not iterable", keyword)
		}
		throwNotFunction(list, "$"+keyword, "entries")
	case isNullish(list):
		throw("Cannot read properties of %s (reading 'length')", typeName(list))
	case list.kind == kindString:
		return codeUnits(list.str)
	case list.kind == kindObject && list.own["length"] != nil:
		giveUp("%s is an object with a length", keyword)
	}
	return nil
}

func (e *evaluation) conditional() {
	condition := e.schema.get("if")
	if condition == nil {
		return
	}
	evaluated := e.evaluated
	if e.separateIf {
		evaluated = new(marks)
	}
	keyword := "else"
	if causes := e.validate(e.instance, condition, e.anchor, e.at, evaluated); len(causes) == 0 {
		keyword = "then"
		if e.separateIf {
			e.evaluated.assign(evaluated)
		}
	}
	schema := e.schema.get(keyword)
	if schema == nil {
		return
	}
	if causes := e.validate(e.instance, schema, e.anchor, e.at, e.evaluated); len(causes) > 0 {
		e.failWith("if", `Instance does not match "`+keyword+`" schema.`, causes)
	}
}
