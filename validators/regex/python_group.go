package regex

import (
	"fmt"
	"strings"
)

// group parses behind an opening parenthesis. ok is false when it was a
// comment or global flags, which are no items.
func (p *pythonParser) group(verbose, first bool) (item pythonItem, ok bool) {
	start := p.tell() - 1
	if !p.accept('?') {
		return p.capture(nil, verbose, start), true
	}
	t := p.getSome()
	if len(t) == 2 {
		p.fail("unknown extension ?"+encodeWTF8(t), len(t)+1)
	}
	switch c := t[0]; c {
	case 'P':
		return p.named(verbose, start), true
	case ':':
		return p.body(verbose, start, 0, 0), true
	case '#':
		for {
			if p.next == nil {
				p.fail("missing ), unterminated comment", p.tell()-start)
			}
			if t := p.get(); len(t) == 1 && t[0] == ')' {
				return pythonItem{}, false
			}
		}
	case '=', '!', '<':
		return p.look(c, verbose, start), true
	case '(':
		return p.condition(verbose, start), true
	case '>':
		item := p.body(verbose, start, 0, 0)
		item.n = &node{kind: kindAtomic, subs: []*node{item.n}}
		return item, true
	}
	if _, isFlag := flagOf(t); !isFlag && t[0] != '-' {
		p.fail("unknown extension ?"+encodeWTF8(t), len(t)+1)
	}
	add, del, global := p.flagGroup(t)
	if !global {
		return p.body(verbose, start, add, del), true
	}
	if !first {
		p.fail("global flags not at the start of the expression", p.tell()-start)
	}
	if add := p.global; add&flagTemplate != 0 {
		p.unsupported("the flag t")
	}
	return pythonItem{}, false
}

// getSome is get where the pattern must not end.
func (p *pythonParser) getSome() []rune {
	t := p.get()
	if t == nil {
		p.fail("unexpected end of pattern", 0)
	}
	return t
}

// body parses up to the closing parenthesis under changed flags.
func (p *pythonParser) body(verbose bool, start int, add, del pythonFlags) pythonItem {
	outer := p.flags
	p.flags = p.flags.apply(add, del)
	items := p.alternatives((verbose || add&flagVerbose != 0) && del&flagVerbose == 0, false)
	p.flags = outer
	if !p.accept(')') {
		p.fail("missing ), unterminated subpattern", p.tell()-start)
	}
	return pythonItem{n: items.node(), width: items.width()}
}

// capture parses a capturing group; name is nil for none.
func (p *pythonParser) capture(name []rune, verbose bool, start int) pythonItem {
	group := len(p.widths)
	p.widths = append(p.widths, nil)
	if name != nil {
		if other, taken := p.names[string(name)]; taken {
			p.fail(fmt.Sprintf("redefinition of group name %s as group %d; was group %d", pythonRepr(name), group, other), len(name)+1)
		}
		p.names[string(name)] = group
	}
	item := p.body(verbose, start, 0, 0)
	w := item.width
	p.widths[group] = &w
	item.n = &node{kind: kindCapture, subs: []*node{item.n}, group: group}
	return item
}

// named parses what follows (?P.
func (p *pythonParser) named(verbose bool, start int) pythonItem {
	switch {
	case p.accept('<'):
		name := p.until('>', "group name")
		p.checkName(name)
		return p.capture(name, verbose, start)
	case p.accept('='):
		name := p.until(')', "group name")
		p.checkName(name)
		group, known := p.names[string(name)]
		if !known {
			p.fail("unknown group name "+pythonRepr(name), len(name)+1)
		}
		return p.reference(group, len(name)+1)
	}
	t := p.getSome()
	p.fail("unknown extension ?P"+encodeWTF8(t), len(t)+2)
	return pythonItem{}
}

func (p *pythonParser) checkName(name []rune) {
	if !isIdentifier(name) {
		p.fail("bad character in group name "+pythonRepr(name), len(name)+1)
	}
}

