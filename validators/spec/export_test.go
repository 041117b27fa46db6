package spec

import (
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// BothWays compiles a plain document on trust and with care; ok is false for
// another one, and for one that is refused either way.
func BothWays(dialect string, formats bool, document *schema.Value) (trusted, careful validators.Validator, ok bool, err error) {
	found, ok := look(dialect, document)
	if !ok {
		return nil, nil, false, nil
	}
	a, err := compileTrusted(found, formats, document)
	if err != nil {
		return nil, nil, false, nil
	}
	b, err := compileCarefully(dialect, formats, document)
	return a, b, true, err
}
