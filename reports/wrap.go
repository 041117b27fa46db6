package reports

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// wrap breaks text into lines of at most limit columns, at blanks where there are
// some, else anywhere. Line breaks of the text are kept.
func wrap(text string, limit int) []string {
	limit = max(limit, 8)
	var out []string
	for _, paragraph := range strings.Split(text, "\n") {
		line := ""
		for _, word := range strings.SplitAfter(paragraph, " ") {
			for columns(strings.TrimRight(line+word, " ")) > limit {
				if line != "" && columns(strings.TrimRight(word, " ")) <= limit {
					out = append(out, strings.TrimRight(line, " "))
					line = ""
					continue
				}
				head, rest := cutColumns(line+word, limit)
				out = append(out, head)
				line, word = "", rest
			}
			line += word
		}
		out = append(out, strings.TrimRight(line, " "))
	}
	return out
}

func runes(s string) int { return utf8.RuneCountInString(s) }

// columns is how many columns of a terminal a text takes: two for wide characters of
// East Asia and for emoji, none for what combines with the character before.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Variation_Selector):
		return 0
	}
	if kind := width.LookupRune(r).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
		return 2
	}
	return 1
}

// cutColumns splits a text behind at most n columns, and behind one character at least.
func cutColumns(s string, n int) (head, rest string) {
	for i, r := range s {
		if n -= columnsOf(r); n < 0 && i > 0 {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// shorten keeps the ends of a long name, which tell tools apart, and marks the cut.
func shorten(s string, limit int) string {
	if columns(s) <= limit {
		return s
	}
	head, _ := cutColumns(s, (limit-1)*2/3)
	tail := []rune(s)
	from, left := len(tail), limit-1-columns(head)
	for from > 0 && left >= columnsOf(tail[from-1]) {
		from--
		left -= columnsOf(tail[from])
	}
	return head + "…" + string(tail[from:])
}

func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-columns(s)))
}

// cutText keeps the first limit characters and says how much is missing.
func cutText(s string, limit int) string {
	if runes(s) <= limit {
		return s
	}
	at := 0
	for range limit {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return s[:at] + " … (" + plural(runes(s[at:]), "more character") + ")"
}
