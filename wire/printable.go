package wire

import (
	"fmt"
	"unicode/utf8"

	"github.com/hostmatrix/conform/recording"
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
	text := recording.Escape(string(cut), "")
	if len(cut) < len(raw) {
		text += fmt.Sprintf(" … (%d bytes)", len(raw))
	}
	return text
}
