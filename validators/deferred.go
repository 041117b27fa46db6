package validators

import (
	"sync"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ground"
	"github.com/hostmatrix/conform/validators/internal/sharing"
)

// surveys lets all profiles share what package ground finds out about a document.
var surveys = sharing.NewTable[struct{}, ground.Schema]()

// survey returns nil for a document off the common ground.
func survey(document *schema.Value) *ground.Schema {
	s, _ := surveys.Answer(document, struct{}{}, func() (*ground.Schema, error) { return ground.Survey(document), nil })
	return s
}

// deferred answers from common ground and compiles when it has to.
type deferred struct {
	profile  Profile
	document *schema.Value
	common   *ground.Schema

	once   sync.Once
	engine Validator
	err    error
}

// Validate implements [Validator].
func (d *deferred) Validate(instance *schema.Value) Result {
	if d.common.Judge(instance) == ground.Valid {
		return Result{Outcome: Valid}
	}
	d.once.Do(func() { d.engine, d.err = d.profile.Compile(d.document) })
	if d.err != nil { // the suite of validators/all would fail on this
		return Result{Outcome: Unknown, Text: d.err.Error()}
	}
	return d.engine.Validate(instance)
}

// Deferred marks a validator that has not compiled yet, for tests that compare it
// with the engine.
func (d *deferred) Deferred() {}

// Alike reports that two profiles, if both compile the document, give the same verdict
// on every instance of [ground.Assumption], because it holds nothing on which either
// leaves the common ground.
func Alike(document *schema.Value, a, b string) bool {
	p, known := profiles[a]
	q, knownToo := profiles[b]
	s := survey(document)
	return known && knownToo && s != nil && s.Features&^(p.Exact&q.Exact) == 0
}

// AllAlike reports that no two profiles that compile it can differ about one schema of
// a document.
func AllAlike(document, part *schema.Value) bool {
	used, ok := ground.SurveyPart(document, part)
	return ok && used&^ground.Alike == 0
}
