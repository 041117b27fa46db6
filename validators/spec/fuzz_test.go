package spec_test

import (
	"testing"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/internal/fuzzing"
	_ "github.com/hostmatrix/conform/validators/spec"
)

// FuzzValidate: whatever stands in schema and instance, there is an answer.
// What is compiled on trust is judged as with care.
func FuzzValidate(f *testing.F) {
	fuzzing.Validate(f, []string{"2020-12-formats", "draft-07"}, func(t *testing.T, document, instance *schema.Value) {
		if _, found := differences(document, []*schema.Value{instance}); found != nil {
			t.Error(found)
		}
	})
}
