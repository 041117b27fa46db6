package gosdk_test

import (
	"testing"

	"github.com/hostmatrix/conform/schema"
	_ "github.com/hostmatrix/conform/validators/gosdk"
	"github.com/hostmatrix/conform/validators/internal/fuzzing"
)

// FuzzValidate: whatever stands in schema and instance, there is an answer.
// What is decoded directly is what encoding/json makes of it.
func FuzzValidate(f *testing.F) {
	fuzzing.Validate(f, []string{"jsonschema-go"}, func(t *testing.T, document, instance *schema.Value) {
		if _, difference := decodedAlike(document); difference != "" {
			t.Error(difference)
		}
		if difference := valueAlike(instance); difference != "" {
			t.Error(difference)
		}
	})
}
