package regex

import (
	"math"
	"math/rand/v2"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// outcome is all that a match says, and its price.
type outcome struct {
	matched, ok bool
	steps       int
	failed      string
}

func judge(re *Regexp, text string, budget, after int) outcome {
	deadAfter = after
	m := &matcher{prog: re.prog, steps: budget}
	m.input = decode(nil, text, re.dialect.encoding())
	matched, ok := m.search()
	return outcome{matched, ok, m.steps, m.failed}
}

var _ = Describe("Remembering dead ends", Serial, func() {
	was := deadAfter
	AfterEach(func() { deadAfter = was })

	It("changes neither an answer nor its price", func() {
		dice := rand.New(rand.NewPCG(11, 4))
		pick := func(options ...string) string { return options[dice.IntN(len(options))] }
		var part func(depth int) string
		part = func(depth int) string {
			if depth == 0 {
				return pick("a", "b", "a?", "a*", "a+?", "[ab]", "ab", ".", "a{1,3}", "(?:)", "b*?", "$", "(?=a)", "\\b")
			}
			inner := part(depth-1) + pick("", part(depth-1))
			return pick("("+inner+")", "(?:"+inner+"|"+part(depth-1)+")") + pick("", "*", "+", "?", "*?", "+?", "{2,}", "{0,4}", "{2}")
		}
		counted, away := 0, 0
		for range 1500 {
			pattern := pick("", "^") + part(1+dice.IntN(3)) + part(dice.IntN(2)) + pick("", "$", "c$", "\\1")
			for _, d := range []Dialect{ECMAUnicode, ECMA, Python, Java} {
				re, err := Compile(d, pattern)
				if err != nil {
					continue
				}
				if re.prog.countable {
					counted++
				}
				text := strings.Repeat(pick("a", "ab", "aab"), 1+dice.IntN(9)) + pick("", "!", "b")
				plain := judge(re, text, 20_000, math.MaxInt)
				if plain.failed != "" {
					away++
					plain.steps = -1 // how far below zero it went is nobody's business
				}
				got := judge(re, text, 20_000, 10)
				got.steps = max(got.steps, -1)
				Expect(got).To(Equal(plain), "%s on %q as %s", pattern, text, d)
			}
		}
		Expect(counted).To(BeNumerically(">", 1000))
		Expect(away).To(BeNumerically(">", 100))
	})

	It("takes hardly any time for what runs away", func() {
		began := time.Now()
		for _, d := range []Dialect{ECMAUnicode, ECMA, Python, Java} {
			for _, pattern := range []string{`^(a+)+$`, `^(a|aa)+$`, `^(a|a)*$`, `^((a{0,1000}){0,1000}){0,1000}$`, `^(a*)*$`, `^(\w+\s?)*$`, `^([a-z]+)*[A-Z]$`} {
				re, err := Compile(d, pattern)
				Expect(err).NotTo(HaveOccurred())
				_, _ = re.MatchString(strings.Repeat("a", 60) + "!")
			}
		}
		Expect(time.Since(began)).To(BeNumerically("<", 5*time.Second), "28 budgets of half a second each without it")
	})
})
