package spec

import (
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hostmatrix/conform/validators/regex"
)

// pattern lets our engine stand in for the library's. The specification asks for
// ECMA-262, and 2020-12 for the u flag.
type pattern struct {
	*regex.Regexp
	meter *meter
}

// MatchString gives up, as a panic that guarded catches, when the pattern runs
// away: the interface has no room for an error.
func (p pattern) MatchString(s string) bool {
	p.meter.spend(1)
	matched, err := p.Regexp.MatchString(s)
	if err != nil {
		panic(&limitError{err.Error()})
	}
	return matched
}

func compilePattern(text string) (*regex.Regexp, error) {
	return regex.Compile(regex.ECMAUnicode, text)
}

// compilePattern is the library's engine; matches count as steps where there is a meter.
func (m *meter) compilePattern(text string) (jsonschema.Regexp, error) {
	expression, err := compilePattern(text)
	if err != nil {
		return nil, err
	}
	return pattern{expression, m}, nil
}
