package main

import (
	"strconv"
	"strings"
)

// text draws an instance string: one of the pool, or one with a few characters
// changed, which is where formats and patterns part.
func (d dice) text() string {
	s := pick(d, texts...)
	if !d.chance(3) {
		return s
	}
	runes := []rune(s)
	for range 1 + d.upTo(1) {
		c := pick(d, []rune("0159aZ-:.+@/%T z_~#\u00e9\u0661\n {}[]\\\"😀")...)
		at := d.IntN(len(runes) + 1)
		switch {
		case at < len(runes) && d.chance(3):
			runes = append(runes[:at], runes[at+1:]...)
		case at < len(runes) && d.chance(2):
			runes[at] = c
		default:
			runes = append(runes[:at], append([]rune{c}, runes[at:]...)...)
		}
	}
	return string(runes)
}

// number draws a number literal: one of the pool, or random digits.
func (d dice) number() string {
	if !d.chance(3) {
		return pick(d, numbers...)
	}
	var b strings.Builder
	if d.chance(4) {
		b.WriteByte('-')
	}
	switch d.IntN(4) {
	case 0:
		b.WriteString(strconv.Itoa(d.IntN(100)))
	case 1:
		b.WriteString(strconv.FormatUint(d.Uint64(), 10))
	case 2:
		b.WriteString(strconv.Itoa(d.IntN(1000)) + "." + strconv.Itoa(d.IntN(1000)))
	default:
		b.WriteString(strconv.FormatFloat(d.NormFloat64()*100, 'g', -1, 64))
		return b.String()[strings.LastIndex(b.String(), "--")+1:]
	}
	if d.chance(6) {
		b.WriteString(pick(d, "e", "E", "e+", "e-") + strconv.Itoa(d.IntN(25)))
	}
	return b.String()
}

// pieces are what regular expressions are made of, right and wrong.
var pieces = []string{
	"a", "b", "[a-z]", "[^a]", "\\d", "\\w", "\\s", "\\S", "\\D", ".", "^", "$", "\\b", "\\B", "x", "-", "0", " ", "é", "😀", "_", "/", ",", "=", "!", "<", ":", "&", "#", "%", "@", "~", "`", "'",
	"\\.", "\\-", "\\/", "\\_", "\\@", "\\ ", "\\:", "\\=", "\\!", "\\#", "\\n", "\\t", "\\v", "\\0", "\\1", "\\2", "\\01", "\\8", "\\x41", "\\x4", "\\u0041", "\\u004", "\\u{41}", "\\u{110000}", "\\cA", "\\c1",
	"\\p{L}", "\\p{Lu}", "\\p{Script=Latin}", "\\p{sc=Greek}", "\\p{ASCII}", "\\p{Emoji}", "\\p{Any}", "\\p{l}", "\\p{Letter}", "\\p", "\\P{N}", "\\k<n>", "\\k", "\\A", "\\Z", "\\z", "\\G", "\\h", "\\R", "\\X", "\\Q", "\\E", "\\e", "\\a", "\\N",
	"[", "]", "(", ")", "{", "}", "|", "*", "+", "?", "\\", "[]", "[^]", "[a-]", "[-a]", "[a-\\d]", "[\\w-z]", "[\\d-x]", "[z-a]", "[\\b]", "[\\B]", "[\\-]", "[\\_]", "[\\p{L}\\d]", "[^\\P{L}]", "[[:alpha:]]", "[a[b]]", "[\\u{1F600}-\\u{1F64F}]", "[\\ud83d]", "[😀-🙏]",
	"(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<n>", "(?P<n>", "(?i)", "(?i:", "(?-i:", "(?>", "(?#x)", "(?s)", "(?1)", "(?P=n)", "(?(1)a|b)", "(*ACCEPT)", "\\N{DASH}", "{2}", "{1,}", "{,3}", "{1,2}", "{2,1}", "{0}", "{a}", "{1", "*?", "+?", "??", "{2}?", "*+", "++", "?+", "{2}+", "**",
}

// regex composes a pattern of a few pieces, its groups mostly closed.
func (d dice) regex() string {
	var b strings.Builder
	open := 0
	for range 1 + d.upTo(4) {
		piece := pick(d, pieces...)
		open += strings.Count(piece, "(") - strings.Count(piece, "\\(") - strings.Count(piece, ")")
		b.WriteString(piece)
		if open > 0 && d.chance(3) {
			b.WriteByte(')')
			open--
		}
	}
	if open > 0 && !d.chance(8) {
		b.WriteString(strings.Repeat(")", open))
	}
	if d.chance(4) {
		return "^" + b.String() + "$"
	}
	return b.String()
}
