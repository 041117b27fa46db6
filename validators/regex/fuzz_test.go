package regex_test

import (
	"errors"
	"testing"

	"github.com/hostmatrix/conform/validators/regex"
)

// FuzzCompileMatch looks for crashes and hangs: whatever the pattern and the
// text, there is an answer or a typed error.
func FuzzCompileMatch(f *testing.F) {
	for _, p := range []string{`^(a|b)*\1$`, `(?<=a{1,3})b|[^\d\W]`, `\p{Lu}\u{1F600}[\ud83d]`, `(?i)(?P<n>a)(?P=n)(?(1)b|c)`, `a*+(?>b)\Qx\E[a&&b]`, `(?<n>x)\k<n>{2,}?`, `(?:a?){3}(?=(b))*`} {
		for d := range uint8(4) {
			f.Add(d, p, "aab\xed\xa0\xbd😀\r\n")
		}
	}
	f.Fuzz(func(t *testing.T, d uint8, pattern, text string) {
		re, err := regex.Compile(regex.Dialect(d%4), pattern)
		if err != nil {
			var syntax *regex.SyntaxError
			var unknown *regex.UnsupportedError
			var limit *regex.LimitError
			if !errors.As(err, &syntax) && !errors.As(err, &unknown) && !errors.As(err, &limit) {
				t.Fatalf("untyped error %T: %v", err, err)
			}
			return
		}
		first, err := re.MatchBudget(text, 200_000)
		if err != nil {
			var spent *regex.BudgetError
			var unknown *regex.UnsupportedError
			if !errors.As(err, &spent) && !errors.As(err, &unknown) {
				t.Fatalf("untyped error %T: %v", err, err)
			}
			return
		}
		if again, err := re.MatchBudget(text, 200_000); err != nil || again != first {
			t.Fatalf("second answer %v, %v; first %v", again, err, first)
		}
	})
}
