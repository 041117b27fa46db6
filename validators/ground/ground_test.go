package ground_test

import (
	"fmt"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ground"
)

// one puts a schema under a member, as documents are objects.
func one(s string) *ground.Schema {
	return ground.Survey(schema.MustParse(`{"type":"object","properties":{"a":` + s + `}}`))
}

var _ = DescribeTable("judges an instance", func(s, instance string, want ground.Verdict) {
	common := one(s)
	Expect(common).NotTo(BeNil())
	Expect(common.Judge(schema.MustParse(`{"a":` + instance + `}`))).To(Equal(want))
},
	Entry("an integer", `{"type":"integer"}`, `12`, ground.Valid),
	Entry("a fraction, which is none", `{"type":"integer"}`, `1.5`, ground.Invalid),
	Entry("1.0, which is one for some", `{"type":"integer"}`, `1.0`, ground.Unsure),
	Entry("an exponent", `{"type":"number"}`, `1e2`, ground.Unsure),
	Entry("minus zero", `{}`, `-0`, ground.Unsure),
	Entry("the largest safe integer", `{"type":"integer","maximum":9007199254740991}`, `9007199254740991`, ground.Valid),
	Entry("one that a double rounds", `{}`, `9007199254740993`, ground.Unsure),
	Entry("a multiple", `{"multipleOf":3}`, `9`, ground.Valid),
	Entry("a multiple beyond the precision of a quotient", `{"multipleOf":3}`, `9007199254740990`, ground.Unsure),
	Entry("a key twice", `{}`, `{"b":1,"b":2}`, ground.Unsure),
	Entry("a lone surrogate", `{}`, `"\ud800"`, ground.Unsure),
	Entry("a member that every object has", `{"required":["b"]}`, `{"toString":1,"b":1}`, ground.Unsure),
	Entry("a length beyond U+FFFF", `{"maxLength":1}`, `"😀"`, ground.Unsure),
	Entry("a pattern on ASCII", `{"pattern":"^\\w+-[0-9]{2}$"}`, `"ab-12"`, ground.Valid),
	Entry("a pattern on other letters", `{"pattern":"^\\w+$"}`, `"é"`, ground.Unsure),
	Entry("a pattern before a newline", `{"pattern":"^a$"}`, `"a\n"`, ground.Unsure),
	Entry("a plain date-time", `{"format":"date-time"}`, `"2026-01-15T09:30:00Z"`, ground.Valid),
	Entry("a leap second", `{"format":"date-time"}`, `"2016-12-31T23:59:60Z"`, ground.Unsure),
	Entry("one of two branches", `{"oneOf":[{"type":"string"},{"type":"null"}]}`, `null`, ground.Valid),
	Entry("both branches", `{"oneOf":[{"type":"string"},{"minLength":1}]}`, `"x"`, ground.Invalid),
	Entry("a branch in doubt", `{"anyOf":[{"type":"integer"},{}]}`, `1.0`, ground.Unsure),
	Entry("what fails beside a reference", `{"$ref":"#/properties/a/$defs/s","maxLength":1,"$defs":{"s":{"type":"string"}}}`, `"ab"`, ground.Unsure),
	Entry("names of no members", `{"propertyNames":{"minLength":1},"minProperties":1}`, `{}`, ground.Unsure),
)

