package regex

// assertHolds evaluates a zero-width test between two characters.
func assertHolds(in *inst, s []rune, pos int) bool {
	switch in.assert {
	case assertTextBegin:
		return pos == 0
	case assertTextEnd:
		return pos == len(s)
	case assertLineBegin:
		return pos == 0 || in.set.contains(s[pos-1])
	case assertLineEnd:
		return pos == len(s) || in.set.contains(s[pos])
	case assertEndNewline:
		return pos == len(s) || pos == len(s)-1 && s[pos] == '\n'
	case assertWord, assertNotWord, assertNotWordText:
		if len(s) == 0 && in.assert == assertNotWordText {
			return false
		}
		before := pos > 0 && in.set.contains(s[pos-1])
		after := pos < len(s) && in.set.contains(s[pos])
		return (before != after) == (in.assert == assertWord)
	case assertJavaEnd:
		return javaEnd(s, pos)
	case assertJavaLineBegin:
		return pos < len(s) && javaLineBegin(s, pos)
	case assertJavaLineEnd:
		return javaLineEnd(s, pos)
	case assertUnixLineBegin:
		return pos < len(s) && (pos == 0 || s[pos-1] == '\n')
	case assertJavaWord, assertJavaNotWord:
		before := pos > 0 && javaWordAt(s, pos-1)
		after := pos < len(s) && javaWordAt(s, pos)
		return (before != after) == (in.assert == assertJavaWord)
	}
	return false
}
