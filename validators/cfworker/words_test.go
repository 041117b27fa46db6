package cfworker_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/internal/agreement"
)

// The texts below are those of releases 4.1.6 (cfworker-2020) and 4.1.1
// (cfworker-dispatch) on Node.js 20.
var _ = DescribeTable("words",
	func(schemaText, instance, want416, want411 string) {
		Expect(agreement.Line("cfworker-2020", schemaText, instance)).To(Equal(want416), "cfworker-2020")
		Expect(agreement.Line("cfworker-dispatch", schemaText, instance)).To(Equal(want411), "cfworker-dispatch")
	},
	Entry("every parent, percent-encoded", `{"properties":{"a/b~c d#é":{"items":{"type":"string"}}}}`, `{"a/b~c d#é":[1]}`,
		`invalid: #: Property "a/b~c d#é" does not match schema.; #/a~1b~0c%20d%23%C3%A9: Items did not match schema.; #/a~1b~0c%20d%23%C3%A9/0: Instance type "number" is invalid. Expected "string".`,
		`invalid: #: Property "a/b~c d#é" does not match schema.; #/a~1b~0c%20d#%C3%A9: Items did not match schema.; #/a~1b~0c%20d#%C3%A9/0: Instance type "number" is invalid. Expected "string".`),
	Entry("the first declared property ends it", `{"properties":{"a":{"type":"string"},"b":{"type":"string"}},"additionalProperties":false}`, `{"a":1,"b":1,"c":1}`,
		`invalid: #: Property "a" does not match schema.; #/a: Instance type "number" is invalid. Expected "string".`,
		`invalid: #: Property "a" does not match schema.; #/a: Instance type "number" is invalid. Expected "string".`),
	Entry("all additional ones are listed", `{"additionalProperties":false}`, `{"10":1,"b":1,"9":1}`,
		`invalid: #: Property "9" does not match additional properties schema.; #/9: False boolean schema.; #: Property "10" does not match additional properties schema.; #/10: False boolean schema.; #: Property "b" does not match additional properties schema.; #/b: False boolean schema.`,
		`invalid: #: Property "9" does not match additional properties schema.; #/9: False boolean schema.; #: Property "10" does not match additional properties schema.; #/10: False boolean schema.; #: Property "b" does not match additional properties schema.; #/b: False boolean schema.`),
	Entry("a file has no host, and a number is an address", `{"$id":"file:a","$ref":"http://0x7f.1/"}`, `1`,
		"thrown: Unresolved $ref \"http://0x7f.1/\".  Absolute URI \"http://127.0.0.1/\".\nKnown schemas:\n- file:///a",
		"thrown: Unresolved $ref \"http://0x7f.1/\".  Absolute URI \"http://127.0.0.1/\".\nKnown schemas:\n- file:///a"),
	Entry("a list of items is positional in every draft", `{"items":[{"type":"string"}],"additionalItems":false}`, `["a",1]`,
		`invalid: #: Items did not match additional items schema.; #/1: False boolean schema.`,
		`invalid: #: Items did not match additional items schema.; #/1: False boolean schema.`),
	Entry("less than where equal", `{"exclusiveMinimum":0}`, `0`, `invalid: #: 0 is less than 0.`, `invalid: #: 0 is less than 0.`),
	Entry("too many are too few", `{"maxProperties":0}`, `{"a":1}`, `invalid: #: Instance does not have at least 0 properties.`, `invalid: #: Instance does not have at least 0 properties.`),
	Entry("a toString that is no member", `{"properties":{"toString":{"type":"string"}}}`, `{}`, `valid`, `thrown: Instances of "function" type are not supported.`),
	Entry("a required toString", `{"required":["toString"]}`, `{}`, `invalid: #: Instance does not have required property "toString".`, `valid`),
	Entry("decimal multiples", `{"multipleOf":0.01}`, `0.07`, `valid`, `valid`),
	Entry("a remainder that 4.1.1 forgives", `{"multipleOf":1}`, `1.00000001`, `invalid: #: 1.00000001 is not a multiple of 1.`, `valid`),
	Entry("multiples of zero", `{"multipleOf":0}`, `1`, `invalid: #: 1 is not a multiple of 0.`, `valid`),
	Entry("{} and []", `{"const":[]}`, `{}`, `invalid: #: Instance does not match [].`, `valid`),
	Entry("an inherited member", `{"const":{"toString":1}}`, `{"__proto__":{}}`, `invalid: #: Instance does not match {"toString":1}.`, `valid`),
	Entry("the length of an array", `{"const":[0]}`, `{"length":1}`, `invalid: #: Instance does not match [0].`, `valid`),
	Entry("infinity is an integer", `{"type":"integer"}`, `1e400`, `valid`, `valid`),
	Entry("but not in a list", `{"type":["integer"]}`, `1e400`, `invalid: #: Instance type "number" is invalid. Expected "integer".`, `invalid: #: Instance type "number" is invalid. Expected "integer".`),
	Entry("numbers are doubles", `{"const":9007199254740993}`, `9007199254740992`, `valid`, `valid`),
	Entry("a pattern of the u flag, when reached", `{"pattern":"^a\\-b$"}`, `"a-b"`,
		`thrown: Invalid regular expression: /^a\-b$/u: Invalid escape`, `thrown: Invalid regular expression: /^a\-b$/u: Invalid escape`),
	Entry("a dangling reference, when reached", `{"properties":{"a":{"$ref":"#/$defs/no"}}}`, `{"a":1}`,
		"thrown: Unresolved $ref \"#/$defs/no\".  Absolute URI \"https://github.com/cfworker#/$defs/no\".\nKnown schemas:\n- https://github.com/cfworker\n- https://github.com/cfworker#/properties/a",
		"thrown: Unresolved $ref \"#/$defs/no\".  Absolute URI \"https://github.com/cfworker#/$defs/no\".\nKnown schemas:\n- https://github.com/cfworker\n- https://github.com/cfworker#/properties/a"),
	Entry("a reference with brackets", `{"$ref":"#/$defs/P[int]","$defs":{"P[int]":{"type":"string"}}}`, `1`,
		`invalid: #: A subschema had errors.; #: Instance type "number" is invalid. Expected "string".`,
		"thrown: Unresolved $ref \"#/$defs/P[int]\".  Absolute URI \"https://github.com/cfworker#/$defs/P[int]\".\nKnown schemas:\n- https://github.com/cfworker\n- https://github.com/cfworker#/$defs/P%5Bint%5D"),
	Entry("two schemas with one id", `{"$defs":{"a":{"$id":"x:a"},"b":{"$id":"x:a"}}}`, `1`, `compile error: Duplicate schema URI "x:a".`, `compile error: Duplicate schema URI "x:a".`),
	Entry("an id in an id", `{"$defs":{"a":{"$id":"x:a","$defs":{"b":{"$id":"x:b"}}}}}`, `1`, `valid`, `compile error: Duplicate schema URI "x:b".`),
	Entry("an id in an example", `{"example":{"id":"http://["}}`, `1`, `compile error: Invalid URL`, `compile error: Invalid URL`),
	Entry("draft-07 ignores what stands beside $ref", `{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/s","maxLength":1,"definitions":{"s":{}}}`, `"xx"`,
		`invalid: #: String is too long (2 > 1).`, `valid`),
	Entry("a null schema", `{"properties":{"a":null}}`, `{"a":1}`,
		`thrown: Cannot destructure property '$ref' of 'schema' as it is null.`, `thrown: Cannot destructure property '$ref' of 'schema' as it is null.`),
	Entry("true", `true`, `1`, `valid`, `compile error: Cannot use 'in' operator to search for '$schema' in true`),
	Entry("an enum that is none", `{"enum":5}`, `1`, `thrown: $enum.some is not a function`, `thrown: $enum.some is not a function`),
	Entry("a format of the prototype", `{"format":"__proto__"}`, `"x"`, `thrown: format[$format] is not a function`, `thrown: format[$format] is not a function`),
	Entry("a time without a zone", `{"format":"time"}`, `"03:04:05"`, `invalid: #: String does not match format "time".`, `valid`),
	Entry("a duration with a fraction", `{"format":"duration"}`, `"PT1.5S"`, `invalid: #: String does not match format "duration".`, `valid`),
	Entry("an e-mail host without a dot", `{"format":"email"}`, `"a@b"`, `valid`, `valid`),
	Entry("only if the condition holds does it evaluate", `{"if":{"properties":{"a":{"const":1}},"required":["b"]},"unevaluatedProperties":false}`, `{"a":1}`,
		`invalid: #: Property "a" does not match unevaluated properties schema.; #/a: False boolean schema.`, `valid`),
	Entry("a loop", `{"$ref":"#"}`, `1`, `thrown: Maximum call stack size exceeded`, `thrown: Maximum call stack size exceeded`),
)

