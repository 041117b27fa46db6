package rewrite

import "github.com/hostmatrix/conform/schema"

const (
	// maxNeighbours bounds the neighbours of one instance.
	maxNeighbours = 100
	// maxNeighboured bounds the instances whose neighbours are looked at.
	maxNeighboured = 12
	// maxNearby bounds the values in all neighbours of all instances of a schema.
	maxNearby = 20_000
	// maxNeighbourDepth bounds the nesting at which an instance is changed.
	maxNeighbourDepth = 12
)

// scalars are what a neighbour holds in place of a value: one of each kind, and
// numbers on both sides of zero.
var scalars = []*schema.Value{
	schema.MustParse("null"), schema.Str(""), schema.Str("other"), schema.Num(0), schema.Num(-1), schema.MustParse("0.5"), schema.Flag(true),
	schema.List(), schema.List(schema.Num(0)), schema.Obj(),
}

// neighbours returns values that differ from v in one place: an element more or
// fewer, a member more or fewer, another kind. The instances that are made from a
// schema vary what that schema speaks of; where the other schema of a pair holds a
// bound that this one does not have, only such a step beyond it shows the difference.
func neighbours(v *schema.Value) []*schema.Value {
	var out []*schema.Value
	around(v, 0, func(n *schema.Value) bool {
		out = append(out, n)
		return len(out) < maxNeighbours
	})
	return out
}

// around gives each neighbour of v to yield, until that returns false.
func around(v *schema.Value, depth int, yield func(*schema.Value) bool) bool {
	if depth > maxNeighbourDepth {
		return true
	}
	switch v.Kind {
	case schema.Array:
		return aroundArray(v, depth, yield)
	case schema.Object:
		return aroundObject(v, depth, yield)
	}
	for _, s := range scalars {
		if !schema.Equal(s, v) && !yield(s) {
			return false
		}
	}
	return true
}

func aroundArray(v *schema.Value, depth int, yield func(*schema.Value) bool) bool {
	n := len(v.Items)
	with := func(items ...*schema.Value) bool { return yield(schema.List(items...)) }
	if n > 0 {
		last := v.Items[n-1]
		if !with(append([]*schema.Value(nil), v.Items[:n-1]...)...) || !with(append(v.Items[:n:n], last)...) ||
			!with(append(v.Items[:n:n], last, last)...) {
			return false
		}
	}
	for _, s := range scalars {
		if !with(append(v.Items[:n:n], s)...) {
			return false
		}
	}
	for i, item := range v.Items[:min(n, 4)] {
		replaced := func(inner *schema.Value) bool {
			items := append([]*schema.Value(nil), v.Items...)
			items[i] = inner
			return with(items...)
		}
		if !around(item, depth+1, replaced) {
			return false
		}
	}
	return true
}

func aroundObject(v *schema.Value, depth int, yield func(*schema.Value) bool) bool {
	if !v.Has("extra") && !yield(v.With("extra", schema.Str(""))) {
		return false
	}
	members := v.Unique()
	for _, m := range members {
		if !yield(v.Without(m.Key)) {
			return false
		}
	}
	for _, m := range members {
		if !around(m.Value, depth+1, func(inner *schema.Value) bool { return yield(v.With(m.Key, inner)) }) {
			return false
		}
	}
	return true
}

// valuesIn counts v and what it holds, up to limit.
func valuesIn(v *schema.Value, limit int) int {
	n := 1
	for _, item := range v.Items {
		if n >= limit {
			break
		}
		n += valuesIn(item, limit-n)
	}
	for _, m := range v.Members {
		if n >= limit {
			break
		}
		n += valuesIn(m.Value, limit-n)
	}
	return n
}
