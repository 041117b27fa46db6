package regex_test

import (
	"errors"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/validators/regex"
)

var everyDialect = []regex.Dialect{regex.ECMAUnicode, regex.ECMA, regex.Python, regex.Java}

// mustCompile compiles a pattern that is known to be good.
func mustCompile(d regex.Dialect, pattern string) *regex.Regexp {
	GinkgoHelper()
	re, err := regex.Compile(d, pattern)
	Expect(err).NotTo(HaveOccurred(), "pattern %.60q for %s", pattern, d)
	return re
}

var _ = Describe("Bounds", func() {
	It("answers for a megabyte of text, or says that it gave up", func() {
		long := strings.Repeat("ab", 1<<19)
		for _, d := range everyDialect {
			for pattern, want := range map[string]bool{
				`^(a|b)*$`: true, `^(?:a|b)*c`: false, `^(?:ab)+$`: true, `^[^c]*$`: true, `c`: false, `^(?:a(?=b)|b)*$`: true,
			} {
				got, err := mustCompile(d, pattern).MatchString(long)
				var spent *regex.BudgetError
				if errors.As(err, &spent) {
					continue
				}
				Expect(err).NotTo(HaveOccurred(), "%s on %s", pattern, d)
				Expect(got).To(Equal(want), "%s on %s", pattern, d)
			}
			got, err := mustCompile(d, `^(a|b)*$`).MatchString(long)
			Expect(err).NotTo(HaveOccurred())
			Expect(got).To(BeTrue())
		}
	})

	It("stops a pattern that runs away, within seconds", func() {
		text := strings.Repeat("a", 60) + "!"
		for _, d := range everyDialect {
			for _, pattern := range []string{`^(a+)+$`, `^(a|aa)+$`, `^(?:a*)*b`, `(x?a?)*(y?a?)*$^z`, `^(?:(?:a+)+)+$`, `(?=(a+)+$)b|^(a+)+$`} {
				_, err := mustCompile(d, pattern).MatchBudget(text, 2_000_000)
				if err == nil {
					continue // small enough after all
				}
				var spent *regex.BudgetError
				Expect(errors.As(err, &spent)).To(BeTrue(), "%v", err)
				Expect(err.Error()).To(ContainSubstring("gave up after"))
			}
			_, err := mustCompile(d, `^(a+)+$`).MatchBudget(text, 2_000_000)
			Expect(err).To(HaveOccurred(), "%s has no defence of its own that we model", d)
		}
		start := time.Now()
		_, err := mustCompile(regex.ECMA, `^(a+)+$`).MatchString(text)
		Expect(err).To(HaveOccurred())
		Expect(time.Since(start)).To(BeNumerically("<", 20*time.Second))
	})

	It("does not go over a leading run again and again", func() {
		for _, d := range everyDialect {
			got, err := mustCompile(d, `.*b{2}c`).MatchString(strings.Repeat("a", 300_000))
			Expect(err).NotTo(HaveOccurred())
			Expect(got).To(BeFalse())
			got, err = mustCompile(d, `[a-y]+?z$`).MatchString(strings.Repeat("a", 300_000) + "\naz")
			Expect(err).NotTo(HaveOccurred())
			Expect(got).To(BeTrue())
		}
	})

	It("bounds the memory of backtracking", func() {
		_, err := mustCompile(regex.ECMA, `^(?:aa|aab)*$`).MatchBudget(strings.Repeat("a", 10<<20), 1<<40)
		var spent *regex.BudgetError
		Expect(errors.As(err, &spent)).To(BeTrue(), "%v", err)
		Expect(spent.Resource).To(Equal("backtracking frames"))
	})

	It("counts repetitions instead of unrolling them", func() {
		for _, d := range everyDialect {
			re := mustCompile(d, `^(?:(?:(?:x{1000}){1000}){1000}){1000}$`)
			got, err := re.MatchString(strings.Repeat("x", 5000))
			Expect(err).NotTo(HaveOccurred())
			Expect(got).To(BeFalse())
			got, err = mustCompile(d, `^(?:x{3}){1000}$`).MatchString(strings.Repeat("x", 3000))
			Expect(err).NotTo(HaveOccurred())
			Expect(got).To(BeTrue())
		}
	})

	It("compiles large patterns in time proportional to their length", func() {
		for _, unit := range []string{`a?`, `a|`, `[a-c\d]`, `\w|`, `(a)?`, `[^a]*`, `é`, `(?:a|b)`, `\b`, `x{2}`, `(?=a)`} {
			for _, prefix := range []string{"", "(?i)"} {
				for _, d := range everyDialect {
					if prefix != "" && d != regex.Python && d != regex.Java {
						continue
					}
					start := time.Now()
					_, err := regex.Compile(d, prefix+strings.Repeat(unit, 20000/len(unit)))
					Expect(err).NotTo(HaveOccurred(), "%s for %s", unit, d)
					Expect(time.Since(start)).To(BeNumerically("<", 10*time.Second), "%s for %s", unit, d)
				}
			}
		}
		start := time.Now()
		_, err := regex.Compile(regex.ECMAUnicode, strings.Repeat(`[\p{L}\p{N}]`, 5000))
		Expect(err).NotTo(HaveOccurred())
		Expect(time.Since(start)).To(BeNumerically("<", 10*time.Second))
	})

	It("refuses patterns that are too long or nest too deep with a typed error", func() {
		for _, d := range everyDialect {
			_, err := regex.Compile(d, strings.Repeat("a", 1<<16+1))
			var limit *regex.LimitError
			Expect(errors.As(err, &limit)).To(BeTrue(), "%v", err)

			for _, open := range []string{"(", "(?:", "(?=", "(?<=", "((?:"} {
				_, err = regex.Compile(d, strings.Repeat(open, 20000/len(open)*3))
				var unknown *regex.UnsupportedError
				Expect(errors.As(err, &limit) || errors.As(err, &unknown)).To(BeTrue(), "%s: %v", open, err)
			}
			deep := strings.Repeat("(", 300) + "a" + strings.Repeat(")", 300)
			got, err := mustCompile(d, deep).MatchString("ba")
			Expect(err).NotTo(HaveOccurred())
			Expect(got).To(BeTrue())
		}
	})

	It("keeps patterns usable from many goroutines", func() {
		re := mustCompile(regex.ECMAUnicode, `^(?:(\w)\1|\p{Lu}-)+$`)
		done := make(chan bool)
		for range 8 {
			go func() {
				ok := true
				for range 200 {
					yes, _ := re.MatchString("aabbA-cc")
					no, _ := re.MatchString("aabA-cc")
					ok = ok && yes && !no
				}
				done <- ok
			}()
		}
		for range 8 {
			Expect(<-done).To(BeTrue())
		}
	})

	It("says which dialect it does not know", func() {
		_, err := regex.Compile(regex.Dialect(9), "a")
		Expect(err).To(MatchError(ContainSubstring("no such regular-expression dialect: 9")))
	})
})

var _ = DescribeTable("Lone surrogates stay what they are",
	func(d regex.Dialect, pattern, text string, want bool) {
		got, err := mustCompile(d, pattern).MatchString(text)
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(Equal(want))
	},
	Entry("half a pair is no pair", regex.ECMAUnicode, `^\ud83d$`, "\xed\xa0\xbd", true),
	Entry("two halves are one character with u", regex.ECMAUnicode, `^.$`, "\xed\xa0\xbd\xed\xb8\x80", true),
	Entry("and two without", regex.ECMA, `^..$`, "😀", true),
	Entry("a pattern may hold one itself", regex.ECMA, "^\xed\xa0\xbd", "😀", true),
	Entry("not with u", regex.ECMAUnicode, "^\xed\xa0\xbd", "😀", false),
	Entry("Python keeps them", regex.Python, `^[\ud800-\udfff]$`, "\xed\xb8\x80", true),
	Entry("bytes that are no text become U+FFFD each", regex.ECMAUnicode, `^\ufffd\ufffda$`, "\xff\xfea", true),
)
