package lint_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/schema"
)

var _ = Describe("the comparison of text and structuredContent", func() {
	// A first value that is always found makes the rest the question.
	parity := func(text, structured string, output ...string) []string {
		text = schema.Quote("marker " + text)
		structured = `{"m":"marker",` + strings.TrimPrefix(structured, "{")
		return reported(gives(d, `{"content":[{"type":"text","text":`+text+`}],"structuredContent":`+structured+`}`, output...), lint.Input{})
	}

	DescribeTable("finds a value", func(text, structured string) {
		Expect(parity(text, structured)).NotTo(ContainElement("surface-parity"))
	},
		Entry("as it is", "to Kiel", `{"a":"Kiel"}`),
		Entry("escaped as Markdown", `hauler\-7 \_x\_`, `{"a":"hauler-7 _x_"}`),
		Entry("escaped as HTML", "R&amp;D &lt;b&gt;", `{"a":"R&D <b>"}`),
		Entry("escaped in an address", "see /q?x=a%20b%2Fc", `{"a":"a b/c"}`),
		Entry("escaped as JSON in a text that is none", `log: {"x": "a \"b\" \u00e4"} end`, `{"a":"a \"b\" ä"}`),
		Entry("in another composition", "Ko\u0308ln", `{"a":"Köln"}`),
		Entry("over several lines", "one\n  two", `{"a":"one two"}`),
		Entry("as JSON", `{"x":["Kiel"]}`, `{"a":"Kiel"}`),
		Entry("with digits in groups", "1,234,567 t", `{"a":1234567}`),
		Entry("with another group sign", "1 234 567 t", `{"a":1234567}`),
		Entry("as JavaScript prints it", "1200", `{"a":1.2e3}`),
		Entry("a truth by its key", "Open since noon", `{"is_open":true}`),
		Entry("a truth by a part of its key", "is open", `{"siteOpen":false}`),
		Entry("nothing", "no words", `{"a":null,"b":""}`),
		Entry("zero and false, which are often said by silence", "no words", `{"a":0,"b":false}`),
		Entry("a number with its unit", "12.4m deep, 48210t", `{"a":12.4,"b":48210}`),
		Entry("a digit as a word", "seven berths", `{"n":7}`),
		Entry("a loss in brackets", "(413.75) EUR", `{"a":-413.75}`),
		Entry("a loss with a true minus", "−413.75 EUR", `{"a":-413.75}`),
		Entry("a latitude with its letter", "33.86° S", `{"a":-33.86}`),
		Entry("an amount with both its decimals", "$12.50 and 48.00", `{"a":12.5,"b":48}`),
		Entry("an amount in groups with its decimals", "1,234.50 EUR", `{"a":1234.5}`),
		Entry("an amount with a comma", "12,50 EUR", `{"a":12.5}`),
		Entry("as lines of a quotation", "> one\n> two", `{"a":"one\ntwo"}`),
		Entry("as lines in a table", "| one<br>two |", `{"a":"one\ntwo"}`),
		Entry("escaped in an address beside a % sign", "50% of /q?x=a%20b%2Fc", `{"a":"a b/c"}`),
		Entry("escaped as a form", "/q?x=a+b%26c", `{"a":"a b&c"}`),
	)

	DescribeTable("finds a number or a truth", func(text, structured string) {
		Expect(parity(text, structured)).NotTo(ContainElement("surface-parity"))
	},
		Entry("with an exponent, as JavaScript prints it", "1e+21 t", `{"a":1e21}`),
		Entry("with an exponent without its sign", "1e21 t", `{"a":1000000000000000000000}`),
		Entry("with an exponent in capitals", "1E21 t", `{"a":1e+21}`),
		Entry("with all its digits", "1000000000000000000000 t", `{"a":1e21}`),
		Entry("in comma separated values", "Kiel,12,345", `{"a":12,"b":345}`),
		Entry("in groups that are another number too", "12,345 of 345", `{"a":345}`),
		Entry("as yes", "| bay | yes |", `{"open":true}`),
		Entry("as a capital True", "True", `{"open":true}`),
		Entry("as a mark", "Bay 7 ✓", `{"open":true}`),
	)

	DescribeTable("misses a value", func(text, structured string) {
		Expect(parity(text, structured)).To(ContainElement("surface-parity"))
	},
		Entry("that is not there", "to Kiel", `{"a":"Hamburg"}`),
		Entry("that is part of a number", "12345", `{"a":234}`),
		Entry("that lost digits", "1.2M", `{"a":1234567}`),
		Entry("that is a digit", "no words", `{"a":7}`),
		Entry("that is a truth", "no words", `{"open":true}`),
		Entry("that is part of a number in groups", "12,345 t", `{"a":345}`),
		Entry("that begins a number in groups", "12,345 t", `{"a":12}`),
		Entry("that is an exponent", "1e21 t", `{"a":21}`),
		Entry("that has another exponent", "1e22 t", `{"a":1e21}`),
		Entry("that is denied by its key", "open: no", `{"open":true}`),
		Entry("that is part of a decimal", "12.45 m", `{"a":12}`),
		Entry("that lost its sign", "413.75 EUR", `{"a":-413.75}`),
		Entry("that has other decimals", "12.505 and 48.01", `{"a":12.5,"b":48}`),
		Entry("that was cut", "hauler-7 with a lo…", `{"a":"hauler-7 with a long name"}`),
	)

	DescribeTable("finds the words of an enum through", func(schema string) {
		output := `"outputSchema":{"type":"object","$defs":{"S":{"enum":["on_hold","open"]}},"properties":{"m":{}},` + schema + `}`
		Expect(parity("State: On hold", `{"state":"on_hold"}`, output)).NotTo(ContainElement("surface-parity"))
		Expect(parity("no words", `{"state":"on_hold"}`, output)).To(ContainElement("surface-parity"))
	},
		Entry("a reference", `"allOf":[{"properties":{"state":{"$ref":"#/$defs/S"}}}]`),
		Entry("a union with null", `"allOf":[{"properties":{"state":{"anyOf":[{"$ref":"#/$defs/S"},{"type":"null"}]}}}]`),
		Entry("the branches of a union", `"oneOf":[{"properties":{"state":{"const":"open"}}},{"properties":{"state":{"const":"on_hold"}}}]`),
		Entry("members without names", `"additionalProperties":{"$ref":"#/$defs/S"}`),
		Entry("a reference that leads back", `"allOf":[{"$ref":"#"},{"properties":{"state":{"$ref":"#/$defs/S"}}}]`),
	)

	DescribeTable("finds the words of an enum in the entries of", func(list string) {
		output := `"outputSchema":{"type":"object","properties":{"m":{},"states":{"type":"array",` + list + `}}}`
		Expect(parity("States: on hold", `{"states":["on_hold"]}`, output)).NotTo(ContainElement("surface-parity"))
	},
		Entry("a list", `"items":{"enum":["on_hold"]}`),
		Entry("a tuple", `"prefixItems":[{"enum":["on_hold"]}]`),
		Entry("a tuple of draft-07", `"items":[{"enum":["on_hold"]}]`),
		Entry("what follows a tuple", `"items":[],"additionalItems":{"enum":["on_hold"]}`),
	)

	It("finds bytes in the block that shows them", func() {
		c := gives(d, `{"content":[{"type":"text","text":"marker"},{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}],"structuredContent":{"m":"marker","png":"iVBORw0KGgo="}}`)
		Expect(reported(c, lint.Input{})).NotTo(ContainElement("surface-parity"))
	})

	It("takes the words of an enum for tokens, or their key", func() {
		output := `"outputSchema":{"type":"object","properties":{"state":{"type":"string","enum":["on","off"]},"m":{}}}`
		Expect(parity("state unknown", `{"state":"off"}`, output)).NotTo(ContainElement("surface-parity"))
	})

	It("does not evaluate what lies deeper than eight levels, and says so", func() {
		deep := `"Kiel"`
		for range 9 {
			deep = `{"x":` + deep + `}`
		}
		c := gives(d, `{"content":[{"type":"text","text":"marker"}],"structuredContent":{"m":"marker","d":`+deep+`}}`)
		r := lint.Run(c, lint.Input{})
		Expect(reported(c, lint.Input{})).NotTo(ContainElement("surface-parity"))
		Expect(r.NotChecked).To(ContainElement(And(HaveField("Rule", "surface-parity"), HaveField("Reason", ContainSubstring("lie deeper than 8 levels")))))
	})

	It("is bounded", func() {
		var b strings.Builder
		b.WriteString(`{"m":"marker","list":[`)
		for i := range 20_000 {
			if i > 0 {
				b.WriteString(",")
			}
			b.WriteString(schema.Quote("value number " + schema.Num(int64(i)).Text))
		}
		b.WriteString(`]}`)
		c := gives(d, `{"content":[{"type":"text","text":`+schema.Quote("marker "+strings.Repeat("x ", 500_000))+`}],"structuredContent":`+b.String()+`}`)
		Expect(reported(c, lint.Input{})).To(ContainElement("surface-parity"))
	})
})

var _ = Describe("the comparison of answers with a golden", func() {
	It("names the first byte that differs", func() {
		Expect(lint.CompareWire([]byte(`{"a":1}`), []byte(`{"a":1}`))).To(BeNil())
		Expect(lint.CompareWire([]byte(`{"a":1}`), []byte(`{"a": 1}`)).Offset).To(Equal(5))
		Expect(lint.CompareWire([]byte(`{"a":1}`), []byte(`{"a":1`)).Offset).To(Equal(6))
		Expect(lint.CompareWire(nil, []byte(`x`)).Error()).To(Equal(`differs at byte 0: it was "", it is "x"`))
	})

	It("takes the bytes of results as they passed", func() {
		c := capture(said(d, asked("tools/list", "", `"result": {"tools":[ ]}`)...))
		Expect(lint.WireAnswers(c)).To(Equal([]lint.WireAnswer{{Session: d, Request: "tools/list ", Bytes: []byte(`{"tools":[ ]}`)}}))
	})
})
