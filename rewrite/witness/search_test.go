package witness_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// property puts a schema under the property a of an object.
func property(s string) *schema.Value {
	return schema.MustParse(`{"type":"object","properties":{"a":` + s + `}}`)
}

var _ = Describe("Search", func() {
	DescribeTable("finds what a profile rejects and the dialect accepts",
		func(document *schema.Value, profile, smallest, keyword string, ordinary bool) {
			answer := witness.Search(document, profile, witness.Options{})
			Expect(answer.Kind).To(Equal(witness.Found), "%+v", answer)
			w := answer.Witnesses[0]
			Expect(w.Instance.Compact()).To(Equal(smallest))
			Expect(w.Keyword).To(Equal(keyword))
			Expect(w.Ordinary).To(Equal(ordinary))
			own, err := validators.Compile(answer.Dialect, document)
			Expect(err).NotTo(HaveOccurred())
			Expect(own.Validate(w.Instance).Outcome).To(Equal(validators.Valid))
		},
		Entry("a tuple closed behind its positions, read as draft-07",
			property(`{"type":"array","prefixItems":[{"type":"number"},{"type":"integer"}],"items":false,"minItems":2}`), "ajv8-draft07-lax",
			`{"a":[0,0]}`, "false schema", true),
		Entry("a rest beside positions", property(`{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"number"}}`), "ajv8-draft07-lax",
			`{"a":[""]}`, "type", true),
		Entry("minContains 0", property(`{"type":"array","contains":{"type":"string"},"minContains":0}`), "ajv8-draft07-lax",
			`{"a":[0]}`, "type", true),
		Entry("a decimal multiple", property(`{"type":"number","multipleOf":0.01}`), "ajv8-dispatch", `{"a":0.07}`, "multipleOf", true),
		Entry("keywords beside $ref under a draft-07 tag",
			schema.MustParse(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"$ref":"#/definitions/S","maxLength":2}},"definitions":{"S":{"type":"string"}}}`),
			"ajv8-draft07-lax", `{"a":"text"}`, "maxLength", true),
		Entry("a time without an offset", property(`{"type":"string","format":"date-time"}`), "ajv8-draft07-lax",
			`{"a":"2026-01-15T09:30:00"}`, "format", false),
		Entry("a name that every JavaScript object seems to have", property(`{"type":"object","properties":{"toString":{"type":"string"}}}`), "ajv8-dispatch",
			`{"a":{}}`, "type", true),
	)

	It("tries lists where the schema is one of lists", func() {
		answer := witness.Search(schema.MustParse(`{"type":"array","prefixItems":[{"type":"number"}],"items":false,"minItems":1}`), "ajv8-draft07-lax", witness.Options{})
		Expect(answer.Kind).To(Equal(witness.Found))
		Expect(answer.Witnesses[0].Instance.Compact()).To(Equal("[0]"))
	})

	It("says that nothing can differ where only common keywords stand", func() {
		document := schema.MustParse(`{"type":"object","required":["id"],"additionalProperties":false,"properties":{"id":{"type":"string","minLength":1},
			"n":{"type":"integer","minimum":0},"tags":{"type":"array","items":{"enum":["a","b",null]}},"d":{"$ref":"#/$defs/D"}},"$defs":{"D":{"anyOf":[{"type":"number"},{"type":"null"}]}}}`)
		for _, p := range []string{"ajv8-draft07-lax", "ajv8-dispatch", "cfworker-2020", "python-jsonschema", "draft-07"} {
			Expect(witness.Search(document, p, witness.Options{}).Kind).To(Equal(witness.Proven), p)
		}
	})

	It("says how much was tried where there is neither proof nor witness", func() {
		answer := witness.Search(property(`{"type":"string","pattern":"^\\d{2}$"}`), "ajv8-draft07-lax", witness.Options{Budget: 40})
		Expect(answer.Kind).To(Equal(witness.Tried))
		Expect(answer.Accepted).To(BeNumerically(">", 0))
		Expect(answer.Generated).To(BeNumerically("<=", 40))
	})

	It("tells a schema that the host cannot compile, in the host's words", func() {
		answer := witness.Search(property(`{"type":"string","pattern":"^a\\-b$"}`), "ajv8-draft07-lax", witness.Options{})
		Expect(answer.Kind).To(Equal(witness.Uncompilable))
		Expect(answer.Why).To(ContainSubstring("Invalid regular expression"))
	})

	It("reports what the host takes and the dialect forbids, as information", func() {
		answer := witness.Search(property(`{"type":"object","unevaluatedProperties":false}`), "ajv8-draft07-lax", witness.Options{})
		Expect(answer.Witnesses).To(BeEmpty())
		Expect(answer.Lenient).NotTo(BeNil())
		Expect(answer.Lenient.Outcome).To(Equal(validators.Valid))
	})

	It("gives the same answer twice, and another seed may not change the verdict", func() {
		document := property(`{"type":"array","prefixItems":[{"type":"number"}],"items":false}`)
		first := witness.Search(document, "ajv8-draft07-lax", witness.Options{Seed: 1})
		again := witness.Search(document, "ajv8-draft07-lax", witness.Options{Seed: 1})
		Expect(again.Witnesses[0].Instance.Compact()).To(Equal(first.Witnesses[0].Instance.Compact()))
		Expect(again.Generated).To(Equal(first.Generated))
		other := witness.Search(document, "ajv8-draft07-lax", witness.Options{Seed: 2})
		Expect(other.Kind).To(Equal(first.Kind))
	})

	DescribeTable("ends soon on hostile schemas", func(text string) {
		document := schema.MustParse(text)
		for _, p := range []string{"ajv8-draft07-lax", "cfworker-dispatch", "python-jsonschema"} {
			witness.Search(document, p, witness.Options{})
		}
	},
		Entry("a reference to itself", `{"$ref":"#"}`),
		Entry("a tree that never ends", `{"type":"object","required":["a"],"properties":{"a":{"$ref":"#"}}}`),
		Entry("unions of unions", `{"type":"object","properties":{"a":`+strings.Repeat(`{"anyOf":[{"type":"string"},`, 30)+`{}`+strings.Repeat(`]}`, 30)+`}}`),
		Entry("huge bounds", `{"type":"object","properties":{"a":{"type":"array","minItems":1000000000},"b":{"type":"string","minLength":1000000000},"c":{"minimum":1e4999}}}`),
		Entry("many members", `{"type":"object","properties":{`+strings.TrimSuffix(strings.Repeat(`"p":{"format":"date-time"},`, 3000), ",")+`}}`),
		Entry("nothing but nesting", strings.Repeat(`{"properties":{"a":`, 200)+`{}`+strings.Repeat(`}}`, 200)),
		Entry("no schema at all", `[1,2]`),
	)
})
