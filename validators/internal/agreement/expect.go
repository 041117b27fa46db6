package agreement

import (
	"fmt"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// Expect measures the profile in a spec, reports the figure under the name of the
// corpus, and fails on every difference but the named exceptions: constructs by id,
// with the reason why their recorded answer can't be had. err is that of reading the
// cases.
func Expect(profile, corpus string, cases []Case, err error, same TextEqual, exceptions map[string]string) {
	ginkgo.GinkgoHelper()
	gomega.Expect(err).NotTo(gomega.HaveOccurred())
	gomega.Expect(cases).NotTo(gomega.BeEmpty())
	f := Measure(profile, cases, same)
	ginkgo.AddReportEntry(profile+", "+corpus, f.String())
	var unexplained []string
	for _, d := range f.Differences {
		fmt.Fprintln(ginkgo.GinkgoWriter, d)
		if id, _, _ := strings.Cut(d, " "); exceptions[id] == "" {
			unexplained = append(unexplained, d)
		}
	}
	gomega.Expect(unexplained).To(gomega.BeEmpty())
}
