package spec_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/internal/agreement"
	"github.com/hostmatrix/conform/validators/spec"
)

var _ = DescribeTable("verdicts of the specification",
	func(profile, schemaText, instance, want, text string) {
		got, words := agreement.Verdict(profile, schemaText, instance)
		Expect(got).To(Equal(want), words)
		Expect(words).To(ContainSubstring(text))
	},
	Entry("$schema does not switch a fixed draft", "draft-07",
		`{"$schema":"https://json-schema.org/draft/2020-12/schema","properties":{"a":{"prefixItems":[false]}}}`, `{"a":[1]}`, "valid", ""),
	Entry("nor does a nested one with an $id", "2020-12",
		`{"properties":{"a":{"$id":"http://x.test/a","$schema":"http://json-schema.org/draft-07/schema#","prefixItems":[false]}}}`, `{"a":[1]}`, "invalid", "/a/0"),
	Entry("a property named $schema is no keyword", "2020-12",
		`{"properties":{"$schema":{"type":"string"}}}`, `{"$schema":5}`, "invalid", "got number, want string"),
	Entry("spec-dispatch goes by $schema", "spec-dispatch",
		`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}]}`, `[1]`, "invalid", "/0: got number, want string"),
	Entry("and refuses what it does not know", "spec-dispatch", `{"$schema":"http://x.test/d"}`, `1`, "compile error", "names no dialect"),
	Entry("an array of items is no 2020-12 schema", "2020-12", `{"items":[{}]}`, `[1]`, "compile error", "/items"),
	Entry("draft-07 ignores the siblings of $ref", "draft-07",
		`{"definitions":{"s":{"type":"string"}},"properties":{"a":{"$ref":"#/definitions/s","maxLength":1}}}`, `{"a":"long"}`, "valid", ""),
	Entry("format is an annotation", "draft-07", `{"format":"ipv4"}`, `"x"`, "valid", ""),
	Entry("format is an annotation in 2020-12", "2020-12", `{"format":"ipv4"}`, `"x"`, "valid", ""),
	Entry("format asserted", "2020-12-formats", `{"format":"ipv4"}`, `"x"`, "invalid", "ipv4"),
	Entry("format asserted in draft-07", "draft-07-formats", `{"format":"ipv4"}`, `"x"`, "invalid", "ipv4"),
	Entry("a format that is no string is no schema", "2020-12", `{"format":5}`, `1`, "compile error", "/format"),
	Entry("numbers are exact", "2020-12", `{"maximum":9007199254740992}`, `9007199254740993`, "invalid", "maximum"),
	Entry("1.0 is an integer", "2020-12", `{"type":"integer"}`, `1.0`, "valid", ""),
	Entry("a tenth divides three tenths", "2020-12", `{"multipleOf":0.1}`, `0.3`, "valid", ""),
	Entry("nothing is fetched", "2020-12", `{"$ref":"https://x.test/remote.json"}`, `1`, "compile error", "never fetched"),
	Entry("not even a file", "2020-12", `{"$ref":"file:///etc/hostname"}`, `1`, "compile error", "never fetched"),
	Entry("a metaschema is known", "2020-12", `{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, `{"type":5}`, "invalid", "/type"),
	Entry("a dangling reference", "2020-12", `{"$ref":"#/$defs/no"}`, `1`, "compile error", "$defs/no"),
	Entry("a reference cycle without data", "2020-12", `{"$ref":"#"}`, `1`, "unknown", "refers to itself"),
	Entry("a recursive type", "2020-12", `{"type":"object","additionalProperties":{"$ref":"#"}}`, `{"a":{"b":1}}`, "invalid", "/a/b"),
	Entry("a lone surrogate is one character", "2020-12", `{"maxLength":1}`, `"\ud83d"`, "valid", ""),
	Entry("an enum that draft-07 advises against", "draft-07", `{"$id":"https://x.test/s","enum":[1,1]}`, `1`, "valid", ""),
	Entry("extra properties in a fixed order", "2020-12", `{"additionalProperties":false}`, `{"c":1,"a":1,"d":1,"b":1}`, "invalid", "'a', 'b', 'c', 'd'"),
	Entry("a false schema", "2020-12", `{"properties":{"a":false}}`, `{"a":1}`, "invalid", "/a: false schema"),
	Entry("patterns are ECMA-262", "2020-12", `{"pattern":"^(?!x)\\p{L}$"}`, `"é"`, "valid", ""),
	Entry("and RE2's own are not", "2020-12", `{"pattern":"(?i)a"}`, `"A"`, "compile error", "Invalid group"),
	Entry("a pattern that runs away", "draft-07", `{"pattern":"^(a|aa)+$"}`, `"`+strings.Repeat("a", 60)+`!"`, "unknown", "gave up"),
	Entry("an exponent out of hand", "2020-12", `{"maximum":5}`, `1e999999999`, "unknown", "exponent"),
	Entry("an exponent out of hand in the schema", "2020-12", `{"maximum":1e999999999}`, `1`, "cannot tell", "exponent"),
)

var _ = Describe("limits", func() {
	It("ends an exponential fan of references", func() {
		var b strings.Builder
		b.WriteString(`{"$ref":"#/$defs/a0","$defs":{`)
		for i := range 40 {
			b.WriteString(`"a` + name(i) + `":{"allOf":[{"$ref":"#/$defs/a` + name(i+1) + `"},{"$ref":"#/$defs/a` + name(i+1) + `"}]},`)
		}
		b.WriteString(`"a` + name(40) + `":{"minLength":1}}}`)
		got, why := agreement.Verdict("2020-12", b.String(), `"x"`)
		Expect(got).To(Equal("unknown"))
		Expect(why).To(ContainSubstring("steps"))
	})
	It("refuses a megabyte of anyOf", func() {
		got, why := agreement.Verdict("2020-12", `{"anyOf":[`+strings.Repeat(`{"minLength":1},`, 60_000)+`{}]}`, `"x"`)
		Expect(got).To(Equal("cannot tell"))
		Expect(why).To(ContainSubstring("subschemas"))
	})
	It("refuses ten thousand levels", func() {
		got, why := agreement.Verdict("draft-07", strings.Repeat(`{"not":`, 9_000)+`{}`+strings.Repeat(`}`, 9_000), `1`)
		Expect(got).To(Equal("cannot tell"))
		Expect(why).To(ContainSubstring("deep"))
	})
})

func name(i int) string {
	if i == 0 {
		return "0"
	}
	return strings.Repeat("x", i)
}

var _ = DescribeTable("Metaschema",
	func(dialect, document string, places ...string) {
		got := []string{}
		if places == nil {
			places = []string{}
		}
		for _, v := range spec.Metaschema(dialect, schema.MustParse(document)) {
			got = append(got, v.Instance.String())
		}
		Expect(got).To(Equal(places))
	},
	Entry("draft-04 knows exclusiveMinimum as a boolean", "draft-04", `{"minimum":1,"exclusiveMinimum":true}`),
	Entry("draft-06 does not", "draft-06", `{"minimum":1,"exclusiveMinimum":true}`, "/exclusiveMinimum"),
	Entry("draft-07 only recommends that an enum has members, all different", "draft-07", `{"items":{"enum":[]},"enum":[1,1]}`),
	Entry("draft-07 wants unique names in required", "draft-07", `{"required":["a","a"]}`, "/required"),
	Entry("2019-09 takes an array of items", "2019-09", `{"items":[{}]}`),
	Entry("2020-12 looks into definitions nobody uses", "2020-12", `{"$defs":{"u":{"type":"any"}}}`, "/$defs/u/type", "/$defs/u/type"),
	Entry("$schema is not followed", "2020-12", `{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}]}`, "/items"),
)

var _ = Describe("DialectOf", func() {
	It("reads http and https, with and without an empty fragment", func() {
		for url, want := range map[string]string{
			"http://json-schema.org/draft-04/schema#":       "draft-04",
			"https://json-schema.org/draft-07/schema":       "draft-07",
			"https://json-schema.org/draft/2019-09/schema#": "2019-09",
		} {
			got, ok := spec.DialectOf(schema.Obj(schema.Member{Key: "$schema", Value: schema.Str(url)}))
			Expect(ok).To(BeTrue(), url)
			Expect(got).To(Equal(want))
		}
		_, ok := spec.DialectOf(schema.MustParse(`{"$schema":5}`))
		Expect(ok).To(BeFalse())
	})
})

var _ = DescribeTable("Acyclic",
	func(document string, want bool) {
		Expect(spec.Acyclic(schema.MustParse(document))).To(Equal(want))
	},
	Entry("no reference", `{"properties":{"a":{"type":"string"}}}`, true),
	Entry("a shared definition", `{"properties":{"a":{"$ref":"#/definitions/s"},"b":{"$ref":"#/definitions/s"}},"definitions":{"s":{}}}`, true),
	Entry("an anchor", `{"$ref":"#s","definitions":{"s":{"$anchor":"s"}}}`, true),
	Entry("the root itself", `{"$ref":"#"}`, false),
	Entry("a recursive type", `{"properties":{"a":{"$ref":"#"}}}`, false),
	Entry("two definitions in a ring", `{"definitions":{"a":{"items":{"$ref":"#/definitions/b"}},"b":{"not":{"$ref":"#/definitions/a"}}}}`, false),
	Entry("a ring through an escaped name", `{"definitions":{"a/b c":{"$ref":"#/definitions/a~1b%20c"}}}`, false),
	Entry("a ring in a place that is no keyword", `{"$ref":"#/components/x","components":{"x":{"allOf":[{"$ref":"#/components/x"}]}}}`, false),
	Entry("what can't be followed", `{"$ref":"https://x.test/"}`, false),
	Entry("an embedded id", `{"properties":{"a":{"$id":"https://x.test/a"}}}`, false),
	Entry("a dynamic reference", `{"items":{"$dynamicRef":"#n"}}`, false),
)
