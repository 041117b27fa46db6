package regex

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/validators/regex/internal/ucd"
)

// pythonParser reads patterns as CPython 3.11's re does, one token ahead: a
// token is a character, or a backslash with the character behind it. Errors
// leave through a panic with a pythonFailure, which parsePython recovers.
type pythonParser struct {
	pattern string
	src     []rune
	index   int    // behind the token in next
	next    []rune // the token ahead, nil at the end

	global     pythonFlags // flags set for the whole pattern
	flags      pythonFlags // flags in force here
	names      map[string]int
	widths     []*width // of the closed groups by number, nil while open
	lookbehind int      // groups known when the outermost look-behind began, 0 outside
	condRefs   []condRef
	late       string // the first error that CPython's second pass finds
	depth      int
}

// condRef is a condition on a group number, checked when all are known.
type condRef struct{ group, pos int }

// pythonFailure carries an error out of the parser.
type pythonFailure struct{ err error }

// maxPythonNesting is how deep groups may nest before CPython may run into its
// recursion limit: 495 groups fail from an empty stack (observed on 3.11), and
// a validator inside a server loop has used some of it.
const maxPythonNesting = 350

// parsePython parses a str pattern.
func parsePython(_ Dialect, pattern string) (root *node, err error) {
	p := &pythonParser{
		pattern: pattern,
		src:     decode(nil, pattern, pairs),
		names:   map[string]int{},
		widths:  []*width{nil},
	}
	defer func() {
		switch f := recover().(type) {
		case nil:
		case pythonFailure:
			root, err = nil, f.err
		default:
			panic(f)
		}
	}()
	p.advance()
	items := p.alternatives(false, true)
	if p.global&flagASCII != 0 && p.global&flagUnicode != 0 {
		p.failPlain("ASCII and UNICODE flags are incompatible")
	}
	if p.next != nil {
		p.fail("unbalanced parenthesis", 0)
	}
	for _, ref := range p.condRefs {
		if ref.group >= len(p.widths) {
			p.failAt(fmt.Sprintf("invalid group reference %d", ref.group), ref.pos)
		}
	}
	if p.late != "" {
		p.failPlain(p.late)
	}
	return items.node(), nil
}

// fail reports an error offset characters before the token ahead.
func (p *pythonParser) fail(msg string, offset int) { p.failAt(msg, p.tell()-offset) }

// failAt words an error as re.error does.
func (p *pythonParser) failAt(msg string, pos int) {
	msg = fmt.Sprintf("%s at position %d", msg, pos)
	if slices.Contains(p.src, '\n') {
		line, start := 1, 0
		for i, r := range p.src[:min(pos, len(p.src))] {
			if r == '\n' {
				line, start = line+1, i+1
			}
		}
		msg += fmt.Sprintf(" (line %d, column %d)", line, pos-start+1)
	}
	p.failPlain(msg)
}

func (p *pythonParser) failPlain(msg string) {
	panic(pythonFailure{&SyntaxError{Dialect: Python, Pattern: p.pattern, Msg: msg}})
}

func (p *pythonParser) unsupported(construct string) {
	panic(pythonFailure{&UnsupportedError{Dialect: Python, Pattern: p.pattern, Construct: construct}})
}

// advance reads the next token. CPython finds a lone backslash at the end
// already here, before it looks at the token in front of it.
func (p *pythonParser) advance() {
	if p.index >= len(p.src) {
		p.next = nil
		return
	}
	n := 1
	if p.src[p.index] == '\\' {
		if p.index+1 == len(p.src) {
			p.failAt("bad escape (end of pattern)", p.index)
		}
		n = 2
	}
	p.next = p.src[p.index : p.index+n]
	p.index += n
}

// tell is the position of the token ahead.
func (p *pythonParser) tell() int { return p.index - len(p.next) }

// seek goes back to a position told before.
func (p *pythonParser) seek(pos int) {
	p.index = pos
	p.advance()
}

// peek is the token ahead when it is one character, else eof.
func (p *pythonParser) peek() rune {
	if len(p.next) != 1 {
		return eof
	}
	return p.next[0]
}

// get returns the token ahead, nil at the end, and goes on.
func (p *pythonParser) get() []rune {
	t := p.next
	if t != nil {
		p.advance()
	}
	return t
}

// accept goes on when the token ahead is c.
func (p *pythonParser) accept(c rune) bool {
	if p.peek() != c {
		return false
	}
	p.advance()
	return true
}

// until reads a name up to a terminator.
func (p *pythonParser) until(terminator rune, what string) []rune {
	var name []rune
	for {
		t := p.get()
		if t == nil {
			if len(name) == 0 {
				p.fail("missing "+what, 0)
			}
			p.fail(fmt.Sprintf("missing %c, unterminated name", terminator), len(name))
		}
		if len(t) == 1 && t[0] == terminator {
			if len(name) == 0 {
				p.fail("missing "+what, 1)
			}
			return name
		}
		name = append(name, t...)
	}
}

// pythonClass returns the set for one of str's predicates.
func pythonClass(name string) *charSet {
	set, ok := tableSet(ucd.Python, "class", name)
	if !ok {
		panic("regex: no Python table " + name)
	}
	return set
}

// isIdentifier is str.isidentifier.
func isIdentifier(name []rune) bool {
	for i, r := range name {
		if i == 0 && !pythonClass("idstart").contains(r) || i > 0 && !pythonClass("idcontinue").contains(r) {
			return false
		}
	}
	return len(name) > 0
}

// pythonRepr is repr of a str.
func pythonRepr(s []rune) string {
	quote := '\''
	if slices.Contains(s, '\'') && !slices.Contains(s, '"') {
		quote = '"'
	}
	var b strings.Builder
	b.WriteRune(quote)
	for _, r := range s {
		switch {
		case r == quote || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case pythonClass("printable").contains(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteRune(quote)
	return b.String()
}
