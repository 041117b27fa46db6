package agreement

import (
	"errors"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// Verdict is what the profile says of one instance: the outcome's name, "compile
// error" or "cannot tell", and the words that go with it. Another error fails the
// spec.
func Verdict(profile, schemaText, instance string) (outcome, words string) {
	ginkgo.GinkgoHelper()
	v, err := validators.Compile(profile, schema.MustParse(schemaText))
	var refused *validators.CompileError
	var unknown *validators.UnknownError
	switch {
	case errors.As(err, &refused):
		return "compile error", refused.Text
	case errors.As(err, &unknown):
		return "cannot tell", unknown.Reason
	}
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	r := v.Validate(schema.MustParse(instance))
	return r.Outcome.String(), r.Text
}

// Line is Verdict as one string: the outcome, and its words if there are any.
func Line(profile, schemaText, instance string) string {
	ginkgo.GinkgoHelper()
	outcome, words := Verdict(profile, schemaText, instance)
	if words == "" {
		return outcome
	}
	return outcome + ": " + words
}
