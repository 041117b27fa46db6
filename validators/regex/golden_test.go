package regex_test

import (
	"errors"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/validators/regex"
	"github.com/hostmatrix/conform/validators/regex/internal/oracle"
)

// readGolden returns the cases of a dialect.
func readGolden(dialect string) []oracle.Case {
	GinkgoHelper()
	file, err := os.Open(filepath.Join("testdata", dialect+".jsonl"))
	Expect(err).NotTo(HaveOccurred())
	defer file.Close()
	cases, err := oracle.ReadCases(file)
	Expect(err).NotTo(HaveOccurred())
	return cases
}

// What the real engines said, made by "diff -golden -update"; see doc.go.
var _ = DescribeTable("Agreement with the real engine on every golden",
	func(dialect string, atLeast, unsupportedAtMost int) {
		d := oracle.Dialects[dialect]
		pairs, unsupported := 0, 0
		for _, c := range readGolden(dialect) {
			re, err := regex.Compile(d, c.Pattern)
			var unknown *regex.UnsupportedError
			if errors.As(err, &unknown) {
				unsupported++
				continue
			}
			if c.Error != "" {
				pairs++
				var refused *regex.SyntaxError
				Expect(errors.As(err, &refused)).To(BeTrue(), "pattern %q must be refused with %q, got %v", c.Pattern, c.Error, err)
				Expect(err.Error()).To(Equal(c.Error), "pattern %q", c.Pattern)
				continue
			}
			Expect(err).NotTo(HaveOccurred(), "pattern %q", c.Pattern)
			Expect(c.Matches).To(HaveLen(len(c.Strings)))
			for i, s := range c.Strings {
				got, err := re.MatchString(s)
				if errors.As(err, &unknown) {
					unsupported++
					continue
				}
				Expect(err).NotTo(HaveOccurred(), "pattern %q on %q", c.Pattern, s)
				Expect(got).To(Equal(c.Matches[i]), "pattern %q on %q", c.Pattern, s)
				pairs++
			}
		}
		Expect(pairs).To(BeNumerically(">=", atLeast), "compared")
		Expect(unsupported).To(BeNumerically("<=", unsupportedAtMost), "answered unknown")
	},
	Entry("V8 with the u flag", "ecma-u", 700, 0),
	Entry("V8 without flags", "ecma", 700, 0),
	Entry("CPython 3.11 re", "python", 600, 3),
	Entry("Java 17", "java", 500, 20),
)
