package regex

import (
	"sync"

	"github.com/hostmatrix/conform/validators/regex/internal/ucd"
)

// tableSets caches the sets built from the engines' Unicode tables.
var tableSets sync.Map // of tableKey to *charSet

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
	tableSets.Store(key, set)
	return set, true
}
