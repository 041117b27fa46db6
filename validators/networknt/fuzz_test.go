package networknt_test

import (
	"testing"

	"github.com/hostmatrix/conform/validators/internal/fuzzing"
	_ "github.com/hostmatrix/conform/validators/networknt"
)

// FuzzValidate: whatever stands in schema and instance, there is an answer.
func FuzzValidate(f *testing.F) {
	fuzzing.Validate(f, []string{"networknt-2020"})
}
