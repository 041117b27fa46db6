package rewrite_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("hints", func() {
	const pair = `"pair":{"type":"array","prefixItems":[{"type":"number"},{"type":"string"}],"items":false}`
	DescribeTable("speak the language of the generator that wrote the schema",
		func(output, generator, words string) {
			plan := fix(caseOf(toolWith(output), result(`{"pair":[1,"a"]}`)), columns(nil, sdks...))
			if generator == "" {
				Expect(plan.Hints).To(BeEmpty())
				return
			}
			Expect(plan.Hints).NotTo(BeEmpty())
			Expect(plan.Hints[0].Generator).To(Equal(generator))
			Expect(plan.Hints[0].Text).To(ContainSubstring(words))
		},
		Entry("zod", `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"n":{"type":"integer","maximum":9007199254740991},`+pair+`},"additionalProperties":false}`, "zod", "z.tuple"),
		Entry("pydantic", `{"title":"Out","type":"object","properties":{"a":{"title":"A","type":"string"},"b":{"title":"B","anyOf":[{"type":"string"},{"type":"null"}],"default":null},`+pair+`}}`, "pydantic", "tuple[A, B]"),
		Entry("schemars", `{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Out","type":"object","properties":{"n":{"type":"integer","format":"uint32","minimum":0},`+pair+`}}`, "schemars", "a Rust tuple"),
		Entry("Go", `{"type":"object","properties":{"tags":{"type":["null","array"],"items":{"type":"string"}},`+pair+`}}`, "go-jsonschema", "PrefixItems"),
		Entry("C#", `{"type":"object","properties":{"a":{"type":["string","null"],"default":null},`+pair+`}}`, "csharp", "ValueTuple"),
		Entry("by hand", `{"type":"object","properties":{`+pair+`}}`, "", ""),
	)
})
