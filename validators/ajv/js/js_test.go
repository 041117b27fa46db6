package js_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/js"
)

func TestJS(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "validators/ajv/js")
}

var _ = Describe("values as JavaScript has them", func() {
	It("finds what every object inherits", func() {
		object := schema.MustParse(`{"a":1,"valueOf":2}`)
		Expect(js.Get(object, "toString")).To(BeIdenticalTo(js.Function))
		Expect(js.Get(object, "__proto__")).To(BeIdenticalTo(js.Prototype))
		Expect(js.Get(object, "valueOf").Text).To(Equal("2"))
		Expect(js.Get(object, "b")).To(BeNil())
	})

	It("enumerates indices first and the last of duplicates", func() {
		var keys []string
		for _, m := range js.Members(schema.MustParse(`{"b":1,"10":2,"2":3,"b":4}`)) {
			keys = append(keys, m.Key+"="+m.Value.Text)
		}
		Expect(keys).To(Equal([]string{"2=3", "10=2", "b=4"}))
	})

	DescribeTable("String(v)",
		func(text, want string) { Expect(js.String(schema.MustParse(text))).To(Equal(want)) },
		Entry(nil, `1.0`, "1"), Entry(nil, `1e21`, "1e+21"), Entry(nil, `1e400`, "Infinity"), Entry(nil, `-0`, "0"),
		Entry(nil, `[1,[2,null],{}]`, "1,2,,[object Object]"), Entry(nil, `null`, "null"), Entry(nil, `true`, "true"),
	)

	DescribeTable("deep equality",
		func(a, b string, want bool, thrown string) {
			x, y := schema.MustParse(a), schema.MustParse(b)
			c := js.Comparer{Steps: 100}
			Expect(c.Deep(x, y)).To(Equal(want))
			Expect(c.Thrown).To(Equal(thrown))
			if h, ok := js.Hash(x); ok && want {
				other, _ := js.Hash(y)
				Expect(other).To(Equal(h), "equal values hash alike")
			}
		},
		Entry("numbers as doubles", `9007199254740993`, `9007199254740992`, true, ""),
		Entry("zero and minus zero", `[0]`, `[-0]`, true, ""),
		Entry("objects whatever the order", `{"a":1,"b":[2]}`, `{"b":[2.0],"a":1}`, true, ""),
		Entry("an array and an object", `[]`, `{}`, false, ""),
		Entry("a number and a boolean", `1`, `true`, false, ""),
		Entry("constructors that are not identical", `{"constructor":{}}`, `{"constructor":{}}`, false, ""),
		Entry("a member valueOf is called", `{"valueOf":1}`, `{"valueOf":1}`, false, "a.valueOf is not a function"),
	)

	It("stops when its steps are used up", func() {
		c := js.Comparer{Steps: 2}
		Expect(c.Deep(schema.MustParse(`[1,2,3]`), schema.MustParse(`[1,2,3]`))).To(BeFalse())
		Expect(c.Steps).To(BeNumerically("<", 0))
	})

	It("counts code points", func() {
		Expect(js.Length(schema.MustParse(`"a\ud83d\ude00\ud83dé"`).Text)).To(Equal(4))
	})

	It("knows what can't become a string", func() {
		Expect(js.Convertible(schema.MustParse(`[{"toString":1}]`))).To(BeFalse())
		Expect(js.Convertible(schema.MustParse(`[{"valueOf":1}]`))).To(BeTrue())
	})
})
