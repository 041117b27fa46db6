package cfworker_test

import (
	"testing"

	_ "github.com/hostmatrix/conform/validators/cfworker"
	"github.com/hostmatrix/conform/validators/internal/fuzzing"
)

// FuzzValidate: whatever stands in schema and instance, there is an answer.
func FuzzValidate(f *testing.F) {
	fuzzing.Validate(f, []string{"cfworker-dispatch", "cfworker-2020"})
}
