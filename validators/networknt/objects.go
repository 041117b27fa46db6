package networknt

import "strings"

// members builds one subschema per member.
func (b *builder) members(at location, n *node, parent *schemaNode) (keys []string, schemas map[string]*schemaNode) {
	schemas = map[string]*schemaNode{}
	if n.kind != kindObject {
		return nil, schemas
	}
	for _, key := range n.keys {
		schemas[key] = b.create(parent.dialect, at.append(key), n.own[key], parent)
	}
	return n.keys, schemas
}

// newDefinitions builds $defs and definitions: a bad one fails even when unused.
func newDefinitions(b *builder, at location, n *node, parent *schemaNode) check {
	newReserved(b, at, n, parent)
	keys, schemas := b.members(at, n, parent)
	for _, key := range keys {
		b.references[at.append(key).String()] = schemas[key]
	}
	return nil
}

func newProperties(b *builder, at location, n *node, parent *schemaNode) check {
	keys, schemas := b.members(at, n, parent)
	return func(e *execution, instance *node, at path) {
		if instance.kind != kindObject {
			return
		}
		noting := e.noteProperties()
		seen := map[string]bool{}
		for _, key := range keys {
			child := instance.own[key]
			if child == nil {
				continue
			}
			seen[key] = true
			e.under("\x00n"+key, func() { e.validate(schemas[key], child, at.name(key)) })
		}
		if noting {
			e.note(at, &annotation{keyword: "properties", names: seen})
		}
	}
}

// newPatternProperties walks the patterns in the order written; the library walks
// an identity map, in no order at all.
func newPatternProperties(b *builder, at location, n *node, parent *schemaNode) check {
	if n.kind != kindObject {
		throw("patternProperties must be an object node")
	}
	patterns := make([]*expression, len(n.keys))
	schemas := make([]*schemaNode, len(n.keys))
	for i, key := range n.keys {
		patterns[i] = b.compile(key)
		schemas[i] = b.create(parent.dialect, at.append(key), n.own[key], parent)
	}
	return func(e *execution, instance *node, at path) {
		if instance.kind != kindObject {
			return
		}
		noting := e.noteProperties()
		seen := map[string]bool{}
		for _, key := range instance.keys {
			for i, pattern := range patterns {
				if !pattern.find(e, key) {
					continue
				}
				before := len(e.errors)
				e.under("\x00n"+n.keys[i], func() { e.validate(schemas[i], instance.own[key], at.name(key)) })
				if len(e.errors) == before {
					seen[key] = true
				}
			}
		}
		if noting {
			e.note(at, &annotation{keyword: "patternProperties", names: seen})
		}
	}
}

func newAdditionalProperties(b *builder, at location, n *node, parent *schemaNode) check {
	allowed := n.kind == kindObject || n.kind == kindBool && n.truth
	var s *schemaNode
	if n.kind == kindObject {
		s = b.create(parent.dialect, at, n, parent)
	}
	named := map[string]bool{}
	if p := parent.node.get("properties"); p != nil {
		for _, key := range p.keys {
			named[key] = true
		}
	}
	var patterns []*expression
	if p := parent.node.get("patternProperties"); p != nil {
		for _, key := range p.keys {
			patterns = append(patterns, b.compile(key))
		}
	}
	handled := func(e *execution, key string) bool {
		if named[key] {
			return true
		}
		for _, pattern := range patterns {
			if pattern.find(e, key) {
				return true
			}
		}
		return false
	}
	return func(e *execution, instance *node, at path) {
		if instance.kind != kindObject {
			return
		}
		noting := e.noteProperties()
		for _, key := range instance.keys {
			switch {
			case handled(e, key):
			case !allowed:
				e.fail(at, "additionalProperties", "property '"+key+"' is not defined in the schema and the schema does not allow additional properties")
			case s != nil:
				e.validate(s, instance.own[key], at.name(key))
			}
		}
		if noting {
			a := &annotation{keyword: "additionalProperties", names: map[string]bool{}}
			if allowed {
				for _, key := range instance.keys {
					a.names[key] = true
				}
			}
			e.note(at, a)
		}
	}
}

