package recording

import (
	"math/big"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hostmatrix/conform/schema"
)

// formatTexts has a plausible text for every format of 2020-12 (section 7.3).
var formatTexts = map[string]string{
	"date-time": "2026-01-15T09:30:00Z", "date": "2026-01-15", "time": "09:30:00Z", "duration": "P1DT2H",
	"email": "ada@example.com", "idn-email": "ada@example.com", "hostname": "example.com", "idn-hostname": "example.com",
	"ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uri": "https://example.com/a", "uri-reference": "/a",
	"iri": "https://example.com/a", "iri-reference": "/a", "uri-template": "https://example.com/{id}",
	"uuid": "6f1c7a52-3b0e-4d6f-9c1a-2f5e8d7b9a10", "json-pointer": "/a/0", "relative-json-pointer": "1/a", "regex": "^a+$",
}

// text makes a string. Examples and the default are tried first: they look like
// what the tool really returns.
func (g *synthesizer) text(s *schema.Value) *schema.Value {
	var candidates []string
	if g.salt == 0 {
		for _, v := range append(append([]*schema.Value(nil), schemaList(s, "examples")...), s.Get("default")) {
			if text, ok := v.IsString(); ok {
				candidates = append(candidates, text)
			}
		}
	}
	given := len(candidates)
	format, _ := s.Get("format").IsString()
	pattern, hasPattern := s.Get("pattern").IsString()
	if text, ok := formatTexts[format]; ok {
		candidates = append(candidates, text)
	}
	if hasPattern {
		if text, ok := matching(pattern, g.salt); ok {
			candidates = append(candidates, text)
		}
	}
	if encoding, _ := s.Get("contentEncoding").IsString(); encoding == "base64" {
		candidates = append(candidates, "aGVsbG8=")
	}
	if formatTexts[format] == "" {
		candidates = append(candidates, "text"+suffix(g.salt), "x"+suffix(g.salt), strings.Repeat("x", min(bound(s, "minLength", 0), maxElements)))
	}
	for i, text := range candidates {
		if n := utf8.RuneCountInString(text); n < bound(s, "minLength", 0) || n > bound(s, "maxLength", 1<<30) {
			continue
		}
		if hasPattern {
			// A pattern that RE2 can't read is believed to match what the author
			// gives as an example, and nothing else.
			if re, err := regexp.Compile(pattern); err == nil && !re.MatchString(text) || err != nil && i >= given {
				continue
			}
		}
		return schema.Str(text)
	}
	return nil
}

