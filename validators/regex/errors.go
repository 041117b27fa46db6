package regex

import "fmt"

// SyntaxError says that the engine refuses to compile the pattern. Error
// returns what the engine itself prints, nothing added.
type SyntaxError struct {
	Dialect Dialect
	Pattern string
	// Msg is the engine's whole text, the pattern included where it prints it.
	Msg string
}

func (e *SyntaxError) Error() string { return e.Msg }

// UnsupportedError says that the real engine may well accept the pattern, but
// this package does not model the construct: the caller must answer "unknown".
type UnsupportedError struct {
	Dialect Dialect
	Pattern string
	// Construct is the part that is not modelled, in words or as written.
	Construct string
}

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("pattern %q: %s is not modelled for %s; treat the verdict as unknown", clip(e.Pattern), e.Construct, e.Dialect)
}

// LimitError says that a pattern is larger than this package takes.
type LimitError struct {
	Limit string // what is limited, with its unit
	Max   int
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("pattern exceeds the limit of %d %s; shorten it", e.Max, e.Limit)
}

// BudgetError says that matching was given up: the pattern runs away on this
// input. Neither "matches" nor "does not match" is known.
type BudgetError struct {
	Pattern string
	// Resource is "steps" or "backtracking frames", Max the amount allowed.
	Resource string
	Max      int
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("matching pattern %q gave up after %d %s: it backtracks without bound on this input; make its repetitions unambiguous", clip(e.Pattern), e.Max, e.Resource)
}

// clip shortens a pattern for an error text.
func clip(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	return s[:most] + "…"
}
