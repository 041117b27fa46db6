package regex

import (
	"slices"
	"strings"

	"github.com/hostmatrix/conform/validators/regex/internal/ucd"
)

// class parses a character class from its [ on. The operand of an
// intersection is parsed with consume false: it ends before the ].
func (p *javaParser) class(consume bool) *charSet {
	if p.depth++; p.depth > maxJavaNesting {
		p.unsupported("nesting that may overflow the Java parser's stack")
	}
	defer func() { p.depth-- }()
	var prev *charSet
	add := func(s *charSet) {
		if prev != nil {
			s = union(prev, s)
		}
		prev = s
	}
	negated := false
	c := p.next()
	if c == '^' && p.at(p.cursor-1) == '[' {
		c = p.next()
		negated = true
	}
	for {
		switch c {
		case '[':
			add(p.class(true))
			c = p.peek()
			continue
		case '&':
			if p.next() == '&' {
				prev = p.intersection(prev)
				c = p.peek()
				continue
			}
			p.unread()
		case 0:
			if p.cursor >= len(p.src) {
				p.fail("Unclosed character class")
			}
		case ']':
			if prev != nil {
				if consume {
					p.next()
				}
				if negated {
					return prev.negate()
				}
				return prev
			}
		}
		add(p.classRange())
		c = p.peek()
	}
}

// intersection parses the operands behind && and narrows what is to the left.
func (p *javaParser) intersection(left *charSet) *charSet {
	var right *charSet
	for c := p.next(); c != ']' && c != '&'; c = p.peek() {
		var s *charSet
		if c == '[' {
			s = p.class(true)
		} else {
			p.unread()
			s = p.class(false)
		}
		if right == nil {
			right = s
		} else {
			right = union(right, s)
		}
	}
	switch {
	case right == nil && left == nil:
		p.fail("Bad class syntax")
	case left == nil:
		return right
	case right == nil:
		p.unsupported("a class that ends in &&") // Java 17 throws a NullPointerException when it matches
	}
	return intersect(left, right)
}

// classRange parses a character, a range or an escape of a class.
func (p *javaParser) classRange() *charSet {
	c := p.peek()
	if c == '\\' {
		if e := p.next(); e == 'p' || e == 'P' {
			return p.property(e == 'P')
		}
		isRange := p.at(p.cursor+1) == '-'
		p.unread()
		r, n, isChar := p.escape(true, true, isRange)
		if !isChar {
			return n.node.set
		}
		c = r
	} else {
		p.next()
	}
	if p.peek() != '-' {
		return p.folded(c, c)
	}
	end := p.at(p.cursor + 1)
	if end == '[' || end == ']' {
		return p.folded(c, c)
	}
	m := p.next()
	if m == '\\' {
		r, _, isChar := p.escape(true, false, true)
		if m = r; !isChar {
			m = -1
		}
	} else {
		p.next()
	}
	if m < c {
		p.fail("Illegal character range")
	}
	return p.folded(c, m)
}

// folded is a range, with (?i) also in the other ASCII case.
func (p *javaParser) folded(lo, hi rune) *charSet {
	spans := []span{{lo, hi}}
	if p.flags&javaIgnoreCase != 0 {
		if l, h := max(lo, 'a'), min(hi, 'z'); l <= h {
			spans = append(spans, span{l - 0x20, h - 0x20})
		}
		if l, h := max(lo, 'A'), min(hi, 'Z'); l <= h {
			spans = append(spans, span{l + 0x20, h + 0x20})
		}
	}
	return newSet(spans...)
}

// property parses the name behind \p or \P; the cursor is on the letter p.
func (p *javaParser) property(negated bool) *charSet {
	var name string
	if p.next() != '{' {
		name = string(p.peek())
		p.read()
	} else {
		start := p.cursor + 1
		for p.cursor < len(p.src) && p.peek() != '}' {
			p.cursor++
		}
		if p.cursor >= len(p.src) {
			p.cursor = len(p.src) + 1
			p.fail("Unclosed character family")
		}
		name = string(p.src[start:p.cursor])
		p.cursor++
		if name == "" {
			p.fail("Empty character family")
		}
	}
	set := p.propertySet(name)
	if negated {
		return complement(set)
	}
	return set
}

// propertySet looks a property up by its name.
func (p *javaParser) propertySet(name string) *charSet {
	if key, value, ok := strings.Cut(name, "="); ok {
		kind, shown := "", value
		switch strings.ToLower(key) {
		case "sc", "script":
			kind, value = "script", strings.ToUpper(value)
		case "blk", "block":
			kind, value = "block", strings.ToUpper(value)
		case "gc", "general_category":
			kind = "prop"
		}
		set, ok := p.tableSet(kind, value)
		if !ok {
			p.fail("Unknown Unicode property {name=<" + strings.ToLower(key) + ">, value=<" + shown + ">}")
		}
		return set
	}
	tries := [][2]string{{"prop", name}}
	if rest, ok := strings.CutPrefix(name, "In"); ok {
		tries = [][2]string{{"block", strings.ToUpper(rest)}}
	} else if rest, ok := strings.CutPrefix(name, "Is"); ok {
		tries = [][2]string{{"is", strings.ToUpper(rest)}, {"prop", rest}, {"script", strings.ToUpper(rest)}}
	}
	for _, t := range tries {
		if set, ok := p.tableSet(t[0], t[1]); ok {
			return set
		}
	}
	p.fail("Unknown character property name {" + name + "}")
	return nil
}

// caseless are the properties that (?i) makes one of, and no others; the flag does
// nothing else to a property. Observed on Java 17 over all characters.
var caseless = [][]string{
	{"Lu", "Ll", "Lt"}, {"Lower", "Upper"}, {"javaLowerCase", "javaUpperCase", "javaTitleCase"}, {"LOWERCASE", "UPPERCASE", "TITLECASE"},
}

func (p *javaParser) tableSet(kind, name string) (*charSet, bool) {
	set, ok := tableSet(ucd.Java, kind, name)
	if !ok || p.flags&javaIgnoreCase == 0 {
		return set, ok
	}
	for _, group := range caseless {
		if !slices.Contains(group, name) {
			continue
		}
		for _, other := range group {
			if more, ok := tableSet(ucd.Java, kind, other); ok {
				set = union(set, more)
			}
		}
	}
	return set, true
}
