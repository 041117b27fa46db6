package pyjsonschema_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/validators/internal/agreement"
)

// namedExceptions are the recorded answers that can't be had, with the reason.
var namedExceptions = map[string]string{
	"depth-schema-1000":        "recorded with the standard library's JSON parser, which fails first; the SDK's own parser is another",
	"typebox-bigint-undefined": "two members are wrong and the library walks a hash set: either comes first",
}

func unexplained(f agreement.Figure) (out []string) {
	for _, d := range f.Differences {
		id, _, _ := strings.Cut(d, " ")
		if namedExceptions[id] == "" {
			out = append(out, d)
		}
	}
	return out
}

// sameWords compares texts; where exactly Python's stack ran out is chance.
func sameWords(equal agreement.TextEqual) agreement.TextEqual {
	const overflow = "RecursionError: maximum recursion depth exceeded"
	return func(want, got string) bool {
		return equal(want, got) || strings.HasPrefix(want, overflow) && strings.HasPrefix(got, overflow)
	}
}

var _ = Describe("agreement", func() {
	report := func(name string, f agreement.Figure) {
		AddReportEntry("python-jsonschema, "+name, f.String())
		for _, d := range f.Differences {
			fmt.Fprintln(GinkgoWriter, d)
		}
	}
	It("answers the module's own constructs like the library", func() {
		cases, err := agreement.Goldens("python-jsonschema")
		Expect(err).NotTo(HaveOccurred())
		f := agreement.Measure("python-jsonschema", cases, sameWords(agreement.FirstParagraph))
		report("goldens", f)
		Expect(unexplained(f)).To(BeEmpty())
	})

	Context("with the recordings", func() {
		var dir string
		BeforeEach(func() {
			if dir = agreement.Dir(); dir == "" {
				Skip("no recordings: set CONFORM_SHARED to compare with them")
			}
		})
		It("answers every probe like jsonschema 4.26.0", func() {
			cases, err := agreement.Probes(dir, "py-jsonschema-4.26.0")
			Expect(err).NotTo(HaveOccurred())
			f := agreement.Measure("python-jsonschema", cases, sameWords(agreement.Exact))
			report("probes", f)
			Expect(unexplained(f)).To(BeEmpty())
		})
		It("answers every construct like the SDK", func() {
			cases, err := agreement.SDK(dir, "python")
			Expect(err).NotTo(HaveOccurred())
			f := agreement.Measure("python-jsonschema", cases, sameWords(agreement.Exact))
			report("SDK constructs", f)
			Expect(unexplained(f)).To(BeEmpty())
		})
	})
})
