package schema

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"sync/atomic"
)

// Kind is the JSON type of a [Value].
type Kind uint8

// The six JSON types. The zero Kind is Null.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"null", "boolean", "number", "string", "array", "object"}

// String returns the JSON Schema name of the type: null, boolean, number,
// string, array or object.
func (k Kind) String() string { return kindNames[k] }

// Member is one name/value pair of an object, in the order of the source.
type Member struct {
	Key   string
	Value *Value
}

// Value is one JSON value. It is immutable after [Parse]; rewriting code builds
// new values. A nil *Value means "absent" everywhere in this module.
type Value struct {
	Kind Kind
	Bool bool
	// Text is the number literal as written (Kind Number) or the decoded
	// string (Kind String). Lone surrogates stay in it as three-byte WTF-8.
	Text string
	// Items are the elements of an array.
	Items []*Value
	// Members are the members of an object in source order, duplicates included.
	Members []Member
	// Start and End are byte offsets into the parsed text; both are 0 for a
	// value that was built by code.
	Start, End int

	// index finds members of a large object; it is made on first use, and made
	// twice when two goroutines come at once, which is harmless.
	index atomic.Pointer[map[string]int]
}

// smallObject is the member count up to which a linear scan beats a map.
const smallObject = 8

// Get returns the value of the member key, or nil. Of duplicate keys the last
// wins, as in JSON.parse, Python's json and encoding/json.
func (v *Value) Get(key string) *Value {
	if v == nil || v.Kind != Object {
		return nil
	}
	if len(v.Members) <= smallObject {
		for i := len(v.Members) - 1; i >= 0; i-- {
			if v.Members[i].Key == key {
				return v.Members[i].Value
			}
		}
		return nil
	}
	index := v.index.Load()
	if index == nil {
		made := make(map[string]int, len(v.Members))
		for i := range v.Members {
			made[v.Members[i].Key] = i
		}
		index = &made
		v.index.Store(index)
	}
	if i, ok := (*index)[key]; ok {
		return v.Members[i].Value
	}
	return nil
}

// Has reports whether the object has a member key.
func (v *Value) Has(key string) bool { return v.Get(key) != nil }

// IsString reports whether v is a string, and which.
func (v *Value) IsString() (string, bool) {
	if v == nil || v.Kind != String {
		return "", false
	}
	return v.Text, true
}

// ListOf returns the elements of the member key where that is an array, else nil.
func (v *Value) ListOf(key string) []*Value {
	if list := v.Get(key); list != nil && list.Kind == Array {
		return list.Items
	}
	return nil
}

// StringsOf returns those elements of the member key that are strings.
func (v *Value) StringsOf(key string) []string {
	var out []string
	for _, e := range v.ListOf(key) {
		if text, ok := e.IsString(); ok {
			out = append(out, text)
		}
	}
	return out
}

// IsTrue reports whether v is the literal true.
func (v *Value) IsTrue() bool { return v != nil && v.Kind == Bool && v.Bool }

// IsFalse reports whether v is the literal false.
func (v *Value) IsFalse() bool { return v != nil && v.Kind == Bool && !v.Bool }

// Unique returns the members with duplicates resolved the way JSON.parse and
// Python's json do: a key keeps the place of its first occurrence and the value
// of its last.
func (v *Value) Unique() []Member {
	if v == nil || v.Kind != Object {
		return nil
	}
	seen := make(map[string]int, len(v.Members))
	duplicate := false
	for i, m := range v.Members {
		if _, ok := seen[m.Key]; ok {
			duplicate = true
		}
		seen[m.Key] = i
	}
	if !duplicate {
		return v.Members
	}
	out := make([]Member, 0, len(seen))
	placed := make(map[string]bool, len(seen))
	for _, m := range v.Members {
		if placed[m.Key] {
			continue
		}
		placed[m.Key] = true
		out = append(out, Member{m.Key, v.Members[seen[m.Key]].Value})
	}
	return out
}

// JSMembers returns the members in the order in which JavaScript enumerates
// them: array-index keys ascending first, then the others as inserted.
// Source: ECMA-262, OrdinaryOwnPropertyKeys.
func (v *Value) JSMembers() []Member {
	members := v.Unique()
	first := -1
	for i, m := range members {
		if _, ok := arrayIndex(m.Key); ok {
			first = i
			break
		}
	}
	if first < 0 {
		return members
	}
	var indexed, rest []Member
	for _, m := range members {
		if _, ok := arrayIndex(m.Key); ok {
			indexed = append(indexed, m)
		} else {
			rest = append(rest, m)
		}
	}
	sortByIndex(indexed)
	return append(indexed, rest...)
}

