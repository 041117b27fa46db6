package ajv

import (
	"strconv"

	"github.com/hostmatrix/conform/schema"
)

// compileNot: the errors of the negated schema are never shown.
func compileNot(k *keyword) op {
	s := k.site("not", "must NOT be valid")
	if k.trivial(k.value) {
		return func(f *frame, _ *schema.Value) bool {
			f.report(s)
			return false
		}
	}
	n, _ := k.subschema(sub{keyword: "not", schema: k.value, composite: true, firstOnly: true})
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

// branch is one schema of anyOf or oneOf with what to note when it matches.
type branch struct {
	node  *node
	merge []mergeOp
	goOn  bool // the next branch runs even after a match
}

// compileAnyOf: the errors of every branch stay, before the keyword's own, when
// none matches. Where evaluated properties count, all branches run.
func compileAnyOf(k *keyword) op {
	trivial := false
	for _, s := range k.value.Items {
		trivial = k.trivial(s) || trivial
		if trivial {
			break
		}
	}
	unevaluated := k.c.opts.unevaluated
	if trivial && !unevaluated {
		return nil
	}
	var branches []branch
	for i, s := range k.value.Items {
		n, inner := k.subschema(sub{keyword: "anyOf", member: strconv.Itoa(i), isMember: true, schema: s, composite: true})
		goOn := unevaluated && (k.props.kind != allEvaluated || k.items.kind != allEvaluated)
		branches = append(branches, branch{n, k.mergeValid(inner), goOn})
	}
	s := k.site("anyOf", "must match a schema in anyOf")
	return func(f *frame, v *schema.Value) bool {
		before := len(f.st.errs)
		valid := false
		for i := range branches {
			if branches[i].node.run(f, v) {
				valid = true
				f.merge(branches[i].merge)
			}
			if valid && !branches[i].goOn || f.st.stop != nil {
				break
			}
		}
		if valid {
			f.st.cut(before)
			return true
		}
		f.reportExtra(s)
		return false
	}
}

func compileOneOf(k *keyword) op {
	s := k.site("oneOf", "must match exactly one schema in oneOf")
	var branches []branch
	for i, item := range k.value.Items {
		if k.trivial(item) {
			branches = append(branches, branch{node: &node{always: alwaysValid}})
			continue
		}
		n, inner := k.subschema(sub{keyword: "oneOf", member: strconv.Itoa(i), isMember: true, schema: item, composite: true})
		branches = append(branches, branch{node: n, merge: k.mergeEvaluated(inner, true)})
	}
	return func(f *frame, v *schema.Value) bool {
		before := len(f.st.errs)
		valid := false
		for i := range branches {
			ok := branches[i].node.run(f, v)
			if ok && valid {
				valid = false
				break
			}
			if ok {
				valid = true
				f.merge(branches[i].merge)
			}
		}
		if valid {
			f.st.cut(before)
			return true
		}
		f.reportExtra(s)
		return false
	}
}

func compileAllOf(k *keyword) op {
	var branches []branch
	for i, item := range k.value.Items {
		if k.trivial(item) {
			continue
		}
		n, inner := k.subschema(sub{keyword: "allOf", member: strconv.Itoa(i), isMember: true, schema: item})
		branches = append(branches, branch{node: n, merge: k.mergeEvaluated(inner, false)})
	}
	if len(branches) == 0 {
		return nil
	}
	all := k.allErrors
	return func(f *frame, v *schema.Value) bool {
		valid := true
		for i := range branches {
			ok := branches[i].node.run(f, v)
			if f.returned || !ok && !all {
				return false
			}
			f.merge(branches[i].merge)
			valid = valid && ok
		}
		return valid
	}
}

// compileIf: what the condition evaluated counts even when it fails.
func compileIf(k *keyword) op {
	then, otherwise := k.schema.Get("then"), k.schema.Get("else")
	if then == nil && otherwise == nil {
		k.strict(`"if" without "then" and "else" is ignored`)
	}
	hasThen := then != nil && !k.trivial(then)
	hasElse := otherwise != nil && !k.trivial(otherwise)
	if !hasThen && !hasElse {
		return nil
	}
	condition, inner := k.subschema(sub{keyword: "if", schema: k.value, composite: true, firstOnly: true})
	merge := k.mergeEvaluated(inner, false)
	var yes, no *clause
	if hasThen {
		yes = k.clause("then", then)
	}
	if hasElse {
		no = k.clause("else", otherwise)
	}
	return func(f *frame, v *schema.Value) bool {
		before := len(f.st.errs)
		met := condition.run(f, v)
		f.merge(merge)
		f.st.cut(before)
		c := no
		if met {
			c = yes
		}
		if c == nil || f.st.stop != nil {
			return true
		}
		if c.node.run(f, v) {
			f.merge(c.merge)
			return true
		}
		if !f.returned {
			f.reportExtra(c.site)
		}
		return false
	}
}

type clause struct {
	branch
	site *site
}

func (k *keyword) clause(name string, s *schema.Value) *clause {
	n, inner := k.subschema(sub{keyword: name, schema: s})
	return &clause{branch{node: n, merge: k.mergeValid(inner)}, k.site("if", `must match "`+name+`" schema`)}
}

func compileThenElse(k *keyword) op {
	if !k.schema.Has("if") {
		k.strict(`"` + k.name + `" without "if" is ignored`)
	}
	return nil
}
