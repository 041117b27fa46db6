package pyjsonschema_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/internal/agreement"
	_ "github.com/hostmatrix/conform/validators/pyjsonschema"
)

func verdict(schemaText, instance string) (outcome, words string) {
	GinkgoHelper()
	return agreement.Verdict("python-jsonschema", schemaText, instance)
}

// The texts below are those of jsonschema 4.26.0 on CPython 3.11.
var _ = DescribeTable("whole texts",
	func(schemaText, instance, want string) {
		outcome, text := verdict(schemaText, instance)
		Expect(outcome).To(Equal("invalid"), text)
		Expect(text).To(Equal(want))
	},
	Entry("a type, with schema and instance laid out",
		`{"type":"object","properties":{"name":{"type":"string","description":"the full name of the person whose record this is, as spoken"}}}`, `{"name":5}`,
		"5 is not of type 'string'\n\nFailed validating 'type' in schema['properties']['name']:\n"+
			"    {'type': 'string',\n     'description': 'the full name of the person whose record this is, as '\n                    'spoken'}\n\n"+
			"On instance['name']:\n    5"),
	Entry("a false schema leaves no trace of its place", `{"properties":{"a":false}}`, `{"a":null}`,
		"False schema does not allow None\n\nFailed validating None in schema:\n    False\n\nOn instance:\n    None"),
	Entry("the deepest error of an anyOf whose branches differ in depth",
		`{"anyOf":[{"type":"string"},{"properties":{"a":{"type":"integer"}}}]}`, `{"a":"x"}`,
		"'x' is not of type 'integer'\n\nFailed validating 'type' in schema[1]['properties']['a']:\n    {'type': 'integer'}\n\nOn instance['a']:\n    'x'"),
	Entry("a list of more than one line", `{"maxItems":0}`, `["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","ccccccccc"]`,
		"['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'ccccccccc'] is expected to be empty\n\n"+
			"Failed validating 'maxItems' in schema:\n    {'maxItems': 0}\n\nOn instance:\n"+
			"    ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',\n     'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',\n     'ccccccccc']"),
)

var _ = DescribeTable("messages",
	func(schemaText, instance, want string) {
		outcome, text := verdict(schemaText, instance)
		message, _, _ := strings.Cut(text, "\n\n")
		Expect(outcome + ": " + message).To(Equal(want))
	},
	Entry("quotes as Python chooses them", `{"const":1}`, `{"it's":"\"\u0007é\u2028😀"}`, `invalid: 1 was expected`),
	Entry("escapes", `{"maxLength":0}`, `"it's \"\u0007\" é\u2028😀\ud800"`, `invalid: 'it\'s "\x07" é\u2028😀\ud800' is expected to be empty`),
	Entry("floats", `{"enum":[1e16,1e-5,0.1,1e400,100.0,-0.0]}`, `true`, `invalid: True is not one of [1e+16, 1e-05, 0.1, inf, 100.0, -0.0]`),
	Entry("exact integers", `{"maximum":9007199254740992}`, `9007199254740993`, `invalid: 9007199254740993 is greater than the maximum of 9007199254740992`),
	Entry("float division", `{"multipleOf":0.01}`, `0.07`, `invalid: 0.07 is not a multiple of 0.01`),
	Entry("an overflowing quotient is divided exactly", `{"multipleOf":0.5}`, `1e308`, `valid: `),
	Entry("infinity under an int", `{"multipleOf":3}`, `1e400`, `invalid: inf is not a multiple of 3`),
	Entry("infinity under a float", `{"multipleOf":0.5}`, `1e400`, `thrown: OverflowError: cannot convert Infinity to integer ratio`),
	Entry("1.0 is an integer", `{"type":"integer"}`, `1.0`, `valid: `),
	Entry("but not in draft-04", `{"$schema":"http://json-schema.org/draft-04/schema#","type":"integer"}`, `1.0`, `invalid: 1.0 is not of type 'integer'`),
	Entry("True is not 1", `{"uniqueItems":true}`, `[1,true]`, `valid: `),
	Entry("sorting hides a duplicate", `{"uniqueItems":true}`, `[[1],[true],[1]]`, `valid: `),
	Entry("mixed types are compared pair by pair", `{"uniqueItems":true}`, `["a",1,"a"]`, `invalid: ['a', 1, 'a'] has non-unique elements`),
	Entry("extra members, sorted", `{"additionalProperties":false}`, `{"b":1,"a":2}`, `invalid: Additional properties are not allowed ('a', 'b' were unexpected)`),
	Entry("beside patterns", `{"patternProperties":{"^x":{}},"additionalProperties":false}`, `{"b":1}`, `invalid: 'b' does not match any of the regexes: '^x'`),
	Entry("flags of one pattern reach the joined one", `{"patternProperties":{"x":{},"(?i)y":{}},"additionalProperties":false}`, `{"b":1}`,
		`thrown: error: global flags not at the start of the expression at position 2`),
	Entry("a second match of oneOf comes first", `{"oneOf":[{"type":"string"},{"minLength":1}]}`, `"x"`, `invalid: 'x' is valid under each of {'minLength': 1}, {'type': 'string'}`),
	Entry("items beyond the prefix", `{"prefixItems":[{}],"items":false}`, `[1,2,3]`, `invalid: Expected at most 1 item but found 2 extra: [2, 3]`),
	Entry("contains", `{"contains":{"const":1},"maxContains":1}`, `[1,1]`, `invalid: Too many items match the given schema (expected at most 1)`),
	Entry("format is not checked", `{"format":"ipv4"}`, `"x"`, `valid: `),
	Entry("Python's digits and dollar", `{"pattern":"^\\d$"}`, `"٣\n"`, `valid: `),
	Entry("draft-07 ignores what stands beside $ref", `{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"s":{}},"properties":{"a":{"$ref":"#/definitions/s","maxLength":1}}}`, `{"a":"xx"}`, `valid: `),
	Entry("https is not draft-07", `{"$schema":"https://json-schema.org/draft-07/schema#","items":[{}]}`, `[]`, `compile error: [{}] is not of type 'object', 'boolean'`),
	Entry("a $schema that is no string", `{"$schema":5}`, `1`, `compile error: AttributeError: 'int' object has no attribute 'decode'`),
	Entry("a pattern that Python refuses", `{"pattern":"\\p{L}"}`, `1`, `compile error: '\\p{L}' is not a 'regex'`),
	Entry("a dangling reference, only when reached", `{"properties":{"a":{"$ref":"#/$defs/no"}}}`, `{}`, `valid: `),
	Entry("is thrown", `{"properties":{"a":{"$ref":"#/$defs/no"}}}`, `{"a":1}`,
		`thrown: _WrappedReferencingError: PointerToNowhere: '/$defs/no' does not exist within {'properties': {'a': {'$ref': '#/$defs/no'}}}`),
	Entry("as is a remote one", `{"$ref":"https://x.test/s#/a"}`, `1`, `thrown: _WrappedReferencingError: Unresolvable: https://x.test/s#/a`),
	Entry("an unknown type behind a reference", `{"$ref":"#/components/x","components":{"x":{"type":"any"}}}`, `1`, `thrown: UnknownType: Unknown type 'any' for validator with schema:
    {'type': 'any'}`),
	Entry("dynamic references find the outermost", `{"$id":"https://x.test/r","$ref":"list","$defs":{"n":{"$dynamicAnchor":"item","type":"integer"},"list":{"$id":"list","items":{"$dynamicRef":"#item"},"$defs":{"any":{"$dynamicAnchor":"item"}}}}}`, `["x"]`, `invalid: 'x' is not of type 'integer'`),
	Entry("unevaluated members, once per error", `{"unevaluatedProperties":{"type":"string","minimum":5}}`, `{"a":1}`, `invalid: Unevaluated properties are not valid under the given schema ('a', 'a' were unevaluated and invalid)`),
	Entry("items beside additionalItems", `{"$schema":"http://json-schema.org/draft-07/schema#","items":true,"additionalItems":false}`, `[1]`, `thrown: TypeError: object of type 'bool' has no len()`),
	Entry("a loop", `{"$ref":"#"}`, `1`, `thrown: RecursionError: maximum recursion depth exceeded while calling a Python object`),
)