func newPropertyNames(b *builder, at location, n *node, parent *schemaNode) check {
	s := b.create(parent.dialect, at, n, parent)
	return func(e *execution, instance *node, at path) {
		for _, key := range instance.keys {
			name := &node{kind: kindString, str: key}
			for _, f := range e.apart(func() { e.validate(s, name, at.name(key)) }) {
				e.fail(at, "propertyNames", "property '"+key+"' name is not valid: "+f.message)
			}
		}
	}
}

func newRequired(_ *builder, _ location, n *node, _ *schemaNode) check {
	var names []string
	if n.kind == kindArray {
		for _, item := range n.items {
			names = append(names, item.asString())
		}
	}
	return func(e *execution, instance *node, at path) {
		if instance.kind != kindObject {
			return
		}
		for _, name := range names {
			if instance.own[name] == nil {
				e.fail(at, "required", "required property '"+name+"' not found")
			}
		}
	}
}

func newNotAllowed(_ *builder, _ location, n *node, _ *schemaNode) check {
	var names []string
	if n.kind == kindArray {
		for _, item := range n.items {
			names = append(names, item.asString())
		}
	}
	return func(e *execution, instance *node, at path) {
		for _, name := range names {
			if instance.get(name) != nil {
				e.fail(at.name(name), "notAllowed", "property '"+name+"' is not allowed but it is in the data")
			}
		}
	}
}

// stringLists reads the members that are arrays.
func stringLists(n *node) (keys []string, lists map[string][]string) {
	lists = map[string][]string{}
	for _, key := range n.keys {
		if under := n.own[key]; under.kind == kindArray {
			keys = append(keys, key)
			lists[key] = []string{}
			for _, item := range under.items {
				lists[key] = append(lists[key], item.asString())
			}
		}
	}
	return keys, lists
}

func newDependentRequired(_ *builder, _ location, n *node, _ *schemaNode) check {
	_, lists := stringLists(n)
	return func(e *execution, instance *node, at path) {
		for _, key := range instance.keys {
			for _, name := range lists[key] {
				if instance.own[name] == nil {
					e.fail(at, "dependentRequired", "has a missing property '"+name+"' which is dependent required because '"+key+"' is present")
				}
			}
		}
	}
}

func (b *builder) dependentSchemas(at location, n *node, parent *schemaNode) map[string]*schemaNode {
	schemas := map[string]*schemaNode{}
	for _, key := range n.keys {
		if under := n.own[key]; under.isSchema() {
			schemas[key] = b.create(parent.dialect, at.append(key), under, parent)
		}
	}
	return schemas
}

func newDependentSchemas(b *builder, at location, n *node, parent *schemaNode) check {
	schemas := b.dependentSchemas(at, n, parent)
	return func(e *execution, instance *node, at path) {
		for _, key := range instance.keys {
			if s := schemas[key]; s != nil {
				e.under("\x00n"+key, func() { e.validate(s, instance, at) })
			}
		}
	}
}

// newDependencies works in every draft, and prints the whole map, in the order of
// a Java HashMap.
func newDependencies(b *builder, at location, n *node, parent *schemaNode) check {
	keys, lists := stringLists(n)
	schemas := b.dependentSchemas(at, n, parent)
	var parts []string
	for _, key := range hashOrder(keys) {
		parts = append(parts, key+"=["+strings.Join(lists[key], ", ")+"]")
	}
	message := "has an error with dependencies {" + strings.Join(parts, ", ") + "}"
	return func(e *execution, instance *node, at path) {
		for _, key := range instance.keys {
			for _, name := range lists[key] {
				if instance.own[name] == nil {
					e.fail(at, "dependencies", message)
				}
			}
			if s := schemas[key]; s != nil {
				e.under("\x00n"+key, func() { e.validate(s, instance, at) })
			}
		}
	}
}
