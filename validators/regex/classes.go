package regex

// Classes that more than one dialect has, in one mode or another.
var (
	asciiDigit    = newSet(span{'0', '9'})
	asciiNotDigit = asciiDigit.negate()
	asciiWord     = newSet(span{'0', '9'}, span{'A', 'Z'}, span{'a', 'z'}, span{'_', '_'})
	asciiNotWord  = asciiWord.negate()
	asciiSpace    = newSet(span{'\t', '\r'}, span{' ', ' '})
	newlineOnly   = setOf('\n')
	notNewline    = newlineOnly.negate()
)

func isASCIILetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

func asciiLower(r rune) rune {
	if r >= 'A' && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

func isOctal(c rune) bool { return c >= '0' && c <= '7' }

func hexDigit(c rune) (rune, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}
