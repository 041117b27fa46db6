package networknt

import (
	"math"
	"math/big"
	"strconv"

	"github.com/hostmatrix/conform/schema"
)

func itoa(n int) string { return strconv.Itoa(n) }

func newIgnored(*builder, location, *node, *schemaNode) check { return nil }

// newReserved is a keyword without a meaning of its own under which a subschema
// with an id or anchor is nevertheless found.
func newReserved(b *builder, at location, n *node, parent *schemaNode) check {
	_, hasID := text(n, parent.dialect.idKey)
	_, hasAnchor := text(n, "$anchor")
	_, hasDynamic := text(n, "$dynamicAnchor")
	if hasID || hasAnchor && parent.dialect.order >= 2019 || hasDynamic && parent.dialect.order >= 2020 {
		b.create(parent.dialect, at, n, parent)
	}
	return nil
}

func newUnsupportedID(*builder, location, *node, *schemaNode) check {
	throw("java.lang.UnsupportedOperationException: No suitable validator for id")
	return nil
}

// parentHasType is hasType of the library: does the schema's type name it?
func parentHasType(parent *schemaNode, name string) bool {
	t := parent.node.get("type")
	if t == nil {
		return false
	}
	for _, item := range append([]*node{t}, t.items...) {
		if item.kind == kindString && item.str == name {
			return true
		}
	}
	return false
}

// newBound builds the four limits. Beside type integer a whole limit compares as
// long, which drops the value's fraction; else both compare as decimals.
func newBound(keyword, words string, crosses func(order int) bool, exclusiveKey string) newKeyword {
	return func(_ *builder, _ location, n *node, parent *schemaNode) check {
		if !n.isNumber() {
			throw("%s value is not a number", keyword)
		}
		exclusive := false
		if flag := parent.node.get(exclusiveKey); exclusiveKey != "" && flag != nil && flag.kind == kindBool {
			exclusive = flag.truth
		}
		asLong := n.isLong() && parentHasType(parent, "integer")
		message := words + " of " + n.scalar()
		return func(e *execution, instance *node, at path) {
			if !instance.isNumber() || instance.infinite() {
				return
			}
			var c int
			switch {
			case asLong && (instance.kind == kindDouble || instance.isLong()):
				c = big.NewInt(longValue(instance)).Cmp(n.whole)
			case n.infinite():
				c = -sign(n.num)
			default:
				c = instance.decimal().Cmp(n.decimal())
			}
			if crosses(c) || exclusive && c == 0 {
				e.fail(at, keyword, message)
			}
		}
	}
}

func sign(f float64) int {
	if math.Signbit(f) {
		return -1
	}
	return 1
}

var (
	newMinimum          = newBound("minimum", "must have a minimum value", func(c int) bool { return c < 0 }, "exclusiveMinimum")
	newMaximum          = newBound("maximum", "must have a maximum value", func(c int) bool { return c > 0 }, "exclusiveMaximum")
	newExclusiveMinimum = newBound("exclusiveMinimum", "must have an exclusive minimum value", func(c int) bool { return c <= 0 }, "")
	newExclusiveMaximum = newBound("exclusiveMaximum", "must have an exclusive maximum value", func(c int) bool { return c >= 0 }, "")
)

// newMultipleOf divides the decimal texts of doubles; a whole number becomes a
// double first.
func newMultipleOf(_ *builder, _ location, n *node, _ *schemaNode) check {
	if !n.isNumber() || n.num == 0 || math.IsInf(n.num, 0) {
		return ignore
	}
	divisor := &node{kind: kindDouble, num: n.num}
	message := "must be multiple of " + bigDecimal(n.num)
	return func(e *execution, instance *node, at path) {
		if !instance.isNumber() || instance.infinite() {
			return
		}
		if math.IsInf(instance.num, 0) {
			giveUp("an integer beyond a double under multipleOf")
		}
		dividend := &node{kind: kindDouble, num: instance.num}
		if !new(big.Rat).Quo(dividend.decimal(), divisor.decimal()).IsInt() {
			e.fail(at, "multipleOf", message)
		}
	}
}

func ignore(*execution, *node, path) {}

