package ajv

import "sort"

// What a schema evaluates is partly known when it is compiled (the names under
// properties) and partly only when it runs (which branch matched, which names
// match a pattern). Ajv follows both and merges them in ways that show: a
// condition counts even when it fails, and what a called function evaluated is
// read off the function's last run. The types below follow it step by step; the
// run-time part is left out of documents without an unevaluated keyword.

type evaluatedKind uint8

const (
	nothingEvaluated evaluatedKind = iota // undefined
	someEvaluated                         // known names or a known count
	allEvaluated
	dynamicEvaluated // kept in a variable of the function
)

type propsState struct {
	kind  evaluatedKind
	names []string
	slot  int
}

type itemsState struct {
	kind  evaluatedKind
	count int
	slot  int
}

type evaluated struct {
	props propsState
	items itemsState
}

// propSet and itemSet are the run-time values of such variables. A propSet is an
// object that variables share: what is added through one shows through another. nil
// is undefined, allProps is true.
type propSet struct{ names map[string]bool }

var allProps = &propSet{}

type itemSet struct {
	set   bool // not undefined
	all   bool
	count int
}

func newPropSet(names []string) *propSet {
	p := &propSet{names: make(map[string]bool, len(names))}
	for _, name := range names {
		p.names[name] = true
	}
	return p
}

// joinProps is what the library does to the variable to with the value from.
func joinProps(to **propSet, from *propSet) {
	switch {
	case *to == allProps || from == nil:
	case from == allProps:
		*to = allProps
	default:
		if *to == nil {
			*to = newPropSet(nil)
		}
		for name := range from.names {
			(*to).names[name] = true
		}
	}
}

func (i *itemSet) join(from itemSet) {
	switch {
	case i.all || !from.set:
	case from.all:
		*i = itemSet{set: true, all: true}
	case !i.set || i.count <= from.count:
		*i = from
	}
}

// mergeOp changes the variables of a call.
type mergeOp func(f *frame)

func (f *frame) merge(ops []mergeOp) {
	for _, m := range ops {
		m(f)
	}
}

func (fn *function) newProps() int { fn.props++; return fn.props - 1 }
func (it *context) newFlag() int   { it.fn.flags++; return it.fn.flags - 1 }
func (fn *function) newItems() int { fn.items++; return fn.items - 1 }

// value is the run-time form of what is known beforehand.
func (p propsState) value() *propSet {
	switch p.kind {
	case allEvaluated:
		return allProps
	case someEvaluated:
		return newPropSet(p.names)
	}
	return nil
}

func (i itemsState) value() itemSet {
	switch i.kind {
	case allEvaluated:
		return itemSet{set: true, all: true}
	case someEvaluated:
		return itemSet{set: true, count: i.count}
	}
	return itemSet{}
}

func joinStatic(slot int, p propsState) mergeOp {
	return func(f *frame) {
		from := p.value()
		if from == nil {
			from = newPropSet(nil)
		}
		joinProps(&f.props[slot], from)
	}
}

// mergeProps merges from into to; toSlot asks for a variable. The operations run
// where the library's code for the merge stands.
func (it *context) mergeProps(from, to propsState, toSlot bool) (propsState, []mergeOp) {
	var ops []mergeOp
	var out propsState
	switch {
	case to.kind == nothingEvaluated:
		out = from
	case to.kind == dynamicEvaluated && from.kind == dynamicEvaluated:
		out = to
		ops = append(ops, func(f *frame) { joinProps(&f.props[to.slot], f.props[from.slot]) })
	case to.kind == dynamicEvaluated:
		out = to
		ops = append(ops, joinStatic(to.slot, from))
	case from.kind == dynamicEvaluated:
		out = from
		ops = append(ops, joinStatic(from.slot, to))
	case from.kind == allEvaluated:
		out = from
	default:
		out = propsState{kind: someEvaluated, names: union(from.names, to.names)}
	}
	if toSlot && out.kind != dynamicEvaluated {
		slotted, more := it.propsToSlot(out)
		return slotted, append(ops, more...)
	}
	return out, ops
}

