package gosdk_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	_ "github.com/hostmatrix/conform/validators/gosdk"
	"github.com/hostmatrix/conform/validators/internal/agreement"
)

func verdict(schemaText, instance string) (outcome, words string) {
	GinkgoHelper()
	return agreement.Verdict("jsonschema-go", schemaText, instance)
}

var _ = DescribeTable("verdicts of google/jsonschema-go",
	func(schemaText, instance, want, text string) {
		got, words := verdict(schemaText, instance)
		Expect(got).To(Equal(want), words)
		Expect(words).To(ContainSubstring(text))
	},
	Entry("a wrong type, in its words", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"a":1}`, "invalid",
		`validating root: validating /properties/a: type: 1 has type "integer", want "string"`),
	Entry("formats are not asserted", `{"format":"ipv4"}`, `"x"`, "valid", ""),
	Entry("draft-07 by $schema", `{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}]}`, `[1]`, "invalid", "string"),
	Entry("another $schema is refused", `{"$schema":"http://json-schema.org/draft-04/schema#"}`, `1`, "compile error", "cannot validate version"),
	Entry("a keyword of the wrong type", `{"required":true}`, `{}`, "compile error", "cannot unmarshal"),
	Entry("a pattern beyond RE2", `{"pattern":"(?!x)"}`, `"y"`, "compile error", "error parsing regexp"),
	Entry("a remote reference", `{"$ref":"https://x.test/s"}`, `1`, "compile error", "no loader"),
	Entry("a number beyond a double", `{"type":"number"}`, `1e400`, "thrown", "unmarshaling output"),
	Entry("a default that does not match", `{"properties":{"a":{"type":"string","default":5}}}`, `{}`, "compile error", "want"),
	Entry("defaults come before required", `{"properties":{"a":{"default":5}},"required":["a"]}`, `{}`, "invalid", "required"),
	Entry("a recursive type is fine", `{"properties":{"a":{"$ref":"#"}},"additionalProperties":false}`, `{"a":{"a":{"b":1}}}`, "invalid", `unexpected additional properties ["b"]`),
	Entry("a cycle without data never starts", `{"allOf":[{"$ref":"#"}]}`, `1`, "unknown", "refers to itself"),
	Entry("nor one through definitions", `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, `1`, "unknown", "refers to itself"),
	Entry("nor one whose keywords are written in another case", `{"AnYOf":[{"$Ref":"#"}]}`, `[]`, "unknown", "refers to itself"),
	Entry("nor one to such a keyword", `{"$ref":"#/allOf/0","ALLOF":[{"$ref":"#/allOf/0"}]}`, `[]`, "unknown", "refers to itself"),
	Entry("nor one of members that stand twice", `{"$defs":{"a":{"$ref":"#/$defs/a"}},"$DEFS":{"b":{}},"$ref":"#/$defs/a"}`, `[]`, "unknown", "refers to itself"),
	Entry("keywords in another case count", `{"Type":"string"}`, `1`, "invalid", `want "string"`),
	Entry("nor one that a default leads into", `{"properties":{"a":{"default":1}},"patternProperties":{"^a":{"$ref":"#/$defs/c"}},"$defs":{"c":{"$ref":"#/$defs/c"}}}`, `{}`, "unknown", "refers to itself"),
	Entry("nor one that an object in place of null leads into", `{"type":"object","properties":{"a":{"properties":{"b":{"default":1}}}},"additionalProperties":false,"patternProperties":{"^a":{"$ref":"#/$defs/c"}},"$defs":{"c":{"$ref":"#/$defs/c"}}}`, `null`, "unknown", "refers to itself"),
	Entry("nor one through an anchor", `{"$anchor":"r","not":{"$ref":"#r"}}`, `1`, "unknown", "refers to itself"),
	Entry("nor one through an anchor of draft-07", `{"$schema":"http://json-schema.org/draft-07/schema#","not":{"$id":"#r","not":{"$ref":"#r"}}}`, `1`, "unknown", "refers to itself"),
	Entry("nor one through a directory", `{"$id":"http://x.test/d/","not":{"$ref":"."}}`, `1`, "unknown", "refers to itself"),
	Entry("nor one through an escape", `{"$id":"http://x.test/é","not":{"$ref":"%C3%A9"}}`, `1`, "unknown", "refers to itself"),
	Entry("a recursive type with an id is fine", `{"$id":"http://x.test/a","properties":{"a":{"$ref":"#"},"b":{"$ref":"a"},"c":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"null"}}}`, `{"a":{"b":{"c":1}}}`, "invalid", "null"),
	Entry("nor one under an id", `{"$defs":{"a":{"$id":"http://x.test/a","$defs":{"b":{"$ref":"#/$defs/b"}}}},"$ref":"http://x.test/a#/$defs/b"}`, `1`, "unknown", "refers to itself"),
)

var _ = Describe("limits", func() {
	It("refuses an exponential fan", func() {
		var b strings.Builder
		for i := range 30 {
			b.WriteString(`"a` + strings.Repeat("x", i) + `":{"allOf":[{"$ref":"#/$defs/a` + strings.Repeat("x", i+1) +
				`"},{"$ref":"#/$defs/a` + strings.Repeat("x", i+1) + `"}]},`)
		}
		got, why := verdict(`{"$ref":"#/$defs/a","$defs":{`+b.String()+`"a`+strings.Repeat("x", 30)+`":{}}}`, `1`)
		Expect(got).To(Equal("unknown"))
		Expect(why).To(ContainSubstring("steps"))
	})
	It("refuses depth", func() {
		got, _ := verdict(strings.Repeat(`{"not":`, 5_000)+`{}`+strings.Repeat(`}`, 5_000), `1`)
		Expect(got).To(Equal("cannot tell"))
	})
})
