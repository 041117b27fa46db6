package ajv

import (
	"strconv"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/js"
)

func compileUnevaluatedProperties(k *keyword) op {
	before := k.props
	k.props = propsState{kind: allEvaluated}
	if before.kind == allEvaluated {
		return nil
	}
	static := map[string]bool{}
	for _, name := range before.names {
		static[name] = true
	}
	// A variable holds a plain object: names that every object inherits are in it.
	left := func(f *frame, name string) bool {
		if before.kind == dynamicEvaluated {
			p := f.props[before.slot]
			return p == nil || !p.names[name] && !js.Inherited(name)
		}
		return !static[name]
	}
	var n *node
	var s *site
	if k.value.IsFalse() {
		s = k.site(k.name, "must NOT have unevaluated properties")
	} else if !k.trivial(k.value) {
		n, _ = k.subschema(sub{keyword: k.name, schema: k.value})
	} else {
		return nil
	}
	all := k.allErrors
	return func(f *frame, v *schema.Value) bool {
		if before.kind == dynamicEvaluated && f.props[before.slot] == allProps {
			return true
		}
		valid := true
		for _, m := range js.Members(v) {
			if !left(f, m.Key) {
				continue
			}
			if n == nil {
				f.report(s)
			} else if f.under(n, m.Key, m.Value) {
				continue
			}
			if !all || f.st.stop != nil {
				return false
			}
			valid = false
		}
		return valid
	}
}

// compileUnevaluatedItems: a count that turned out to be "all" is compared as the
// number that true is, 1; one that was never set is NaN, and nothing is left.
func compileUnevaluatedItems(k *keyword) op {
	before := k.items
	if before.kind == allEvaluated {
		return nil
	}
	start := func(f *frame) itemSet {
		if before.kind == dynamicEvaluated {
			return f.items[before.slot]
		}
		return itemSet{set: true, count: before.count}
	}
	k.items = itemsState{kind: allEvaluated}
	if k.value.IsFalse() {
		s := k.site(k.name, "")
		return func(f *frame, v *schema.Value) bool {
			from := start(f)
			count, text := from.count, strconv.Itoa(from.count)
			if from.all {
				count, text = 1, "true"
			}
			if from.set && len(v.Items) > count {
				f.reportText(s, "must NOT have more than "+text+" items")
				return false
			}
			return true
		}
	}
	if k.trivial(k.value) {
		return nil
	}
	n, _ := k.subschema(sub{keyword: k.name, schema: k.value})
	all := k.allErrors
	return func(f *frame, v *schema.Value) bool {
		from := start(f)
		switch {
		case !from.set:
			return true
		case !from.all:
			return f.eachItem(n, v, from.count, all)
		case len(v.Items) <= 1:
			return true
		}
		valid := f.under(n, "true", js.Undefined) // data[true]
		return f.eachItem(n, v, 2, all) && valid
	}
}
