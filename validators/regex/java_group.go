package regex

// group parses from an opening parenthesis to the quantifier behind its
// closing one. ok is false for flags alone, which are no node.
func (p *javaParser) group() (n javaNode, ok bool) {
	saved := p.flags
	if p.next() != '?' {
		n = p.captureBody()
		return p.endGroup(n, saved), true
	}
	switch c := p.skip(); c {
	case ':':
		n = p.expr()
	case '=', '!':
		n = p.expr()
		n = javaZero(&node{kind: kindLook, subs: []*node{n.node}, neg: c == '!'})
	case '>':
		n = p.expr()
		n.node = &node{kind: kindAtomic, subs: []*node{n.node}}
	case '<':
		n = p.angleGroup()
	case '$', '@':
		p.fail("Unknown group type")
	default:
		p.unread()
		p.flagLetters()
		c := p.read()
		if c == ')' {
			return n, false
		}
		if c != ':' {
			p.fail("Unknown inline modifier")
		}
		n = p.expr()
	}
	return p.endGroup(n, saved), true
}

func (p *javaParser) endGroup(n javaNode, saved javaFlags) javaNode {
	p.accept(')', "Unclosed group")
	p.flags = saved
	return p.closure(n, true)
}

func (p *javaParser) captureBody() javaNode {
	p.groups++
	group := p.groups
	n := p.expr()
	n.node = &node{kind: kindCapture, subs: []*node{n.node}, group: group}
	return n
}

// angleGroup parses a look-behind or a named group behind (?<.
func (p *javaParser) angleGroup() javaNode {
	c := p.read()
	if c != '=' && c != '!' {
		name := p.groupName(c)
		if _, taken := p.names[name]; taken {
			p.fail("Named capturing group <" + name + "> is already defined")
		}
		p.names[name] = p.groups + 1
		return p.captureBody()
	}
	body := p.expr()
	var w javaWidth
	w.of(body.study)
	if w.invalid {
		p.fail("Look-behind group does not have an obvious maximum length")
	}
	return javaZero(&node{
		kind: kindLook, subs: []*node{body.node}, neg: c == '!',
		behind: true, stepping: true, backMin: w.lo, backMax: w.hi,
	})
}

// groupName parses a name that begins with c, up to its >.
func (p *javaParser) groupName(c rune) string {
	if !isASCIILetter(c) {
		p.fail("capturing group name does not start with a Latin letter")
	}
	var name []rune
	for isASCIILetter(c) || c >= '0' && c <= '9' {
		name = append(name, c)
		c = p.read()
	}
	if c != '>' {
		p.fail("named capturing group is missing trailing '>'")
	}
	return string(name)
}

// flagLetters parses inline flags, with those behind a minus switched off.
func (p *javaParser) flagLetters() {
	off := false
	for c := p.peek(); ; c = p.next() {
		f, known := javaFlagLetters[c]
		switch {
		case known && off:
			p.flags &^= f
		case known:
			p.flags |= f
		case c == 'u' || c == 'U' || c == 'x' || c == 'c':
			p.unsupported("the flag " + string(c))
		case c == '-' && !off:
			off = true
		default:
			return
		}
	}
}