// limitOf is the value of a size keyword: fallback when it is no whole number.
func limitOf(n *node, fallback int) int {
	if !n.isIntegral() {
		return fallback
	}
	return intValue(n)
}

func newMinLength(_ *builder, _ location, n *node, _ *schemaNode) check {
	limit := limitOf(n, math.MinInt32)
	return func(e *execution, instance *node, at path) {
		if instance.kind == kindString && codePoints(instance.str) < limit {
			e.fail(at, "minLength", "must be at least "+grouped(limit)+" characters long")
		}
	}
}

func newMaxLength(_ *builder, _ location, n *node, _ *schemaNode) check {
	limit := limitOf(n, math.MaxInt32)
	return func(e *execution, instance *node, at path) {
		if instance.kind == kindString && codePoints(instance.str) > limit {
			e.fail(at, "maxLength", "must be at most "+grouped(limit)+" characters long")
		}
	}
}

// codePoints counts characters; a lone surrogate is one.
func codePoints(s string) (count int) {
	for len(s) > 0 {
		_, n := schema.DecodeWTF8(s)
		s = s[n:]
		count++
	}
	return count
}

func newMinItems(_ *builder, _ location, n *node, _ *schemaNode) check {
	limit := limitOf(n, 0)
	return func(e *execution, instance *node, at path) {
		if instance.kind == kindArray && len(instance.items) < limit {
			e.fail(at, "minItems", "must have at least "+grouped(limit)+" items but found "+grouped(len(instance.items)))
		}
	}
}

func newMaxItems(_ *builder, _ location, n *node, _ *schemaNode) check {
	limit := limitOf(n, 0)
	return func(e *execution, instance *node, at path) {
		if instance.kind == kindArray && len(instance.items) > limit {
			e.fail(at, "maxItems", "must have at most "+grouped(limit)+" items but found "+grouped(len(instance.items)))
		}
	}
}

func newMinProperties(_ *builder, _ location, n *node, _ *schemaNode) check {
	limit := limitOf(n, math.MinInt32)
	return func(e *execution, instance *node, at path) {
		if instance.kind == kindObject && len(instance.keys) < limit {
			e.fail(at, "minProperties", "must have at least "+grouped(limit)+" properties")
		}
	}
}

func newMaxProperties(_ *builder, _ location, n *node, _ *schemaNode) check {
	limit := limitOf(n, math.MaxInt32)
	return func(e *execution, instance *node, at path) {
		if instance.kind == kindObject && len(instance.keys) > limit {
			e.fail(at, "maxProperties", "must have at most "+grouped(limit)+" properties")
		}
	}
}

// newUniqueItems adds one error per duplicate. Nodes differ when 1 is written 1.0.
func newUniqueItems(_ *builder, _ location, n *node, _ *schemaNode) check {
	if n.kind != kindBool || !n.truth {
		return ignore
	}
	return func(e *execution, instance *node, at path) {
		children := instance.items
		if instance.kind == kindObject { // iterating an ObjectNode gives its values
			for _, key := range instance.keys {
				children = append(children, instance.own[key])
			}
		}
		var seen []*node
	next:
		for _, item := range children {
			for _, other := range seen {
				if e.steps++; e.steps > maxSteps {
					giveUp("validation takes more than %d steps", maxSteps)
				}
				if equal(other, item) {
					e.fail(at, "uniqueItems", "must have only unique items in the array")
					continue next
				}
			}
			seen = append(seen, item)
		}
	}
}

func newPattern(b *builder, _ location, n *node, _ *schemaNode) check {
	if n.kind != kindString {
		return ignore
	}
	compiled := b.compile(n.str)
	return func(e *execution, instance *node, at path) {
		if instance.kind == kindString && !compiled.find(e, instance.str) {
			e.fail(at, "pattern", "does not match the regex pattern "+n.str)
		}
	}
}

// falseCheck names the last step before the schema.
func falseCheck(e *execution, _ *node, at path) {
	reason := "null"
	if len(e.evaluation) > 1 {
		reason = e.evaluation[len(e.evaluation)-2][2:]
	}
	e.fail(at, "false", "schema for '"+reason+"' is false")
}
