package regex

import "sort"

// span is an inclusive range of code points (or code units).
type span struct{ lo, hi rune }

// charSet is an immutable set of characters: a bitmap for ASCII and sorted,
// disjoint spans for all of it.
type charSet struct {
	ascii [2]uint64
	spans []span
}

// newSet sorts and merges the spans; it takes over the slice.
func newSet(spans ...span) *charSet {
	sort.Slice(spans, func(i, j int) bool { return spans[i].lo < spans[j].lo })
	out := spans[:0]
	for _, s := range spans {
		if s.lo > s.hi {
			continue
		}
		if n := len(out); n > 0 && s.lo <= out[n-1].hi+1 {
			out[n-1].hi = max(out[n-1].hi, s.hi)
			continue
		}
		out = append(out, s)
	}
	return sealed(out)
}

// sealed builds a set from spans that are sorted and disjoint already.
func sealed(spans []span) *charSet {
	cs := &charSet{spans: spans}
	for _, s := range spans {
		if s.lo > 127 {
			break
		}
		for r := s.lo; r <= min(s.hi, 127); r++ {
			cs.ascii[r>>6] |= 1 << (r & 63)
		}
	}
	return cs
}

// setOf holds the given characters.
func setOf(rs ...rune) *charSet {
	spans := make([]span, len(rs))
	for i, r := range rs {
		spans[i] = span{r, r}
	}
	return newSet(spans...)
}

func (s *charSet) contains(r rune) bool {
	if uint32(r) < 128 {
		return s.ascii[r>>6]&(1<<(r&63)) != 0
	}
	spans := s.spans
	if len(spans) > 0 && r > spans[len(spans)-1].hi {
		return false
	}
	for len(spans) > 4 {
		mid := len(spans) / 2
		if r < spans[mid].lo {
			spans = spans[:mid]
		} else {
			spans = spans[mid:]
		}
	}
	for _, sp := range spans {
		if r <= sp.hi {
			return r >= sp.lo
		}
	}
	return false
}

func (s *charSet) empty() bool { return len(s.spans) == 0 }

// negate is every character up to U+10FFFF that is not in s.
func (s *charSet) negate() *charSet {
	out := make([]span, 0, len(s.spans)+1)
	next := rune(0)
	for _, sp := range s.spans {
		if sp.lo > next {
			out = append(out, span{next, sp.lo - 1})
		}
		next = sp.hi + 1
	}
	if next <= maxRune {
		out = append(out, span{next, maxRune})
	}
	return sealed(out)
}

func union(sets ...*charSet) *charSet {
	switch len(sets) {
	case 0:
		return noChar
	case 1:
		return sets[0]
	}
	var all []span
	seen := map[*charSet]bool{} // patterns repeat their classes
	for _, s := range sets {
		if !seen[s] {
			seen[s] = true
			all = append(all, s.spans...)
		}
	}
	return newSet(all...)
}

func intersect(a, b *charSet) *charSet {
	return union(a.negate(), b.negate()).negate()
}

// anyChar and noChar are the two ends.
var (
	anyChar = newSet(span{0, maxRune})
	noChar  = newSet()
)
