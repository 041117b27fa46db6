package spec

import (
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hostmatrix/conform/validators/regex"
)

// pattern lets our engine stand in for the library's. The specification asks for
// ECMA-262, and 2020-12 for the u flag.
type pattern struct{ *regex.Regexp }

// MatchString gives up, as a panic that guarded catches, when the pattern runs
// away: the interface has no room for an error.
func (p pattern) MatchString(s string) bool {
	matched, err := p.Regexp.MatchString(s)
	if err != nil {
		panic(&limitError{err.Error()})
	}
	return matched
}

func compilePattern(text string) (jsonschema.Regexp, error) {
	expression, err := regex.Compile(regex.ECMAUnicode, text)
	if err != nil {
		return nil, err
	}
	return pattern{expression}, nil
}
