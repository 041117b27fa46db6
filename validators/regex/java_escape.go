package regex

// Character sets of java.util.regex without UNICODE_CHARACTER_CLASS.
var (
	javaHorizontal = newSet(span{'\t', '\t'}, span{' ', ' '}, span{0xA0, 0xA0}, span{0x1680, 0x1680}, span{0x180E, 0x180E},
		span{0x2000, 0x200A}, span{0x202F, 0x202F}, span{0x205F, 0x205F}, span{0x3000, 0x3000})
	javaVertical = newSet(span{'\n', '\r'}, span{0x85, 0x85}, span{0x2028, 0x2029})
)

// javaClassEscape returns the set of a class letter.
func javaClassEscape(c rune) (*charSet, bool) {
	switch c {
	case 'd':
		return asciiDigit, true
	case 'D':
		return asciiNotDigit, true
	case 'w':
		return asciiWord, true
	case 'W':
		return asciiNotWord, true
	case 's':
		return asciiSpace, true
	case 'S':
		return asciiSpace.negate(), true
	case 'h':
		return javaHorizontal, true
	case 'H':
		return javaHorizontal.negate(), true
	case 'v':
		return javaVertical, true
	case 'V':
		return javaVertical.negate(), true
	}
	return nil, false
}

var javaControls = map[rune]rune{'a': '\a', 'e': 0x1B, 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape parses an escape from its backslash on: a character, or a node. With
// create false a node may be left empty, because it will be parsed again.
func (p *javaParser) escape(inClass, create, isRange bool) (r rune, n javaNode, isChar bool) {
	c := p.skip()
	if r, ok := javaControls[c]; ok {
		return r, n, true
	}
	if c == 'v' && isRange {
		return '\v', n, true
	}
	if set, ok := javaClassEscape(c); ok {
		return 0, javaOne(setNode(set)), false
	}
	switch c {
	case '0':
		return p.octal(), n, true
	case 'c':
		if p.cursor >= len(p.src) {
			p.fail("Illegal control escape sequence")
		}
		return p.read() ^ 64, n, true
	case 'u':
		return p.unicode(), n, true
	case 'x':
		return p.hex(), n, true
	case 'N':
		p.unsupported("a character by name")
	}
	if !inClass {
		if n, ok := p.outsideClass(c, create); ok {
			return 0, n, false
		}
	}
	if isASCIILetter(c) || c >= '1' && c <= '9' {
		p.fail("Illegal/unsupported escape sequence")
	}
	return c, n, true
}

// outsideClass parses the escapes that a class does not have.
func (p *javaParser) outsideClass(c rune, create bool) (javaNode, bool) {
	switch c {
	case '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if !create {
			return javaNode{}, true
		}
		return p.reference(int(c - '0')), true
	case 'k':
		if p.read() != '<' {
			p.fail(`\k is not followed by '<' for named capturing group`)
		}
		name := p.groupName(p.read())
		group, known := p.names[name]
		if !known {
			p.fail("named capturing group <" + name + "> does not exist")
		}
		return p.backref(group), true
	case 'A', 'G': // \G is where the last match ended; before the first that is the start
		return javaZero(assertNode(assertTextBegin)), true
	case 'z':
		return javaZero(assertNode(assertTextEnd)), true
	case 'Z':
		if p.flags&javaUnixLines != 0 {
			return javaZero(assertNode(assertEndNewline)), true
		}
		return javaZero(assertNode(assertJavaEnd)), true
	case 'b':
		if p.peek() == '{' {
			p.unsupported(`\b{…}`)
		}
		return javaZero(assertNode(assertJavaWord)), true
	case 'B':
		return javaZero(assertNode(assertJavaNotWord)), true
	case 'X':
		p.unsupported(`\` + string(c))
	case 'R':
		crlf := seq([]*node{charNode('\r'), charNode('\n')})
		return javaNode{node: alt([]*node{crlf, setNode(javaVertical)}), lo: 1, hi: 2}, true
	}
	return javaNode{}, false
}

// reference parses the further digits of a reference as long as there are so
// many groups already.
func (p *javaParser) reference(group int) javaNode {
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		longer := group*10 + int(c-'0')
		if longer > p.groups {
			break
		}
		group = longer
		p.read()
	}
	return p.backref(group)
}

func (p *javaParser) backref(group int) javaNode {
	n := &node{kind: kindBackref, group: group}
	if p.flags&javaIgnoreCase != 0 {
		n.fold = asciiLower
	}
	return javaNode{node: n, noMaximum: true}
}

// octal parses \0n, \0nn or \0mnn with m up to 3.
func (p *javaParser) octal() rune {
	n := p.read()
	if !isOctal(n) {
		p.fail("Illegal octal escape sequence")
	}
	m := p.read()
	if !isOctal(m) {
		p.unread()
		return n - '0'
	}
	o := p.read()
	if !isOctal(o) || n > '3' {
		p.unread()
		return (n-'0')<<3 | (m - '0')
	}
	return (n-'0')<<6 | (m-'0')<<3 | (o - '0')
}

// hex parses \xhh or \x{h…h}.
func (p *javaParser) hex() rune {
	c := p.read()
	if d, ok := hexDigit(c); ok {
		if e, ok := hexDigit(p.read()); ok {
			return d<<4 | e
		}
	} else if _, ok := hexDigit(p.peek()); ok && c == '{' {
		v := rune(0)
		for {
			c = p.read()
			d, ok := hexDigit(c)
			if !ok {
				break
			}
			if v = v<<4 | d; v > maxRune {
				p.fail("Hexadecimal codepoint is too big")
			}
		}
		if c != '}' {
			p.fail("Unclosed hexadecimal escape sequence")
		}
		return v
	}
	p.fail("Illegal hexadecimal escape sequence")
	return 0
}

// unicode parses the four digits of \uhhhh, and a second escape that completes
// a surrogate pair.
func (p *javaParser) unicode() rune {
	n := p.fourHex()
	if !isLead(n) {
		return n
	}
	back := p.cursor
	if p.read() == '\\' && p.read() == 'u' {
		if low := p.fourHex(); isTrail(low) {
			return joinPair(n, low)
		}
	}
	p.cursor = back
	return n
}

func (p *javaParser) fourHex() rune {
	v := rune(0)
	for range 4 {
		d, ok := hexDigit(p.read())
		if !ok {
			p.fail("Illegal Unicode escape sequence")
		}
		v = v<<4 | d
	}
	return v
}
