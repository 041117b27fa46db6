package reports

import (
	"strings"
	"unicode/utf8"
)

// wrap breaks text into lines of at most width characters, at blanks where there
// are some, else anywhere. Line breaks of the text are kept.
func wrap(text string, width int) []string {
	width = max(width, 8)
	var out []string
	for _, paragraph := range strings.Split(text, "\n") {
		line := ""
		for _, word := range strings.SplitAfter(paragraph, " ") {
			for runes(strings.TrimRight(line+word, " ")) > width {
				if line != "" && runes(strings.TrimRight(word, " ")) <= width {
					out = append(out, strings.TrimRight(line, " "))
					line = ""
					continue
				}
				head, rest := cutRunes(line+word, width)
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

func cutRunes(s string, n int) (head, rest string) {
	for i := range s {
		if n == 0 {
			return s[:i], s[i:]
		}
		n--
	}
	return s, ""
}

// shorten keeps the ends of a long name, which tell tools apart, and marks the cut.
func shorten(s string, width int) string {
	if runes(s) <= width {
		return s
	}
	r := []rune(s)
	head := (width - 1) * 2 / 3
	return string(r[:head]) + "…" + string(r[len(r)-(width-1-head):])
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-runes(s)))
}

// cutText keeps the first max characters and says how much is missing.
func cutText(s string, limit int) string {
	if runes(s) <= limit {
		return s
	}
	head, rest := cutRunes(s, limit)
	return head + " … (" + plural(runes(rest), "more character") + ")"
}
