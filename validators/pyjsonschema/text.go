package pyjsonschema

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// codePoints splits a string into its characters as Python's str holds them: a
// lone surrogate is one.
func codePoints(s string) []string {
	out := make([]string, 0, len(s))
	for len(s) > 0 {
		_, n := schema.DecodeWTF8(s)
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

// runeCount is len(str).
func runeCount(s string) int {
	count := 0
	for len(s) > 0 {
		n := 1
		if s[0] >= 0x80 {
			_, n = schema.DecodeWTF8(s)
		}
		s = s[n:]
		count++
	}
	return count
}

// compareStrings orders by code point, which WTF-8 bytes do.
func compareStrings(a, b string) int { return strings.Compare(a, b) }

func indexOf(s, part string) int { return strings.Index(s, part) }
