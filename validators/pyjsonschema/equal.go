package pyjsonschema

import "slices"

// equal is jsonschema's equality (_utils.equal, 4.26.0): Python's, but True is
// not 1, at any depth.
func equal(a, b *value) bool {
	if a == b {
		return true
	}
	switch {
	case a.kind == kindStr || b.kind == kindStr:
		return a.kind == b.kind && a.str == b.str
	case a.kind == kindList && b.kind == kindList:
		return slices.EqualFunc(a.items, b.items, equal)
	case a.kind == kindDict && b.kind == kindDict:
		return equalMembers(a, b, equal)
	case a.isNumber() && b.isNumber():
		return compareNumbers(a, b) == 0
	case a.kind == kindBool && b.kind == kindBool:
		return a.truth == b.truth
	}
	return a.kind == kindNone && b.kind == kindNone
}

// equalMembers compares two dicts by an equality of their values.
func equalMembers(a, b *value, same func(a, b *value) bool) bool {
	if len(a.keys) != len(b.keys) {
		return false
	}
	for _, key := range a.keys {
		if other := b.dict[key]; other == nil || !same(a.dict[key], other) {
			return false
		}
	}
	return true
}

// plainEqual is Python's own ==, to which True is 1.
func plainEqual(a, b *value) bool {
	switch {
	case a.arithmetic() && b.arithmetic():
		return compareNumbers(a, b) == 0
	case a.kind == kindList && b.kind == kindList:
		return slices.EqualFunc(a.items, b.items, plainEqual)
	case a.kind == kindDict && b.kind == kindDict:
		return equalMembers(a, b, plainEqual)
	}
	return equal(a, b)
}

// less is Python's a < b; ok is false where that raises TypeError.
func less(a, b *value) (result, ok bool) {
	switch {
	case a.arithmetic() && b.arithmetic():
		return compareNumbers(a, b) < 0, true
	case a.kind == kindStr && b.kind == kindStr:
		return a.str < b.str, true
	case a.kind == kindList && b.kind == kindList:
		for i := range min(len(a.items), len(b.items)) {
			if a.items[i] != b.items[i] && !plainEqual(a.items[i], b.items[i]) {
				return less(a.items[i], b.items[i])
			}
		}
		return len(a.items) < len(b.items), true
	}
	return false, false
}

// unique is jsonschema's uniq: it compares neighbours after sorting where the
// elements can be sorted, and all pairs where they can't. The first misses
// equal elements that Python's order does not bring together: [[1], [true], [1]].
func unique(items []*value, step func()) bool {
	if sorted, ok := sortedItems(items, step); ok {
		for i := 1; i < len(sorted); i++ {
			if equal(sorted[i-1], sorted[i]) {
				return false
			}
		}
		return true
	}
	for i, a := range items {
		for _, b := range items[:i] {
			step()
			if equal(b, a) {
				return false
			}
		}
	}
	return true
}

// sortedItems is sorted(): stable; ok is false where a comparison raises. A bool
// at the top level has been replaced by a bare object, which has no order. Runs
// and insertion as CPython does up to 63 elements, merging beyond.
func sortedItems(items []*value, step func()) (out []*value, ok bool) {
	if len(items) < 2 {
		return items, true
	}
	before := func(a, b *value) bool {
		step()
		if a.kind == kindBool || b.kind == kindBool {
			ok = false
			return false
		}
		result, comparable := less(a, b)
		ok = ok && comparable
		return result
	}
	ok = true
	out = mergeSorted(items, before)
	return out, ok
}

func mergeSorted(items []*value, before func(a, b *value) bool) []*value {
	if len(items) < 64 {
		return insertionSorted(items, before)
	}
	left := mergeSorted(items[:len(items)/2], before)
	right := mergeSorted(items[len(items)/2:], before)
	out := make([]*value, 0, len(items))
	for len(left) > 0 && len(right) > 0 {
		if before(right[0], left[0]) {
			out, right = append(out, right[0]), right[1:]
		} else {
			out, left = append(out, left[0]), left[1:]
		}
	}
	return append(append(out, left...), right...)
}

func insertionSorted(items []*value, before func(a, b *value) bool) []*value {
	out := append([]*value(nil), items...)
	for i := 1; i < len(out); i++ {
		pivot, lo, hi := out[i], 0, i
		for lo < hi {
			if mid := (lo + hi) / 2; before(pivot, out[mid]) {
				hi = mid
			} else {
				lo = mid + 1
			}
		}
		copy(out[lo+1:i+1], out[lo:i])
		out[lo] = pivot
	}
	return out
}
