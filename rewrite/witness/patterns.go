package witness

import (
	"regexp/syntax"
	"strings"
	"unicode"
)

// maxPatternText bounds a text that is made for a pattern, in bytes.
const maxPatternText = 2_000

// textsMatching makes at most limit texts for a pattern: matches, and matches
// changed in the ways in which the languages' engines differ (a newline before
// the end, digits and letters beyond ASCII, more around an unanchored match).
// Nothing is proven; the caller's dialect judges. Empty for a pattern that can't
// be read even without its look-arounds and back-references.
func textsMatching(pattern string, limit int) []string {
	tree := parsePattern(pattern)
	if tree == nil {
		return nil
	}
	var out []string
	seen := map[string]bool{}
	add := func(text string) {
		if !seen[text] && len(text) <= maxPatternText && len(out) < limit {
			seen[text] = true
			out = append(out, text)
		}
	}
	var base string
	for salt := range 8 {
		w := &writer{salt: salt, odd: salt >= 4}
		w.write(tree)
		if salt == 0 {
			base = w.String()
		}
		add(w.String())
	}
	add(base + "\n")
	add(swap(base, unicode.IsDigit, '١'))
	add(swap(base, unicode.IsLetter, 'é'))
	add(swap(base, unicode.IsSpace, '\u00a0'))
	add(swap(base, unicode.IsSpace, '\ufeff'))
	add("x" + base)
	add(base + "x")
	add("x" + base + "x")
	add(base + "\u2028")
	add(base + "😀")
	add(swap(base, func(rune) bool { return true }, '\u0085'))
	add(swap(base, func(rune) bool { return true }, '\u001c'))
	add(swap(base, func(r rune) bool { return !unicode.IsDigit(r) }, '\u2028'))
	add(swap(base, func(r rune) bool { return !unicode.IsDigit(r) }, '😀'))
	add(swap(base, unicode.IsLetter, 'ſ'))
	add(strings.ToUpper(base))
	add("")
	return out
}

// swap replaces the first rune of a kind.
func swap(text string, kind func(rune) bool, by rune) string {
	for i, r := range text {
		if kind(r) {
			return text[:i] + string(by) + text[i+len(string(r)):]
		}
	}
	return text
}

// parsePattern reads an ECMA-262 pattern as far as Go's parser can, after taking
// away what it does not know.
func parsePattern(pattern string) *syntax.Regexp {
	if len(pattern) > 8<<10 {
		return nil
	}
	for _, attempt := range []func(string) string{
		func(p string) string { return p },
		simplifyPattern,
	} {
		if tree, err := syntax.Parse(attempt(pattern), syntax.Perl&^syntax.OneLine); err == nil {
			return tree.Simplify()
		}
	}
	return nil
}

// simplifyPattern drops look-arounds and back-references and respells escapes.
func simplifyPattern(p string) string {
	p = dropLookarounds(p)
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		if p[i] != '\\' || i+1 >= len(p) {
			b.WriteByte(p[i])
			continue
		}
		i++
		switch c := p[i]; {
		case c == 'u' && i+1 < len(p) && p[i+1] == '{':
			b.WriteString(`\x`)
		case c == 'u' && i+4 < len(p):
			b.WriteString(`\x{` + p[i+1:i+5] + `}`)
			i += 4
		case c >= '1' && c <= '9', c == 'B':
			// a back-reference matches what was matched; leaving it out is a guess
		case c == 'Z' || c == 'z':
			b.WriteByte('$')
		case c == 'A':
			b.WriteByte('^')
		case strings.IndexByte("dDwWsSbBnrtfvpPx0.*+?()[]{}|^$\\/-", c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return strings.NewReplacer("[^]", "(?s:.)", "(?P=", "(?:", "++", "+", "*+", "*").Replace(b.String())
}

// dropLookarounds removes (?=…), (?!…), (?<=…) and (?<!…) with what they hold.
func dropLookarounds(p string) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		if p[i] == '\\' && i+1 < len(p) {
			b.WriteString(p[i : i+2])
			i++
			continue
		}
		if !startsWithAny(p[i:], "(?=", "(?!", "(?<=", "(?<!") {
			b.WriteByte(p[i])
			continue
		}
		depth := 0
		for ; i < len(p); i++ {
			switch p[i] {
			case '\\':
				i++
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth == 0 {
				break
			}
		}
	}
	return b.String()
}

func startsWithAny(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// writer makes one text that a tree matches. salt varies its choices; odd prefers
// characters beyond ASCII where a class has them.
type writer struct {
	strings.Builder
	salt int
	odd  bool
}

func (w *writer) write(re *syntax.Regexp) {
	if w.Len() > maxPatternText {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		w.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		w.WriteRune(w.pick(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		if w.odd {
			w.WriteRune([]rune{'é', '😀', '\u2028', '\r'}[w.salt%4])
		} else {
			w.WriteRune('a' + rune(w.salt%26))
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			w.write(sub)
		}
	case syntax.OpAlternate:
		w.write(re.Sub[w.salt%len(re.Sub)])
	case syntax.OpCapture, syntax.OpPlus:
		w.write(re.Sub[0])
	case syntax.OpStar, syntax.OpQuest:
		if w.salt%2 == 0 {
			w.write(re.Sub[0])
		}
	case syntax.OpRepeat:
		for range max(re.Min, min(1, re.Max)) {
			w.write(re.Sub[0])
		}
	}
}

// pick takes a character of a class.
func (w *writer) pick(ranges []rune) rune {
	in := func(c rune) bool {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= c && c <= ranges[i+1] {
				return true
			}
		}
		return false
	}
	wanted := []rune("a0A_-. 1bZ")
	if w.odd {
		wanted = append([]rune{[]rune("é١\u00a0😀")[w.salt%4], 'é', '١', '\u00a0', '\ufeff', '\u2028', '😀', 'ſ', '\n'}, wanted...)
	}
	for i := range wanted {
		c := wanted[i]
		if !w.odd {
			c = wanted[(i+w.salt)%len(wanted)]
		}
		if in(c) {
			return c
		}
	}
	if len(ranges) == 0 {
		return 'x'
	}
	return ranges[(w.salt*2)%(len(ranges)&^1)]
}
