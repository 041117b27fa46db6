package cfworker

import (
	"fmt"
	"math"
)

func (e *evaluation) array() {
	size := float64(len(e.instance.items))
	if limit := e.schema.get("maxItems"); limit != nil && greater(size, limit) {
		e.fail("maxItems", fmt.Sprintf("Array has too many items (%d > %s).", len(e.instance.items), limit.display()))
	}
	if limit := e.schema.get("minItems"); limit != nil && less(size, limit) {
		e.fail("minItems", fmt.Sprintf("Array has too few items (%d < %s).", len(e.instance.items), limit.display()))
	}
	next, stop := e.items()
	e.contains()
	if schema := e.schema.get("unevaluatedItems"); schema != nil && !stop {
		for i := next; i < len(e.instance.items); i++ {
			if !e.evaluated.has(index(i)) {
				e.item("unevaluatedItems", i, schema, "Items did not match unevaluated items schema.")
			}
		}
	}
	if e.schema.get("uniqueItems").truthy() {
		e.uniqueItems()
	}
}

func (e *evaluation) item(keyword string, i int, schema *value, message string) (valid bool) {
	causes := e.validate(e.instance.items[i], schema, e.anchor, e.at.child(index(i), index(i)), nil)
	e.evaluated.set(index(i))
	if len(causes) > 0 {
		e.failWith(keyword, message, causes)
	}
	return len(causes) == 0
}

// items runs prefixItems, items (a list is positional in every draft) and
// additionalItems. next is the first item that none of them looked at.
func (e *evaluation) items() (next int, stop bool) {
	length := len(e.instance.items)
	positional := func(keyword string, schemas *value) {
		list := listOf(schemas)
		for ; next < min(len(list), length); next++ {
			if !e.item(keyword, next, list[next], "Items did not match schema.") {
				stop = true
				return
			}
		}
	}
	if prefix := e.schema.get("prefixItems"); prefix != nil {
		positional("prefixItems", prefix)
	}
	items := e.schema.get("items")
	if items == nil {
		return next, stop
	}
	if items.kind == kindArray {
		positional("items", items)
	} else {
		for ; next < length; next++ {
			if !e.item("items", next, items, "Items did not match schema.") {
				stop = true
				break
			}
		}
	}
	if additional := e.schema.get("additionalItems"); additional != nil && !stop {
		for ; next < length; next++ {
			if !e.item("additionalItems", next, additional, "Items did not match additional items schema.") {
				stop = true
			}
		}
	}
	return next, stop
}

// listOf is prefixItems indexed up to its length: what is no array has none,
// but null can't be asked for it.
func listOf(v *value) []*value {
	switch {
	case v.kind == kindArray:
		return v.items
	case isNullish(v):
		throw("Cannot read properties of %s (reading 'length')", typeName(v))
	case v.kind == kindString:
		return codeUnits(v.str)
	case v.kind == kindObject && v.own["length"] != nil:
		giveUp("prefixItems is an object with a length")
	}
	return nil
}

// contains asks for one match, or for minContains of them. The errors of items
// that do not match stay when there are too few.
func (e *evaluation) contains() {
	schema := e.schema.get("contains")
	if schema == nil {
		return
	}
	length := len(e.instance.items)
	least, most := e.schema.get("minContains"), e.schema.get("maxContains")
	switch {
	case length == 0 && least == nil:
		e.fail("contains", "Array is empty. It must contain at least one item matching the schema.")
		return
	case least != nil && less(float64(length), least):
		e.fail("minContains", fmt.Sprintf("Array has less items (%d) than minContains (%s).", length, least.display()))
		return
	}
	before, found := len(e.errors), 0
	for i, item := range e.instance.items {
		causes := e.validate(item, schema, e.anchor, e.at.child(index(i), index(i)), nil)
		if len(causes) == 0 {
			e.evaluated.set(index(i))
			found++
		} else {
			e.errors = append(e.errors, causes...)
		}
	}
	enough := 0.0
	if least.truthy() {
		enough = least.number()
	}
	if float64(found) >= enough {
		e.errors = e.errors[:before]
	}
	switch {
	case least == nil && found == 0 && (most == nil || e.containsWithMax):
		e.insert(before, "contains", "Array does not contain item matching schema.")
	case least != nil && less(float64(found), least):
		e.fail("minContains", fmt.Sprintf("Array must contain at least %s items matching schema. Only %d items were found.", least.display(), found))
	case most != nil && greater(float64(found), most):
		e.fail("maxContains", fmt.Sprintf("Array may contain at most %s items matching schema. %d items were found.", most.display(), found))
	}
}

// uniqueItems names the first pair.
func (e *evaluation) uniqueItems() {
	items := e.instance.items
	if len(items) > maxUnique && !allDifferentScalars(items) {
		giveUp("uniqueItems over more than %d items", maxUnique)
	}
	for j, a := range items {
		for k := range items {
			if j == k {
				continue
			}
			e.countComparison()
			b := items[k]
			compound := (a.kind == kindArray || a.kind == kindObject) && (b.kind == kindArray || b.kind == kindObject)
			if same(a, b) || compound && e.deepEqual(a, b) {
				e.fail("uniqueItems", fmt.Sprintf("Duplicate items at indexes %d and %d.", j, k))
				return
			}
		}
		if len(items) > maxUnique {
			return // all are known to differ
		}
	}
}

// maxUnique is where the library's comparison of all pairs gets too slow for us.
const maxUnique = 2_000

// allDifferentScalars answers for long lists in one pass.
func allDifferentScalars(items []*value) bool {
	type scalar struct {
		kind  kind
		truth bool
		num   float64
		str   string
	}
	seen := make(map[scalar]bool, len(items))
	for _, item := range items {
		s := scalar{item.kind, item.truth, item.num, item.str}
		if item.kind == kindArray || item.kind == kindObject || math.IsNaN(item.num) || seen[s] {
			return false
		}
		seen[s] = true
	}
	return true
}