func union(a, b []string) []string {
	seen := make(map[string]bool, len(a)+len(b))
	for _, names := range [...][]string{a, b} {
		for _, name := range names {
			seen[name] = true
		}
	}
	out := make([]string, 0, len(seen))
	for name := range seen {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

// propsToSlot puts what is known into a variable.
func (it *context) propsToSlot(p propsState) (propsState, []mergeOp) {
	slot := it.fn.newProps()
	return propsState{kind: dynamicEvaluated, slot: slot}, []mergeOp{func(f *frame) {
		if f.props[slot] = p.value(); f.props[slot] == nil {
			f.props[slot] = newPropSet(nil)
		}
	}}
}

func (it *context) mergeItems(from, to itemsState, toSlot bool) (itemsState, []mergeOp) {
	var ops []mergeOp
	var out itemsState
	switch {
	case to.kind == nothingEvaluated:
		out = from
	case to.kind == dynamicEvaluated && from.kind == dynamicEvaluated:
		out = to
		ops = append(ops, func(f *frame) { f.items[to.slot].join(f.items[from.slot]) })
	case to.kind == dynamicEvaluated:
		out = to
		ops = append(ops, func(f *frame) { f.items[to.slot].join(from.value()) })
	case from.kind == dynamicEvaluated:
		out = from
		ops = append(ops, func(f *frame) { f.items[from.slot].join(to.value()) })
	case from.kind == allEvaluated:
		out = from
	default:
		out = itemsState{kind: someEvaluated, count: max(from.count, to.count)}
	}
	if toSlot && out.kind != dynamicEvaluated {
		slot := it.fn.newItems()
		value := out.value()
		return itemsState{kind: dynamicEvaluated, slot: slot},
			append(ops, func(f *frame) { f.items[slot] = value })
	}
	return out, ops
}

// mergeEvaluated adds what a subschema evaluates to the schema around it.
func (it *context) mergeEvaluated(inner *context, toSlot bool) []mergeOp {
	if !it.c.opts.unevaluated {
		return nil
	}
	var ops []mergeOp
	if it.props.kind != allEvaluated && inner.props.kind != nothingEvaluated {
		var more []mergeOp
		it.props, more = it.mergeProps(inner.props, it.props, toSlot)
		ops = append(ops, more...)
	}
	if it.items.kind != allEvaluated && inner.items.kind != nothingEvaluated {
		var more []mergeOp
		it.items, more = it.mergeItems(inner.items, it.items, toSlot)
		ops = append(ops, more...)
	}
	return it.live(ops)
}

// mergeValid is mergeEvaluated for a subschema that counts only when it matches.
func (it *context) mergeValid(inner *context) []mergeOp {
	if it.props.kind == allEvaluated && it.items.kind == allEvaluated {
		return nil
	}
	return it.mergeEvaluated(inner, true)
}

// live drops operations nobody will read.
func (it *context) live(ops []mergeOp) []mergeOp {
	if !it.c.track {
		return nil
	}
	return ops
}

// now and nowItems keep the operations of a merge for the keyword's own start.
func (k *keyword) now(p propsState, ops []mergeOp) propsState {
	k.pending = append(k.pending, k.live(ops)...)
	return p
}

func (k *keyword) nowItems(i itemsState, ops []mergeOp) itemsState {
	k.pending = append(k.pending, k.live(ops)...)
	return i
}

func (k *keyword) takePending() []mergeOp {
	ops := k.pending
	k.pending = nil
	return ops
}

// setEvaluated notes what the whole function evaluates.
func (fn *function) setEvaluated(it *context) {
	fn.evaluated = it.evaluated
	if !it.c.track {
		fn.props, fn.items = 0, 0
	}
}
