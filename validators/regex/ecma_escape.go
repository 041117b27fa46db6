package regex

// Character sets of ECMA-262: LineTerminator is what a dot excludes,
// WhiteSpace and LineTerminator together are \s.
var (
	ecmaDot   = newSet(span{'\n', '\n'}, span{'\r', '\r'}, span{0x2028, 0x2029}).negate()
	ecmaSpace = newSet(span{'\t', '\r'}, span{' ', ' '}, span{0xA0, 0xA0}, span{0x1680, 0x1680}, span{0x2000, 0x200A},
		span{0x2028, 0x2029}, span{0x202F, 0x202F}, span{0x205F, 0x205F}, span{0x3000, 0x3000}, span{0xFEFF, 0xFEFF})
	ecmaNotSpace = ecmaSpace.negate()
)

// atomEscape parses an escape outside a class, except \b and \B.
func (p *ecmaParser) atomEscape() *node {
	switch c := p.peekAt(1); c {
	case eof:
		p.fail("\\ at end of pattern")
		return emptyNode
	case '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return p.decimalEscape()
	case '0':
		if d := p.peekAt(2); p.unicode && d >= '0' && d <= '9' {
			p.fail("Invalid decimal escape")
			return emptyNode
		}
		p.pos++
		return charNode(p.octal())
	case 'k':
		if p.unicode || p.named {
			p.pos += 2
			return p.namedReference()
		}
	}
	if set, ok := p.classEscape("Invalid property name"); ok {
		return setNode(set)
	}
	return charNode(p.characterEscape(false))
}

// decimalEscape parses \1 to \9…: a back reference when there are as many
// groups, else with Annex B an octal escape or a literal 8 or 9.
func (p *ecmaParser) decimalEscape() *node {
	start := p.pos
	p.pos++
	g, _ := p.decimal()
	if g <= p.total {
		if p.open[g] {
			return emptyNode // inside its own group nothing is captured yet
		}
		return &node{kind: kindBackref, group: g}
	}
	p.pos = start
	if p.unicode {
		p.fail("Invalid escape")
		return emptyNode
	}
	p.pos++
	if c := p.peek(); c >= '8' {
		p.pos++
		return charNode(c)
	}
	return charNode(p.octal())
}

// octal parses one to three octal digits below 256.
func (p *ecmaParser) octal() rune {
	v := rune(0)
	for i := 0; i < 3; i++ {
		c := p.peek()
		if c < '0' || c > '7' || i == 2 && v >= 32 {
			break
		}
		v = v*8 + c - '0'
		p.pos++
	}
	return v
}

// classEscape parses \d \D \s \S \w \W and, with u, \p{…} and \P{…}.
func (p *ecmaParser) classEscape(badProperty string) (*charSet, bool) {
	var set *charSet
	switch c := p.peekAt(1); c {
	case 'd':
		set = asciiDigit
	case 'D':
		set = asciiNotDigit
	case 's':
		set = ecmaSpace
	case 'S':
		set = ecmaNotSpace
	case 'w':
		set = asciiWord
	case 'W':
		set = asciiNotWord
	case 'p', 'P':
		if !p.unicode {
			return nil, false
		}
		p.pos += 2
		set, ok := p.property()
		if !ok {
			p.fail(badProperty)
			return noChar, true
		}
		if c == 'P' {
			set = complement(set)
		}
		return set, true
	default:
		return nil, false
	}
	p.pos += 2
	return set, true
}

// characterEscape parses an escape that stands for one character.
func (p *ecmaParser) characterEscape(inClass bool) rune {
	p.pos++
	c := p.peek()
	switch c {
	case 'f', 'n', 'r', 't', 'v':
		p.pos++
		return controlEscapes[c]
	case 'c':
		return p.controlLetter(inClass)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		if d := p.peekAt(1); c == '0' && (d < '0' || d > '9') {
			p.pos++
			return 0
		}
		if p.unicode {
			p.fail("Invalid class escape")
			return 0
		}
		return p.octal()
	case 'x':
		p.pos++
		if v, ok := p.hex(2); ok {
			return v
		}
		if p.unicode {
			p.fail("Invalid escape")
		}
		return 'x'
	case 'u':
		p.pos++
		if v, ok := p.unicodeEscape(p.unicode); ok {
			return v
		}
		if p.unicode {
			p.fail("Invalid Unicode escape")
		}
		return 'u'
	}
	if p.unicode && !isSyntaxCharacter(c) && !(inClass && c == '-') || c == 'k' && p.named {
		p.fail("Invalid escape")
		return 0
	}
	p.pos++
	return c
}

var controlEscapes = map[rune]rune{'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

// controlLetter parses c and its letter. Without a letter Annex B reads the
// backslash literally and leaves the c; a class also takes digits and _.
func (p *ecmaParser) controlLetter(inClass bool) rune {
	c := p.peekAt(1)
	letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	if letter || !p.unicode && inClass && (c >= '0' && c <= '9' || c == '_') {
		p.pos += 2
		return c & 0x1F
	}
	if p.unicode {
		p.fail("Invalid Unicode escape")
	}
	return '\\'
}

// isSyntaxCharacter tells what may be escaped by itself with u: SyntaxCharacter
// of ECMA-262 and the slash.
func isSyntaxCharacter(c rune) bool {
	switch c {
	case '^', '$', '\\', '.', '*', '+', '?', '(', ')', '[', ']', '{', '}', '|', '/':
		return true
	}
	return false
}

// hex parses exactly n hexadecimal digits, or leaves the position.
func (p *ecmaParser) hex(n int) (rune, bool) {
	v := rune(0)
	for i := 0; i < n; i++ {
		d, ok := hexDigit(p.peekAt(i))
		if !ok {
			return 0, false
		}
		v = v<<4 | d
	}
	p.pos += n
	return v, true
}

// unicodeEscape parses what follows \u: four digits, with u also {…} and a
// second escape that completes a surrogate pair. It leaves the position when
// there is none.
func (p *ecmaParser) unicodeEscape(unicode bool) (rune, bool) {
	start := p.pos
	if unicode && p.peek() == '{' {
		p.pos++
		v, digits := rune(0), 0
		for d, ok := hexDigit(p.peek()); ok; d, ok = hexDigit(p.peek()) {
			v = v<<4 | d
			digits++
			p.pos++
			if v > maxRune {
				p.pos = start
				return 0, false
			}
		}
		if digits == 0 || p.peek() != '}' {
			p.pos = start
			return 0, false
		}
		p.pos++
		return v, true
	}
	v, ok := p.hex(4)
	if ok && unicode && isLead(v) && p.peek() == '\\' && p.peekAt(1) == 'u' {
		back := p.pos
		p.pos += 2
		if trail, ok := p.hex(4); ok && isTrail(trail) {
			return joinPair(v, trail), true
		}
		p.pos = back
	}
	return v, ok
}
