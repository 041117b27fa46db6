package regex_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/hostmatrix/conform/validators/regex"
)

// benchCases are patterns as schemas have them, with a text that matches.
var benchCases = []struct{ name, pattern, text string }{
	{"slug", `^[a-z][a-z0-9-]{0,62}$`, "web-frontend-eu-west-1"},
	{"date", `^\d{4}-\d{2}-\d{2}$`, "2026-11-30"},
	{"uuid", `^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, "123e4567-e89b-12d3-a456-426614174000"},
	{"email", `^[^\s@]+@[^\s@]+\.[^\s@]+$`, "ada.lovelace@example.org"},
	{"semver", `^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?$`, "v12.4.0-rc.1"},
	{"words", `^(?:\w+\s?)*$`, "the quick brown fox jumps over"},
	{"search", `(?:foo|bar|baz)qux`, strings.Repeat("lorem ipsum ", 20) + "bazqux"},
}

func BenchmarkMatch(b *testing.B) {
	for _, c := range benchCases {
		re, err := regex.Compile(regex.ECMAUnicode, c.pattern)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if ok, err := re.MatchString(c.text); !ok || err != nil {
					b.Fatal(ok, err)
				}
			}
		})
		std := regexp.MustCompile(c.pattern)
		b.Run(c.name+"/stdlib", func(b *testing.B) {
			for b.Loop() {
				if !std.MatchString(c.text) {
					b.Fatal("no match")
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, c := range benchCases {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := regex.Compile(regex.ECMAUnicode, c.pattern); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkBudget measures the price of a step: how long the default budget
// lasts on a pattern that uses it up.
func BenchmarkBudget(b *testing.B) {
	re, err := regex.Compile(regex.ECMA, `^(a+)+$`)
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat("a", 60) + "!"
	for b.Loop() {
		if _, err := re.MatchString(text); err == nil {
			b.Fatal("the budget was enough")
		}
	}
}