var _ = Describe("limits", func() {
	It("does not decide near Python's recursion limit", func() {
		nested := func(n int) string { return strings.Repeat(`{"not":`, n) + `{}` + strings.Repeat(`}`, n) }
		outcome, _ := verdict(nested(100), `1`)
		Expect(outcome).To(Equal("valid"))
		outcome, why := verdict(nested(120), `1`)
		Expect(outcome).To(Equal("cannot tell"))
		Expect(why).To(ContainSubstring("recursion limit"))
		outcome, text := verdict(nested(200), `1`)
		Expect(outcome).To(Equal("compile error"))
		Expect(text).To(HavePrefix("RecursionError"))
	})
	It("ends an exponential fan", func() {
		var b strings.Builder
		for i := range 30 {
			b.WriteString(`"a` + strings.Repeat("x", i) + `":{"allOf":[{"$ref":"#/$defs/a` + strings.Repeat("x", i+1) + `"},{"$ref":"#/$defs/a` + strings.Repeat("x", i+1) + `"}]},`)
		}
		outcome, why := verdict(`{"$ref":"#/$defs/a","$defs":{`+b.String()+`"a`+strings.Repeat("x", 30)+`":{}}}`, `1`)
		Expect(outcome).To(Equal("unknown"))
		Expect(why).To(ContainSubstring("steps"))
	})
	It("takes a megabyte of anyOf", func() {
		outcome, _ := verdict(`{"anyOf":[`+strings.Repeat(`{"minLength":2},`, 60_000)+`{"type":"null"}]}`, `null`)
		Expect(outcome).To(Equal("valid"))
	})
	It("gives up on a pattern that runs away", func() {
		outcome, why := verdict(`{"pattern":"^(a|aa)+$"}`, `"`+strings.Repeat("a", 60)+`!"`)
		Expect(outcome).To(Equal("unknown"))
		Expect(why).To(ContainSubstring("gave up"))
	})
	It("refuses integers that Python refuses", func() {
		outcome, why := verdict(`{}`, strings.Repeat("9", 5000))
		Expect(outcome).To(Equal("unknown"))
		Expect(why).To(ContainSubstring("4300"))
	})
	It("points to the keyword in the document", func() {
		v, err := validators.Compile("python-jsonschema", schema.MustParse(`{"properties":{"a/b":{"$ref":"#/$defs/s"}},"$defs":{"s":{"anyOf":[{"type":"string"},{"items":{"type":"null"}}]}}}`))
		Expect(err).NotTo(HaveOccurred())
		r := v.Validate(schema.MustParse(`{"a/b":[1]}`))
		Expect(r.Violations).To(HaveLen(1))
		Expect(r.Violations[0].Message).To(Equal("1 is not of type 'null'"))
		Expect(r.Violations[0].Keyword).To(Equal("type"))
		Expect(r.Violations[0].Schema.String()).To(Equal("/$defs/s/anyOf/1/items/type"))
		Expect(r.Violations[0].Instance.String()).To(Equal("/a~1b/0"))
	})
})
