package lint

import (
	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
)

// Level is why a rule exists, and what its severity follows from.
type Level string

// The levels, strongest first.
const (
	Must    Level = "must"    // the specification says MUST, or its schema.json demands it: error
	Should  Level = "should"  // the specification says SHOULD: warning
	Quality Level = "quality" // no specification says it; models and people are worse off: warning
)

// The revisions of the protocol, oldest first.
const (
	v2024_11 = "2024-11-05"
	v2025_03 = "2025-03-26"
	v2025_06 = "2025-06-18"
	v2025_11 = "2025-11-25"
	v2026_07 = "2026-07-28"
)

// Revisions lists the revisions that the rules know, oldest first.
var Revisions = []string{v2024_11, v2025_03, v2025_06, v2025_11, v2026_07}

// Common sets of revisions.
var (
	legacyOnly = Revisions[:4]
	modernOnly = Revisions[4:]
	from2025_3 = Revisions[1:]
	from2025_6 = Revisions[2:]
	from2025_B = Revisions[3:]
)

// Rule is one check. A rule is a value; there is no other way to be one.
type Rule struct {
	ID    string // stable kebab-case, never reused
	Title string // one line, what is wrong when it reports
	// Covers lists the entries of the protocol's list of checkable rules (T1, TL12,
	// TC4 …) and of the requirements (R21 …) that the rule stands for.
	Covers   []string
	Stage    verdict.Stage
	Level    Level
	Severity verdict.Severity // of its findings, unless a finding has its own
	Why      string
	// Revisions are those in which the rule exists; nil means all.
	Revisions []string
	// Strict rules run with portability: strict only.
	Strict bool
	// Stands reports whether a row of the table behaves as the rule fears; nil for
	// rules that no host decides. A rule that stands for hosts of the table is
	// silent when the run has other hosts only.
	Stands func(*capabilities.Resolved) bool
	Source string // specification section, or observation
	Wrong  string
	Right  string
	Since  string // version of conform that brought it
	// Run looks at the whole capture. An error of type [CouldNotCheck] says why the
	// rule has no answer; any other error, or a panic, is a fault of the rule.
	Run func(*Pass) ([]Finding, error)
}

// Applies reports whether the rule exists in a revision.
func (r *Rule) Applies(revision string) bool {
	if r.Revisions == nil {
		return true
	}
	for _, known := range r.Revisions {
		if known == revision {
			return true
		}
	}
	return false
}

// Finding is one thing that a rule reports. The rule's own severity applies unless
// Severity is set.
type Finding struct {
	Tool     string
	Severity verdict.Severity
	Message  string
	Pointer  string // JSON pointer into the thing that the message names
	Session  string
	Hosts    []string // columns of the run that the rule stands for
}

// CouldNotCheck is the error of a rule that lacks what it needs.
type CouldNotCheck struct{ Reason string }

func (e CouldNotCheck) Error() string { return "could not check: " + e.Reason }
