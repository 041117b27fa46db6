package regex

import (
	"slices"
	"strconv"
	"sync"

	"github.com/hostmatrix/conform/validators/regex/internal/ucd"
)

// caseTables holds CPython's simple case mappings and the exceptions of its
// re._casefix.
type caseTables struct {
	lower, upper map[rune]rune
	extra        map[rune][]rune
}

var pythonCases = sync.OnceValue(func() *caseTables {
	return &caseTables{
		lower: distances("lower"),
		upper: distances("upper"),
		extra: extras(),
	}
})

// distances reads a case mapping, which is stored by distance.
func distances(kind string) map[rune]rune {
	out := map[rune]rune{}
	for _, name := range ucd.Names(ucd.Python, kind) {
		d, _ := strconv.Atoi(name)
		for r := range members(kind, name) {
			out[r] = r + rune(d)
		}
	}
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

func asciiLower(r rune) rune {
	if r >= 'A' && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

func pythonLower(r rune) rune {
	if l, ok := pythonCases().lower[r]; ok {
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
	if p.flags&flagIgnoreCase == 0 {
		return charNode(r)
	}
	set := p.flags.buildSet([]setMember{{lo: r, hi: r}}, false)
	if len(set.spans) == 1 && set.spans[0] == (span{r, r}) {
		return charNode(r)
	}
	return setNode(set)
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
	for r, l := range cases.lower {
		if r < m.lo || r > m.hi {
			continue
		}
		out = append(out, span{l, l})
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
		for r, u := range cases.upper {
			if u >= m.lo && u <= m.hi {
				out = append(out, span{r, r})
			}
		}
	}
	return out
}

// lowersInto is the set of characters whose lower case is in set.
func (f pythonFlags) lowersInto(set *charSet) *charSet {
	var moved, reach []span
	if f&flagASCII != 0 {
		for r := 'A'; r <= 'Z'; r++ {
			moved = append(moved, span{r, r})
			if set.contains(asciiLower(r)) {
				reach = append(reach, span{r, r})
			}
		}
	} else {
		for r, l := range pythonCases().lower {
			moved = append(moved, span{r, r})
			if set.contains(l) {
				reach = append(reach, span{r, r})
			}
		}
	}
	return union(intersect(set, newSet(moved...).negate()), newSet(reach...))
}
