package pyjsonschema

import (
	"errors"

	"github.com/hostmatrix/conform/validators/regex"
)

// repetitionTooLarge is the one text of re.compile that comes as OverflowError
// instead of re.error. Source: CPython 3.11, Lib/re/_parser.py.
const repetitionTooLarge = "the repetition number is too large"

// compile is re.compile: it returns the text of re.error, raises other
// exceptions, and gives up where the dialect is not modelled.
func (r *run) compile(pattern string) (*regex.Regexp, string) {
	expression, err := r.patterns.Compile(regex.Python, pattern)
	var syntax *regex.SyntaxError
	switch {
	case err == nil:
		return expression, ""
	case !errors.As(err, &syntax):
		giveUp("%v", err)
	case syntax.Msg == repetitionTooLarge:
		raise("OverflowError", "%s", repetitionTooLarge)
	}
	return nil, syntax.Msg
}

// search is re.search(pattern, s) is not None.
func (r *run) search(pattern *value, s string) bool {
	if pattern.kind != kindStr {
		if pattern.kind == kindList || pattern.kind == kindDict {
			raise("TypeError", "unhashable type: '%s'", pattern.kind)
		}
		raise("TypeError", "first argument must be string or compiled pattern")
	}
	expression, refused := r.compile(pattern.str)
	if expression == nil {
		raise("error", "%s", refused)
	}
	if r.steps += stepsPerMatch; r.steps > maxSteps {
		giveUp("validation takes more than %d steps", maxSteps)
	}
	matched, err := expression.MatchString(s)
	if err != nil {
		giveUp("%v", err)
	}
	return matched
}
