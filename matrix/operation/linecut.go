package operation

import (
	"strconv"
	"strings"
)

type lineLimit struct {
	onlyWhen
	Lines int    `json:"lines"`
	Bytes int    `json:"bytes"`
	Text  string `json:"text"`
}

func init() {
	registerText("line-cut",
		`Keeps the first whole lines of the joined text parts, at most "lines" and at most "bytes" with their line breaks, and puts "text" in its place: {head} what is kept, `+
			`{left} what was left out in {unit}, bytes when the bytes ended it and lines when the lines did. "when" as in say.`,
		func(v *View, p lineLimit, text string) string {
			head, left, unit := wholeLines(text, p.Lines, p.Bytes)
			if left == 0 {
				return text
			}
			v.Cuts = append(v.Cuts, CutMark{Kept: utf16Len(head), Of: utf16Len(text)})
			return fillTemplate(p.Text, func(name string) (string, bool) {
				value, ok := map[string]string{"head": head, "left": strconv.Itoa(left), "unit": unit}[name]
				return value, ok
			})
		})
}

// wholeLines returns the first lines of a text within both limits and how much was
// left out; 0 when the whole text is within them.
func wholeLines(text string, maxLines, maxBytes int) (head string, left int, unit string) {
	lines := strings.Split(text, "\n")
	if len(lines) <= maxLines && len(text) <= maxBytes {
		return text, 0, ""
	}
	size := 0
	for i, line := range lines {
		if i == maxLines {
			return strings.Join(lines[:i], "\n"), len(lines) - i, "lines"
		}
		next := size + len(line)
		if i > 0 {
			next++ // the line break before it
		}
		if next > maxBytes {
			return strings.Join(lines[:i], "\n"), len(text) - size, "bytes"
		}
		size = next
	}
	return text, 0, ""
}
