package recording_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/fixture"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	_ "github.com/hostmatrix/conform/validators/spec"
)

func synthesized(document string) []string {
	var out []string
	for _, v := range recording.Synthesize(schema.MustParse(document)) {
		out = append(out, v.Compact())
	}
	return out
}

var _ = Describe("synthesized values", func() {
	DescribeTable("follow the schema",
		func(document string, values ...string) {
			got := synthesized(document)
			if len(values) == 0 {
				Expect(got).To(BeEmpty())
				return
			}
			Expect(got).To(Equal(values))
			compiled, err := validators.Compile("2020-12-formats", schema.MustParse(document))
			Expect(err).NotTo(HaveOccurred())
			for _, v := range got {
				Expect(compiled.Validate(schema.MustParse(v)).Outcome).To(Equal(validators.Valid), v)
			}
		},
		Entry("optional members", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["b"]}`, `{"a":"text","b":1}`, `{"b":1}`),
		Entry("nulls", `{"properties":{"a":{"type":["string","null"]},"b":{"anyOf":[{"type":"number"},{"type":"null"}]},"c":{"enum":["x",null]},"d":{"type":"null"}},"required":["a","b","c","d"]}`,
			`{"a":"text","b":1.5,"c":"x","d":null}`, `{"a":null,"b":null,"c":null,"d":null}`),
		Entry("closed tuples", `{"type":"array","items":{"type":"array","prefixItems":[{"anyOf":[{"type":"number"},{"type":"null"}]},{"type":"integer","minimum":0}],"items":false,"minItems":2,"maxItems":2}}`,
			`[[1.5,1]]`, `[]`, `[[null,1]]`),
		Entry("a tuple that may be shorter", `{"type":"array","prefixItems":[{"const":1},{"const":2},{"const":3}],"minItems":1,"maxItems":2}`, `[1,2]`, `[1]`),
		Entry("the first branch of a union", `{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"}},"required":["kind"]},{"type":"string"}]}`, `{"kind":"a"}`),
		Entry("a branch that nothing satisfies", `{"anyOf":[false,{"allOf":[{"type":"string"},{"type":"null"}]},{"const":7}]}`, `7`),
		Entry("a union beside members", `{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"],"anyOf":[{"properties":{"x":{"const":"X"}},"required":["x"]},{"required":["y"]}]}`, `{"id":1,"x":"X"}`),
		Entry("two unions in one allOf", `{"type":"object","allOf":[{"anyOf":[{"required":["a"],"properties":{"a":{"const":1}}}]},{"anyOf":[{"required":["b"],"properties":{"b":{"const":2}}}]}]}`, `{"a":1,"b":2}`),
		Entry("allOf", `{"allOf":[{"type":["object","null"],"properties":{"a":{"type":"number","minimum":3}}},{"type":"object","properties":{"a":{"type":"integer","maximum":5}},"required":["a"]}]}`, `{"a":3}`),
		Entry("an allOf that closes what it does not name", `{"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"properties":{"b":{"const":1}},"additionalProperties":false}]}`, `{"b":1}`, `{}`),
		Entry("a dynamic reference", `{"type":"object","properties":{"a":{"$dynamicRef":"#node"},"b":{"const":1}},"$defs":{"n":{"$dynamicAnchor":"node"}}}`, `{"b":1}`, `{}`),
		Entry("a contradiction", `{"allOf":[{"type":"string"},{"type":"number"}]}`),
		Entry("references beside keywords", `{"$ref":"#/$defs/A","required":["b"],"$defs":{"A":{"type":"object","properties":{"b":{"type":"boolean"}}}}}`, `{"b":true}`),
		Entry("a tree", `{"$ref":"#/$defs/N","$defs":{"N":{"type":"object","properties":{"v":{"const":1},"kids":{"type":"array","items":{"$ref":"#/$defs/N"}}},"required":["v"]}}}`,
			`{"v":1,"kids":[{"v":1,"kids":[]}]}`, `{"v":1}`),
		Entry("a list that ends by a union", `{"$ref":"#/$defs/L","$defs":{"L":{"anyOf":[{"type":"object","properties":{"next":{"$ref":"#/$defs/L"}},"required":["next"]},{"type":"null"}]}}}`,
			`{"next":null}`, `null`),
		Entry("a circle without an end", `{"$ref":"#/$defs/L","$defs":{"L":{"type":"object","properties":{"next":{"$ref":"#/$defs/L"}},"required":["next"]}}}`),
		Entry("itself", `{"$ref":"#"}`),
		Entry("a dangling reference that is optional", `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"},"b":{"const":1}},"$defs":{"A":false}}`, `{"b":1}`, `{}`),
		Entry("a dangling reference that is required", `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"required":["a"]}`),
		Entry("a map", `{"type":"object","additionalProperties":{"type":"integer"}}`, `{"key1":1}`, `{}`),
		Entry("a map with rules for names", `{"type":"object","propertyNames":{"pattern":"^[a-z]{3}-[0-9]+$"},"additionalProperties":{"type":"integer"},"minProperties":2}`, `{"aaa-0":1,"bbb-1":1}`),
		Entry("a map by pattern", `{"type":"object","patternProperties":{"^x_":{"const":5}},"additionalProperties":false}`, `{"x_":5}`, `{}`),
		Entry("a required member without a schema", `{"type":"object","required":["a"]}`, `{"a":"text"}`),
		Entry("a required member that is forbidden", `{"type":"object","required":["a"],"additionalProperties":false}`),
		Entry("members that others need", `{"type":"object","properties":{"a":{"const":1},"b":{"const":2}},"required":["a"],"dependentRequired":{"a":["b"]}}`, `{"a":1,"b":2}`),
		Entry("a condition", `{"type":"object","properties":{"k":{"type":"string"}},"if":{"properties":{"k":{"const":"x"}}},"then":{"properties":{"y":{"const":1}},"required":["y"]}}`, `{"k":"x","y":1}`, `{"y":1}`),
		Entry("bounds", `{"type":"array","prefixItems":[{"type":"integer","minimum":10},{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1},{"type":"integer","maximum":-3},{"type":"number","multipleOf":0.01,"minimum":7.005},{"type":"integer","multipleOf":6,"minimum":7}],"minItems":5}`,
			`[10,0.5,-3,7.01,12]`),
		Entry("texts", `{"type":"array","prefixItems":[{"type":"string","minLength":6},{"type":"string","maxLength":2},{"type":"string","maxLength":0},{"type":"string","pattern":"^[A-Z]{2}-\\d+$"},{"type":"string","examples":["Kiel"]},{"type":"string","examples":["no"],"minLength":3}],"minItems":6}`,
			`["xxxxxx","x","","AA-0","Kiel","text"]`),
		Entry("sets", `{"type":"array","items":{"type":"string"},"uniqueItems":true,"minItems":3}`, `["text","text1","text2"]`),
		Entry("sets of an enum", `{"type":"array","items":{"enum":["a","b"]},"uniqueItems":true,"minItems":2}`, `["a","b"]`),
		Entry("sets that can't be", `{"type":"array","items":{"enum":["a"]},"uniqueItems":true,"minItems":2}`),
		Entry("contains", `{"type":"array","items":{"type":"integer"},"contains":{"minimum":100}}`, `[100]`),
		Entry("a schema without a word", `{}`, `"text"`),
		Entry("true", `true`, `"text"`),
		Entry("false", `false`),
		Entry("more than can be", `{"type":"array","minItems":1000000000}`),
	)

	It("take the example of a pattern that RE2 does not know, and invent none", func() {
		Expect(synthesized(`{"type":"string","pattern":"^(?=a).b$","examples":["ab"]}`)).To(Equal([]string{`"ab"`}))
		Expect(synthesized(`{"type":"string","pattern":"^(?=a).b$"}`)).To(BeEmpty())
	})

	It("have a text for every format", func() {
		for _, format := range []string{"date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6", "uri",
			"uri-reference", "iri", "iri-reference", "uri-template", "uuid", "json-pointer", "relative-json-pointer", "regex"} {
			document := schema.MustParse(`{"type":"string","format":"` + format + `"}`)
			compiled, err := validators.Compile("2020-12-formats", document)
			Expect(err).NotTo(HaveOccurred())
			values := recording.Synthesize(document)
			Expect(values).To(HaveLen(1))
			Expect(compiled.Validate(values[0]).Outcome).To(Equal(validators.Valid), format)
			Expect(values[0].Text).NotTo(Equal("text"))
		}
	})

	It("of the fixture's tuples reach them, and are as correct as the real result", func() {
		set, err := fixture.Find("closed-tuples")
		Expect(err).NotTo(HaveOccurred())
		values := recording.Synthesize(set.Tools[0].Definition.Get("outputSchema"))
		Expect(values).To(HaveLen(3))
		Expect(values[0].Compact()).To(ContainSubstring(`"buckets":[[1.5,1]]`))
		Expect(values[1].Has("metrics")).To(BeFalse())
		Expect(values[2].Compact()).To(ContainSubstring(`"buckets":[[null,1]]`))
	})

	DescribeTable("of hostile schemas end",
		func(document string) {
			started := time.Now()
			synthesized(document)
			Expect(time.Since(started)).To(BeNumerically("<", 5*time.Second))
		},
		Entry("a fan of references", `{"$ref":"#/$defs/a0","$defs":{`+fan(60)+`"a60":{"type":"object"}}}`),
		Entry("a fan of unions that all fail", `{"$ref":"#/$defs/a0","$defs":{`+strings.ReplaceAll(fan(60), "allOf", "anyOf")+`"a60":false}}`),
		Entry("wide and deep", `{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"p":{"$ref":"#/$defs/a"},"q":{"$ref":"#/$defs/a"}}}}}`),
		Entry("thousands deep", strings.Repeat(`{"properties":{"a":`, 4000)+`{}`+strings.Repeat(`}}`, 4000)),
		Entry("a pattern of millions", `{"type":"string","pattern":"^((a{1000}){1000}){1000}$"}`),
		Entry("many properties, closed and joined", `{"allOf":[{"additionalProperties":false,`+many(20_000)+`},{`+many(20_000)+`},{"additionalProperties":{"type":"string"}}]}`),
		Entry("a multiple of next to nothing", `{"type":"number","multipleOf":1e-4000,"minimum":1e4000}`),
	)

	It("of real output schemas are valid, when the shared corpus is present", func() {
		root := sharedCorpus()
		total, made, valid := 0, 0, 0
		for _, dir := range []string{"catalogs"} {
			names, _ := filepath.Glob(filepath.Join(root, dir, "*.json"))
			for _, name := range names {
				data, err := os.ReadFile(name)
				Expect(err).NotTo(HaveOccurred())
				c, err := recording.ReadCase(name, data)
				Expect(err).NotTo(HaveOccurred())
				for _, tool := range c.Capture().Sessions[0].Tools {
					if tool.Output == nil {
						continue
					}
					compiled, err := validators.Compile("spec-dispatch", tool.Output)
					var unusable *validators.CompileError
					if errors.As(err, &unusable) {
						continue
					}
					total++
					values := recording.Synthesize(tool.Output)
					ok := true
					for _, v := range values {
						if r := compiled.Validate(v); r.Outcome != validators.Valid {
							ok = false
							AddReportEntry(tool.Name, r.Text)
						}
					}
					if len(values) == 0 {
						AddReportEntry(filepath.Base(name)+" "+tool.Name, "nothing could be made")
					}
					if len(values) > 0 {
						made++
						if ok {
							valid++
						}
					}
				}
			}
		}
		AddReportEntry("synthesized", map[string]int{"schemas": total, "made": made, "valid": valid})
		Expect(float64(valid)).To(BeNumerically(">=", 0.99*float64(total)))
	})
})

// fan is a chain of definitions each of which refers to the next twice.
func fan(n int) string {
	var b strings.Builder
	for i := range n {
		next := `{"$ref":"#/$defs/a` + string(schema.Num(int64(i+1)).Text) + `"}`
		b.WriteString(`"a` + schema.Num(int64(i)).Text + `":{"allOf":[` + next + `,` + next + `]},`)
	}
	return b.String()
}

// many is a properties member with n of them.
func many(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf(`"p%d":{"type":"string"}`, i)
	}
	return `"properties":{` + strings.Join(names, ",") + `}`
}

func BenchmarkSynthesize(b *testing.B) {
	set, err := fixture.Find("closed-tuples")
	if err != nil {
		b.Fatal(err)
	}
	output := set.Tools[0].Definition.Get("outputSchema")
	b.ReportAllocs()
	for b.Loop() {
		recording.Synthesize(output)
	}
}
