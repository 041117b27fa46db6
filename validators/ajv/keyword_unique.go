package ajv

import (
	"strconv"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/js"
)

// compileUniqueItems reports the pair that is met first from the end. When items
// has scalar types the library keeps a table of the items' texts, and data of
// other types is not looked at.
func compileUniqueItems(k *keyword) op {
	if k.value.IsFalse() {
		return nil
	}
	var types []string
	if s := k.schema.Get("items"); js.Truthy(s) {
		types, _ = k.schemaTypes(s)
	}
	return uniqueOp(k.site(k.name, ""), types, k.typeSet(types), len(types) > 1, "", "_",
		"must NOT have duplicate items (items ## ")
}

// uniqueOp is the check of both Ajv versions, which mark strings apart from other
// scalars in their table by a prefix or a suffix.
func uniqueOp(s *site, types []string, set typeSet, mixed bool, prefix, suffix, text string) op {
	scalar := len(types) > 0
	for _, t := range types {
		if t == "object" || t == "array" {
			scalar = false
		}
	}
	report := func(f *frame, i, j int) bool {
		f.reportText(s, text+strconv.Itoa(j)+" and "+strconv.Itoa(i)+" are identical)")
		return false
	}
	if !scalar {
		return func(f *frame, v *schema.Value) bool {
			i, j := f.st.duplicate(v.Items)
			switch {
			case f.st.stop != nil:
				return false
			case i > 0:
				return report(f, i, j)
			}
			return true
		}
	}
	return func(f *frame, v *schema.Value) bool {
		if len(v.Items) < 2 {
			return true
		}
		seen := make(map[string]int, len(v.Items))
		for i := len(v.Items) - 1; i >= 0; i-- {
			item := v.Items[i]
			if !set.has(item) {
				continue
			}
			key := js.String(item)
			if mixed && item.Kind == schema.String {
				key = prefix + key + suffix
			}
			if key == "__proto__" {
				continue // assigning a number to the table's prototype does nothing
			}
			if j, ok := seen[key]; ok {
				return report(f, i, j)
			}
			seen[key] = i
		}
		return true
	}
}

// fewItems is the length up to which comparing every pair is cheaper than hashing.
const fewItems = 16

// duplicate returns the first pair of equal items that the library meets: the last
// item that has an equal before it, and the nearest such. i is 0 when there is none.
func (st *state) duplicate(items []*schema.Value) (i, j int) {
	previous := previousEqualHash(items)
	for i = len(items) - 1; i > 0; i-- {
		if previous == nil {
			for j = i - 1; j >= 0; j-- {
				if st.same(items[i], items[j]) || st.stop != nil {
					return i, j
				}
			}
			continue
		}
		for j = previous[i]; j >= 0; j = previous[j] {
			if st.same(items[i], items[j]) || st.stop != nil {
				return i, j
			}
		}
	}
	return 0, 0
}

// previousEqualHash gives for every item the nearest one before it that may be
// equal, -1 for none; nil when every pair is to be compared.
func previousEqualHash(items []*schema.Value) []int {
	if len(items) <= fewItems {
		return nil
	}
	previous, last := make([]int, len(items)), make(map[uint64]int, len(items))
	for i, item := range items {
		h, ok := js.Hash(item)
		if !ok {
			return nil
		}
		previous[i] = -1
		if j, ok := last[h]; ok {
			previous[i] = j
		}
		last[h] = i
	}
	return previous
}

// same is equal with a step counted for the pair.
func (st *state) same(a, b *schema.Value) bool {
	if st.steps--; st.steps < 0 {
		st.unknown("the check takes more than %d steps", maxSteps)
		return false
	}
	return st.equal(a, b)
}
