package regex

// expr parses alternatives up to a closing parenthesis or the end.
func (p *javaParser) expr() javaNode {
	if p.depth++; p.depth > maxJavaNesting {
		p.unsupported("nesting that may overflow the Java parser's stack")
	}
	defer func() { p.depth-- }()
	parts := []javaNode{p.sequence()}
	for p.peek() == '|' {
		p.next()
		parts = append(parts, p.sequence())
	}
	return branches(parts)
}

// sequence parses up to | or ) or the end.
func (p *javaParser) sequence() javaNode {
	var parts []javaNode
	for {
		var n javaNode
		c := p.peek()
		switch c {
		case '(':
			g, ok := p.group()
			if !ok {
				continue
			}
			parts = append(parts, g)
			continue
		case '[':
			n = javaOne(setNode(p.class(true)))
		case '\\':
			if e := p.next(); e == 'p' || e == 'P' {
				n = javaOne(setNode(p.property(e == 'P')))
			} else {
				p.unread()
				n = p.atom()
			}
		case '^':
			p.next()
			n = javaZero(assertNode(p.caret()))
		case '$':
			p.next()
			n = javaZero(p.dollar())
		case '.':
			p.next()
			n = javaOne(setNode(p.dot()))
		case '|', ')':
			return inOrder(parts)
		case '?', '*', '+':
			p.next()
			p.fail("Dangling meta character '" + string(c) + "'")
		default:
			if c == 0 && p.cursor >= len(p.src) {
				return inOrder(parts)
			}
			n = p.atom()
		}
		parts = append(parts, p.closure(n, false))
	}
}

func (p *javaParser) caret() assertKind {
	switch {
	case p.flags&javaMultiline == 0:
		return assertTextBegin
	case p.flags&javaUnixLines != 0:
		return assertUnixLineBegin
	}
	return assertJavaLineBegin
}

func (p *javaParser) dollar() *node {
	multi := p.flags&javaMultiline != 0
	if p.flags&javaUnixLines != 0 {
		if multi {
			return &node{kind: kindAssert, assert: assertLineEnd, set: newlineOnly}
		}
		return assertNode(assertEndNewline)
	}
	if multi {
		return assertNode(assertJavaLineEnd)
	}
	return assertNode(assertJavaEnd)
}

var javaDot = newSet(span{'\n', '\n'}, span{'\r', '\r'}, span{0x85, 0x85}, span{0x2028, 0x2029}).negate()

func (p *javaParser) dot() *charSet {
	switch {
	case p.flags&javaDotAll != 0:
		return anyChar
	case p.flags&javaUnixLines != 0:
		return notNewline
	}
	return javaDot
}

// atom parses a run of literal characters, or one escape. A quantifier
// belongs to the last character of the run only.
func (p *javaParser) atom() javaNode {
	var run []rune
	prev := -1
	for {
		c := p.peek()
		switch c {
		case '*', '+', '?', '{':
			if len(run) > 1 {
				p.cursor = prev
				run = run[:len(run)-1]
			}
			return p.slice(run)
		case '$', '.', '^', '(', '[', '|', ')':
			return p.slice(run)
		case '\\':
			if e := p.next(); e == 'p' || e == 'P' {
				if len(run) > 0 {
					p.unread()
					return p.slice(run)
				}
				return javaOne(setNode(p.property(e == 'P')))
			}
			p.unread()
			prev = p.cursor
			r, n, isChar := p.escape(false, len(run) == 0, false)
			if isChar {
				run = append(run, r)
				continue
			}
			if len(run) == 0 {
				return n
			}
			p.cursor = prev
			return p.slice(run)
		default:
			if c == 0 && p.cursor >= len(p.src) {
				return p.slice(run)
			}
			prev = p.cursor
			run = append(run, c)
			p.next()
		}
	}
}

// slice makes the node of a run of literals.
func (p *javaParser) slice(run []rune) javaNode {
	subs := make([]*node, len(run))
	for i, r := range run {
		subs[i] = charNode(r)
		if p.flags&javaIgnoreCase != 0 && isASCIILetter(r) {
			subs[i] = setNode(setOf(r, r^0x20))
		}
	}
	return javaNode{node: seq(subs), lo: len(run), hi: len(run)}
}

// closure parses the quantifier after an atom or a group, one at most.
func (p *javaParser) closure(n javaNode, group bool) javaNode {
	lo, hi := 0, unbounded
	switch p.peek() {
	case '?':
		hi = 1
		p.next()
	case '*':
		p.next()
	case '+':
		lo = 1
		p.next()
	case '{':
		lo, hi = p.bounds()
	default:
		return n
	}
	mode := greedy
	switch p.peek() {
	case '?':
		p.next()
		mode = lazy
	case '+':
		p.next()
		mode = possessive
	}
	return javaNode{
		node: &node{kind: kindRepeat, subs: []*node{n.node}, min: lo, max: hi, mode: mode},
		lo:   product(n.lo, lo),
		hi:   product(n.hi, hi),
		// Java finds no width for its general loop over a group.
		noMaximum: n.noMaximum || group && mode != possessive && !(lo == 0 && hi == 1) && n.varies,
		wide:      n.wide || hi == unbounded,
		varies:    n.varies || lo != hi,
	}
}

// bounds parses {n}, {n,} or {n,m}.
func (p *javaParser) bounds() (lo, hi int) {
	c := p.skip()
	digit := func() bool { return c >= '0' && c <= '9' }
	if !digit() {
		p.fail("Illegal repetition")
	}
	number := func() int {
		n := 0
		for digit() {
			if n = n*10 + int(c-'0'); n > 1<<31-1 {
				p.fail("Illegal repetition range")
			}
			c = p.read()
		}
		return n
	}
	p.unread()
	c = p.read()
	lo = number()
	hi = lo
	if c == ',' {
		c = p.read()
		hi = unbounded
		if c != '}' {
			hi = number()
		}
	}
	if c != '}' {
		p.fail("Unclosed counted closure")
	}
	if hi < lo {
		p.fail("Illegal repetition range")
	}
	return lo, hi
}
