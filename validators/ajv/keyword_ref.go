package ajv

import "github.com/hostmatrix/conform/schema"

// compileRef: "#" calls the root; a schema without references of its own is
// inlined, any other becomes a function.
func compileRef(k *keyword) op {
	ref := k.value.Text
	root := k.env.root
	if (ref == "#" || ref == "#/") && k.baseID == root.baseID {
		if root.async && !k.env.async {
			throw("async schema referenced by sync schema")
		}
		return k.call(root)
	}
	found := k.c.resolveRef(root, k.baseID, ref)
	if found == nil {
		throw("can't resolve reference ", ref, " from id ", k.baseID)
	}
	if found.env != nil {
		if found.env.async && !k.env.async {
			throw("async schema referenced by sync schema")
		}
		return k.call(found.env)
	}
	n, inner := k.subschema(sub{schema: found.inline, ref: ref})
	merge := k.mergeEvaluated(inner, false)
	return func(f *frame, v *schema.Value) bool {
		ok := n.run(f, v)
		f.merge(merge)
		return ok
	}
}

// call is the code that calls a function, which may still be in the making.
func (k *keyword) call(e *env) op {
	var known *function
	if e.validate != nil {
		known = e.validate
	}
	merge := k.calledEvaluated(func(*frame) *function { return e.validate }, known)
	return func(f *frame, v *schema.Value) bool {
		if e.validate.run(f.st, v) {
			f.merge(merge)
			return true
		}
		return false
	}
}

// calledEvaluated merges what a called function evaluates: known beforehand, or
// read off its last run.
func (k *keyword) calledEvaluated(callee func(*frame) *function, known *function) []mergeOp {
	if !k.c.opts.unevaluated {
		return nil
	}
	var ops []mergeOp
	if k.props.kind != allEvaluated {
		var more []mergeOp
		switch {
		case known == nil || known.evaluated.props.kind == dynamicEvaluated:
			slot := k.fn.newProps()
			ops = append(ops, func(f *frame) { f.props[slot] = f.st.lastProps(callee(f)) })
			k.props, more = k.mergeProps(propsState{kind: dynamicEvaluated, slot: slot}, k.props, true)
		case known.evaluated.props.kind != nothingEvaluated:
			k.props, more = k.mergeProps(known.evaluated.props, k.props, false)
		}
		ops = append(ops, more...)
	}
	if k.items.kind != allEvaluated {
		var more []mergeOp
		switch {
		case known == nil || known.evaluated.items.kind == dynamicEvaluated:
			slot := k.fn.newItems()
			ops = append(ops, func(f *frame) { f.items[slot] = f.st.lastItems(callee(f)) })
			k.items, more = k.mergeItems(itemsState{kind: dynamicEvaluated, slot: slot}, k.items, true)
		case known.evaluated.items.kind != nothingEvaluated:
			k.items, more = k.mergeItems(known.evaluated.items, k.items, false)
		}
		ops = append(ops, more...)
	}
	return k.live(ops)
}

// lastRun is what a function evaluated when it last ran, where that varies.
type lastRun struct {
	props *propSet
	items itemSet
}

// lastProps is the function object's own value, shared with whoever reads it. The
// real one even outlives the validation.
func (st *state) lastProps(fn *function) *propSet {
	if fn.evaluated.props.kind == dynamicEvaluated {
		return st.ran[fn].props
	}
	if p, ok := st.fixed[fn]; ok {
		return p
	}
	p := fn.evaluated.props.value()
	if st.fixed == nil {
		st.fixed = map[*function]*propSet{}
	}
	st.fixed[fn] = p
	return p
}

func (st *state) lastItems(fn *function) itemSet {
	if fn.evaluated.items.kind == dynamicEvaluated {
		return st.ran[fn].items
	}
	return fn.evaluated.items.value()
}

// run calls the function.
func (fn *function) run(st *state, v *schema.Value) bool {
	if !st.call(fn.stack) {
		return false
	}
	f := st.enterFrame(fn)
	ok := fn.body.run(f, v)
	st.level--
	st.stack -= fn.stack
	if fn.props+fn.items > 0 && !f.returned {
		last := lastRun{}
		if p := fn.evaluated.props; p.kind == dynamicEvaluated {
			last.props = f.props[p.slot]
		}
		if i := fn.evaluated.items; i.kind == dynamicEvaluated {
			last.items = f.items[i.slot]
		}
		if st.ran == nil {
			st.ran = map[*function]lastRun{}
		}
		st.ran[fn] = last
	}
	return ok
}

func compileDynamicAnchor(k *keyword) op { return k.dynamicAnchor(k.value.Text) }

func compileRecursiveAnchor(k *keyword) op {
	if k.value.IsFalse() {
		k.strict("$recursiveAnchor: false is ignored")
		return nil
	}
	return k.dynamicAnchor("")
}

// dynamicAnchor notes, when it runs, that its function is the first of the name; the
// note lasts to the end of the validation. That is why a reference to an anchor
// in a schema that was not entered falls back to the function around it.
func (k *keyword) dynamicAnchor(anchor string) op {
	root := k.env.root
	if root.anchors == nil {
		root.anchors = map[string]bool{}
	}
	root.anchors[anchor] = true
	target := k.env
	if k.path.String() != "#" {
		target = newEnv(k.schema, root, &root.baseID)
		target.localRefs, target.meta = root.localRefs, root.meta
		k.c.compile(target)
	}
	fn := k.fn
	own := k.path.String() == "#"
	return func(f *frame, _ *schema.Value) bool {
		if f.st.dynamic[anchor] == nil {
			if f.st.dynamic == nil {
				f.st.dynamic = map[string]*function{}
			}
			if own {
				f.st.dynamic[anchor] = fn
			} else {
				f.st.dynamic[anchor] = target.validate
			}
		}
		return true
	}
}

// compileDynamicRef is $dynamicRef and $recursiveRef: the function noted for the
// anchor, else the function that holds the reference.
func compileDynamicRef(k *keyword) op {
	ref := k.value.Text
	if ref == "" || ref[0] != '#' {
		throw(`"`, k.name, `" only supports hash fragment reference`)
	}
	anchor := ref[1:]
	noted := k.env.root.anchors[anchor]
	fn := k.fn
	callee := func(f *frame) *function {
		if noted {
			if target := f.st.dynamic[anchor]; target != nil {
				return target
			}
		}
		return fn
	}
	merge := k.calledEvaluated(callee, nil)
	return func(f *frame, v *schema.Value) bool {
		if callee(f).run(f.st, v) {
			f.merge(merge)
			return true
		}
		return false
	}
}
