package oracle_test

import (
	"encoding/json"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/validators/regex/internal/oracle"
)

func TestOracle(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Oracle files")
}

var _ = DescribeTable("Strings survive JSON, lone surrogates included",
	func(s, quoted string) {
		Expect(oracle.Quote(s)).To(Equal(quoted))
		back, err := oracle.Unquote([]byte(quoted))
		Expect(err).NotTo(HaveOccurred())
		Expect(back).To(Equal(s))
	},
	Entry("plain", `a"\b`, `"a\"\\b"`),
	Entry("controls", "\n\x00", `"\u000a\u0000"`),
	Entry("beyond the BMP", "😀", `"\ud83d\ude00"`),
	Entry("half a pair", "\xed\xa0\xbdx", `"\ud83dx"`),
	Entry("the halves swapped", "\xed\xb8\x80\xed\xa0\xbd", `"\ude00\ud83d"`),
)

var _ = Describe("Cases", func() {
	It("are written on one line and read back", func() {
		c := oracle.Case{Pattern: "^\xed\xa0\xbd", Strings: []string{"", "é"}, Matches: []bool{false, true}}
		line, err := json.Marshal(c)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(line)).To(Equal(`{"p":"^\ud83d","s":["","\u00e9"],"m":[false,true]}`))
		back, err := oracle.ReadCases(strings.NewReader(string(line) + "\n\n"))
		Expect(err).NotTo(HaveOccurred())
		Expect(back).To(Equal([]oracle.Case{c}))
	})

	It("name the line that is damaged", func() {
		_, err := oracle.ReadCases(strings.NewReader("{\"p\":\"a\",\"s\":[]}\n{\"p\":3}\n"))
		Expect(err).To(MatchError(ContainSubstring("reading case 2")))
	})
})
