package ajv

import (
	"errors"

	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/regex"
)

// pattern is a compiled regular expression of a schema.
type pattern struct {
	source string
	re     *regex.Regexp
}

// pattern compiles an expression with the flags the library uses.
func (c *instance) pattern(source string) *pattern {
	return compilePatternIn(regex.ECMAUnicode, source)
}

func compilePatternIn(dialect regex.Dialect, source string) *pattern {
	re, err := regex.Compile(dialect, source)
	var syntax *regex.SyntaxError
	switch {
	case errors.As(err, &syntax):
		throw(err.Error())
	case err != nil:
		unknown(err.Error())
	}
	return &pattern{source, re}
}

// stepsPerMatch is what a match costs of maxSteps: thousands of names under thousands
// of patterns are no more than half a million.
const stepsPerMatch = 20

// match runs an expression; one that takes too long ends the validation.
func (st *state) match(p *pattern, text string) bool {
	if st.steps -= stepsPerMatch; st.steps < 0 && st.stop == nil {
		st.unknown("the check takes more than %d steps", maxSteps)
	}
	if st.stop != nil {
		return false
	}
	ok, err := p.re.MatchString(text)
	if err != nil && st.stop == nil {
		st.stop = &validators.Result{Outcome: validators.Unknown, Text: "pattern " + p.source + ": " + err.Error()}
	}
	return ok && err == nil
}
