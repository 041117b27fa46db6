package lint_test

import (
	"flag"
	"os"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/reports"
)

var update = flag.Bool("update", false, "write docs/rules.md")

const docsFile = "../docs/rules.md"

var _ = Describe("docs/rules.md", func() {
	It("is what the rules say", func() {
		if *update {
			Expect(os.MkdirAll("../docs", 0o755)).To(Succeed())
			Expect(os.WriteFile(docsFile, []byte(lint.Docs()), 0o644)).To(Succeed())
		}
		have, err := os.ReadFile(docsFile)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(have) == lint.Docs()).To(BeTrue(), "docs/rules.md is not what the rules say; run go generate ./lint")
	})

	It("names every entry of the lists, as covered or with a reason", func() {
		docs := lint.Docs()
		for _, id := range strings.Fields(`T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 T17 T18 T19 L1 L2 L3 L4 L5 L6 L7
			TL1 TL2 TL3 TL4 TL5 TL6 TL7 TL8 TL9 TL10 TL11 TL12 TL13 TL14 TL15 TL16 TL17 TL18 TL19
			TC1 TC2 TC3 TC4 TC5 TC6 TC7 TC8 TC9 TC10 TC11 TC12 TC13
			R8 R11 R16 R17 R18 R19 R20 R21 R22 R23 R24 R25 R26 R27 R28 R29 R30 R31 R32 R33 R34 R35 R36 R37 R38 R39 R40 R41 R42 R43 R44 R45
			R46 R47 R48 R49 R50 R51 R52`) {
			Expect(docs).To(MatchRegexp(`\b`+id+`\b`), id)
		}
	})

	It("has a line for each requirement, with a rule or with what else stands for it", func() {
		docs := lint.Docs()
		for i := 1; i <= 52; i++ {
			Expect(docs).To(MatchRegexp(`(?m)^\| R%d \| [^|]+ \| (\[[^|]+|[^|]*\| [^ |]).*\|$`, i))
		}
	})

	It("names rules that exist in the promises across eras", func() {
		for _, id := range regexp.MustCompile(`\]\(#([a-z0-9-]+)\)`).FindAllStringSubmatch(lint.Docs(), -1) {
			Expect(lint.Find(id[1])).NotTo(BeNil(), id[1])
		}
	})

	It("shares no id with the rules that hosts decide", func() {
		// Rules of this package may be registered there, but each id once.
		seen := map[string]bool{}
		for _, r := range reports.Rules() {
			Expect(seen[r.ID]).To(BeFalse(), r.ID)
			seen[r.ID] = true
			if own := lint.Find(r.ID); own != nil {
				Expect(r.Title).To(Equal(own.Title), r.ID)
			}
		}
	})
})
