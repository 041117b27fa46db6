package networknt_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/validators/internal/agreement"
	_ "github.com/hostmatrix/conform/validators/networknt"
)

// namedExceptions are the recorded answers that can't be had, with the reason.
var namedExceptions = map[string]string{
	"regex-unicode-name": "characters by name are not modelled; the answer is unknown",
}

func compare(profile, name string, cases []agreement.Case, err error) {
	GinkgoHelper()
	Expect(err).NotTo(HaveOccurred())
	Expect(cases).NotTo(BeEmpty())
	f := agreement.Measure(profile, cases, agreement.Exact)
	AddReportEntry(profile+", "+name, f.String())
	var unexplained []string
	for _, d := range f.Differences {
		fmt.Fprintln(GinkgoWriter, d)
		if id, _, _ := strings.Cut(d, " "); namedExceptions[id] == "" {
			unexplained = append(unexplained, d)
		}
	}
	Expect(unexplained).To(BeEmpty())
}

var _ = Describe("agreement", func() {
	It("of networknt-2020 on the module's own constructs", func() {
		cases, err := agreement.Goldens("networknt-2020")
		compare("networknt-2020", "goldens", cases, err)
	})
})
