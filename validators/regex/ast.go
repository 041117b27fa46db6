package regex

// nodeKind is the kind of a node of the tree that all dialects' parsers build.
type nodeKind uint8

const (
	kindEmpty   nodeKind = iota
	kindChar             // exactly the character r
	kindSet              // one character of set
	kindSeq              // subs one after the other
	kindAlt              // the first of subs that lets the rest match
	kindRepeat           // subs[0], min to max times
	kindCapture          // subs[0], remembered as group
	kindLook             // subs[0] matches here (ahead or behind), or does not (neg)
	kindAtomic           // subs[0], never re-entered once matched
	kindBackref          // what group holds
	kindAssert           // a zero-width test
	kindCond             // subs[0] when group is set, else subs[1]
)

// unbounded is the max of a repetition without upper bound.
const unbounded = 1<<31 - 1

type repeatMode uint8

const (
	greedy repeatMode = iota
	lazy
	possessive
)

type assertKind uint8

const (
	assertTextBegin assertKind = iota
	assertTextEnd
	assertLineBegin     // at the start or after a line terminator (set)
	assertLineEnd       // at the end or before a line terminator (set)
	assertEndNewline    // at the end or before a final \n (Python's $)
	assertJavaEnd       // at the end or before a final line terminator, \r\n being one (Java's $ and \Z)
	assertJavaLineBegin // (?m)^ of Java: never at the very end
	assertJavaLineEnd   // (?m)$ of Java
	assertUnixLineBegin // the same with (?d), where only \n ends a line
	assertWord          // between a character of set and one outside
	assertNotWord
	assertJavaWord // Java's \b, which lets marks belong to the letter before them
	assertJavaNotWord
	assertNotWordText // assertNotWord, but never in an empty text (CPython before 3.14)
)

// node is one node of a parsed pattern. Which fields count depends on kind.
type node struct {
	kind     nodeKind
	r        rune
	set      *charSet
	subs     []*node
	min, max int
	mode     repeatMode
	// group is the number of the captured or referred group. A repetition
	// has in lo and hi the half-open range of groups inside its body.
	group  int
	lo, hi int
	assert assertKind
	// behind makes a kindLook look backwards: its body is matched right to
	// left, or with stepping forwards from backMin to backMax characters
	// earlier (at most to the start).
	behind, stepping, neg bool
	backMin, backMax      int32
	// fold, on a kindBackref, compares folded characters.
	fold func(rune) rune
	// begins caches first.
	begins *firsts
}

var emptyNode = &node{kind: kindEmpty}

func charNode(r rune) *node         { return &node{kind: kindChar, r: r} }
func setNode(s *charSet) *node      { return &node{kind: kindSet, set: s} }
func assertNode(k assertKind) *node { return &node{kind: kindAssert, assert: k} }

func wordNode(k assertKind, word *charSet) *node {
	return &node{kind: kindAssert, assert: k, set: word}
}

// seq joins nodes, without a wrapper for none or one.
func seq(subs []*node) *node {
	switch len(subs) {
	case 0:
		return emptyNode
	case 1:
		return subs[0]
	}
	return &node{kind: kindSeq, subs: subs}
}

func alt(subs []*node) *node {
	if len(subs) == 1 {
		return subs[0]
	}
	return &node{kind: kindAlt, subs: subs}
}

// single reports whether n matches exactly one character and remembers
// nothing, and which characters.
func (n *node) single() (*charSet, bool) {
	switch n.kind {
	case kindChar:
		return setOf(n.r), true
	case kindSet:
		return n.set, true
	}
	return nil, false
}

// nullable reports whether n can match without consuming anything; true when
// in doubt.
func (n *node) nullable() bool {
	f := n.first()
	return f.nullable || f.unknown
}
