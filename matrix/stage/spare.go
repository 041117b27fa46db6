package stage

import "github.com/hostmatrix/conform/validators"

// maxExhausted is how many tools of a server may use a validator's whole budget up. A
// server of hostile schemas would else take that time for each of its tools; and which
// tools are spared must not depend on a clock, or two runs would differ.
const maxExhausted = 3

// sparedText is the reason of what is not checked for that.
const sparedText = "not checked: the validator used up its budget on several tools of this server already, and this schema is not one of the plain ones that cost little"

// spared reports whether a schema is left out because the server's other ones were
// too dear.
func (s *State) spared(v validators.Validator) bool {
	return s.exhausted >= maxExhausted && !validators.Plain(v)
}
