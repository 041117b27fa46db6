package networknt

import "strings"

// typeOf is TypeFactory.getValueNodeType with lossless narrowing off.
func typeOf(n *node) string {
	switch n.kind {
	case kindNull:
		return "null"
	case kindBool:
		return "boolean"
	case kindInt:
		return "integer"
	case kindDouble:
		if n.infinite() {
			return "unknown"
		}
		return "number"
	case kindString:
		return "string"
	case kindArray:
		return "array"
	case kindMissing:
		return "unknown"
	}
	return "object"
}

var knownTypes = map[string]bool{"object": true, "array": true, "string": true, "number": true, "integer": true, "boolean": true, "any": true, "null": true}

// schemaType is TypeFactory.getSchemaNodeType.
func schemaType(n *node) string {
	switch {
	case n.kind == kindString && knownTypes[n.str]:
		return n.str
	case n.kind == kindArray:
		return "union"
	}
	return "unknown"
}

func hasType(instance *node, wanted string, d *dialect) bool {
	got := typeOf(instance)
	switch {
	case got == wanted, wanted == "any", wanted == "number" && got == "integer":
		return true
	}
	return wanted == "integer" && got == "number" && instance.isIntegral() && d.order >= 6
}

func newType(b *builder, at location, n *node, parent *schemaNode) check {
	wanted := schemaType(n)
	if wanted != "union" {
		return func(e *execution, instance *node, at path) {
			if !hasType(instance, wanted, parent.dialect) {
				e.fail(at, "type", typeOf(instance)+" found, "+wanted+" expected")
			}
		}
	}
	var names []string
	var members []func(e *execution, instance *node, at path) bool
	for i, item := range n.items {
		name := schemaType(item)
		names = append(names, name)
		if item.kind == kindObject {
			sub := b.create(parent.dialect, at.append(itoa(i)), item, parent)
			members = append(members, func(e *execution, instance *node, at path) bool {
				return len(e.apart(func() { e.validate(sub, instance, at) })) == 0
			})
			continue
		}
		if name == "union" {
			giveUp("a list of types inside a list of types")
		}
		members = append(members, func(_ *execution, instance *node, _ path) bool { return hasType(instance, name, parent.dialect) })
	}
	expected := "[" + strings.Join(names, ", ") + "]"
	return func(e *execution, instance *node, at path) {
		for i, matches := range members {
			valid := false
			e.under("\x00i"+itoa(i), func() { valid = matches(e, instance, at) })
			if valid {
				return
			}
		}
		e.fail(at, "type", typeOf(instance)+" found, "+expected+" expected")
	}
}

func newConst(_ *builder, _ location, n *node, _ *schemaNode) check {
	return func(e *execution, instance *node, at path) {
		same := equal(n, instance)
		if n.isNumber() && instance.isNumber() {
			same = sameNumber(n, instance)
		}
		if !same {
			e.fail(at, "const", "must be the constant value '"+n.display()+"'")
		}
	}
}

func newEnum(_ *builder, _ location, n *node, _ *schemaNode) check {
	listed, values := "[none]", []*node(nil)
	if n.kind == kindArray {
		parts := make([]string, len(n.items))
		for i, item := range n.items {
			parts[i] = item.scalar()
			if item.kind == kindObject || item.kind == kindArray || item.kind == kindString {
				parts[i] = item.json()
			}
		}
		listed, values = "["+strings.Join(parts, ", ")+"]", n.items
	}
	return func(e *execution, instance *node, at path) {
		for _, v := range values {
			if equalInEnum(v, instance) {
				return
			}
		}
		e.fail(at, "enum", "does not have a value in the enumeration "+listed)
	}
}
