package spec

import (
	"regexp"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compilePattern is the one door to the regular expression engine.
func compilePattern(pattern string) (jsonschema.Regexp, error) {
	return regexp.Compile(pattern)
}
