package cfworker

import (
	"errors"

	"github.com/hostmatrix/conform/validators/regex"
)

// refused returns the engine's own words when it does not compile the pattern.
func refused(err error) (message string, ok bool) {
	var syntax *regex.SyntaxError
	if errors.As(err, &syntax) {
		return syntax.Msg, true
	}
	return "", false
}
