package wire

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// rawMax is how many bytes of a server's text an error or problem quotes (issue 2, item 10).
const rawMax = 200

// Printable returns the start of what a server sent, at most max bytes of it, in
// a form that is safe to print: control characters, invalid UTF-8 and the
// bidirectional and invisible format characters are written as escapes, so that
// no server can move a terminal's cursor, hide text, or start a line that a CI
// system takes as a command ("::error"). Longer text ends in " … (N bytes)".
func Printable(raw []byte, max int) string {
	cut := raw
	if len(cut) > max {
		cut = cut[:max]
		for len(cut) > 0 && max-len(cut) < utf8.UTFMax && !utf8.RuneStart(raw[len(cut)]) {
			cut = cut[:len(cut)-1]
		}
	}
	var b strings.Builder
	for i := 0; i < len(cut); {
		r, n := utf8.DecodeRune(cut[i:])
		switch {
		case r == utf8.RuneError && n <= 1:
			fmt.Fprintf(&b, `\x%02x`, cut[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case unicode.Is(unicode.C, r) || r == '\u2028' || r == '\u2029':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		i += n
	}
	if len(cut) < len(raw) {
		fmt.Fprintf(&b, " … (%d bytes)", len(raw))
	}
	return b.String()
}
