package witness

import (
	"math/rand/v2"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/regex"
)

const (
	// maxDepth bounds the nesting of an instance.
	maxDepth = 12
	// maxSteps bounds the subschemas looked at for all instances of one schema.
	maxSteps = 30_000
	// maxMatches bounds the names held against patterns for all instances of one schema.
	maxMatches = 200_000
	// maxChoices bounds the ways through unions and conditions at one place.
	maxChoices = 10
	// maxParts bounds the schemas that hold for one place together.
	maxParts = 24
	// maxPlain is the number of values for a place on which no two readings differ.
	maxPlain = 3
	// maxEach is the number of values for any place below the root.
	maxEach = 40
	// maxElements bounds minItems and minProperties that are followed.
	maxElements = 200
	// maxRecursion is how often a definition may stand inside itself.
	maxRecursion = 2
)

// maker builds instances of one schema. It builds them for the union of all
// dialects (a tuple by prefixItems or by items) and leaves it to the dialect to
// judge; what it must get right is only that every construct is touched.
type maker struct {
	root    *schema.Value
	anyRoot bool
	steps   int
	dice    *rand.Rand
	number  string // stands first among the numbers of every place; "" for none
	plain   map[*schema.Value]bool
	active  map[*schema.Value]int

	patterns    regex.Cache
	matchesLeft int
}

func newMaker(root *schema.Value, options Options) *maker {
	return &maker{
		root: root, anyRoot: options.AnyRoot, steps: maxSteps, matchesLeft: maxMatches,
		dice:  rand.New(rand.NewPCG(options.Seed, 0x636f6e666f726d)),
		plain: map[*schema.Value]bool{}, active: map[*schema.Value]int{},
	}
}

// everywhere are numbers that stand in every place at once in one instance each: no
// schema says anything about them, yet a double holds whole numbers to 2^53 only.
var everywhere = []string{"9007199254740993", "1e400", "1.0"}

// instances returns at most budget instances: plausible ones first, then one
// variation at a time, then random combinations.
func (m *maker) instances(budget int) []*schema.Value {
	out := recording.Synthesize(m.root)
	if len(out) > budget {
		out = out[:budget]
	}
	for _, m.number = range everywhere {
		out = append(out, m.values([]*schema.Value{m.root}, 0, 1)...)
	}
	m.number = ""
	varied := m.values([]*schema.Value{m.root}, 0, budget)
	out = append(out, varied...)
	var objects []*schema.Value
	for _, v := range out {
		if v.Kind == schema.Object || m.anyRoot {
			objects = append(objects, v)
		}
	}
	if len(objects) > 0 { // else the schema is one of lists or texts, as 2026-07-28 allows
		out = objects
	}
	base := len(out)
	for len(out) < budget && base > 1 {
		a, b := out[m.dice.IntN(base)], out[m.dice.IntN(base)]
		if mixed := m.mix(a, b, 0); mixed != nil {
			out = append(out, mixed)
		} else {
			base--
		}
	}
	if len(out) > budget {
		out = out[:budget]
	}
	return out
}

// mix takes each member from one of two objects.
func (m *maker) mix(a, b *schema.Value, depth int) *schema.Value {
	if a.Kind != schema.Object || b.Kind != schema.Object || depth > maxDepth {
		return nil
	}
	var members []schema.Member
	for _, member := range a.Unique() {
		other := b.Get(member.Key)
		switch {
		case other == nil:
			if m.dice.IntN(2) == 0 {
				members = append(members, member)
			}
		case m.dice.IntN(2) == 0:
			members = append(members, member)
		default:
			if inner := m.mix(member.Value, other, depth+1); inner != nil && m.dice.IntN(2) == 0 {
				other = inner
			}
			members = append(members, schema.Member{Key: member.Key, Value: other})
		}
	}
	for _, member := range b.Unique() {
		if a.Get(member.Key) == nil && m.dice.IntN(2) == 0 {
			members = append(members, member)
		}
	}
	return schema.Obj(members...)
}

// values returns at most limit values for a place that all parts describe, the
// most plausible first.
func (m *maker) values(parts []*schema.Value, depth, limit int) []*schema.Value {
	m.steps--
	if m.steps < 0 || depth > maxDepth {
		return nil
	}
	if depth > 0 {
		limit = min(limit, maxEach)
		if m.allPlain(parts) {
			limit = min(limit, maxPlain)
		}
	}
	var used []*schema.Value
	choices := m.expand(parts, &used, 0)
	for _, definition := range used {
		if m.active[definition] >= maxRecursion {
			return nil
		}
	}
	for _, definition := range used {
		m.active[definition]++
	}
	lists := make([][]*schema.Value, 0, len(choices))
	for _, conj := range choices {
		lists = append(lists, m.build(conj, depth, limit))
	}
	for _, definition := range used {
		m.active[definition]--
	}
	return interleave(lists, limit)
}

// allPlain reports whether no part holds anything on which readings differ.
func (m *maker) allPlain(parts []*schema.Value) bool {
	for _, p := range parts {
		plain, known := m.plain[p]
		if !known {
			plain = validators.AllAlike(m.root, p)
			m.plain[p] = plain
		}
		if !plain {
			return false
		}
	}
	return true
}

