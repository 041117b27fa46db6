package regex

import (
	"slices"
	"sort"
	"strconv"
	"sync"

	"github.com/hostmatrix/conform/validators/regex/internal/ucd"
)

// caseTables holds CPython's simple case mappings and the exceptions of its
// re._casefix.
type caseTables struct {
	lower, upper []mapping // ascending
	lowered      map[rune]rune
	from         map[rune][]rune // the inverse of lowered
	extra        map[rune][]rune
	fixed        *charSet // what is its own lower case
}

// mapping says that from is mapped to to.
type mapping struct{ from, to rune }

var pythonCases = sync.OnceValue(func() *caseTables {
	c := &caseTables{
		lower: distances("lower"), upper: distances("upper"), extra: extras(),
		lowered: map[rune]rune{}, from: map[rune][]rune{},
	}
	var moved []span
	for _, m := range c.lower {
		c.lowered[m.from] = m.to
		c.from[m.to] = append(c.from[m.to], m.from)
		moved = append(moved, span{m.from, m.from})
	}
	c.fixed = newSet(moved...).negate()
	return c
})

// between returns the mappings of the characters lo to hi.
func between(all []mapping, lo, hi rune) []mapping {
	i := sort.Search(len(all), func(i int) bool { return all[i].from >= lo })
	j := sort.Search(len(all), func(j int) bool { return all[j].from > hi })
	return all[i:max(i, j)]
}

// distances reads a case mapping, which is stored by distance.
func distances(kind string) []mapping {
	var out []mapping
	for _, name := range ucd.Names(ucd.Python, kind) {
		d, _ := strconv.Atoi(name)
		for r := range members(kind, name) {
			out = append(out, mapping{r, r + rune(d)})
		}
	}
	slices.SortFunc(out, func(a, b mapping) int { return int(a.from - b.from) })
	return out
}

func extras() map[rune][]rune {
	out := map[rune][]rune{}
	for _, name := range ucd.Names(ucd.Python, "extra") {
		c, _ := strconv.Atoi(name)
		for r := range members("extra", name) {
			out[rune(c)] = append(out[rune(c)], r)
		}
	}
	return out
}

// members yields the characters of a Python table.
func members(kind, name string) func(func(rune) bool) {
	ranges, _ := ucd.Lookup(ucd.Python, kind, name)
	return func(yield func(rune) bool) {
		for _, rg := range ranges {
			for r := rg.Lo; r <= rg.Hi; r++ {
				if !yield(r) {
					return
				}
			}
		}
	}
}

func pythonLower(r rune) rune {
	if l, ok := pythonCases().lowered[r]; ok {
		return l
	}
	return r
}

// fold is how back references compare; nil compares as is.
func (f pythonFlags) fold() func(rune) rune {
	switch {
	case f&flagIgnoreCase == 0:
		return nil
	case f&flagASCII != 0:
		return asciiLower
	}
	return pythonLower
}

// literal matches one character under the flags in force.
func (p *pythonParser) literal(r rune) *node {
	switch {
	case p.flags&flagIgnoreCase == 0:
		return charNode(r)
	case p.flags&flagASCII != 0:
		if isASCIILetter(r) {
			return setNode(setOf(r, r^0x20))
		}
		return charNode(r)
	}
	cases := pythonCases()
	low := pythonLower(r)
	var same []rune
	for _, t := range append([]rune{low}, cases.extra[low]...) {
		if cases.fixed.contains(t) {
			same = append(same, t)
		}
		same = append(same, cases.from[t]...)
	}
	if len(same) == 1 && same[0] == r {
		return charNode(r)
	}
	return setNode(setOf(same...))
}

// buildSet makes the set of the characters that members match. With (?i) sre
// lowers the subject's character and looks it up among the lowered members,
// their exceptions, and the classes; so the set is what lowers into those.
func (f pythonFlags) buildSet(members []setMember, negate bool) *charSet {
	fold := f.fold()
	var spans []span
	var sets []*charSet
	for _, m := range members {
		switch {
		case m.class != nil:
			sets = append(sets, m.class)
		case fold == nil:
			spans = append(spans, span{m.lo, m.hi})
		default:
			spans = append(spans, f.lowered(m)...)
		}
	}
	set := union(append(sets, newSet(spans...))...)
	if fold != nil {
		set = f.lowersInto(set)
	}
	if negate {
		set = set.negate()
	}
	return set
}

// lowered maps the characters lo to hi as sre's charset optimizer does.
func (f pythonFlags) lowered(m setMember) []span {
	if f&flagASCII != 0 {
		out := []span{{m.lo, min(m.hi, 'A'-1)}, {max(m.lo, 'Z'+1), m.hi}}
		if lo, hi := max(m.lo, 'A'), min(m.hi, 'Z'); lo <= hi {
			out = append(out, span{asciiLower(lo), asciiLower(hi)})
		}
		return out
	}
	cases := pythonCases()
	out := []span{{m.lo, m.hi}}
	for _, c := range between(cases.lower, m.lo, m.hi) {
		out = append(out, span{c.to, c.to})
	}
	base := newSet(slices.Clone(out)...)
	for l, others := range cases.extra {
		if base.contains(l) {
			for _, o := range others {
				out = append(out, span{o, o})
			}
		}
	}
	// Ranges beyond the BMP are compared with the upper case as well.
	if m.hi > 0xFFFF {
		for _, c := range cases.upper {
			if c.to >= m.lo && c.to <= m.hi {
				out = append(out, span{c.from, c.from})
			}
		}
	}
	return out
}

// lowersInto is the set of characters whose lower case is in set.
func (f pythonFlags) lowersInto(set *charSet) *charSet {
	var reach []span
	if f&flagASCII != 0 {
		for r := 'A'; r <= 'Z'; r++ {
			if set.contains(asciiLower(r)) {
				reach = append(reach, span{r, r})
			}
		}
		return union(intersect(set, asciiFixed), newSet(reach...))
	}
	for _, c := range pythonCases().lower {
		if set.contains(c.to) {
			reach = append(reach, span{c.from, c.from})
		}
	}
	return union(intersect(set, pythonCases().fixed), newSet(reach...))
}

// asciiFixed is what is its own lower case under (?a).
var asciiFixed = newSet(span{'A', 'Z'}).negate()
