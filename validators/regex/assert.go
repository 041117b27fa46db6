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
	}
	return false
}
