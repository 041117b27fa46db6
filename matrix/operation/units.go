package operation

import (
	"strconv"
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

// wholeSize writes a number of bytes as Kilo Code and opencode do. Source: Kilo Code
// 7.7.7, IEL.
func wholeSize(n int) string {
	const kib, mib = 1 << 10, 1 << 20
	switch {
	case n < kib:
		return strconv.Itoa(n) + " B"
	case n < mib:
		return strconv.Itoa((n+kib-1)/kib) + " KB"
	}
	return strconv.Itoa((n+mib-1)/mib) + " MB"
}
