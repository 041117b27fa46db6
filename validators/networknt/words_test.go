package networknt_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/validators/internal/agreement"
)

const (
	prefix = "invalid: Validation failed: JSON schema validation errors: "
	threw  = "invalid: Unexpected validation error: "
)

func verdict(schemaText, instance string) string {
	GinkgoHelper()
	return agreement.Line("networknt-2020", schemaText, instance)
}

// The texts below are those of networknt 3.0.6 in the Java SDK 2.1.0 on Java 17.
var _ = DescribeTable("words",
	func(schemaText, instance, want string) {
		Expect(verdict(schemaText, instance)).To(Equal(want))
	},
	Entry("places are pointers", `{"properties":{"a/b~\n":{"items":{"type":"string"}}}}`, `{"a/b~\n":["x",1]}`, prefix+`[/a~1b~0\n/1: integer found, string expected]`),
	Entry("type comes first, unevaluated last", `{"unevaluatedProperties":false,"minProperties":2,"type":"array"}`, `{"a":1}`,
		prefix+`[: object found, array expected, : must have at least 2 properties, : property 'a' is not evaluated and the schema does not allow unevaluated properties]`),
	Entry("anyOf has no sentence of its own", `{"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{}`, prefix+`[: required property 'a' not found, : required property 'b' not found]`),
	Entry("oneOf names the matches", `{"oneOf":[{},{"required":["b"]},{}]}`, `{}`,
		prefix+`[: must be valid to one and only one schema, but 2 are valid with indexes '0, 2', : required property 'b' not found]`),
	Entry("numbers as Java writes them", `{"properties":{"a":{"multipleOf":1000000},"b":{"minimum":1e21},"c":{"maximum":0.0001},"d":{"minLength":12345},"e":{"const":1.50},"f":{"multipleOf":0.0000001}}}`,
		`{"a":1,"b":1,"c":1,"d":"x","e":1,"f":0.00000001}`,
		prefix+`[/a: must be multiple of 1E+6, /b: must have a minimum value of 1.0E21, /c: must have a maximum value of 1.0E-4, /d: must be at least 12,345 characters long, /e: must be the constant value '1.5', /f: must be multiple of 1E-7]`),
	Entry("a limit beside integer drops the fraction", `{"type":"integer","maximum":3}`, `3.7`, prefix+`[: number found, integer expected]`),
	Entry("1 and 1.0 in enum", `{"enum":[1,[1]]}`, `1.0`, `valid`),
	Entry("1 and 1.0 deeper", `{"enum":[[[1]]]}`, `[[1.0]]`, prefix+`[: does not have a value in the enumeration [[[1]]]]`),
	Entry("1 and 1.0 in uniqueItems", `{"uniqueItems":true}`, `[1,1.0,1]`, prefix+`[: must have only unique items in the array]`),
	Entry("a string is JSON text", `{"type":"integer"}`, `"5"`, `valid`),
	Entry("or is not", `{}`, `"a b"`, "invalid: Error parsing tool JSON Schema: Unrecognized token 'a': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n"+
		" at [Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); byte offset: #UNKNOWN]"),
	Entry("null", `{}`, `null`, `thrown: java.lang.IllegalArgumentException: Structured content must not be null`),
	Entry("a boolean schema", `true`, `1`, `compile error: Failed to read value`),
	Entry("base64 without padding, no document at all", `{"$schema":"http://json-schema.org/draft-07/schema#","items":{"contentEncoding":"base64","contentMediaType":"application/json"}}`, `["MQ","","IA==","1D"]`,
		prefix+`[/3: is not a content media type]`),
	Entry("an unknown dialect", `{"$schema":"urn:x"}`, `{}`, threw+`Failed to load dialect 'urn:x'`),
	Entry("a list of items", `{"items":[{}]}`, `{}`, threw+`java.lang.IllegalArgumentException: The value of 'items' MUST be a valid JSON Schema.`),
	Entry("in draft-07", `{"$schema":"http://json-schema.org/draft-07/schema","items":[{"type":"string"}],"additionalItems":false}`, `["a",1]`,
		prefix+`[: index '1' is not defined in the schema and the schema does not allow additional items]`),
	Entry("formats count in draft-07", `{"$schema":"http://json-schema.org/draft-07/schema#","format":"date"}`, `"\"x\""`, prefix+`[: does not match the date pattern must be a valid RFC 3339 full-date]`),
	Entry("and not in 2020-12", `{"format":"date"}`, `"\"x\""`, `valid`),
	Entry("an unused definition", `{"$defs":{"u":{"minimum":"1"}}}`, `{}`, threw+`minimum value is not a number`),
	Entry("id", `{"properties":{"a":{"id":"x"}}}`, `{}`, threw+`java.lang.UnsupportedOperationException: No suitable validator for id`),
	Entry("a relative id", `{"$id":"Node"}`, `{}`, threw+`'Node' is not a valid $id`),
	Entry("a pattern that Java refuses", `{"pattern":"["}`, `{}`, threw+"java.util.regex.PatternSyntaxException: Unclosed character class near index 0\n[\n^"),
	Entry("a dangling reference, when reached", `{"properties":{"a":{"$ref":"#/$defs/no"}}}`, `{"a":1}`, threw+`Reference /$defs/no cannot be resolved`),
	Entry("a remote one", `{"$ref":"https://x.test/s"}`, `{}`, threw+`java.io.FileNotFoundException: https://x.test/s`),
	Entry("dependencies print a HashMap", `{"dependencies":{"b":["c"],"a":["d"],"zz":["y"]}}`, `{"a":1}`, prefix+`[: has an error with dependencies {zz=[y], a=[d], b=[c]}]`),
	Entry("a false schema names the step before it", `{"properties":{"a":false},"not":false}`, `{"a":1}`, prefix+`[/a: schema for 'a' is false]`),
	Entry("limits that contradict", `{"minContains":2,"maxContains":1}`, `{}`, prefix+`[: minContains must less than or equal to maxContains in {"minContains":2,"maxContains":1}, : minContains must less than or equal to maxContains in {"minContains":2,"maxContains":1}]`),
	Entry("a loop", `{"$ref":"#"}`, `{}`, `thrown: java.lang.StackOverflowError`),
)

var _ = Describe("limits", func() {
	It("does not build what is too deep or too wide", func() {
		Expect(verdict(strings.Repeat(`{"not":`, 5_000)+`{}`+strings.Repeat(`}`, 5_000), `{}`)).To(HavePrefix("cannot tell: the schema is nested"))
		Expect(verdict(`{"anyOf":[`+strings.Repeat(`{},`, 150_000)+`{}]}`, `{}`)).To(HavePrefix("cannot tell: the schema has more than"))
	})
	It("ends an exponential fan", func() {
		var b strings.Builder
		for i := range 30 {
			b.WriteString(`"a` + strings.Repeat("x", i) + `":{"allOf":[{"$ref":"#/$defs/a` + strings.Repeat("x", i+1) + `"},{"$ref":"#/$defs/a` + strings.Repeat("x", i+1) + `"}]},`)
		}
		Expect(verdict(`{"$ref":"#/$defs/a","$defs":{`+b.String()+`"a`+strings.Repeat("x", 30)+`":{}}}`, `{}`)).To(HavePrefix("unknown: validation takes more than"))
	})
	It("gives up on a pattern that runs away", func() {
		Expect(verdict(`{"items":{"pattern":"^(a|aa)+$"}}`, `["`+strings.Repeat("a", 60)+`!"]`)).To(HavePrefix("unknown: "))
	})
})
