// Package validators runs JSON Schema the way a named host does: each profile is
// one real library at one version with its options, and the standard is that
// library's verdict and words, right or wrong, not the specification.
//
// A profile belongs to a family (validators/ajv, validators/cfworker, ...) that
// is shaped like the library it follows. Profiles are looked up here by id.
package validators

import (
	"fmt"
	"sort"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ground"
)

// Outcome is what a library makes of one instance.
type Outcome uint8

const (
	// Valid: the library accepts the instance.
	Valid Outcome = iota
	// Invalid: the library rejects the instance; Result.Text holds its words.
	Invalid
	// Thrown: the library raises an error while validating.
	Thrown
	// Unknown: this emulation knows that it can't tell (stack depth of the real
	// process, a limit was hit); Result.Text says why.
	Unknown
)

// String returns valid, invalid, thrown or unknown.
func (o Outcome) String() string { return [...]string{"valid", "invalid", "thrown", "unknown"}[o] }

// Violation is one error of a rejected instance.
type Violation struct {
	Message  string         // the library's words for this error alone
	Keyword  string         // failing keyword, "false schema" for a boolean schema
	Schema   schema.Pointer // place of the keyword in the schema document
	Instance schema.Pointer // place in the instance
}

// Result is the verdict on one instance.
type Result struct {
	Outcome Outcome
	// Text is what the library prints: the joined errors (Invalid), the
	// exception's message (Thrown) or the reason (Unknown). Empty when Valid.
	Text string
	// Violations lists the errors in the library's order when Invalid.
	Violations []Violation
}

// Validator is a compiled schema. It is safe for concurrent use.
type Validator interface {
	Validate(instance *schema.Value) Result
}

// CompileError is the error with which the library refuses the schema, in its words.
type CompileError struct{ Text string }

func (e *CompileError) Error() string { return e.Text }

// UnknownError says that the emulation can't tell whether the library would
// accept the schema, and why (a limit of ours, a construct never observed).
type UnknownError struct{ Reason string }

func (e *UnknownError) Error() string { return "cannot tell: " + e.Reason }

// Profile names what a host really runs.
type Profile struct {
	ID      string // as in capability files and `conform validate --profile`
	Title   string // one line
	Library string // library and version whose verdicts are the standard
	Source  string // where that was observed or read
	// Compile prepares a schema document; its error is *CompileError or *UnknownError.
	// It is the engine itself: [Compile] goes around it where it need not be asked.
	Compile func(document *schema.Value) (Validator, error)
	// Ground are the features with which a document still stands on common ground
	// for this library: it compiles, and what package ground finds valid is valid.
	// The zero value goes with documents that have no feature at all.
	Ground ground.Features
	// Exact are the features with which this library, if it compiles a document on
	// common ground, gives the specification's verdict on every instance of
	// [ground.Assumption], valid or not.
	Exact ground.Features
}

var profiles = map[string]Profile{}

// Register adds a profile; families call it from an init function. A second
// profile with the same id is a programming error and panics.
func Register(p Profile) {
	if _, dup := profiles[p.ID]; dup {
		panic("validators: profile registered twice: " + p.ID)
	}
	profiles[p.ID] = p
}

// Profiles returns all profiles ordered by id.
func Profiles() []Profile {
	out := make([]Profile, 0, len(profiles))
	for _, p := range profiles {
		out = append(out, p)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
}

// Lookup returns the profile with that id.
func Lookup(id string) (Profile, bool) {
	p, ok := profiles[id]
	return p, ok
}

// Compile prepares document for the profile id. Errors: *[CompileError],
// *[UnknownError], or a plain error when no such profile exists.
//
// A document on the common ground of all libraries (package ground) is surveyed once
// for all profiles, and the engine compiles it only for an instance that is not
// plainly valid.
func Compile(id string, document *schema.Value) (Validator, error) {
	p, ok := profiles[id]
	if !ok {
		return nil, fmt.Errorf("no validator profile %q; `conform validate --list` prints the known ones", id)
	}
	return p.compile(document)
}

func (p Profile) compile(document *schema.Value) (Validator, error) {
	if common := survey(document); common != nil && common.Features&^p.Ground == 0 {
		return &deferred{profile: p, document: document, common: common}, nil
	}
	return p.Compile(document)
}
