package main

import (
	"slices"
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
	items := slices.Concat(placed(bases), placed(unseen))
	for _, profile := range []string{"ajv8-draft07-lax", "ajv8-2020-only", "cfworker-dispatch", "python-jsonschema"} {
		var all tally
		for _, it := range items {
			one(it, profile, cache, search, &all, nil, testing.Verbose())
		}
		if all.known < 60 || all.provenWrong > 0 {
			t.Errorf("%s: %d known differences, %d wrong proofs", profile, all.known, all.provenWrong)
		}
		// Of a number beyond a double, infinity in Python and JavaScript, a proof says nothing.
		if all.found+all.beyond < all.known*97/100 || all.beyond > 30 {
			t.Errorf("%s: found %d of %d known differences", profile, all.found, all.known)
		}
	}
}
