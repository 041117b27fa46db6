package regex

// class parses a character class from [ to ].
func (p *ecmaParser) class() *charSet {
	p.pos++
	negated := p.peek() == '^'
	if negated {
		p.pos++
	}
	var spans []span
	var sets []*charSet
	add := func(r rune, set *charSet) {
		if set != nil {
			sets = append(sets, set)
		} else {
			spans = append(spans, span{r, r})
		}
	}
	for p.err == nil && p.peek() != ']' && p.peek() != eof {
		lo, loSet := p.classAtom()
		if p.err != nil || p.peek() != '-' {
			add(lo, loSet)
			continue
		}
		p.pos++
		if c := p.peek(); c == eof || c == ']' {
			add(lo, loSet)
			add('-', nil)
			break
		}
		hi, hiSet := p.classAtom()
		switch {
		case loSet != nil || hiSet != nil:
			if p.unicode {
				p.fail("Invalid character class")
			}
			add(lo, loSet)
			add('-', nil)
			add(hi, hiSet)
		case lo > hi:
			p.fail("Range out of order in character class")
		default:
			spans = append(spans, span{lo, hi})
		}
	}
	if p.peek() == eof {
		p.fail("Unterminated character class")
	}
	p.pos++
	set := union(append(sets, newSet(spans...))...)
	if negated {
		set = set.negate()
	}
	return set
}

// classAtom parses one member of a class: a character, or a set.
func (p *ecmaParser) classAtom() (rune, *charSet) {
	c := p.peek()
	if c != '\\' {
		p.pos++
		return c, nil
	}
	switch p.peekAt(1) {
	case eof:
		p.fail("\\ at end of pattern")
		return 0, nil
	case 'b':
		p.pos += 2
		return '\b', nil
	}
	if set, ok := p.classEscape("Invalid property name in character class"); ok {
		return 0, set
	}
	return p.characterEscape(true), nil
}
