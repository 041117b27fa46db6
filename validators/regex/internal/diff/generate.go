package main

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/validators/regex"
	"github.com/hostmatrix/conform/validators/regex/internal/oracle"
)

// generator makes random patterns from a grammar per dialect, some of them
// damaged, and short strings over the same small alphabet.
type generator struct {
	r       *rand.Rand
	dialect regex.Dialect
	groups  int
	names   []string
	// plain makes a pattern of few letters with many groups, references and
	// repetitions, valid more often than not.
	plain bool
}

// next makes one case.
func (g *generator) next() oracle.Case {
	g.groups, g.names, g.plain = 0, nil, g.chance(2)
	p := g.disjunction(3)
	if g.dialect == regex.Python && g.chance(8) {
		p = g.pick("(?i)", "(?i)", "(?m)", "(?s)", "(?x)", "(?a)", "(?im)", "(?ai)", "(?u)") + p
	}
	if g.dialect == regex.Java && g.chance(8) {
		p = g.pick("(?i)", "(?m)", "(?s)", "(?d)", "(?im)", "(?x)") + p
	}
	if !g.plain && g.chance(6) {
		p = g.damage(p)
	}
	c := oracle.Case{Pattern: p}
	for range 4 + g.r.IntN(5) {
		c.Strings = append(c.Strings, g.text())
	}
	return c
}

func (g *generator) chance(n int) bool { return g.r.IntN(n) == 0 }

func (g *generator) pick(of ...string) string { return of[g.r.IntN(len(of))] }

// alphabet is what both patterns and strings are made of.
var alphabet = []string{
	"a", "a", "a", "b", "b", "c", "A", "B", "z", "1", "0", "9", "_", "-", " ", "\n", "\r", "\t", ",", "/", ":", ".",
	"é", "É", "ß", "ſ", "K", "İ", "ı", "Σ", "ς", "σ", "Ж", "語", "٣", "\u00a0", "\u2028", "\u0085", "\ufeff", "😀", "𝒜", "\x00",
	"\xed\xa0\xbd", "\xed\xb8\x80",
}

// text is a string of up to eight characters; mostly few different ones, so
// that references and loops find something.
func (g *generator) text() string {
	var b strings.Builder
	span := len(alphabet)
	if g.plain || g.chance(2) {
		span = 6
	}
	for range g.r.IntN(9) {
		b.WriteString(alphabet[g.r.IntN(span)])
	}
	return b.String()
}

func (g *generator) disjunction(depth int) string {
	s := g.alternative(depth)
	for g.chance(4) {
		s += "|" + g.alternative(depth)
	}
	return s
}

func (g *generator) alternative(depth int) string {
	var b strings.Builder
	for range g.r.IntN(4) {
		b.WriteString(g.term(depth))
	}
	return b.String()
}

func (g *generator) term(depth int) string {
	if g.chance(8) {
		return g.pick(append([]string{"^", "$", `\b`, `\B`}, g.extraAssertions()...)...)
	}
	return g.atom(depth) + g.quantifier()
}

func (g *generator) extraAssertions() []string {
	switch g.dialect {
	case regex.Python:
		return []string{`\A`, `\Z`}
	case regex.Java:
		return []string{`\A`, `\Z`, `\z`}
	}
	return nil
}

func (g *generator) quantifier() string {
	if !g.chance(3) && !(g.plain && g.chance(3)) {
		return ""
	}
	if g.plain {
		return g.pick("*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,2}?", "{2,}", "{2,}?", "{0,1}", "{0}")
	}
	q := g.pick("*", "+", "?", "*", "+", "?", "{2}", "{0,1}", "{1,}", "{0}", "{1,3}", "{2,}", "{,2}", "{3,1}", "{", "{1", "{0,}", "{1}")
	if g.chance(4) {
		q += "?"
	}
	if (g.dialect == regex.Python || g.dialect == regex.Java) && g.chance(6) {
		q += "+"
	}
	return q
}

func (g *generator) atom(depth int) string {
	if g.plain {
		switch n := g.r.IntN(8); {
		case n < 3 || depth == 0 && n < 5:
			return g.literal()
		case n == 3:
			return g.pick("[ab]", ".", "[^a]", `\w`)
		case n == 4:
			return g.reference()
		}
		return g.group(depth - 1)
	}
	switch n := g.r.IntN(16); {
	case n < 5 || depth == 0 && n < 9:
		return g.literal()
	case n == 5:
		return "."
	case n < 8:
		return g.class()
	case n < 11:
		return g.escape()
	case n == 11:
		return g.reference()
	}
	return g.group(depth - 1)
}

func (g *generator) literal() string {
	span := len(alphabet)
	if g.plain || !g.chance(4) {
		span = 6
	}
	s := alphabet[g.r.IntN(span)]
	if s == "." {
		return `\.`
	}
	return s
}

func (g *generator) group(depth int) string {
	if depth < 0 {
		return g.literal()
	}
	kinds := []string{"(", "(", "(", "(?:", "(?:", "(?=", "(?!", "(?<=", "(?<!", "name"}
	switch g.dialect {
	case regex.Python:
		kinds = append(kinds, "(?>", "(?i:", "(?-i:", "(?m:", "(?s:", "(?x:", "(?a:", "cond", "(?#")
	case regex.Java:
		kinds = append(kinds, "(?>", "(?i:", "(?m:", "(?s:", "(?-i:")
	}
	open := g.pick(kinds...)
	switch open {
	case "name":
		name := g.pick("n", "m", "k", "a1", "$", "_x", "é", "n")
		g.names = append(g.names, name)
		open = "(?<" + name + ">"
		if g.dialect == regex.Python {
			open = "(?P<" + name + ">"
		}
		g.groups++
	case "(":
		g.groups++
	case "cond":
		open = "(?(" + strconv.Itoa(1+g.r.IntN(max(1, g.groups))) + ")"
		if g.chance(2) {
			return open + g.alternative(depth) + ")"
		}
		return open + g.alternative(depth) + "|" + g.alternative(depth) + ")"
	case "(?#":
		return "(?#x)"
	case "(?<=", "(?<!":
		if g.dialect == regex.Python && !g.chance(4) {
			return open + g.literal() + g.pick("", "[ab]", ".", `\w`, "(?:a|b)", "{2}") + ")"
		}
	}
	return open + g.disjunction(depth) + ")"
}

func (g *generator) reference() string {
	if len(g.names) > 0 && g.chance(2) {
		name := g.names[g.r.IntN(len(g.names))]
		if g.dialect == regex.Python {
			return "(?P=" + name + ")"
		}
		return `\k<` + name + ">"
	}
	if g.plain && g.groups > 0 {
		return `\` + strconv.Itoa(1+g.r.IntN(g.groups))
	}
	return `\` + strconv.Itoa(1+g.r.IntN(g.groups+1))
}

// damage changes one place of a pattern.
func (g *generator) damage(p string) string {
	rs := []rune(p)
	i := g.r.IntN(len(rs) + 1)
	bits := []string{"(", ")", "[", "]", "{", "}", "*", "+", "?", "|", `\`, "^", "$", "-", "(?", "(?<", `\k`, `\u`, `\x`, `\c`, `\p{`, ",", "1", "<", ">", ":", "=", "&&", "#", `\N`, `\Q`}
	bit := bits[g.r.IntN(len(bits))]
	if g.chance(3) && i < len(rs) {
		return string(rs[:i]) + string(rs[i+1:])
	}
	return string(rs[:i]) + bit + string(rs[i:])
}
