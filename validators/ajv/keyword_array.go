package ajv

import (
	"strconv"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/js"
)

func compileItemCount(k *keyword) op {
	limit := k.value.Float()
	if k.name == "maxItems" {
		s := k.site(k.name, "must NOT have more than "+js.String(k.value)+" items")
		return func(f *frame, v *schema.Value) bool {
			if float64(len(v.Items)) > limit {
				f.report(s)
				return false
			}
			return true
		}
	}
	s := k.site(k.name, "must NOT have fewer than "+js.String(k.value)+" items")
	return func(f *frame, v *schema.Value) bool {
		if float64(len(v.Items)) < limit {
			f.report(s)
			return false
		}
		return true
	}
}

// compileItems is the keyword of draft-07 and 2019-09: one schema or a tuple.
func compileItems(k *keyword) op {
	if k.value.Kind == schema.Array {
		return k.tuple(k.value.Items)
	}
	k.items = itemsState{kind: allEvaluated}
	if k.trivial(k.value) {
		return nil
	}
	return k.each(0)
}

func compileItems2020(k *keyword) op {
	k.items = itemsState{kind: allEvaluated}
	if k.trivial(k.value) {
		return nil
	}
	if prefix := k.schema.Get("prefixItems"); js.Truthy(prefix) {
		return k.rest(len(prefix.Items))
	}
	return k.each(0)
}

func compilePrefixItems(k *keyword) op { return k.tuple(k.value.Items) }

func compileAdditionalItems(k *keyword) op {
	tuple := k.schema.Get("items")
	if tuple == nil || tuple.Kind != schema.Array {
		k.strict(`"additionalItems" is ignored when "items" is not an array of schemas`)
		return nil
	}
	return k.rest(len(tuple.Items))
}

// rest checks the items after a tuple.
func (k *keyword) rest(from int) op {
	k.items = itemsState{kind: allEvaluated}
	if k.value.IsFalse() {
		s := k.site(k.name, "must NOT have more than "+strconv.Itoa(from)+" items")
		return func(f *frame, v *schema.Value) bool {
			if len(v.Items) > from {
				f.report(s)
				return false
			}
			return true
		}
	}
	if k.trivial(k.value) {
		return nil
	}
	return k.each(from)
}

// each checks every item from an index on with the keyword's schema.
func (k *keyword) each(from int) op {
	n, _ := k.subschema(sub{keyword: k.name, schema: k.value})
	all := k.allErrors
	return func(f *frame, v *schema.Value) bool {
		return f.eachItem(n, v, from, all)
	}
}

func (f *frame) eachItem(n *node, v *schema.Value, from int, all bool) bool {
	valid := true
	for i := from; i < len(v.Items); i++ {
		if f.at(n, i, v.Items[i]) {
			continue
		}
		if !all || f.st.stop != nil {
			return false
		}
		valid = false
	}
	return valid
}

// at runs a schema on an item of the data at hand.
func (f *frame) at(n *node, i int, v *schema.Value) bool {
	f.st.pushIndex(i)
	ok := n.run(f, v)
	f.st.pop()
	return ok
}

func (k *keyword) tuple(schemas []*schema.Value) op {
	if k.c.opts.unevaluated && len(schemas) > 0 && k.items.kind != allEvaluated {
		k.items = k.nowItems(k.mergeItems(itemsState{kind: someEvaluated, count: len(schemas)}, k.items, false))
	}
	before := k.takePending()
	nodes := make([]*node, len(schemas))
	result, trivial := k.newFlag(), true
	for i, s := range schemas {
		if k.trivial(s) {
			continue
		}
		trivial = false
		nodes[i], _ = k.subschema(sub{keyword: k.name, member: strconv.Itoa(i), isMember: true, schema: s})
	}
	all := k.allErrors
	return func(f *frame, v *schema.Value) bool {
		f.merge(before)
		valid := true
		for i := 0; i < len(nodes) && i < len(v.Items); i++ {
			if nodes[i] == nil {
				continue
			}
			f.flags[result] = f.at(nodes[i], i, v.Items[i])
			if f.flags[result] {
				continue
			}
			if !all || f.st.stop != nil {
				return false
			}
			valid = false
		}
		return valid && (trivial || f.flags[result])
	}
}

// compileContains counts matches; minContains and maxContains count only in the
// dialects that have them.
func compileContains(k *keyword) op {
	least, most, bounded := 1.0, 0.0, false
	leastText, mostText := "1", ""
	if k.c.opts.next { // what is no number is refused by its own keyword, which comes later
		if m := k.schema.Get("minContains"); m != nil && m.Kind == schema.Number {
			least, leastText = m.Float(), js.String(m)
		}
		if m := k.schema.Get("maxContains"); m != nil && m.Kind == schema.Number {
			most, mostText, bounded = m.Float(), js.String(m), true
		}
	}
	text := "must contain at least " + leastText + " valid item(s)"
	if bounded {
		text = "must contain at least " + leastText + " and no more than " + mostText + " valid item(s)"
	}
	s := k.site(k.name, text)
	if !bounded && least == 0 {
		return nil
	}
	if bounded && least > most {
		return func(f *frame, _ *schema.Value) bool {
			f.report(s)
			return false
		}
	}
	if k.trivial(k.value) {
		return func(f *frame, v *schema.Value) bool {
			if n := float64(len(v.Items)); n < least || bounded && n > most {
				f.report(s)
				return false
			}
			return true
		}
	}
	k.items = itemsState{kind: allEvaluated}
	n, _ := k.subschema(sub{keyword: k.name, schema: k.value, composite: true})
	if !bounded && least == 1 {
		return k.containsOne(n, s)
	}
	return func(f *frame, v *schema.Value) bool {
		before := len(f.st.errs)
		valid := least == 0
		count := 0.0
		for i, item := range v.Items {
			if !f.at(n, i, item) {
				if f.st.stop != nil {
					return false
				}
				continue
			}
			count++
			if bounded && count > most {
				valid = false
				break
			}
			if count >= least {
				valid = true
				if !bounded {
					break
				}
			}
		}
		if valid {
			f.st.cut(before)
			return true
		}
		f.report(s)
		return false
	}
}

// containsOne looks for one match. The variable that says so is only set by an
// item: for an empty array it still has what the last array left in it.
func (k *keyword) containsOne(n *node, s *site) op {
	found := k.newFlag()
	return func(f *frame, v *schema.Value) bool {
		before := len(f.st.errs)
		for i, item := range v.Items {
			f.flags[found] = f.at(n, i, item)
			if f.flags[found] || f.st.stop != nil {
				break
			}
		}
		switch {
		case f.st.stop != nil:
			return false
		case f.flags[found]:
			f.st.cut(before)
			return true
		}
		f.report(s)
		return false
	}
}

func compileContainsLimit(k *keyword) op {
	if !k.schema.Has("contains") {
		k.strict(`"` + k.name + `" without "contains" is ignored`)
	}
	return nil
}
