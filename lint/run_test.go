package lint_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/recording"
)

var _ = Describe("the rules", func() {
	It("have ids of their own and say all that a reader needs", func() {
		seen := map[string]bool{}
		for _, r := range lint.Rules() {
			Expect(seen[r.ID]).To(BeFalse(), r.ID)
			seen[r.ID] = true
			Expect(r.ID).To(MatchRegexp(`^[a-z0-9]+(-[a-z0-9]+)*$`))
			Expect(r.Run).NotTo(BeNil(), r.ID)
			for _, text := range []string{r.Title, r.Why, r.Source, r.Wrong, r.Right, string(r.Stage), string(r.Level), string(r.Severity), r.Since} {
				Expect(text).NotTo(BeEmpty(), r.ID)
			}
			Expect(r.Title).NotTo(HaveSuffix("."), r.ID)
			Expect(r.Why).To(Or(HaveSuffix("."), HaveSuffix(".)")), r.ID)
			text, ok := lint.Explain(r.ID)
			Expect(ok).To(BeTrue())
			Expect(text).To(ContainSubstring(r.Why))
		}
	})

	It("find nothing in an empty capture", func() {
		Expect(lint.Run(&recording.Capture{}, lint.Input{}).Advice).To(BeEmpty())
	})
})
