package ajv

import (
	"strconv"

	"github.com/hostmatrix/conform/schema"
)

// sixNot: where nothing can match the error is added without returning.
func sixNot(it *sixContext, keyword, _ string) op {
	value, s := it.schema.Get(keyword), it.site(keyword, "should NOT be valid")
	if sixEmpty(value) {
		return func(f *frame, _ *schema.Value) bool {
			f.st.add(s, "")
			return false
		}
	}
	n := it.sub(value, true, keyword)
	return func(f *frame, v *schema.Value) bool {
		before := len(f.st.errs)
		if n.run(f, v) {
			f.report(s)
			return false
		}
		f.st.cut(before)
		return true
	}
}

// sixAnyOf does nothing when one of the schemas is empty.
func sixAnyOf(it *sixContext, keyword, _ string) op {
	var nodes []*node
	switch value := it.schema.Get(keyword); value.Kind {
	case schema.Array:
	case schema.Null:
		throw("Cannot read properties of null (reading 'every')")
	default:
		throw("$schema.every is not a function")
	}
	for _, s := range it.schema.Get(keyword).Items {
		if sixEmpty(s) {
			return nil
		}
	}
	for i, s := range it.schema.Get(keyword).Items {
		nodes = append(nodes, it.sub(s, true, keyword, strconv.Itoa(i)))
	}
	s := it.site(keyword, "should match some schema in anyOf")
	return func(f *frame, v *schema.Value) bool {
		before := len(f.st.errs)
		for _, n := range nodes {
			if n.run(f, v) {
				f.st.cut(before)
				return true
			}
		}
		f.reportExtra(s)
		return false
	}
}

func sixOneOf(it *sixContext, keyword, _ string) op {
	var nodes []*node
	for i, s := range sixList(it.schema.Get(keyword)) {
		if sixEmpty(s) {
			nodes = append(nodes, &node{always: alwaysValid})
		} else {
			nodes = append(nodes, it.sub(s, true, keyword, strconv.Itoa(i)))
		}
	}
	s := it.site(keyword, "should match exactly one schema in oneOf")
	return func(f *frame, v *schema.Value) bool {
		before, matches := len(f.st.errs), 0
		for _, n := range nodes {
			if n.run(f, v) {
				if matches++; matches > 1 {
					break
				}
			}
		}
		if matches == 1 {
			f.st.cut(before)
			return true
		}
		f.reportExtra(s)
		return false
	}
}

func sixAllOf(it *sixContext, keyword, _ string) op {
	var nodes []*node
	for i, s := range it.schema.Get(keyword).Items {
		if !sixEmpty(s) {
			nodes = append(nodes, it.sub(s, false, keyword, strconv.Itoa(i)))
		}
	}
	return func(f *frame, v *schema.Value) bool {
		for _, n := range nodes {
			if !n.run(f, v) {
				return false
			}
		}
		return true
	}
}

func sixIf(it *sixContext, keyword, _ string) op {
	clause := func(name string) (*node, *site) {
		s := it.schema.Get(name)
		if s == nil || sixEmpty(s) {
			return nil, nil
		}
		return it.sub(s, false, name), it.site("if", `should match "`+name+`" schema`)
	}
	if s := it.schema.Get("then"); s == nil || sixEmpty(s) {
		if s = it.schema.Get("else"); s == nil || sixEmpty(s) {
			return nil
		}
	}
	condition := it.sub(it.schema.Get(keyword), true, keyword)
	then, thenSite := clause("then")
	otherwise, elseSite := clause("else")
	return func(f *frame, v *schema.Value) bool {
		before := len(f.st.errs)
		n, s := otherwise, elseSite
		if condition.run(f, v) {
			n, s = then, thenSite
		}
		f.st.cut(before)
		if n == nil || f.st.stop != nil || n.run(f, v) {
			return true
		}
		if !f.returned {
			f.reportExtra(s)
		}
		return false
	}
}