// expand follows $ref, allOf, unions and conditions: each result is a list of
// schemas that hold together. used collects the definitions that were followed.
func (m *maker) expand(parts []*schema.Value, used *[]*schema.Value, level int) [][]*schema.Value {
	out := [][]*schema.Value{nil}
	for _, p := range parts {
		out = product(out, m.expandOne(p, used, level))
	}
	return out
}

func (m *maker) expandOne(s *schema.Value, used *[]*schema.Value, level int) [][]*schema.Value {
	m.steps--
	if m.steps < 0 || level > maxDepth || s == nil || s.IsFalse() {
		return nil
	}
	if s.Kind != schema.Object {
		return [][]*schema.Value{{schema.Obj()}}
	}
	out := [][]*schema.Value{{s}}
	if s.Has("$ref") {
		if target := resolve(m.root, s); target != nil {
			*used = append(*used, target)
			out = product(out, m.expandOne(target, used, level+1))
		}
	}
	for _, part := range s.ListOf("allOf") {
		out = product(out, m.expandOne(part, used, level+1))
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		branches := s.ListOf(keyword)
		if len(branches) == 0 {
			continue
		}
		var union [][]*schema.Value
		for _, b := range branches {
			union = append(union, m.expandOne(b, used, level+1)...)
		}
		out = product(out, union)
	}
	if condition := s.Get("if"); condition != nil {
		yes := m.expandOne(condition, used, level+1)
		if then := s.Get("then"); then != nil {
			yes = product(yes, m.expandOne(then, used, level+1))
		}
		no := [][]*schema.Value{nil}
		if otherwise := s.Get("else"); otherwise != nil {
			no = m.expandOne(otherwise, used, level+1)
			// What nearly meets the condition is what two readings of it differ about.
			no = append(no, product(m.expandOne(condition, used, level+1), no)...)
		}
		out = product(out, append(append([][]*schema.Value(nil), yes...), no...))
	}
	if negated := s.Get("not"); negated != nil && negated.Kind == schema.Object {
		out = append(out, product(out, m.expandOne(negated, used, level+1))...)
	}
	for _, keyword := range []string{"dependentSchemas", "dependentRequired", "dependencies"} {
		for _, d := range s.Get(keyword).Unique() {
			alone := schema.Obj(schema.Member{Key: "required", Value: schema.List(schema.Str(d.Key))})
			with := [][]*schema.Value{{schema.Obj(schema.Member{Key: "required", Value: d.Value})}}
			if d.Value.Kind == schema.Object {
				with = m.expandOne(d.Value, used, level+1)
			}
			// The member with what depends on it, and without: one of them is wrong.
			out = append(out, product(product(out, with), [][]*schema.Value{{alone}})...)
			out = append(out, product(out[:1], [][]*schema.Value{{alone}})...)
		}
	}
	if len(out) > maxChoices {
		out = out[:maxChoices]
	}
	return out
}

// product joins every left list with every right one, within the bounds. The
// first few of each side are kept so that a wide union does not hide the next.
func product(left, right [][]*schema.Value) [][]*schema.Value {
	var out [][]*schema.Value
	for i := 0; i < len(left)+len(right); i++ { // diagonals: all pairs, the plain ones early
		for l := 0; l <= i && l < len(left); l++ {
			r := i - l
			if r >= len(right) || len(out) >= maxChoices || len(left[l])+len(right[r]) > maxParts {
				continue
			}
			joined := append(append([]*schema.Value(nil), left[l]...), right[r]...)
			out = append(out, joined)
		}
	}
	return out
}

// interleave takes one value of each list in turn, without repetition.
func interleave(lists [][]*schema.Value, limit int) []*schema.Value {
	var out []*schema.Value
	seen := make(map[uint64]bool, min(limit, maxEach))
	for i := 0; len(out) < limit; i++ {
		more := false
		for _, list := range lists {
			if i >= len(list) {
				continue
			}
			more = true
			mark := fingerprint(list[i], fingerprintSeed)
			if !seen[mark] && len(out) < limit {
				seen[mark] = true
				out = append(out, list[i])
			}
		}
		if !more {
			break
		}
	}
	return out
}

// fingerprintSeed and fingerprintPrime are those of FNV-1a.
const (
	fingerprintSeed  = 14695981039346656037
	fingerprintPrime = 1099511628211
)

// fingerprint tells values apart as their compact texts do. Two values with the same
// one are so rare that a variation lost to it does not matter.
func fingerprint(v *schema.Value, h uint64) uint64 {
	h = (h ^ uint64(v.Kind) + 1) * fingerprintPrime
	if v.Bool {
		h = (h ^ 0xff) * fingerprintPrime
	}
	h = fingerprintText(v.Text, h)
	for _, item := range v.Items {
		h = fingerprint(item, h)
	}
	for _, m := range v.Members {
		h = fingerprint(m.Value, fingerprintText(m.Key, h))
	}
	return (h ^ 0xfe) * fingerprintPrime
}

func fingerprintText(text string, h uint64) uint64 {
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * fingerprintPrime
	}
	return (h ^ 0xfd) * fingerprintPrime
}
