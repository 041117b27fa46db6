package ajv

import (
	"github.com/hostmatrix/conform/schema"
)

// op is the code of one keyword. It reports whether the keywords after it in the
// same group run too; a schema compiled for all errors goes on regardless.
type op func(f *frame, v *schema.Value) bool

// group is the keywords that apply to one type of data.
type group struct {
	types     typeSet // 0: any
	ops       []op
	typeError *site // reported when the data is of another type
}

// node is the code of one subschema inlined into a function.
type node struct {
	always    verdict
	allErrors bool
	types     typeSet // wanted types, when checkTypes
	wrongType *site
	groups    []group
	falsity   *site // error of the schema false
}

type verdict uint8

const (
	depends verdict = iota
	alwaysValid
	alwaysFalse
)

// run checks v and reports whether it is valid. Errors go to the state.
//
// The order is that of the code Ajv generates: the type first, unless the type has
// keywords of its own in this schema (then it is the else branch of their group),
// then the keywords for any type, then those of numbers, strings, arrays, objects.
// When only the first error is wanted a group is left out once there is an error;
// a failed type does not count, so that inside anyOf a wrong type and a wrong enum
// give two errors.
func (n *node) run(f *frame, v *schema.Value) bool {
	switch n.always {
	case alwaysValid:
		return true
	case alwaysFalse:
		f.report(n.falsity)
		return false
	}
	st := f.st
	if !st.enter() {
		return false
	}
	before := len(st.errs)
	if n.wrongType != nil && !n.types.has(v) {
		f.report(n.wrongType)
		if f.returned {
			st.depth--
			return false
		}
	}
	for i := range n.groups {
		g := &n.groups[i]
		switch {
		case g.types == 0 || g.types.has(v):
			for _, op := range g.ops {
				more := op(f, v)
				if f.returned || st.stop != nil {
					st.depth--
					return false
				}
				if !more && !n.allErrors {
					break
				}
			}
		case g.typeError != nil:
			f.report(g.typeError)
			if f.returned {
				st.depth--
				return false
			}
		}
		if !n.allErrors && len(st.errs) != before {
			break
		}
	}
	st.depth--
	return len(st.errs) == before
}
