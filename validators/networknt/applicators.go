package networknt

import "strings"

// list builds the subschemas of allOf, anyOf and oneOf.
func (b *builder) list(at location, n *node, parent *schemaNode) []*schemaNode {
	if n.kind != kindArray {
		throw("%s found, array expected", typeOf(n))
	}
	out := make([]*schemaNode, len(n.items))
	for i, item := range n.items {
		out[i] = b.create(parent.dialect, at.append(itoa(i)), item, parent)
	}
	return out
}

func newAllOf(b *builder, at location, n *node, parent *schemaNode) check {
	schemas := b.list(at, n, parent)
	return func(e *execution, instance *node, at path) {
		for i, s := range schemas {
			e.under("\x00i"+itoa(i), func() { e.validate(s, instance, at) })
		}
	}
}

// shortCircuits says that the branches after the deciding one are not run.
func (e *execution) shortCircuits() bool { return !e.noteItems() && !e.noteProperties() }

// newAnyOf reports the errors of all branches and no sentence of its own.
func newAnyOf(b *builder, at location, n *node, parent *schemaNode) check {
	schemas := b.list(at, n, parent)
	return func(e *execution, instance *node, at path) {
		var all []failure
		valid := false
		for i, s := range schemas {
			var errors []failure
			e.under("\x00i"+itoa(i), func() { errors = e.apart(func() { e.validate(s, instance, at) }) })
			if len(errors) == 0 {
				if valid = true; e.shortCircuits() {
					return
				}
			}
			all = append(all, errors...)
		}
		if !valid {
			e.errors = append(e.errors, all...)
		}
	}
}

func newOneOf(b *builder, at location, n *node, parent *schemaNode) check {
	schemas := b.list(at, n, parent)
	return func(e *execution, instance *node, at path) {
		var all []failure
		var matches []string
		for i, s := range schemas {
			var errors []failure
			e.under("\x00i"+itoa(i), func() { errors = e.apart(func() { e.validate(s, instance, at) }) })
			if len(errors) == 0 {
				matches = append(matches, itoa(i))
			}
			if len(matches) > 1 && e.shortCircuits() {
				break
			}
			all = append(all, errors...)
		}
		if len(matches) == 1 {
			return
		}
		message := "must be valid to one and only one schema, but " + itoa(len(matches)) + " are valid"
		if len(matches) > 1 {
			message += " with indexes '" + strings.Join(matches, ", ") + "'"
		}
		e.fail(at, "oneOf", message)
		e.errors = append(e.errors, all...)
	}
}

func newNot(b *builder, at location, n *node, parent *schemaNode) check {
	s := b.create(parent.dialect, at, n, parent)
	shown := n.json()
	return func(e *execution, instance *node, at path) {
		if len(e.apart(func() { e.validate(s, instance, at) })) == 0 {
			e.fail(at, "not", "must not be valid to the schema "+shown)
		}
	}
}

func newIf(b *builder, _ location, _ *node, parent *schemaNode) check {
	build := func(keyword string) *schemaNode {
		n := parent.node.get(keyword)
		if n == nil {
			return nil
		}
		return b.create(parent.dialect, parent.at.append(keyword), n, parent)
	}
	condition, then, otherwise := build("if"), build("then"), build("else")
	return func(e *execution, instance *node, at path) {
		keyword, branch := "else", otherwise
		if len(e.apart(func() { e.validate(condition, instance, at) })) == 0 {
			keyword, branch = "then", then
		}
		if branch != nil {
			e.instead(keyword, func() { e.validate(branch, instance, at) })
		}
	}
}
