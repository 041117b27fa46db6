package regex

// pythonItem is one item of a sequence with what sre asks about it.
type pythonItem struct {
	n      *node
	width  width
	at     bool // a position such as ^, which takes no quantifier
	repeat bool // a repetition, which takes no further one
}

// pythonItems is a sequence, or alternatives once joined.
type pythonItems []pythonItem

func (items pythonItems) node() *node {
	subs := make([]*node, len(items))
	for i, it := range items {
		subs[i] = it.n
	}
	return seq(subs)
}

func (items pythonItems) width() width {
	var w width
	for _, it := range items {
		w = w.plus(it.width)
	}
	return w
}

// alternatives parses a|b|c. top is true for the whole pattern, where global
// flags may stand at the start.
func (p *pythonParser) alternatives(verbose, top bool) pythonItems {
	if p.depth++; p.depth > maxPythonNesting {
		p.unsupported("nesting beyond CPython's recursion limit")
	}
	defer func() { p.depth-- }()
	first := p.sequence(verbose, top)
	if p.peek() != '|' {
		return first
	}
	subs := []*node{first.node()}
	w := first.width()
	for p.accept('|') {
		if top {
			verbose = p.global&flagVerbose != 0
		}
		items := p.sequence(verbose, false)
		subs = append(subs, items.node())
		w = w.either(items.width())
	}
	return pythonItems{{n: alt(subs), width: w}}
}

// sequence parses items up to | or ) or the end.
func (p *pythonParser) sequence(verbose, first bool) pythonItems {
	var items pythonItems
	one := func(n *node) { items = append(items, pythonItem{n: n, width: width{1, 1}}) }
	for p.next != nil && p.peek() != '|' && p.peek() != ')' {
		t := p.get()
		if len(t) == 2 {
			items = append(items, p.escape(t))
			continue
		}
		c := t[0]
		if verbose {
			if c == ' ' || c >= '\t' && c <= '\r' {
				continue
			}
			if c == '#' {
				p.skipComment()
				continue
			}
		}
		switch c {
		case '[':
			one(p.set())
		case '*', '+', '?', '{':
			items = p.repeat(items, c)
		case '.':
			if p.flags&flagDotAll != 0 {
				one(setNode(anyChar))
			} else {
				one(setNode(notNewline))
			}
		case '(':
			if item, ok := p.group(verbose, first && len(items) == 0); ok {
				items = append(items, item)
			} else if first {
				verbose = p.global&flagVerbose != 0 || verbose
			}
		case '^':
			n := assertNode(assertTextBegin)
			if p.flags&flagMultiline != 0 {
				n = &node{kind: kindAssert, assert: assertLineBegin, set: newlineOnly}
			}
			items = append(items, pythonItem{n: n, at: true})
		case '$':
			n := assertNode(assertEndNewline)
			if p.flags&flagMultiline != 0 {
				n = &node{kind: kindAssert, assert: assertLineEnd, set: newlineOnly}
			}
			items = append(items, pythonItem{n: n, at: true})
		default:
			one(p.literal(c))
		}
	}
	return items
}

// skipComment passes a # comment of a verbose pattern.
func (p *pythonParser) skipComment() {
	for {
		if t := p.get(); t == nil || len(t) == 1 && t[0] == '\n' {
			return
		}
	}
}

// maxRepeat is sre's MAXREPEAT.
const maxRepeat = 1<<32 - 1

// repeat parses the quantifier that began with c and applies it to the last
// item.
func (p *pythonParser) repeat(items pythonItems, c rune) pythonItems {
	here := p.tell()
	lo, hi := 0, maxRepeat
	switch c {
	case '?':
		hi = 1
	case '+':
		lo = 1
	case '{':
		var ok bool
		if lo, hi, ok = p.bounds(here); !ok {
			return append(items, pythonItem{n: p.literal('{'), width: width{1, 1}})
		}
	}
	if len(items) == 0 || items[len(items)-1].at {
		p.fail("nothing to repeat", p.tell()-here+1)
	}
	item := &items[len(items)-1]
	if item.repeat {
		p.fail("multiple repeat", p.tell()-here+1)
	}
	mode := greedy
	if p.accept('?') {
		mode = lazy
	} else if p.accept('+') {
		mode = possessive
	}
	n := &node{kind: kindRepeat, subs: []*node{item.n}, min: min(lo, unbounded), max: min(hi, unbounded), mode: mode}
	*item = pythonItem{n: n, width: item.width.times(lo, hi), repeat: true}
	return items
}

// bounds parses what follows a brace; ok is false when the brace is literal,
// and nothing but the brace is consumed then.
func (p *pythonParser) bounds(here int) (lo, hi int, ok bool) {
	if p.peek() == '}' {
		return 0, 0, false
	}
	lo, hi = 0, maxRepeat
	min, hasMin := p.number()
	max, hasMax := min, hasMin
	if p.accept(',') {
		max, hasMax = p.number()
	}
	if !p.accept('}') {
		p.seek(here)
		return 0, 0, false
	}
	if hasMin {
		if lo = min; lo >= maxRepeat {
			p.failPlain("the repetition number is too large")
		}
	}
	if hasMax {
		if hi = max; hi >= maxRepeat {
			p.failPlain("the repetition number is too large")
		}
		if hi < lo {
			p.fail("min repeat greater than max repeat", p.tell()-here)
		}
	}
	return lo, hi, true
}

// number reads decimal digits; a huge number stays huge.
func (p *pythonParser) number() (n int, ok bool) {
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		n = min(n*10+int(c-'0'), maxWidth)
		p.advance()
		ok = true
	}
	return n, ok
}
