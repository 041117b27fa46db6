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
			for i := len(v.Items) - 1; i > 0; i-- {
				for j := i - 1; j >= 0; j-- {
					f.st.steps--
					if f.st.equalAny(v.Items[i], v.Items[j]) {
						return report(f, i, j)
					}
					if f.st.stop != nil {
						return false
					}
				}
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

// equalAny is equal without a shortcut for a scalar on the right.
func (st *state) equalAny(a, b *schema.Value) bool {
	if st.steps < 0 {
		st.unknown("the check takes more than %d steps", maxSteps)
		return false
	}
	return st.equal(a, b)
}