var _ = Describe("limits", func() {
	It("does not decide near the end of the stack", func() {
		nested := strings.Repeat(`{"not":`, 600) + `{}` + strings.Repeat(`}`, 600)
		Expect(agreement.Line("cfworker-2020", nested, `1`)).To(HavePrefix("unknown: the schema or value is nested"))
	})
	It("ends an exponential fan", func() {
		var b strings.Builder
		for i := range 30 {
			b.WriteString(`"a` + strings.Repeat("x", i) + `":{"allOf":[{"$ref":"#/$defs/a` + strings.Repeat("x", i+1) + `"},{"$ref":"#/$defs/a` + strings.Repeat("x", i+1) + `"}]},`)
		}
		Expect(agreement.Line("cfworker-dispatch", `{"$ref":"#/$defs/a","$defs":{`+b.String()+`"a`+strings.Repeat("x", 30)+`":{}}}`, `1`)).To(HavePrefix("unknown: validation takes more than"))
	})
	It("ends ids within ids", func() {
		Expect(agreement.Line("cfworker-2020", strings.Repeat(`{"$id":"x:a","not":`, 40)+`{}`+strings.Repeat(`}`, 40), `1`)).To(Or(HavePrefix("cannot tell: "), HavePrefix("compile error: ")))
	})
	It("takes a megabyte of anyOf", func() {
		Expect(agreement.Line("cfworker-dispatch", `{"anyOf":[`+strings.Repeat(`{"minLength":2},`, 60_000)+`{"type":"null"}]}`, `null`)).To(Equal("valid"))
	})
	It("gives up on a pattern that runs away", func() {
		Expect(agreement.Line("cfworker-2020", `{"pattern":"^(a|aa)+$"}`, `"`+strings.Repeat("a", 60)+`!"`)).To(HavePrefix("unknown: "))
	})
	It("points to the keyword in the document", func() {
		v, err := validators.Compile("cfworker-2020", schema.MustParse(`{"properties":{"a/b":{"$ref":"#/$defs/s"}},"$defs":{"s":{"items":{"type":"null"}}}}`))
		Expect(err).NotTo(HaveOccurred())
		r := v.Validate(schema.MustParse(`{"a/b":[1]}`))
		last := r.Violations[len(r.Violations)-1]
		Expect(last.Keyword).To(Equal("type"))
		Expect(last.Schema.String()).To(Equal("/$defs/s/items/type"))
		Expect(last.Instance.String()).To(Equal("/a~1b/0"))
	})
})
