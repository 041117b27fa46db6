package regex

import "fmt"

// escape parses an escape outside a set; t is the backslash and its letter.
func (p *pythonParser) escape(t []rune) pythonItem {
	start := p.tell() - len(t)
	c := t[1]
	switch c {
	case 'A':
		return pythonItem{n: assertNode(assertTextBegin), at: true}
	case 'Z':
		return pythonItem{n: assertNode(assertTextEnd), at: true}
	case 'b', 'B':
		kind := assertWord
		if c == 'B' {
			kind = assertNotWordText
		}
		return pythonItem{n: wordNode(kind, p.flags.class('w')), at: true}
	}
	one := width{1, 1}
	if set := p.flags.class(c); set != nil {
		return pythonItem{n: setNode(set), width: one}
	}
	if c >= '1' && c <= '9' {
		return p.groupOrOctal(t, start)
	}
	if c == '0' {
		return pythonItem{n: p.literal(p.octal(0, 2)), width: one}
	}
	return pythonItem{n: p.literal(p.charEscape(t, start)), width: one}
}

// groupOrOctal parses \1 to \99, or three octal digits.
func (p *pythonParser) groupOrOctal(t []rune, start int) pythonItem {
	c := t[1]
	group := int(c - '0')
	if d := p.peek(); d >= '0' && d <= '9' {
		p.advance()
		group = group*10 + int(d-'0')
		if e := p.peek(); isOctal(c) && isOctal(d) && isOctal(e) {
			p.advance()
			v := (c-'0')<<6 | (d-'0')<<3 | (e - '0')
			if v > 0o377 {
				p.failAt(fmt.Sprintf("octal escape value %s outside of range 0-0o377", encodeWTF8(p.src[start:p.tell()])), start)
			}
			return pythonItem{n: p.literal(v), width: width{1, 1}}
		}
	}
	if group >= len(p.widths) {
		p.failAt(fmt.Sprintf("invalid group reference %d", group), start+1)
	}
	return p.reference(group, p.tell()-start)
}

// octal reads up to n further octal digits behind v.
func (p *pythonParser) octal(v rune, n int) rune {
	for ; n > 0 && isOctal(p.peek()); n-- {
		v = v<<3 | (p.peek() - '0')
		p.advance()
	}
	return v
}

var pythonEscapes = map[rune]rune{'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '\\': '\\'}

// charEscape parses the escapes for one character that are the same inside
// and outside a set.
func (p *pythonParser) charEscape(t []rune, start int) rune {
	c := t[1]
	if r, ok := pythonEscapes[c]; ok {
		return r
	}
	switch c {
	case 'x':
		return p.hex(2, start)
	case 'u':
		return p.hex(4, start)
	case 'U':
		v := p.hex(8, start)
		if v < 0 || v > maxRune {
			p.failAt("bad escape "+encodeWTF8(p.src[start:p.tell()]), start)
		}
		return v
	case 'N':
		return p.namedChar(start)
	}
	if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
		p.failAt("bad escape "+encodeWTF8(t), start)
	}
	return c
}

// hex reads exactly n hexadecimal digits.
func (p *pythonParser) hex(n, start int) rune {
	v := uint32(0)
	for range n {
		d, ok := hexDigit(p.peek())
		if !ok {
			p.failAt("incomplete escape "+encodeWTF8(p.src[start:p.tell()]), start)
		}
		v = v<<4 | uint32(d)
		p.advance()
	}
	return rune(v)
}
