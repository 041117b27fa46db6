package recording

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes a server's text safe to print within a line: control characters (line
// breaks too), invalid UTF-8, and the invisible and bidirectional format characters are
// written as escapes, so that no server can move a terminal's cursor, hide or reorder
// text, or start a line. The runes in keep stay as they are.
func Escape(s, keep string) string {
	if !strings.ContainsFunc(s, UnsafeRune) && utf8.ValidString(s) {
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
		case UnsafeRune(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

// UnsafeRune reports whether a rune moves the cursor, ends a line, hides or reorders text,
// or is no character: Unicode's categories C, and its two separators of lines.
func UnsafeRune(r rune) bool {
	return unicode.Is(unicode.C, r) || r == '\u2028' || r == '\u2029'
}
