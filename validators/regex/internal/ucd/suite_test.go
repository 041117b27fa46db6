package ucd_test

import (
	"testing"
	"unicode"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/validators/regex/internal/ucd"
)

func TestUCD(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Unicode tables")
}

// The standard library has Unicode 15: what it assigns, V8's Unicode 17 must
// have as well, and Unicode 13 and 14 have nothing that it has not.
var _ = DescribeTable("Agreement with the standard library",
	func(e ucd.Engine, kind, name string, std *unicode.RangeTable, newer bool) {
		ranges, ok := ucd.Lookup(e, kind, name)
		Expect(ok).To(BeTrue())
		in := map[rune]bool{}
		prev := rune(-2)
		for _, r := range ranges {
			Expect(r.Lo).To(BeNumerically(">", prev+1), "ranges are sorted and apart")
			prev = r.Hi
			for c := r.Lo; c <= r.Hi; c++ {
				in[c] = true
			}
		}
		for c := rune(0); c <= unicode.MaxRune; c++ {
			if newer && unicode.Is(std, c) && !in[c] || !newer && in[c] && !unicode.Is(std, c) {
				Fail("U+" + string(c) + " differs")
			}
		}
	},
	Entry("letters of V8", ucd.ECMA, "gc", "L", unicode.L, true),
	Entry("by the long name", ucd.ECMA, "gc", "Letter", unicode.L, true),
	Entry("upper case of V8", ucd.ECMA, "gc", "Lu", unicode.Lu, true),
	Entry("a script of V8", ucd.ECMA, "sc", "Grek", unicode.Greek, true),
	Entry("white space of V8", ucd.ECMA, "bin", "White_Space", unicode.White_Space, true),
	Entry("decimal digits of Python", ucd.Python, "class", "digit", unicode.Nd, false),
	Entry("letters of Java", ucd.Java, "prop", "L", unicode.L, false),
	Entry("a script of Java", ucd.Java, "script", "LATIN", unicode.Latin, false),
)

var _ = It("knows no other names", func() {
	for _, e := range []ucd.Engine{ucd.ECMA, ucd.Python, ucd.Java} {
		_, ok := ucd.Lookup(e, "gc", "Foo")
		Expect(ok).To(BeFalse())
	}
	Expect(ucd.Names(ucd.Python, "class")).To(ContainElements("word", "space", "printable"))
})