// reference makes a back reference to a group; offset is where its errors are.
func (p *pythonParser) reference(group, offset int) pythonItem {
	if p.widths[group] == nil {
		p.fail("cannot refer to an open group", offset)
	}
	p.checkLookbehind(group)
	n := &node{kind: kindBackref, group: group, fold: p.flags.fold()}
	return pythonItem{n: n, width: *p.widths[group]}
}

// checkLookbehind refuses references from a look-behind into itself.
func (p *pythonParser) checkLookbehind(group int) {
	if p.lookbehind == 0 {
		return
	}
	if group >= len(p.widths) || p.widths[group] == nil {
		p.fail("cannot refer to an open group", 0)
	}
	if group >= p.lookbehind {
		p.fail("cannot refer to group defined in the same lookbehind subpattern", 0)
	}
}

// look parses a look-around from its = ! or < on.
func (p *pythonParser) look(c rune, verbose bool, start int) pythonItem {
	behind := c == '<'
	outer := p.lookbehind
	if behind {
		t := p.getSome()
		if c = t[0]; len(t) == 2 || c != '=' && c != '!' {
			p.fail("unknown extension ?<"+encodeWTF8(t), len(t)+2)
		}
		if outer == 0 {
			p.lookbehind = len(p.widths)
		}
	}
	items := p.alternatives(verbose, false)
	p.lookbehind = outer
	if !p.accept(')') {
		p.fail("missing ), unterminated subpattern", p.tell()-start)
	}
	n := &node{kind: kindLook, subs: []*node{items.node()}, neg: c == '!', behind: behind}
	if behind {
		w := items.width()
		switch {
		case p.late != "":
		case w.lo > maxRepeat:
			p.late = "looks too much behind"
		case w.lo != w.hi:
			p.late = "look-behind requires fixed-width pattern"
		}
		n.stepping = true
		n.backMin = int32(min(w.lo, unbounded))
		n.backMax = n.backMin
	}
	return pythonItem{n: n}
}

// condition parses (?(group)yes|no) from behind its second parenthesis.
func (p *pythonParser) condition(verbose bool, start int) pythonItem {
	name := p.until(')', "group name")
	group := 0
	if isIdentifier(name) {
		var known bool
		if group, known = p.names[string(name)]; !known {
			p.fail("unknown group name "+pythonRepr(name), len(name)+1)
		}
	} else {
		group = p.groupNumber(name)
		p.condRefs = append(p.condRefs, condRef{group, p.tell() - len(name) - 1})
	}
	p.checkLookbehind(group)
	yes := p.sequence(verbose, false)
	no := pythonItems{}
	w := yes.width()
	if p.accept('|') {
		no = p.sequence(verbose, false)
		if p.peek() == '|' {
			p.fail("conditional backref with more than two branches", 0)
		}
	}
	w = w.either(no.width())
	if !p.accept(')') {
		p.fail("missing ), unterminated subpattern", p.tell()-start)
	}
	n := &node{kind: kindCond, group: group, subs: []*node{yes.node(), no.node()}}
	return pythonItem{n: n, width: w}
}

// maxGroups is sre's MAXGROUPS on 64-bit machines.
const maxGroups = 1<<30 - 1

// groupNumber reads the number in a condition as int() does.
func (p *pythonParser) groupNumber(name []rune) int {
	bad := func() { p.fail("bad character in group name "+pythonRepr(name), len(name)+1) }
	text := strings.Trim(string(name), " \t\n\v\f\r")
	text = strings.TrimPrefix(text, "+")
	n := 0
	for i, r := range text {
		switch {
		case r >= '0' && r <= '9':
			n = min(n*10+int(r-'0'), maxWidth)
		case r > 127:
			p.unsupported("a condition that is not written in ASCII")
		case r == '_' && i > 0 && i < len(text)-1 && text[i-1] != '_':
		default:
			bad()
		}
	}
	switch {
	case text == "":
		bad()
	case n == 0:
		p.fail("bad group number", len(name)+1)
	case n >= maxGroups:
		p.fail(fmt.Sprintf("invalid group reference %s", strings.TrimLeft(strings.ReplaceAll(text, "_", ""), "0")), len(name)+1)
	}
	return n
}
