package operation

import (
	"unicode/utf16"

	"github.com/hostmatrix/conform/schema"
)

// units are the UTF-16 units of a text, as JavaScript counts and slices it.
func units(s string) []uint16 {
	out := make([]uint16, 0, len(s))
	for i := 0; i < len(s); {
		r, width := schema.DecodeWTF8(s[i:])
		if utf16.IsSurrogate(r) {
			out = append(out, uint16(r))
		} else {
			out = utf16.AppendRune(out, r)
		}
		i += width
	}
	return out
}

// ofUnits is the text of UTF-16 units; half a pair stays half a pair.
func ofUnits(units []uint16) string {
	out := make([]byte, 0, len(units))
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if i+1 < len(units) {
			if pair := utf16.DecodeRune(r, rune(units[i+1])); pair != '\uFFFD' {
				r = pair
				i++
			}
		}
		out = schema.AppendWTF8(out, r)
	}
	return string(out)
}
