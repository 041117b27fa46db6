package validators_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	_ "github.com/hostmatrix/conform/validators/spec"
)

var _ = DescribeTable("Refusal reads a schema by the dialect that it names",
	func(document, instance string, refused bool) {
		Expect(validators.Refusal(schema.MustParse(document), schema.MustParse(instance)) != "").To(Equal(refused))
	},
	Entry("takes", `{"type":"object"}`, `{}`, false),
	Entry("one of two is required", `{"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{}`, true),
	Entry("2020-12 without a word", `{"prefixItems":[{"type":"string"}]}`, `[1]`, true),
	Entry("draft-07 by name", `{"$schema":"http://json-schema.org/draft-07/schema#","prefixItems":[{"type":"string"}]}`, `[1]`, false),
	Entry("draft-07 by name, without the fragment", `{"$schema":"http://json-schema.org/draft-07/schema","prefixItems":[{"type":"string"}]}`, `[1]`, false),
	Entry("a schema that is none", `{"type":"no such type"}`, `{}`, false),
)
