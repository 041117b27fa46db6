package networknt

import "math"

func newPrefixItems(b *builder, at location, n *node, parent *schemaNode) check {
	if n.kind != kindArray || len(n.items) == 0 {
		throw("java.lang.IllegalArgumentException: The value of 'prefixItems' MUST be a non-empty array of valid JSON Schemas.")
	}
	schemas := b.list(at, n, parent)
	return func(e *execution, instance *node, at path) {
		if instance.kind != kindArray {
			return
		}
		for i := range min(len(schemas), len(instance.items)) {
			e.under("\x00i"+itoa(i), func() { e.validate(schemas[i], instance.items[i], at.index(i)) })
		}
		if e.noteItems() {
			e.note(at, &annotation{keyword: "prefixItems", count: len(schemas), whole: len(instance.items) <= len(schemas)})
		}
	}
}

const notAllowed = "' is not defined in the schema and the schema does not allow additional items"

func newItems(b *builder, at location, n *node, parent *schemaNode) check {
	prefix := 0
	if p := parent.node.get("prefixItems"); p != nil {
		if p.kind != kindArray {
			throw("java.lang.IllegalArgumentException: The value of 'prefixItems' must be an array of JSON Schema.")
		}
		prefix = len(p.items)
	}
	if !n.isSchema() {
		throw("java.lang.IllegalArgumentException: The value of 'items' MUST be a valid JSON Schema.")
	}
	s := b.create(parent.dialect, at, n, parent)
	allowed := n.kind != kindBool || n.truth
	return func(e *execution, instance *node, at path) {
		if instance.kind != kindArray || len(instance.items) <= prefix {
			return
		}
		for i := prefix; i < len(instance.items); i++ {
			if allowed {
				e.validate(s, instance.items[i], at.index(i))
			} else {
				e.fail(at, "items", "index '"+grouped(i)+notAllowed)
			}
		}
		if e.noteItems() {
			e.note(at, &annotation{keyword: "items", whole: true})
		}
	}
}

// newItemsLegacy is items before 2020-12, with additionalItems beside a list.
func newItemsLegacy(b *builder, at location, n *node, parent *schemaNode) check {
	if n.isSchema() {
		s := b.create(parent.dialect, at, n, parent)
		return func(e *execution, instance *node, at path) {
			if instance.kind != kindArray {
				return
			}
			if e.noteItems() {
				e.note(at, &annotation{keyword: "items", whole: true})
			}
			for i, item := range instance.items {
				e.validate(s, item, at.index(i))
			}
		}
	}
	var schemas []*schemaNode
	for i, item := range n.items {
		schemas = append(schemas, b.create(parent.dialect, at.append(itoa(i)), item, parent))
	}
	var rest *schemaNode
	additional := parent.node.get("additionalItems")
	if additional != nil && additional.kind == kindObject {
		rest = b.create(parent.dialect, parent.at.append("additionalItems"), additional, parent)
	}
	return func(e *execution, instance *node, at path) {
		if instance.kind != kindArray {
			return
		}
		noting := e.noteItems()
		if noting {
			e.note(at, &annotation{keyword: "items", count: len(schemas), whole: len(instance.items) <= len(schemas)})
		}
		evaluated := false
		for i, item := range instance.items {
			switch {
			case i < len(schemas):
				e.under("\x00i"+itoa(i), func() { e.validate(schemas[i], item, at.index(i)) })
			case rest != nil:
				evaluated = true
				e.instead("additionalItems", func() { e.validate(rest, item, at.index(i)) })
			case additional != nil && additional.kind == kindBool && additional.truth:
				evaluated = true
			case additional != nil && additional.kind == kindBool:
				e.fail(at, "additionalItems", "index '"+grouped(i)+notAllowed)
			}
		}
		if evaluated && noting {
			e.under("\x00nadditionalItems", func() { e.note(at, &annotation{keyword: "additionalItems", whole: true}) })
		}
	}
}

