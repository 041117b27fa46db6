package schema

// UTF16Len is the length of s in UTF-16 code units, as JavaScript, Java and C#
// count; half a pair, which [DecodeWTF8] reads, is one unit.
func UTF16Len(s string) int {
	n := 0
	for i := 0; i < len(s); {
		r, size := DecodeWTF8(s[i:])
		n, i = n+unitsOf(r), i+size
	}
	return n
}

// UTF16Prefix is the longest prefix of s with at most n UTF-16 code units that
// splits no pair.
func UTF16Prefix(s string, n int) string {
	for i := 0; i < len(s); {
		r, size := DecodeWTF8(s[i:])
		if n -= unitsOf(r); n < 0 {
			return s[:i]
		}
		i += size
	}
	return s
}

// UTF16Suffix is the longest suffix of s with at most n UTF-16 code units that
// splits no pair.
func UTF16Suffix(s string, n int) string {
	rest := UTF16Len(s) - n
	for i := 0; i < len(s); {
		if rest <= 0 {
			return s[i:]
		}
		r, size := DecodeWTF8(s[i:])
		rest, i = rest-unitsOf(r), i+size
	}
	return ""
}

func unitsOf(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}