func suffix(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// number makes a number within the bounds: 1 or 1.5 where they allow it.
func (g *synthesizer) number(s *schema.Value, integer bool) *schema.Value {
	low, high := limit(s, "minimum", "exclusiveMinimum", 1), limit(s, "maximum", "exclusiveMaximum", -1)
	step, ok := s.Get("multipleOf").Exact()
	if !ok || step.Sign() <= 0 {
		step = nil
	}
	half := big.NewRat(1, 2)
	candidates := []*big.Rat{big.NewRat(3, 2), big.NewRat(1, 1), new(big.Rat)}
	if g.salt > 0 {
		candidates = []*big.Rat{big.NewRat(int64(g.salt)+1, 1)}
	}
	if step != nil {
		candidates = append(candidates, step, multipleFrom(low, step, g.salt), multipleFrom(high, new(big.Rat).Neg(step), g.salt))
	}
	for _, b := range []*big.Rat{low, high} {
		if b != nil {
			one := big.NewRat(1, 1)
			candidates = append(candidates, b, new(big.Rat).Add(floor(b), one), floor(b), new(big.Rat).Sub(floor(b), one))
		}
	}
	if low != nil && high != nil {
		candidates = append(candidates, new(big.Rat).Mul(half, new(big.Rat).Add(low, high)))
	}
	for _, c := range candidates {
		if c == nil || integer && !c.IsInt() || !inBounds(s, c) || step != nil && !new(big.Rat).Quo(c, step).IsInt() {
			continue
		}
		return &schema.Value{Kind: schema.Number, Text: decimal(c)}
	}
	return nil
}

// limit returns the stricter of the inclusive and the exclusive bound.
func limit(s *schema.Value, inclusive, exclusive string, sign int) *big.Rat {
	a, ok1 := s.Get(inclusive).Exact()
	b, ok2 := s.Get(exclusive).Exact()
	switch {
	case ok1 && ok2 && a.Cmp(b)*sign < 0, !ok1 && ok2:
		return b
	case ok1:
		return a
	}
	return nil
}

func inBounds(s *schema.Value, x *big.Rat) bool {
	holds := func(keyword string, allowed func(int) bool) bool {
		b, ok := s.Get(keyword).Exact()
		return !ok || allowed(x.Cmp(b))
	}
	return holds("minimum", func(c int) bool { return c >= 0 }) && holds("maximum", func(c int) bool { return c <= 0 }) &&
		holds("exclusiveMinimum", func(c int) bool { return c > 0 }) && holds("exclusiveMaximum", func(c int) bool { return c < 0 })
}

// multipleFrom returns a multiple of step next to a bound, nil without a bound.
func multipleFrom(from, step *big.Rat, salt int) *big.Rat {
	if from == nil {
		return nil
	}
	n := floor(new(big.Rat).Quo(from, step))
	n.Add(n, big.NewRat(int64(salt)+1, 1))
	return n.Mul(n, step)
}

func floor(x *big.Rat) *big.Rat {
	q, m := new(big.Int).QuoRem(x.Num(), x.Denom(), new(big.Int))
	if m.Sign() < 0 {
		q.Sub(q, big.NewInt(1))
	}
	return new(big.Rat).SetInt(q)
}

// decimal writes a number as JSON; a fraction without an end is cut.
func decimal(x *big.Rat) string {
	if x.IsInt() {
		return x.Num().String()
	}
	text := strings.TrimRight(x.FloatString(20), "0")
	return strings.TrimSuffix(text, ".")
}

// maxPatternText bounds a text that is made for a pattern.
const maxPatternText = 2_000

// matching makes a text that a pattern matches, ok = false when the pattern is
// not one that RE2 reads or the text would be too long. salt varies the text where the pattern leaves a
// choice.
func matching(pattern string, salt int) (text string, ok bool) {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	if !writeMatch(&b, tree.Simplify(), salt) {
		return "", false
	}
	re, err := regexp.Compile(pattern)
	return b.String(), err == nil && re.MatchString(b.String())
}

// writeMatch writes the shortest match that shows something: one repetition of a
// star, the first branch of a choice.
func writeMatch(b *strings.Builder, re *syntax.Regexp, salt int) bool {
	if b.Len() > maxPatternText {
		return false
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(member1(re.Rune, salt))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteRune('a' + rune(salt%26))
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if !writeMatch(b, sub, salt) {
				return false
			}
		}
	case syntax.OpAlternate:
		return writeMatch(b, re.Sub[salt%len(re.Sub)], salt)
	case syntax.OpCapture, syntax.OpPlus, syntax.OpStar, syntax.OpQuest:
		return writeMatch(b, re.Sub[0], salt)
	case syntax.OpRepeat:
		for range max(re.Min, min(1, re.Max)) {
			if !writeMatch(b, re.Sub[0], salt) {
				return false
			}
		}
	case syntax.OpNoMatch:
		return false
	}
	return true
}

// member1 picks a character of a class: a digit or letter where it has one.
func member1(ranges []rune, salt int) rune {
	for _, from := range []rune{'a', '0', 'A'} {
		for i := range rune(10) {
			c := from + (i+rune(salt))%10
			for r := 0; r+1 < len(ranges); r += 2 {
				if ranges[r] <= c && c <= ranges[r+1] {
					return c
				}
			}
		}
	}
	if len(ranges) == 0 {
		return 0
	}
	return ranges[0]
}
