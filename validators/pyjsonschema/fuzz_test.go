package pyjsonschema_test

import (
	"testing"

	"github.com/hostmatrix/conform/validators/internal/fuzzing"
	_ "github.com/hostmatrix/conform/validators/pyjsonschema"
)

// FuzzValidate: whatever stands in schema and instance, there is an answer.
func FuzzValidate(f *testing.F) {
	fuzzing.Validate(f, []string{"python-jsonschema"})
}
