package lint

import (
	"strings"
	"unicode/utf8"

	"github.com/hostmatrix/conform/schema"
)

// quotedMax bounds how much of a server's own text stands in a message.
const quotedMax = 80

// quote writes a text of the server for a message: as JSON, cut, so that nothing
// in it can reach a terminal.
func quote(s string) string { return schema.Quote(cut(s)) }

// short cuts a JSON text for a message.
func short(s string) string { return strings.ToValidUTF8(printable(cut(s)), "\uFFFD") }

func cut(s string) string {
	if len(s) <= quotedMax {
		return s
	}
	end := quotedMax
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '\uFFFD'
		}
		return r
	}, s)
}
