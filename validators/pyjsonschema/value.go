package pyjsonschema

import (
	"math"
	"math/big"
	"strconv"

	"github.com/hostmatrix/conform/schema"
)

// kind is the Python type that a JSON value becomes.
type kind uint8

const (
	kindNone kind = iota
	kindBool
	kindInt
	kindFloat
	kindStr
	kindList
	kindDict
)

var kindNames = [...]string{"NoneType", "bool", "int", "float", "str", "list", "dict"}

// String returns the name of the Python type.
func (k kind) String() string { return kindNames[k] }

// value is a JSON text as Python's parser holds it. Identity counts: an error
// names the subschema it comes from by the pointer.
type value struct {
	kind  kind
	truth bool
	small int64    // kindInt when big is nil
	big   *big.Int // kindInt beyond 64 bits
	float float64
	str   string // WTF-8 where the text has lone surrogates
	items []*value
	keys  []string // kindDict: in order of first appearance, the last value wins
	dict  map[string]*value
}

// maxIntDigits is sys.int_info.default_max_str_digits (CPython 3.11): a longer
// integer fails to parse with ValueError.
const maxIntDigits = 4300

// load converts a document; ok is false when Python's parser refuses a number.
func load(v *schema.Value) (out *value, ok bool) {
	switch v.Kind {
	case schema.Bool:
		if v.Bool {
			return pyTrue, true
		}
		return pyFalse, true
	case schema.Number:
		return loadNumber(v)
	case schema.String:
		return &value{kind: kindStr, str: v.Text}, true
	case schema.Array:
		out = &value{kind: kindList, items: make([]*value, len(v.Items))}
		for i, item := range v.Items {
			if out.items[i], ok = load(item); !ok {
				return nil, false
			}
		}
		return out, true
	case schema.Object:
		out = &value{kind: kindDict, keys: make([]string, 0, len(v.Members)), dict: make(map[string]*value, len(v.Members))}
		for _, m := range v.Members {
			item, ok := load(m.Value)
			if !ok {
				return nil, false
			}
			if _, seen := out.dict[m.Key]; !seen {
				out.keys = append(out.keys, m.Key)
			}
			out.dict[m.Key] = item
		}
		return out, true
	}
	return pyNone, true
}

var (
	pyNone  = &value{kind: kindNone}
	pyTrue  = &value{kind: kindBool, truth: true}
	pyFalse = &value{kind: kindBool}
	// emptyDict stands for the default of schema.get(keyword, {}).
	emptyDict = &value{kind: kindDict}
)

func loadNumber(v *schema.Value) (*value, bool) {
	if v.HasFraction() {
		return &value{kind: kindFloat, float: v.Float()}, true
	}
	if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
		return &value{kind: kindInt, small: n}, true
	}
	if len(v.Text) > maxIntDigits+1 {
		return nil, false
	}
	n, ok := new(big.Int).SetString(v.Text, 10)
	return &value{kind: kindInt, big: n}, ok
}

func integer(n int) *value { return &value{kind: kindInt, small: int64(n)} }

func text(s string) *value { return &value{kind: kindStr, str: s} }

// get is dict.get: nil when v is no dict or lacks the key.
func (v *value) get(key string) *value {
	if v == nil || v.dict == nil {
		return nil
	}
	return v.dict[key]
}

// isNumber is jsonschema's "number": bool is none.
func (v *value) isNumber() bool { return v.kind == kindInt || v.kind == kindFloat }

// truthy is Python's truth value.
func (v *value) truthy() bool {
	switch v.kind {
	case kindBool:
		return v.truth
	case kindInt:
		return v.big != nil || v.small != 0
	case kindFloat:
		return v.float != 0
	case kindStr:
		return v.str != ""
	case kindList:
		return len(v.items) > 0
	case kindDict:
		return len(v.keys) > 0
	}
	return false
}

// integerOf returns an int or bool as big.Int.
func (v *value) integerOf() *big.Int {
	switch {
	case v.kind == kindBool && v.truth:
		return big.NewInt(1)
	case v.kind == kindBool:
		return new(big.Int)
	case v.big != nil:
		return v.big
	}
	return big.NewInt(v.small)
}

// arithmetic says that Python does sums with the value: bool is an int there.
func (v *value) arithmetic() bool { return v.isNumber() || v.kind == kindBool }

// compareNumbers compares two numbers by exact value, as Python does for int
// and float. There is no NaN in JSON.
func compareNumbers(a, b *value) int {
	if a.kind == kindFloat && b.kind == kindFloat {
		return compareFloats(a.float, b.float)
	}
	if a.kind == kindFloat && math.IsInf(a.float, 0) {
		return compareFloats(a.float, 0)
	}
	if b.kind == kindFloat && math.IsInf(b.float, 0) {
		return compareFloats(0, b.float)
	}
	if a.kind == kindInt && b.kind == kindInt && a.big == nil && b.big == nil {
		switch {
		case a.small < b.small:
			return -1
		case a.small > b.small:
			return 1
		}
		return 0
	}
	return exact(a).Cmp(exact(b))
}

func compareFloats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// exact returns a finite number as a rational.
func exact(v *value) *big.Rat {
	if v.kind == kindFloat {
		return new(big.Rat).SetFloat64(v.float)
	}
	return new(big.Rat).SetInt(v.integerOf())
}