var _ = DescribeTable("leaves to the engines", func(s string) {
	Expect(one(s)).To(BeNil())
},
	Entry("an unknown keyword", `{"nullable":true}`),
	Entry("an empty enum", `{"enum":[]}`),
	Entry("an enum with one value twice", `{"enum":["a","a"]}`),
	Entry("an enum of objects", `{"enum":[{}]}`),
	Entry("required names twice", `{"required":["a","a"]}`),
	Entry("a member that every object has", `{"properties":{"constructor":{}}}`),
	Entry("a member without a name", `{"required":[""]}`),
	Entry("additionalItems without a list", `{"items":{},"additionalItems":false}`),
	Entry("an empty tuple", `{"items":[]}`),
	Entry("then without if", `{"then":{}}`),
	Entry("a count with a fraction", `{"minLength":1.0}`),
	Entry("a bound that a double rounds", `{"minimum":9007199254740993}`),
	Entry("a fraction of multipleOf", `{"multipleOf":0.1}`),
	Entry("an id", `{"$id":"https://a.test/s"}`),
	Entry("an id in a default", `{"default":{"$id":"x"}}`),
	Entry("a definition named like a keyword", `{"$defs":{"$ref":{}}}`),
	Entry("a reference to nothing", `{"$ref":"#/$defs/a"}`),
	Entry("a reference to no schema", `{"$ref":"#/properties"}`),
	Entry("a reference outside", `{"$ref":"other.json"}`),
	Entry("a circle in place", `{"allOf":[{"$ref":"#/properties/a"}]}`),
	Entry("a look-ahead", `{"pattern":"(?=a)"}`),
	Entry("a pattern that may run away", `{"pattern":"^(a|aa)+$"}`),
	Entry("another that may", `{"pattern":"^a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?$"}`),
	Entry("a hyphen escaped outside a class", `{"pattern":"a\\-b"}`),
	Entry("a count with a zero before it", `{"pattern":"a{01}"}`),
	Entry("counts of counts", `{"pattern":"^(((a{99}){99}){99}){99}$"}`),
	Entry("a lazy quantifier", `{"pattern":"a+?b"}`),
	Entry("a class in a class", `{"pattern":"[[a]"}`),
	Entry("40 levels and more", strings.Repeat(`{"not":`, 60)+`{}`+strings.Repeat(`}`, 60)),
)

var _ = Describe("A survey", func() {
	It("names what some profile does not share", func() {
		s := ground.Survey(schema.MustParse(`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{
			"at":{"type":"string","format":"date-time"},"n":{"type":"integer","default":1},"more":{"$ref":"#/definitions/tree"}},
			"definitions":{"tree":{"properties":{"children":{"items":{"$ref":"#/definitions/tree"}}}}},"x-order":1}`))
		Expect(s).NotTo(BeNil())
		Expect(s.Features).To(Equal(ground.Tagged07 | ground.Format | ground.Integer | ground.Default | ground.Recursion | ground.Extension))
	})

	It("tells the tuples of the dialects apart", func() {
		features := func(text string) ground.Features { return ground.Survey(schema.MustParse(text)).Features }
		Expect(features(`{"items":[{}],"additionalItems":false}`)).To(Equal(ground.TupleUntagged))
		Expect(features(`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}]}`)).To(Equal(ground.Tagged07 | ground.TupleTagged))
		Expect(features(`{"prefixItems":[{}],"items":false}`)).To(Equal(ground.TuplePrefix))
		Expect(ground.Survey(schema.MustParse(`{"$schema":"http://json-schema.org/draft-07/schema#","prefixItems":[{}]}`))).To(BeNil())
		Expect(features(`{"items":[{}]}`) & ground.All).To(BeZero())
	})

	It("ends soon on a fan of references and judges it no longer than it may", func() {
		var definitions []string
		for i := range 30 {
			definitions = append(definitions, fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i+1, i+1))
		}
		s := ground.Survey(schema.MustParse(`{"$ref":"#/$defs/d0","$defs":{` + strings.Join(definitions, ",") + `,"d30":{}}}`))
		Expect(s).NotTo(BeNil())
		Expect(s.Judge(schema.MustParse(`{}`))).To(Equal(ground.Unsure))
	})

	It("follows the references of a part only", func() {
		document := schema.MustParse(`{"properties":{"a":{"$ref":"#/$defs/s"},"b":{"nullable":true}},"$defs":{"s":{"type":"integer"}}}`)
		used, ok := ground.SurveyPart(document, document.Get("properties").Get("a"))
		Expect(ok).To(BeTrue())
		Expect(used).To(Equal(ground.Integer))
		_, ok = ground.SurveyPart(document, document.Get("properties").Get("b"))
		Expect(ok).To(BeFalse())
	})
})

func BenchmarkSurveyAndJudge(b *testing.B) {
	document := schema.MustParse(`{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","pattern":"^r[0-9]+$"},
		"at":{"type":"string","format":"date-time"},"tags":{"type":"array","items":{"type":"string"}},"size":{"type":["integer","null"]}},"required":["id","at"],"additionalProperties":false}}},"required":["items"]}`)
	instance := schema.MustParse(`{"items":[{"id":"r1","at":"2026-01-02T03:04:05Z","tags":["a"],"size":null},{"id":"r2","at":"2026-01-02T03:04:05Z","tags":[],"size":12}]}`)
	b.ReportAllocs()
	for b.Loop() {
		if ground.Survey(document).Judge(instance) != ground.Valid {
			b.Fatal("not plainly valid")
		}
	}
}
