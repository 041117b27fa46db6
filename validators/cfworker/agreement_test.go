package cfworker_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	_ "github.com/hostmatrix/conform/validators/cfworker"
	"github.com/hostmatrix/conform/validators/internal/agreement"
)

// namedExceptions are the recorded answers that can't be had, with the reason.
var namedExceptions = map[string]string{
	"proto-prop": "the SDK's parser drops a top-level __proto__ before the validator sees it",
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
	for _, profile := range []string{"cfworker-2020", "cfworker-dispatch"} {
		It("of "+profile+" on the module's own constructs", func() {
			cases, err := agreement.Goldens(profile)
			compare(profile, "goldens", cases, err)
		})
	}
	Context("with the recordings", func() {
		var dir string
		BeforeEach(func() {
			if dir = agreement.Dir(); dir == "" {
				Skip("no recordings: set CONFORM_SHARED to compare with them")
			}
		})
		It("of cfworker-dispatch on the probes", func() {
			cases, err := agreement.Probes(dir, "ts-client-2.4.0-cfworker")
			compare("cfworker-dispatch", "probes", cases, err)
		})
		It("of cfworker-2020 on the official suite", func() {
			cases, err := agreement.Suite(dir, "cfworker")
			compare("cfworker-2020", "official suite", cases, err)
		})
		It("of cfworker-2020 on the SDK constructs", func() {
			cases, err := agreement.SDK(dir, "ts-1.32-cfworker")
			compare("cfworker-2020", "SDK constructs", cases, err)
		})
		It("of cfworker-dispatch on the SDK constructs", func() {
			cases, err := agreement.SDK(dir, "ts-2.x-cfworker")
			compare("cfworker-dispatch", "SDK constructs", cases, err)
		})
	})
})
