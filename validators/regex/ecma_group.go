package regex

// group parses from an opening parenthesis to its closing one. quantifiable
// is false for look-arounds that take no quantifier: all of them with u,
// look-behinds without (ECMA-262 B.1.2).
func (p *ecmaParser) group() (n *node, quantifiable bool) {
	p.pos++
	n = &node{}
	name, hasName := "", false
	capturing := true
	if p.peek() == '?' {
		p.pos++
		switch c := p.peek(); c {
		case ':':
			p.pos++
			capturing = false
		case '=', '!':
			p.pos++
			capturing = false
			n.kind, n.neg = kindLook, c == '!'
		case '<':
			p.pos++
			if c := p.peek(); c == '=' || c == '!' {
				p.pos++
				capturing = false
				n.kind, n.neg, n.behind = kindLook, c == '!', true
				break
			}
			hasName = true
		default:
			p.fail("Invalid group")
			return n, false
		}
	}
	if capturing {
		p.captures++
		n.kind, n.group = kindCapture, p.captures
		if hasName {
			name = p.groupName()
			p.openNames[name] = true
		}
		p.open[n.group] = true
		defer delete(p.open, n.group)
	}
	body := p.disjunction()
	if p.err == nil && p.peek() != ')' {
		p.fail("Unterminated group")
	}
	p.pos++
	if hasName {
		// V8 registers a name, and finds it taken, when the group closes.
		if _, twice := p.names[name]; twice {
			p.fail("Duplicate capture group name")
		}
		p.names[name] = n.group
		delete(p.openNames, name)
	}
	if n.kind == kindEmpty {
		return body, true
	}
	n.subs = []*node{body}
	return n, n.kind != kindLook || !n.behind && !p.unicode
}

// groupName parses a name up to and with its >. The position is behind the <.
func (p *ecmaParser) groupName() string {
	var name []rune
	for {
		c := p.nameChar()
		switch {
		case p.err != nil:
			return ""
		case c == '>' && len(name) > 0:
			return encodeWTF8(name)
		case c == '$' || c == '_' && len(name) == 0 || c != '\\' && len(name) == 0 && isIDStart(c):
		case len(name) > 0 && c != '\\' && (c == 0x200C || c == 0x200D || isIDContinue(c)):
		default:
			p.fail("Invalid capture group name")
			return ""
		}
		name = append(name, c)
	}
}

// nameChar reads one code point of a group name; escapes and surrogate pairs
// are read as with u in any mode (RegExpIdentifierName).
func (p *ecmaParser) nameChar() rune {
	c := p.peek()
	p.pos++
	if isLead(c) && isTrail(p.peek()) {
		c = joinPair(c, p.peek())
		p.pos++
	}
	if c == '\\' && p.peek() == 'u' {
		p.pos++
		r, ok := p.unicodeEscape(true)
		if !ok {
			p.fail("Invalid Unicode escape")
		}
		if r == '\\' { // an escaped backslash is no identifier character either
			return eof
		}
		return r
	}
	return c
}

// namedReference parses <name> behind \k.
func (p *ecmaParser) namedReference() *node {
	if p.peek() != '<' {
		p.fail("Invalid named reference")
		return emptyNode
	}
	p.pos++
	name := p.groupName()
	if p.openNames[name] {
		return emptyNode // inside its own group nothing is captured yet
	}
	n := &node{kind: kindBackref}
	p.refs = append(p.refs, namedRef{name, n})
	return n
}
