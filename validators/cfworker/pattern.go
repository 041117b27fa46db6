package cfworker

import (
	"errors"
	"sync"

	"github.com/hostmatrix/conform/validators/regex"
)

// patternCache keeps the compiled patterns of one schema.
type patternCache struct{ compiled sync.Map }

type compiledPattern struct {
	expression *regex.Regexp
	err        error
}

func (c *patternCache) get(pattern string) (*regex.Regexp, error) {
	if found, ok := c.compiled.Load(pattern); ok {
		p := found.(compiledPattern)
		return p.expression, p.err
	}
	expression, err := regex.Compile(regex.ECMAUnicode, pattern)
	c.compiled.Store(pattern, compiledPattern{expression, err})
	return expression, err
}

// refused returns the engine's own words when it does not compile the pattern.
func refused(err error) (message string, ok bool) {
	var syntax *regex.SyntaxError
	if errors.As(err, &syntax) {
		return syntax.Msg, true
	}
	return "", false
}
