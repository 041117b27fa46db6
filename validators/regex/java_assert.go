package regex

import "github.com/hostmatrix/conform/validators/regex/internal/ucd"

// isJavaTerminator tells the line terminators of java.util.regex.
func isJavaTerminator(r rune) bool {
	return r == '\n' || r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029
}

// javaEnd is $ and \Z: the end, or before a last line terminator; never
// between \r and \n.
func javaEnd(s []rune, pos int) bool {
	switch len(s) - pos {
	case 0:
		return true
	case 1:
		return isJavaTerminator(s[pos]) && !insideCRLF(s, pos)
	case 2:
		return s[pos] == '\r' && s[pos+1] == '\n'
	}
	return false
}

// javaLineEnd is (?m)$.
func javaLineEnd(s []rune, pos int) bool {
	return pos == len(s) || isJavaTerminator(s[pos]) && !insideCRLF(s, pos)
}

// javaLineBegin is (?m)^, but for the very end.
func javaLineBegin(s []rune, pos int) bool {
	return pos == 0 || isJavaTerminator(s[pos-1]) && !insideCRLF(s, pos)
}

func insideCRLF(s []rune, pos int) bool {
	return pos > 0 && s[pos-1] == '\r' && s[pos] == '\n'
}

// javaWordAt tells whether \b of Java 17 takes the character at pos for a part
// of a word: a letter, a digit, _ or a mark on one of the first two.
func javaWordAt(s []rune, pos int) bool {
	if s[pos] == '_' || javaClass("letterOrDigit").contains(s[pos]) {
		return true
	}
	for ; pos >= 0 && javaClass("mark").contains(s[pos]); pos-- {
		if pos > 0 && javaClass("letterOrDigit").contains(s[pos-1]) {
			return true
		}
	}
	return false
}

func javaClass(name string) *charSet {
	set, ok := tableSet(ucd.Java, "class", name)
	if !ok {
		panic("regex: no Java table " + name)
	}
	return set
}
