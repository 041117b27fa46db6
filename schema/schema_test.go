package schema_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
)

var _ = Describe("A document as it was written", func() {
	It("keeps order, duplicates, literals and lone surrogates", func() {
		text := `{"b":1.0,"a":1e400,"b":9007199254740993,"s":"\ud800x","t":"\ud83d\ude00"}`
		v, err := schema.ParseString(text)
		Expect(err).NotTo(HaveOccurred())
		Expect(v.Members).To(HaveLen(5))
		Expect(v.Members[0].Value.Text).To(Equal("1.0"))
		Expect(v.Get("b").Text).To(Equal("9007199254740993"), "the last duplicate wins")
		Expect(v.Get("t").Text).To(Equal("😀"))
		Expect(v.Compact()).To(Equal(`{"b":1.0,"a":1e400,"b":9007199254740993,"s":"\ud800x","t":"😀"}`))
		Expect(text[v.Members[1].Value.Start:v.Members[1].Value.End]).To(Equal("1e400"))
	})

	It("gives lists where they are some", func() {
		v := schema.MustParse(`{"required":["a",1,"b"],"type":"object"}`)
		Expect(v.ListOf("required")).To(HaveLen(3))
		Expect(v.StringsOf("required")).To(Equal([]string{"a", "b"}))
		for _, no := range []*schema.Value{v.Get("type"), v.Get("gone"), schema.MustParse(`[["a"]]`)} {
			Expect(no.ListOf("type")).To(BeNil())
		}
		Expect(v.ListOf("type")).To(BeNil())
	})

	DescribeTable("is written as JSON.stringify(JSON.parse(text)) gives it",
		func(text, want string) {
			v, err := schema.ParseString(text)
			Expect(err).NotTo(HaveOccurred())
			Expect(v.Stringify("")).To(Equal(want))
		},
		Entry(nil, `1.0`, `1`),
		Entry(nil, `1e21`, `1e+21`),
		Entry(nil, `123456789012345680000`, `123456789012345680000`),
		Entry(nil, `1e-7`, `1e-7`),
		Entry(nil, `0.000001`, `0.000001`),
		Entry(nil, `-0`, `0`),
		Entry(nil, `1e400`, `null`),
		Entry(nil, `9007199254740993`, `9007199254740992`),
		Entry(nil, `{"b":1,"10":2,"9":3,"b":4}`, `{"9":3,"10":2,"b":4}`),
		Entry(nil, `"\u0000\u2028\/"`, "\"\\u0000\u2028/\""),
	)

	DescribeTable("is refused where it is not JSON",
		func(text, message string) {
			_, err := schema.ParseString(text)
			var syntax *schema.SyntaxError
			Expect(errors.As(err, &syntax)).To(BeTrue())
			Expect(err.Error()).To(ContainSubstring(message))
		},
		Entry(nil, ``, "unexpected end"),
		Entry(nil, `{"a":1,}`, "expected a member name at byte 7"),
		Entry(nil, `[1 2]`, "expected , or ]"),
		Entry(nil, `01`, "unexpected text after the value"),
		Entry(nil, `1.`, "no digit after the point"),
		Entry(nil, "\"a\nb\"", "control character"),
		Entry(nil, `"\x"`, `invalid escape`),
		Entry(nil, `tru`, "expected true"),
		Entry(nil, `{} x`, "unexpected text"),
	)

	It("is bounded in depth, size and number of values", func() {
		_, err := schema.Parse([]byte(strings.Repeat("[", 1_000_000)), schema.Limits{})
		var limit *schema.LimitError
		Expect(errors.As(err, &limit)).To(BeTrue())
		Expect(limit.Limit).To(Equal("depth"))
		_, err = schema.Parse([]byte(`"aaaa"`), schema.Limits{Bytes: 3})
		Expect(errors.As(err, &limit)).To(BeTrue())
		Expect(limit.Limit).To(Equal("bytes"))
		_, err = schema.Parse([]byte(`[1,[2,{"a":3}]]`), schema.Limits{Values: 5})
		Expect(errors.As(err, &limit)).To(BeTrue())
		Expect(limit.Limit).To(Equal("values"))
		Expect(schema.Parse([]byte(`[1,[2,{"a":3}]]`), schema.Limits{Values: 6})).NotTo(BeNil())
	})

	DescribeTable("equals another by value",
		func(a, b string, equal bool) {
			Expect(schema.Equal(schema.MustParse(a), schema.MustParse(b))).To(Equal(equal))
		},
		Entry(nil, `1`, `1.0`, true),
		Entry(nil, `{"a":1,"b":2}`, `{"b":2,"a":1}`, true),
		Entry(nil, `9007199254740992`, `9007199254740993`, false),
		Entry(nil, `[1,2]`, `[2,1]`, false),
		Entry(nil, `1`, `true`, false),
	)
})

