package regex

// ecmaParser reads patterns as V8 11.3 (Node.js 20) does: ECMA-262 with Annex
// B when there is no u flag. The order of its checks decides which error is
// reported first, so it follows the order in which V8 was observed to report.
type ecmaParser struct {
	pattern string
	unicode bool
	src     []rune // code points with u, else UTF-16 code units
	pos     int
	err     error
	depth   int

	captures  int            // groups opened so far
	total     int            // groups in the whole pattern
	named     bool           // the pattern has a named group
	open      map[int]bool   // groups being parsed
	names     map[string]int // numbers of the closed groups by name
	openNames map[string]bool
	refs      []namedRef
}

// namedRef is a reference by name, resolved when all groups are known.
type namedRef struct {
	name string
	node *node
}

// eof is what peeking behind the end of the pattern gives.
const eof = rune(-1)

// parseECMA parses a pattern for ECMA or ECMAUnicode.
func parseECMA(d Dialect, pattern string) (*node, error) {
	p := &ecmaParser{
		pattern:   pattern,
		unicode:   d == ECMAUnicode,
		open:      map[int]bool{},
		names:     map[string]int{},
		openNames: map[string]bool{},
	}
	p.src = decode(nil, pattern, d.encoding())
	p.total, p.named = countECMAGroups(p.src)
	root := p.disjunction()
	if p.err == nil && p.peek() == ')' {
		p.fail("Unmatched ')'")
	}
	for _, ref := range p.refs {
		g, ok := p.names[ref.name]
		if !ok {
			p.fail("Invalid named capture referenced")
			break
		}
		ref.node.group = g
	}
	if p.err != nil {
		return nil, p.err
	}
	return root, nil
}

// fail notes the first error, in V8's form.
func (p *ecmaParser) fail(msg string) {
	if p.err != nil {
		return
	}
	flags := ""
	d := ECMA
	if p.unicode {
		flags, d = "u", ECMAUnicode
	}
	shown := encodeWTF8(decode(nil, p.pattern, pairs)) // the two halves of a pair may have come apart
	p.err = &SyntaxError{Dialect: d, Pattern: p.pattern, Msg: "Invalid regular expression: /" + shown + "/" + flags + ": " + msg}
}

func (p *ecmaParser) peek() rune { return p.peekAt(0) }

func (p *ecmaParser) peekAt(n int) rune {
	if p.pos+n < len(p.src) {
		return p.src[p.pos+n]
	}
	return eof
}

// countECMAGroups counts the capturing groups of a pattern and tells whether
// one has a name, as a scan that knows only escapes and classes sees it.
func countECMAGroups(src []rune) (n int, named bool) {
	at := func(i int) rune {
		if i < len(src) {
			return src[i]
		}
		return eof
	}
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '[':
			for i++; i < len(src) && src[i] != ']'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
		case '(':
			if at(i+1) != '?' {
				n++
			} else if at(i+2) == '<' && at(i+3) != '=' && at(i+3) != '!' {
				n++
				named = true
			}
		}
	}
	return n, named
}

// disjunction parses alternatives up to the end or a closing parenthesis.
func (p *ecmaParser) disjunction() *node {
	if p.depth++; p.depth > maxNesting {
		p.err = &LimitError{Limit: "nested groups", Max: maxNesting}
	}
	defer func() { p.depth-- }()
	var alts []*node
	for p.err == nil {
		alts = append(alts, p.alternative())
		if p.peek() != '|' {
			break
		}
		p.pos++
	}
	return alt(alts)
}

// alternative parses terms up to | or ) or the end.
func (p *ecmaParser) alternative() *node {
	var terms []*node
	for p.err == nil {
		groupsBefore := p.captures
		var atom *node
		quantifiable := true
		switch c := p.peek(); c {
		case eof, '|', ')':
			return seq(terms)
		case '*', '+', '?':
			p.fail("Nothing to repeat")
		case '^', '$':
			p.pos++
			kind := assertTextBegin
			if c == '$' {
				kind = assertTextEnd
			}
			terms = append(terms, assertNode(kind))
			continue
		case '(':
			atom, quantifiable = p.group()
		case '[':
			atom = setNode(p.class())
		case '.':
			p.pos++
			atom = setNode(ecmaDot)
		case '\\':
			if k := p.peekAt(1); k == 'b' || k == 'B' {
				p.pos += 2
				kind := assertWord
				if k == 'B' {
					kind = assertNotWord
				}
				terms = append(terms, wordNode(kind, asciiWord))
				continue
			}
			atom = p.atomEscape()
		case '{':
			if _, _, ok := p.interval(); ok {
				p.fail("Nothing to repeat")
				continue
			}
			atom = p.loneBracket()
		case '}', ']':
			atom = p.loneBracket()
		default:
			p.pos++
			atom = charNode(c)
		}
		if p.err != nil {
			break
		}
		terms = append(terms, p.quantified(atom, quantifiable, groupsBefore))
	}
	return emptyNode
}

// loneBracket takes a bracket literally, which only Annex B allows.
func (p *ecmaParser) loneBracket() *node {
	if p.unicode {
		p.fail("Lone quantifier brackets")
	}
	p.pos++
	return charNode(p.src[p.pos-1])
}

// quantified parses the quantifier after an atom, if there is one.
func (p *ecmaParser) quantified(atom *node, quantifiable bool, groupsBefore int) *node {
	lo, hi := 0, unbounded
	switch p.peek() {
	case '*':
		p.pos++
	case '+':
		p.pos++
		lo = 1
	case '?':
		p.pos++
		hi = 1
	case '{':
		var ok bool
		if lo, hi, ok = p.interval(); !ok {
			if p.unicode {
				p.fail("Incomplete quantifier")
			}
			return atom
		}
		if hi < lo {
			p.fail("numbers out of order in {} quantifier")
			return atom
		}
	default:
		return atom
	}
	mode := greedy
	if p.peek() == '?' {
		p.pos++
		mode = lazy
	}
	if !quantifiable {
		p.fail("Invalid quantifier")
		return atom
	}
	return &node{
		kind: kindRepeat, subs: []*node{atom}, min: lo, max: hi, mode: mode,
		lo: groupsBefore + 1, hi: p.captures + 1,
	}
}

// interval parses {n}, {n,} or {n,m}; without one the position stays.
func (p *ecmaParser) interval() (lo, hi int, ok bool) {
	start := p.pos
	p.pos++
	lo, ok = p.decimal()
	if !ok {
		p.pos = start
		return 0, 0, false
	}
	hi = lo
	if p.peek() == ',' {
		p.pos++
		if hi, ok = p.decimal(); !ok {
			hi = unbounded
		}
	}
	if p.peek() != '}' {
		p.pos = start
		return 0, 0, false
	}
	p.pos++
	return lo, hi, true
}

// decimal parses digits; a number beyond the engine's infinity is infinity.
func (p *ecmaParser) decimal() (n int, ok bool) {
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		n = min(n*10+int(c-'0'), unbounded)
		p.pos++
		ok = true
	}
	return n, ok
}