func newContains(b *builder, at location, n *node, parent *schemaNode) check {
	if !n.isSchema() {
		return ignore
	}
	s := b.create(parent.dialect, at, n, parent)
	bound := func(keyword string, fallback int) int {
		if limit := parent.node.get(keyword); limit != nil && limit.isIntegral() {
			return intValue(limit)
		}
		return fallback
	}
	most, least := bound("maxContains", math.MaxInt), bound("minContains", 1)
	shown := n.json()
	violated := func(e *execution, at path, keyword, words string, limit int) {
		if parent.dialect.order < 2019 {
			e.fail(at, "contains", "does not contain an element that passes these validations: "+shown)
			return
		}
		e.fail(at, keyword, "must contain "+words+" "+itoa(limit)+" element(s) that passes these validations: "+shown)
	}
	return func(e *execution, instance *node, at path) {
		found := map[int]bool{}
		for i, item := range instance.items {
			if instance.kind == kindArray && len(e.apart(func() { e.validate(s, item, at.index(i)) })) == 0 {
				found[i] = true
			}
		}
		if instance.kind == kindArray {
			if len(found) < least {
				violated(e, at, "minContains", "at least", least)
			}
			if len(found) > most {
				violated(e, at, "maxContains", "at most", most)
			}
		}
		if e.noteItems() {
			e.note(at, &annotation{keyword: "contains", indexes: found, whole: len(found) == len(instance.items)})
		}
	}
}

// newMinMaxContains complains about bad limits each time an instance comes by, of
// whatever type.
func newMinMaxContains(_ *builder, _ location, _ *node, parent *schemaNode) check {
	var messages []string
	shown := parent.node.json()
	limit := func(keyword string, fallback int) int {
		n := parent.node.get(keyword)
		if n == nil {
			return fallback
		}
		if !n.isNumber() || !n.isIntegral() || intValue(n) < 0 {
			messages = append(messages, "must be a non-negative integer in "+shown)
			return fallback
		}
		return intValue(n)
	}
	least, most := limit("minContains", 1), limit("maxContains", math.MaxInt32)
	if most < least {
		messages = append(messages, "minContains must less than or equal to maxContains in "+shown)
	}
	return func(e *execution, _ *node, at path) {
		for _, message := range messages {
			e.fail(at, "maxContains", message)
		}
	}
}

func newUnevaluatedItems(b *builder, at location, n *node, parent *schemaNode) check {
	if !n.isSchema() {
		throw("java.lang.IllegalArgumentException: The value of 'unevaluatedItems' MUST be a valid JSON Schema.")
	}
	s := b.create(parent.dialect, at, n, parent)
	positional, rest := "prefixItems", "items"
	if parent.dialect.order < 2020 {
		positional, rest = "items", "additionalItems"
	}
	return func(e *execution, instance *node, at path) {
		if instance.kind != kindArray {
			return
		}
		from, done := 0, n.kind == kindBool && n.truth
		evaluated := done && len(instance.items) > 0
		if !done {
			e.noted(at, positional, func(a *annotation) {
				from, done = max(from, a.count), done || a.whole
			})
			for _, keyword := range []string{rest, "unevaluatedItems"} {
				e.noted(at, keyword, func(a *annotation) { done = done || a.whole })
			}
		}
		if !done {
			contained, all := map[int]bool{}, false
			e.noted(at, "contains", func(a *annotation) {
				all = all || a.whole
				for i := range a.indexes {
					contained[i] = true
				}
			})
			for i := from; i < len(instance.items) && !all; i++ {
				if contained[i] {
					continue
				}
				if n.kind == kindBool {
					e.fail(at, "unevaluatedItems", "index '"+grouped(i)+"' is not evaluated and the schema does not allow unevaluated items")
				} else {
					e.validate(s, instance.items[i], at.index(i))
				}
				evaluated = true
			}
		}
		if evaluated {
			e.note(at, &annotation{keyword: "unevaluatedItems", whole: true})
		}
	}
}

func newUnevaluatedProperties(b *builder, at location, n *node, parent *schemaNode) check {
	if !n.isSchema() {
		throw("java.lang.IllegalArgumentException: The value of 'unevaluatedProperties' MUST be a valid JSON Schema.")
	}
	s := b.create(parent.dialect, at, n, parent)
	return func(e *execution, instance *node, at path) {
		if instance.kind != kindObject {
			return
		}
		known, here := map[string]bool{}, map[string]bool{}
		for _, keyword := range []string{"properties", "patternProperties", "additionalProperties", "unevaluatedProperties"} {
			e.noted(at, keyword, func(a *annotation) {
				for name := range a.names {
					known[name] = true
				}
			})
		}
		for _, key := range instance.keys {
			if known[key] {
				continue
			}
			here[key] = true
			if n.kind == kindBool && !n.truth {
				e.fail(at, "unevaluatedProperties", "property '"+key+"' is not evaluated and the schema does not allow unevaluated properties")
			} else {
				e.validate(s, instance.own[key], at.name(key))
			}
		}
		e.note(at, &annotation{keyword: "unevaluatedProperties", names: here})
	}
}