var _ = Describe("A pointer", func() {
	It("escapes, parses and finds", func() {
		v := schema.MustParse(`{"a/b":{"~":[10,20]}}`)
		p := schema.Pointer{"a/b", "~", "1"}
		Expect(p.String()).To(Equal("/a~1b/~0/1"))
		back, ok := schema.ParsePointer(p.String())
		Expect(ok).To(BeTrue())
		Expect(v.Lookup(back).Text).To(Equal("20"))
		Expect(v.Lookup(schema.Pointer{"a/b", "~", "01"})).To(BeNil())
	})
})

var _ = Describe("The walk", func() {
	document := schema.MustParse(`{"properties":{"a":{"items":[{"type":"string"},true]}},"$defs":{"d":{"not":{}}},"dependencies":{"x":["y"],"z":{"type":"null"}},"enum":[{"type":"no schema"}]}`)

	It("meets every subschema once, parents first", func() {
		var at []string
		schema.Walk(document, func(n schema.Node) bool {
			at = append(at, n.Pointer.String())
			return true
		})
		Expect(at).To(Equal([]string{"", "/properties/a", "/properties/a/items/0", "/properties/a/items/1", "/$defs/d", "/$defs/d/not", "/dependencies/z"}))
	})

	It("rewrites what it is told to and shares the rest", func() {
		changed := schema.Map(document, func(n schema.Node) *schema.Value {
			if n.Schema.IsTrue() {
				return schema.Obj()
			}
			return n.Schema
		})
		Expect(changed.Lookup(schema.Pointer{"properties", "a", "items", "1"}).Compact()).To(Equal("{}"))
		Expect(changed.Get("$defs")).To(BeIdenticalTo(document.Get("$defs")))
		Expect(schema.Map(document, func(n schema.Node) *schema.Value { return n.Schema })).To(BeIdenticalTo(document))
	})
})

// FuzzParse compares with encoding/json: both take the same texts, and what is
// written parses to the same value.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e-3,"x\ud83d\ude00"],"a":null}`, `[[[[]]]]`, `"\ud800"`, `-0`, `{"":{}}`, ` true `} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := schema.ParseString(text)
		if valid := json.Valid([]byte(text)); valid != (err == nil) {
			t.Fatalf("encoding/json says valid=%v, Parse says %v: %q", valid, err, text)
		}
		if err != nil {
			return
		}
		again, err := schema.ParseString(v.Compact())
		if err != nil || !schema.Equal(v, again) {
			t.Fatalf("%q is written as %q", text, v.Compact())
		}
		_ = v.Stringify("  ")
		schema.Walk(v, func(schema.Node) bool { return true })
	})
}

// BenchmarkParse parses one tool of a catalogue, 1 KB of text.
func BenchmarkParse(b *testing.B) {
	text := []byte(fmt.Sprintf(`{"name":"tool","description":%q,"inputSchema":{"type":"object","properties":{"id":{"type":"string","minLength":1},"n":{"type":"integer","minimum":1}},"required":["id"]}}`, strings.Repeat("d", 800)))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := schema.Parse(text, schema.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}
