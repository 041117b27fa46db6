package regex

import "fmt"

// setMember is one member of a set as written: a character, a range or a
// class.
type setMember struct {
	lo, hi rune
	class  *charSet
}

// set parses a character set behind its opening bracket.
func (p *pythonParser) set() *node {
	here := p.tell() - 1
	unterminated := func() { p.fail("unterminated character set", p.tell()-here) }
	negate := p.accept('^')
	var members []setMember
	for {
		t := p.get()
		if t == nil {
			unterminated()
		}
		if len(t) == 1 && t[0] == ']' && len(members) > 0 {
			break
		}
		m := p.setAtom(t)
		if !p.accept('-') {
			members = append(members, m)
			continue
		}
		u := p.get()
		if u == nil {
			unterminated()
		}
		if len(u) == 1 && u[0] == ']' {
			members = append(members, m, setMember{lo: '-', hi: '-'})
			break
		}
		v := p.setAtom(u)
		if m.class != nil || v.class != nil || v.lo < m.lo {
			// The error names the tokens, not the whole escapes.
			p.fail(fmt.Sprintf("bad character range %s-%s", encodeWTF8(t), encodeWTF8(u)), len(t)+1+len(u))
		}
		members = append(members, setMember{lo: m.lo, hi: v.lo})
	}
	return setNode(p.flags.buildSet(members, negate))
}

// setAtom reads one end of a range, or a class.
func (p *pythonParser) setAtom(t []rune) setMember {
	if len(t) == 1 {
		return setMember{lo: t[0], hi: t[0]}
	}
	start := p.tell() - len(t)
	c := t[1]
	if set := p.flags.class(c); set != nil {
		return setMember{class: set}
	}
	r := rune(0)
	if isOctal(c) {
		if r = p.octal(c-'0', 2); r > 0o377 {
			p.failAt(fmt.Sprintf("octal escape value %s outside of range 0-0o377", encodeWTF8(p.src[start:p.tell()])), start)
		}
	} else {
		r = p.charEscape(t, start)
	}
	return setMember{lo: r, hi: r}
}

// class returns the set of \d \D \s \S \w \W, nil for other letters.
func (f pythonFlags) class(c rune) *charSet {
	var set *charSet
	ascii := f&flagASCII != 0
	switch c {
	case 'd', 'D':
		if set = asciiDigit; !ascii {
			set = pythonClass("digit")
		}
	case 's', 'S':
		if set = asciiSpace; !ascii {
			set = pythonClass("space")
		}
	case 'w', 'W':
		if set = asciiWord; !ascii {
			set = pythonClass("word")
		}
	default:
		return nil
	}
	if c < 'a' {
		return complement(set)
	}
	return set
}
