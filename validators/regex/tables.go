package regex

import (
	"sync"

	"github.com/hostmatrix/conform/validators/regex/internal/ucd"
)

// tableSets caches the sets built from the engines' Unicode tables.
var tableSets sync.Map // of tableKey to *charSet

// complements caches the complements of table sets, which are large.
var complements sync.Map // of *charSet to *charSet

// complement is negate for a set of tableSet.
func complement(set *charSet) *charSet {
	if c, ok := complements.Load(set); ok {
		return c.(*charSet)
	}
	c, _ := complements.LoadOrStore(set, set.negate())
	return c.(*charSet)
}

type tableKey struct {
	engine     ucd.Engine
	kind, name string
}

// tableSet returns the characters that an engine has under a property name.
func tableSet(e ucd.Engine, kind, name string) (*charSet, bool) {
	key := tableKey{e, kind, name}
	if set, ok := tableSets.Load(key); ok {
		return set.(*charSet), true
	}
	ranges, ok := ucd.Lookup(e, kind, name)
	if !ok {
		return nil, false
	}
	spans := make([]span, len(ranges))
	for i, r := range ranges {
		spans[i] = span{r.Lo, r.Hi}
	}
	set := sealed(spans)
	stored, _ := tableSets.LoadOrStore(key, set)
	return stored.(*charSet), true
}
