package ajv

import (
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// Compile2020 is the Ajv2020 of the lax profiles without any look at $schema.
func Compile2020(document *schema.Value) (validators.Validator, error) {
	return compileDocument(always(lax("2020-12")), "", document)
}
