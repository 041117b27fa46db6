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
	scalar := len(types) > 0
	for _, t := range types {
		if t == "object" || t == "array" {
			scalar = false
		}
	}
	s := k.site(k.name, "")
	report := func(f *frame, i, j int) bool {
		f.reportText(s, "must NOT have duplicate items (items ## "+strconv.Itoa(j)+" and "+strconv.Itoa(i)+" are identical)")
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
	set, mixed := k.typeSet(types), len(types) > 1
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
			text := js.String(item)
			if mixed && item.Kind == schema.String {
				text += "_"
			}
			if text == "__proto__" {
				continue // assigning a number to the table's prototype does nothing
			}
			if j, ok := seen[text]; ok {
				return report(f, i, j)
			}
			seen[text] = i
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
