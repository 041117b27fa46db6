package reports

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// inline makes server text safe within a line: control characters (line breaks
// too), invalid UTF-8, and the invisible and bidirectional format characters are
// written as escapes, so that no server can move a terminal's cursor, hide or
// reorder text.
func inline(s string) string { return escapeText(s, "") }

// multiline is inline with line breaks kept.
func multiline(s string) string { return escapeText(s, "\n") }

func escapeText(s, keep string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return unsafeRune(r) }) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n <= 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case strings.ContainsRune(keep, r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case unsafeRune(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

func unsafeRune(r rune) bool {
	return unicode.Is(unicode.C, r) || r == '\u2028' || r == '\u2029'
}

var commandEscapes = strings.NewReplacer("##[", "#\\#[", "##vso[", "#\\#vso[", "##teamcity[", "#\\#teamcity[")

// uncommand keeps a line from being taken as a command by a CI system that reads
// logs: GitHub takes lines that begin with "::" (leading blanks allowed) and, in
// its older form, "##[" anywhere; Azure DevOps takes "##vso[" and "##[" too.
// Source: actions/runner, ActionCommand.TryParseV2 and TryParse.
func uncommand(line string) string {
	if strings.Contains(line, "##") {
		line = commandEscapes.Replace(line)
	}
	if trimmed := strings.TrimLeft(line, " \t"); strings.HasPrefix(trimmed, "::") {
		line = line[:len(line)-len(trimmed)] + "\\" + trimmed
	}
	return line
}
