package fuzzing

import (
	"fmt"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// Shortcut compares what [validators.Compile] answers with the engines themselves,
// for every profile. It returns the first difference, "" when there is none, and how
// many answers came from common ground. An engine that stops at a limit of its own may
// be answered for.
func Shortcut(document *schema.Value, instances ...*schema.Value) (difference string, answered int) {
	for _, p := range validators.Profiles() {
		short, err := validators.Compile(p.ID, document)
		if _, deferred := short.(interface{ Deferred() }); !deferred {
			continue // the engine itself, or its error
		}
		engine, engineErr := p.Compile(document)
		if engineErr != nil {
			return fmt.Sprintf("%s refuses %s: %v (%v)", p.ID, document.Compact(), engineErr, err), answered
		}
		for _, instance := range instances {
			got := short.Validate(instance)
			if got.Outcome != validators.Valid {
				continue // in the words of the engine
			}
			answered++
			want := engine.Validate(instance)
			if want.Outcome == validators.Unknown {
				if why, _ := validators.WhyUndecided(want.Text); why.Limit {
					continue
				}
			}
			if want.Outcome != validators.Valid {
				return fmt.Sprintf("%s: %s is %v (%s) by %s", p.ID, instance.Compact(), want.Outcome, want.Text, document.Compact()), answered
			}
		}
	}
	return "", answered
}
