package networknt

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindInt
	kindDouble
	kindString
	kindArray
	kindObject
	// kindMissing is what Jackson makes of an empty text.
	kindMissing
)

// nodeTypes are Jackson's JsonNodeType names, as exceptions print them.
var nodeTypes = [...]string{"NULL", "BOOLEAN", "NUMBER", "NUMBER", "STRING", "ARRAY", "OBJECT", "MISSING"}

// node is a JSON value as Jackson 3 holds it after the SDK's detour through Java
// maps: a whole number is an integer of any size, everything else a double.
type node struct {
	kind  kind
	truth bool
	whole *big.Int
	num   float64
	str   string
	items []*node
	keys  []string
	own   map[string]*node
}

func load(v *schema.Value) *node {
	switch v.Kind {
	case schema.Bool:
		return &node{kind: kindBool, truth: v.Bool}
	case schema.Number:
		if v.HasFraction() {
			return &node{kind: kindDouble, num: v.Float()}
		}
		if len(v.Text) > maxDigits {
			giveUp("a number has more than %d digits, which Jackson refuses", maxDigits)
		}
		n, _ := new(big.Int).SetString(v.Text, 10)
		return &node{kind: kindInt, whole: n, num: v.Float()}
	case schema.String:
		return &node{kind: kindString, str: v.Text}
	case schema.Array:
		out := &node{kind: kindArray, items: make([]*node, len(v.Items))}
		for i, item := range v.Items {
			out.items[i] = load(item)
		}
		return out
	case schema.Object:
		members := v.Unique()
		out := &node{kind: kindObject, keys: make([]string, len(members)), own: make(map[string]*node, len(members))}
		for i, m := range members {
			out.keys[i] = m.Key
			out.own[m.Key] = load(m.Value)
		}
		return out
	}
	return &node{kind: kindNull}
}

// maxDigits is Jackson's StreamReadConstraints default for numbers.
const maxDigits = 1000

// get is JsonNode.get(name): nil when absent or no object.
func (n *node) get(key string) *node {
	if n == nil || n.own == nil {
		return nil
	}
	return n.own[key]
}

func (n *node) isNumber() bool { return n.kind == kindInt || n.kind == kindDouble }

// isSchema says that an object or a boolean stands here.
func (n *node) isSchema() bool { return n.kind == kindObject || n.kind == kindBool }

// isIntegral is canConvertToExactIntegral.
func (n *node) isIntegral() bool {
	return n.kind == kindInt || n.kind == kindDouble && !math.IsInf(n.num, 0) && n.num == math.Trunc(n.num)
}

func (n *node) infinite() bool { return n.kind == kindDouble && math.IsInf(n.num, 0) }

// isLong says that an integer fits Java's int or long.
func (n *node) isLong() bool { return n.kind == kindInt && n.whole.IsInt64() }

// asString is JsonNode.asString(): it throws on arrays and objects.
func (n *node) asString() string {
	switch n.kind {
	case kindArray:
		inside := " "
		if len(n.items) > 0 {
			inside = "...(" + strconv.Itoa(len(n.items)) + " elements)"
		}
		throwJackson("'ArrayNode' method `asString()` cannot coerce value [%s] to `java.lang.String`: value type not coercible", inside)
	case kindObject:
		throwJackson("'ObjectNode' method `asString()` cannot coerce value {...(%d properties}] to `java.lang.String`: value type not coercible", len(n.keys))
	}
	return n.scalar()
}

// scalar is asString of what is neither array nor object.
func (n *node) scalar() string {
	switch n.kind {
	case kindBool:
		return strconv.FormatBool(n.truth)
	case kindInt:
		return n.whole.String()
	case kindDouble:
		return javaDouble(n.num)
	case kindString:
		return n.str
	}
	return ""
}

// display is asString(toString()): the scalar's text, JSON for the others.
func (n *node) display() string {
	if n.kind == kindArray || n.kind == kindObject || n.kind == kindNull {
		return n.json()
	}
	return n.scalar()
}

// json is JsonNode.toString().
func (n *node) json() string { return string(n.appendJSON(nil)) }

func (n *node) appendJSON(dst []byte) []byte {
	switch n.kind {
	case kindNull:
		return append(dst, "null"...)
	case kindString:
		return appendQuoted(dst, n.str)
	case kindArray:
		dst = append(dst, '[')
		for i, item := range n.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.appendJSON(dst)
		}
		return append(dst, ']')
	case kindObject:
		dst = append(dst, '{')
		for i, key := range n.keys {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendQuoted(dst, key), ':')
			dst = n.own[key].appendJSON(dst)
		}
		return append(dst, '}')
	case kindDouble:
		if n.infinite() {
			return append(append(append(dst, '"'), n.scalar()...), '"')
		}
	}
	return append(dst, n.scalar()...)
}

// appendQuoted escapes as Jackson does: capitals in \u00XX.
func appendQuoted(dst []byte, s string) []byte {
	quoted := schema.AppendQuoted(nil, s)
	for i := 0; i+5 < len(quoted); i++ {
		if quoted[i] != '\\' {
			continue
		}
		if quoted[i+1] == 'u' {
			copy(quoted[i+2:i+6], strings.ToUpper(string(quoted[i+2:i+6])))
		}
		i++
	}
	return append(dst, quoted...)
}

// equal is JsonNode.equals: 1 and 1.0 are different nodes.
func equal(a, b *node) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case kindBool:
		return a.truth == b.truth
	case kindInt:
		return a.whole.Cmp(b.whole) == 0
	case kindDouble:
		return a.num == b.num && math.Signbit(a.num) == math.Signbit(b.num)
	case kindString:
		return a.str == b.str
	case kindArray:
		if len(a.items) != len(b.items) {
			return false
		}
		for i := range a.items {
			if !equal(a.items[i], b.items[i]) {
				return false
			}
		}
	case kindObject:
		if len(a.keys) != len(b.keys) {
			return false
		}
		for _, key := range a.keys {
			if other := b.own[key]; other == nil || !equal(a.own[key], other) {
				return false
			}
		}
	}
	return true
}

// equalInEnum compares with numbers by value at the top and directly inside an
// array, as EnumValidator prepares them.
func equalInEnum(a, b *node) bool {
	if a.isNumber() && b.isNumber() {
		return sameNumber(a, b)
	}
	if a.kind != kindArray || b.kind != kindArray {
		return equal(a, b)
	}
	if len(a.items) != len(b.items) {
		return false
	}
	for i := range a.items {
		x, y := a.items[i], b.items[i]
		if x.isNumber() && y.isNumber() {
			if !sameNumber(x, y) {
				return false
			}
		} else if !equal(x, y) {
			return false
		}
	}
	return true
}

func sameNumber(a, b *node) bool {
	if a.infinite() || b.infinite() {
		return a.infinite() && b.infinite() && a.num == b.num
	}
	return a.decimal().Cmp(b.decimal()) == 0
}

// decimal is the number's value as its text says it.
func (n *node) decimal() *big.Rat {
	if n.kind == kindInt {
		return new(big.Rat).SetInt(n.whole)
	}
	r, _ := new(big.Rat).SetString(javaDouble(n.num))
	return r
}
