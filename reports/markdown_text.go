package reports

import (
	"regexp"
	"strings"
)

// linking finds what GitHub and GitLab make links, calls of people or emoji of. They do
// so in the text that a reader sees, after Markdown is done with it: neither a
// backslash nor an entity keeps them from it. Source: github/cmark-gfm issue 181, and
// html-pipeline's mention filter, which reads decoded text.
var linking = regexp.MustCompile(`(?i)@|[#!$%&~^]\w|://|\bwww\.|\bgh-\d|:[a-z0-9_+-]+:`)

// apart is put behind the first character of such a text: a comment, which nobody
// sees and which is not copied with the text.
const apart = "<!-- -->"

func escapeApart(escapes *strings.Replacer, s string) string {
	s = inline(s)
	// Between two dollars stands a formula. Source: docs.github.com, "Writing
	// mathematical expressions".
	formula := strings.Count(s, "$") > 1
	var b strings.Builder
	put := func(part string) {
		part = escapes.Replace(part)
		if formula {
			part = strings.ReplaceAll(part, "$", "<span>$</span>")
		}
		b.WriteString(part)
	}
	for at := linking.FindStringIndex(s); at != nil; at = linking.FindStringIndex(s) {
		put(s[:at[0]+1])
		b.WriteString(apart)
		s = s[at[0]+1:]
	}
	put(s)
	return b.String()
}

var markdownEscapes = strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]", "<", "&lt;", ">", "&gt;",
	"&", "&amp;", "#", "&#35;", "|", "&vert;", "~", "\\~")

// markdownText escapes a text for a paragraph or a table: nothing in it becomes
// markup, a link, a call of a person, or a table's border.
func markdownText(s string) string { return escapeApart(markdownEscapes, s) }

var htmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\"", "&quot;", "#", "&#35;")

// htmlText is the same within an HTML element that begins its line.
func htmlText(s string) string { return escapeApart(htmlEscapes, s) }

// code is code within a line. Where backticks could be misread it is an element: a
// border of a table counts even between backticks.
func code(s string) string {
	s = inline(s)
	if s == "" || strings.ContainsAny(s, "`|\\") || strings.TrimSpace(s) != s {
		return "<code>" + markdownText(s) + "</code>"
	}
	return "`" + s + "`"
}

// fence is a block of code that no text can end.
func fence(s string) string {
	ticks := "```"
	for strings.Contains(s, ticks) {
		ticks += "`"
	}
	return ticks + "text\n" + s + "\n" + ticks + "\n"
}
