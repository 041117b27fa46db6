package regex

// group parses from an opening parenthesis to the quantifier behind its
// closing one. ok is false for flags alone, which are no node.
func (p *javaParser) group() (n javaNode, ok bool) {
	saved := p.flags
	whole := true // Java repeats it as a group, not as one node
	if p.next() != '?' {
		n = p.captureBody()
		return p.endGroup(n, saved, whole), true
	}
	switch c := p.skip(); c {
	case ':':
		n = p.expr()
	case '=', '!':
		n = p.expr()
		n = javaZero(&node{kind: kindLook, subs: []*node{n.node}, neg: c == '!'})
		whole = false
	case '>':
		n = p.expr()
		n.node = &node{kind: kindAtomic, subs: []*node{n.node}}
		whole = false
	case '<':
		n = p.angleGroup()
		whole = n.node.kind == kindCapture
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
	return p.endGroup(n, saved, whole), true
}

func (p *javaParser) endGroup(n javaNode, saved javaFlags, whole bool) javaNode {
	p.accept(')', "Unclosed group")
	p.flags = saved
	return p.closure(n, whole)
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
	if body.noMaximum {
		p.fail("Look-behind group does not have an obvious maximum length")
	}
	back := min(body.hi, unbounded)
	if (body.wide || body.hi >= unbounded) && !body.node.run() {
		// Java 17 adds widths in 32-bit arithmetic that wraps around: it
		// refuses (?<=(?:ab)*), accepts (?<=(?:abc)*), never matches (?<=a*b*).
		p.unsupported("a look-behind without a greatest width")
	}
	return javaZero(&node{
		kind: kindLook, subs: []*node{body.node}, neg: c == '!',
		behind: true, stepping: true, backMin: int32(min(body.lo, unbounded)), backMax: int32(back),
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

// run reports whether n is one greedily repeated character.
func (n *node) run() bool {
	if n.kind != kindRepeat || n.mode != greedy {
		return false
	}
	_, single := n.subs[0].single()
	return single
}
