package main

import (
	"testing"

	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/validators"
)

// The search must find nearly all of what is known to differ, at the budget of a
// normal run and without the known instance. Four readings stand for the others: the
// measure itself looks at all.
func TestSearchFindsWhatIsKnown(t *testing.T) {
	cache := validators.NewCache()
	search := witness.New(cache, witness.Options{AnyRoot: true})
	items := hard()
	for _, profile := range []string{"ajv8-draft07-lax", "ajv8-2020-only", "cfworker-dispatch", "python-jsonschema"} {
		var all tally
		for _, it := range items {
			one(it, profile, cache, search, &all, nil, testing.Verbose())
		}
		if all.known < 60 || all.provenWrong > 0 {
			t.Errorf("%s: %d known differences, %d wrong proofs", profile, all.known, all.provenWrong)
		}
		// Python reads 1e400 as infinity, which a proof leaves out by its assumption.
		if least := all.known * 95 / 100; all.found < least && profile != "python-jsonschema" || all.found < all.known-9 {
			t.Errorf("%s: found %d of %d known differences", profile, all.found, all.known)
		}
	}
}