func sortByIndex(members []Member) {
	for i := 1; i < len(members); i++ {
		for j := i; j > 0; j-- {
			a, _ := arrayIndex(members[j-1].Key)
			b, _ := arrayIndex(members[j].Key)
			if a <= b {
				break
			}
			members[j-1], members[j] = members[j], members[j-1]
		}
	}
}

// arrayIndex reports whether key is a canonical array index (0 to 2^32-2).
func arrayIndex(key string) (uint64, bool) {
	if key == "" || len(key) > 10 || (key[0] == '0' && len(key) > 1) {
		return 0, false
	}
	n := uint64(0)
	for i := range len(key) {
		digit := key[i] - '0'
		if digit > 9 {
			return 0, false // without strconv's error, which is an allocation per member
		}
		n = n*10 + uint64(digit)
	}
	return n, n < math.MaxUint32
}

// Float returns the number as the IEEE double that JavaScript holds; a literal
// out of range gives ±Inf, as JSON.parse does.
func (v *Value) Float() float64 {
	if v.Kind == Number && beyondDouble(v.Text) {
		if v.Text[0] == '-' {
			return math.Inf(-1)
		}
		return math.Inf(1)
	}
	f, _ := strconv.ParseFloat(v.Text, 64)
	return f
}

// beyondDouble recognises an integer part of hundreds of digits: reading a million of
// them takes ten milliseconds each time, and a schema is asked for its numbers often.
func beyondDouble(literal string) bool {
	const certain = 400 // digits; the greatest double has 309
	digits := strings.TrimPrefix(literal, "-")
	if len(digits) < certain || digits[0] == '0' || strings.IndexByte(digits, 'e') >= 0 || strings.IndexByte(digits, 'E') >= 0 {
		return false
	}
	return strings.IndexByte(digits[:certain], '.') < 0
}

// maxExactExponent bounds the work that an exact number may cost: 1e400 is
// exact, 1e1000000 would be a megabyte of digits.
const maxExactExponent = 5000

// maxExactDigits is the same for a number that is written out.
const maxExactDigits = 100_000

// Exact returns the number as an exact rational; ok is false when v is no number, its
// exponent is beyond ±5000 or it is longer than 100,000 digits.
func (v *Value) Exact() (r *big.Rat, ok bool) {
	if v == nil || v.Kind != Number || len(v.Text) > maxExactDigits {
		return nil, false
	}
	if i := strings.IndexAny(v.Text, "eE"); i >= 0 {
		e, err := strconv.Atoi(v.Text[i+1:])
		if err != nil || e > maxExactExponent || e < -maxExactExponent {
			return nil, false
		}
	}
	return new(big.Rat).SetString(v.Text)
}

// HasFraction reports whether the literal is written with a fraction or an
// exponent: languages that keep int and float apart (Python, Go) look at that.
func (v *Value) HasFraction() bool { return strings.ContainsAny(v.Text, ".eE") }

// Equal reports JSON equality: objects without regard to order (last duplicate
// wins), numbers by exact value, so that 1, 1.0 and 1e0 are equal.
func Equal(a, b *Value) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case Null:
		return true
	case Bool:
		return a.Bool == b.Bool
	case String:
		return a.Text == b.Text
	case Number:
		return sameNumber(a, b)
	case Array:
		if len(a.Items) != len(b.Items) {
			return false
		}
		for i := range a.Items {
			if !Equal(a.Items[i], b.Items[i]) {
				return false
			}
		}
		return true
	}
	am, bm := a.Unique(), b.Unique()
	if len(am) != len(bm) {
		return false
	}
	for _, m := range am {
		other := b.Get(m.Key)
		if other == nil || !Equal(m.Value, other) {
			return false
		}
	}
	return true
}

func sameNumber(a, b *Value) bool {
	if a.Text == b.Text {
		return true
	}
	x, ok1 := a.Exact()
	y, ok2 := b.Exact()
	if ok1 && ok2 {
		return x.Cmp(y) == 0
	}
	return ok1 == ok2 && a.Float() == b.Float()
}
