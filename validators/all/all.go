// Package all registers every validator profile; import it for its side effect.
package all

import (
	_ "github.com/hostmatrix/conform/validators/ajv"
	_ "github.com/hostmatrix/conform/validators/cfworker"
	_ "github.com/hostmatrix/conform/validators/gosdk"
	_ "github.com/hostmatrix/conform/validators/networknt"
	_ "github.com/hostmatrix/conform/validators/pyjsonschema"
	_ "github.com/hostmatrix/conform/validators/spec"
)
