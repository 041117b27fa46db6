package ground

import (
	"regexp"
	"strconv"
	"strings"
)

// expression is a pattern in the syntax that ECMAScript with and without u, Python,
// Java and RE2 compile and read alike, at least on printable ASCII: literals, classes
// of letters and digits, \d \w \s, groups, alternatives, greedy quantifiers, anchors.
type expression struct {
	line     bool // has a $
	classes  bool // has a class with more than ASCII in it
	compiled *regexp.Regexp
	size     int // characters once counts are written out
}

const (
	// maxWays bounds how often a backtracking engine can try again, and so the time
	// that any may take; maxSubject is the longest text it is counted for,
	// and the longest that is held against a format.
	maxWays    = 300_000
	maxSubject = 64
	maxPattern = 500
	// maxSize and maxSizes bound what compiling one pattern, and those of a document, takes.
	maxSize, maxSizes = 1_000, 20_000
)

// match reports sure false on texts that engines see differently: a character that
// is not printable ASCII may be \w, \s or \d, or end a line, or not.
func (e *expression) match(text string) (matched, sure bool) {
	if len(text) > maxSubject {
		return false, false
	}
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false, false
		}
	}
	return e.compiled.MatchString(text), true
}

// readPattern returns ok false for a pattern that uses anything else.
func readPattern(text string) (e *expression, ok bool) {
	p := &reader{rest: text}
	ways, _ := p.alternatives()
	if !p.ok() || p.rest != "" || ways > maxWays || p.size > maxSize || len(text) > maxPattern {
		return nil, false
	}
	compiled, err := regexp.Compile(text) // RE2 refuses counts of counts beyond a thousand
	return &expression{p.line, p.classes, compiled, p.size}, err == nil
}

// reader reads from the front of rest; bad turns true at the first surprise.
type reader struct {
	rest          string
	bad           bool
	line, classes bool
	size          int
	depth         int
}

func (p *reader) ok() bool { return !p.bad }

func (p *reader) take(prefix string) bool {
	rest, ok := strings.CutPrefix(p.rest, prefix)
	p.rest = rest
	return ok
}

// alternatives returns in how many ways they may match, and whether they are one
// sequence without a choice in it, which alone may be repeated as a group.
func (p *reader) alternatives() (ways int, simple bool) {
	if p.depth++; p.depth > 10 {
		p.bad = true
	}
	defer func() { p.depth-- }()
	simple = true
	for {
		sequence := 1
		for p.ok() && p.rest != "" && p.rest[0] != '|' && p.rest[0] != ')' {
			n := p.quantified()
			sequence = min(sequence*n, maxWays+1)
			simple = simple && n == 1
		}
		ways += sequence
		if p.bad || !p.take("|") {
			return ways, simple
		}
		simple = false
	}
}

func (p *reader) quantified() (ways int) {
	if p.take("^") {
		return 1
	}
	if p.take("$") {
		p.line = true
		return 1
	}
	group := strings.HasPrefix(p.rest, "(")
	before := p.size
	ways, simple := p.atom()
	low, high := p.quantifier()
	if p.size = before + (p.size-before)*max(1, min(high, 200)); p.size > maxSize {
		p.bad = true
	}
	switch {
	case low == 1 && high == 1:
		return ways
	case low == 0 && high == 1:
		return ways + 1
	case group && !simple:
		p.bad = true
	}
	return high - low + 1
}

// quantifier returns how often; a second one, lazy or possessive, is not ours.
func (p *reader) quantifier() (low, high int) {
	low, high = 1, 1
	switch {
	case p.take("?"):
		low = 0
	case p.take("*"):
		low, high = 0, maxSubject
	case p.take("+"):
		high = 1 + maxSubject
	case p.take("{"):
		low, high = p.counts()
	}
	if p.rest != "" && strings.ContainsRune("?*+{", rune(p.rest[0])) {
		p.bad = true
	}
	return low, high
}

func (p *reader) counts() (low, high int) {
	inside, rest, ok := strings.Cut(p.rest, "}")
	first, second, ranged := strings.Cut(inside, ",")
	low, err := strconv.Atoi(first)
	high = low
	if ranged && second == "" {
		high = low + maxSubject
	} else if ranged {
		var err2 error
		if high, err2 = strconv.Atoi(second); err2 != nil {
			ok = false
		}
	}
	if !ok || err != nil || low > high || high > 200 || high == 0 ||
		strconv.Itoa(low) != first || ranged && second != "" && strconv.Itoa(high) != second { // RE2 takes {01} for text
		p.bad = true
		return 1, 1
	}
	p.rest = rest
	return low, high
}

func (p *reader) atom() (ways int, simple bool) {
	p.size++
	switch c := p.next(); {
	case c == '(':
		if !p.take("?:") && strings.HasPrefix(p.rest, "?") {
			p.bad = true
		}
		ways, simple = p.alternatives()
		if !p.take(")") {
			p.bad = true
		}
		return ways, simple
	case c == '[':
		p.class()
	case c == '\\':
		p.classes = p.classes || p.rest != "" && isWord(p.rest[0])
		if !strings.ContainsRune(`dwsDWS.*+?()[]{}|^$/\`, rune(p.next())) {
			p.bad = true
		}
	case c == '.':
		p.classes = true
	case isWord(c) || strings.IndexByte(` _-,:;@=!~%'"<>/`, c) >= 0:
	default:
		p.bad = true
	}
	return 1, true
}

// class: letters, digits and some signs, ranges of letters or digits, \d \w \s; a
// hyphen only at the end, where all take it as it is.
func (p *reader) class() {
	if p.take("^") {
		p.classes = true
	}
	for first := true; p.ok(); first = false {
		switch c := p.next(); {
		case c == ']' && !first:
			return
		case c == '-' && strings.HasPrefix(p.rest, "]") && !first:
		case c == '\\' && p.rest != "" && strings.ContainsRune(`dws./\`, rune(p.rest[0])):
			p.classes = p.classes || isWord(p.next())
			p.noRange()
		case isWord(c) && strings.HasPrefix(p.rest, "-") && !strings.HasPrefix(p.rest, "-]"):
			p.next()
			if to := p.next(); !isWord(to) || to < c || kindOf(to) != kindOf(c) {
				p.bad = true
			}
			p.noRange()
		case isWord(c) || strings.IndexByte(` _.,:;@/+*=%`, c) >= 0:
			p.noRange()
		default:
			p.bad = true
		}
	}
}

// noRange refuses a hyphen that would begin a range where there can't be one.
func (p *reader) noRange() {
	if strings.HasPrefix(p.rest, "-") && !strings.HasPrefix(p.rest, "-]") {
		p.bad = true
	}
}

func (p *reader) next() byte {
	if p.rest == "" {
		p.bad = true
		return 0
	}
	c := p.rest[0]
	p.rest = p.rest[1:]
	return c
}

func isWord(c byte) bool { return kindOf(c) != 0 }

func kindOf(c byte) byte {
	switch {
	case 'a' <= c && c <= 'z':
		return 'a'
	case 'A' <= c && c <= 'Z':
		return 'A'
	case '0' <= c && c <= '9':
		return '0'
	}
	return 0
}
