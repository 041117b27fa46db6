package regex

import "unicode/utf8"

// Surrogates as UTF-16 has them; a lone one arrives as three bytes ED A0..BF xx
// (WTF-8) and is kept as a code point of its own.
const (
	leadFirst, leadLast   = 0xD800, 0xDBFF
	trailFirst, trailLast = 0xDC00, 0xDFFF
	maxRune               = 0x10FFFF
)

func isLead(r rune) bool  { return r >= leadFirst && r <= leadLast }
func isTrail(r rune) bool { return r >= trailFirst && r <= trailLast }

// encoding says of what a dialect's strings are made.
type encoding uint8

const (
	pairs encoding = iota // code points, adjacent surrogates joined
	units                 // UTF-16 code units (ECMAScript without u)
)

// decode appends the characters of s to buf as the encoding counts them. Bytes
// that are no UTF-8 become U+FFFD, one each.
func decode(buf []rune, s string, enc encoding) []rune {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			buf = append(buf, rune(c))
			i++
			continue
		}
		r, n := decodeWTF8(s[i:])
		i += n
		switch {
		case enc == units && r > 0xFFFF:
			r -= 0x10000
			buf = append(buf, leadFirst+r>>10, trailFirst+r&0x3FF)
		case enc == pairs && isTrail(r) && len(buf) > 0 && isLead(buf[len(buf)-1]):
			buf[len(buf)-1] = joinPair(buf[len(buf)-1], r)
		default:
			buf = append(buf, r)
		}
	}
	return buf
}

func joinPair(lead, trail rune) rune {
	return 0x10000 + (lead-leadFirst)<<10 + (trail - trailFirst)
}

// decodeWTF8 is utf8.DecodeRuneInString that lets surrogates through.
func decodeWTF8(s string) (rune, int) {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 && len(s) >= 3 && s[0] == 0xED && s[1]&0xE0 == 0xA0 && s[2]&0xC0 == 0x80 {
		return rune(s[0]&0x0F)<<12 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return r, n
}

// appendWTF8 is utf8.AppendRune that lets surrogates through.
func appendWTF8(b []byte, r rune) []byte {
	if r >= leadFirst && r <= trailLast {
		return append(b, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(b, r)
}

// encodeWTF8 is the inverse of decode for code points.
func encodeWTF8(rs []rune) string {
	b := make([]byte, 0, len(rs))
	for _, r := range rs {
		b = appendWTF8(b, r)
	}
	return string(b)
}
