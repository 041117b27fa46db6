package regex

import (
	"fmt"
	"strings"
)

// javaParser reads patterns as java.util.regex.Pattern of Java 17 does. It
// keeps that class's cursor, because its messages carry an index computed from
// it. Errors leave through a panic with a javaFailure.
type javaParser struct {
	pattern string
	src     []rune // code points, \Q…\E resolved to escapes
	cursor  int
	flags   javaFlags
	groups  int // opened so far
	names   map[string]int
	depth   int
}

type javaFlags uint8

const (
	javaIgnoreCase javaFlags = 1 << iota
	javaMultiline
	javaDotAll
	javaUnixLines
)

var javaFlagLetters = map[rune]javaFlags{'i': javaIgnoreCase, 'm': javaMultiline, 's': javaDotAll, 'd': javaUnixLines}

// javaFailure carries an error out of the parser.
type javaFailure struct{ err error }

// maxJavaNesting is how deep groups may nest before the recursion of the Java
// parser may overflow a small thread stack.
const maxJavaNesting = 500

// parseJava parses a pattern compiled without flags.
func parseJava(_ Dialect, pattern string) (root *node, err error) {
	p := &javaParser{pattern: pattern, names: map[string]int{}}
	defer func() {
		switch f := recover().(type) {
		case nil:
		case javaFailure:
			root, err = nil, f.err
		default:
			panic(f)
		}
	}()
	p.src = unquoteJava(decode(nil, pattern, pairs))
	n := p.expr()
	if p.cursor != len(p.src) {
		if p.peek() == ')' {
			p.fail("Unmatched closing ')'")
		}
		p.fail("Unexpected internal error")
	}
	if referToSealed(n.node) {
		p.unsupported("a reference to a group inside a look-around, an atomic group, or a repetition that is not greedy or can be empty")
	}
	return n.node, nil
}

// referToSealed reports whether a reference reads a group inside a
// look-around, an atomic group or a lazy or possessive repetition, whose memory
// Java does not undo when the match goes back before it, or in a repetition
// that can be empty, whose memory depends on which of its loops Java chose.
func referToSealed(root *node) bool {
	used := map[int]bool{}
	referred(root, used)
	var walk func(n *node, sealed bool) bool
	walk = func(n *node, sealed bool) bool {
		if n.kind == kindCapture && sealed && used[n.group] {
			return true
		}
		sealed = sealed || n.kind == kindLook || n.kind == kindAtomic || n.kind == kindRepeat && (n.mode != greedy || n.subs[0].nullable())
		for _, s := range n.subs {
			if walk(s, sealed) {
				return true
			}
		}
		return false
	}
	return walk(root, false)
}

// fail words an error as PatternSyntaxException does, with the index before
// the cursor.
func (p *javaParser) fail(desc string) {
	index := p.cursor - 1
	var b strings.Builder
	b.WriteString(desc)
	if index >= 0 {
		fmt.Fprintf(&b, " near index %d", index)
	}
	shown := decode(nil, p.pattern, pairs)
	b.WriteString("\n" + encodeWTF8(shown))
	if chars := decode(nil, p.pattern, units); index >= 0 && index < len(chars) {
		b.WriteByte('\n')
		for _, c := range chars[:index] {
			if c == '\t' {
				b.WriteByte('\t')
			} else {
				b.WriteByte(' ')
			}
		}
		b.WriteByte('^')
	}
	panic(javaFailure{&SyntaxError{Dialect: Java, Pattern: p.pattern, Msg: b.String()}})
}

func (p *javaParser) unsupported(construct string) {
	panic(javaFailure{&UnsupportedError{Dialect: Java, Pattern: p.pattern, Construct: construct}})
}

// at is the character at an index; zeros follow the pattern.
func (p *javaParser) at(i int) rune {
	if i >= 0 && i < len(p.src) {
		return p.src[i]
	}
	return 0
}

func (p *javaParser) peek() rune { return p.at(p.cursor) }

// next goes on and peeks.
func (p *javaParser) next() rune {
	p.cursor++
	return p.peek()
}

// read peeks and goes on.
func (p *javaParser) read() rune {
	p.cursor++
	return p.at(p.cursor - 1)
}

// skip reads the character after the next.
func (p *javaParser) skip() rune {
	p.cursor += 2
	return p.at(p.cursor - 1)
}

func (p *javaParser) unread() { p.cursor-- }

func (p *javaParser) accept(c rune, otherwise string) {
	if p.read() != c {
		p.fail(otherwise)
	}
}

// unquoteJava replaces \Q…\E by escapes, as Pattern does before it parses.
func unquoteJava(src []rune) []rune {
	i := 0
	for i < len(src)-1 {
		if src[i] != '\\' {
			i++
		} else if src[i+1] != 'Q' {
			i += 2
		} else {
			break
		}
	}
	if i >= len(src)-1 {
		return src
	}
	out := append([]rune(nil), src[:i]...)
	i += 2
	quoted, begins := true, true
	for i < len(src) {
		c := src[i]
		i++
		switch {
		case c > 127 || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			out = append(out, c)
		case c >= '0' && c <= '9':
			if begins {
				out = append(out, '\\', 'x', '3') // so that it does not extend an escape before the quote
			}
			out = append(out, c)
		case c != '\\':
			if quoted {
				out = append(out, '\\')
			}
			out = append(out, c)
		case quoted:
			if i < len(src) && src[i] == 'E' {
				i++
				quoted = false
			} else {
				out = append(out, '\\', '\\')
			}
		case i < len(src) && src[i] == 'Q':
			i++
			quoted, begins = true, true
			continue
		default:
			out = append(out, c)
			if i < len(src) {
				out = append(out, src[i])
				i++
			}
		}
		begins = false
	}
	return out
}

// javaNode is a node with what a look-behind around it needs to know.
type javaNode struct {
	node *node
	// lo and hi are the least and greatest number of characters.
	lo, hi int
	// noMaximum: there is a back reference, for which Java finds no width.
	noMaximum bool
	// wide: there is a repetition without upper bound, however often taken.
	wide bool
	// varies: the node may match in different ways, so that Java repeats a
	// group around it by its general loop.
	varies bool
}

func javaOne(n *node) javaNode  { return javaNode{node: n, lo: 1, hi: 1} }
func javaZero(n *node) javaNode { return javaNode{node: n} }

// inOrder is a sequence.
func inOrder(parts []javaNode) javaNode {
	var out javaNode
	subs := make([]*node, len(parts))
	for i, n := range parts {
		subs[i] = n.node
		out.lo = min(out.lo+n.lo, maxWidth)
		out.hi = min(out.hi+n.hi, maxWidth)
		out.noMaximum = out.noMaximum || n.noMaximum
		out.wide = out.wide || n.wide
		out.varies = out.varies || n.varies
	}
	out.node = seq(subs)
	return out
}

// branches are alternatives.
func branches(parts []javaNode) javaNode {
	out := parts[0]
	subs := make([]*node, len(parts))
	for i, n := range parts {
		subs[i] = n.node
		out.lo = min(out.lo, n.lo)
		out.hi = max(out.hi, n.hi)
		out.noMaximum = out.noMaximum || n.noMaximum
		out.wide = out.wide || n.wide
	}
	out.node = alt(subs)
	out.varies = out.varies || len(parts) > 1
	return out
}
