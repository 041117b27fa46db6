package regex

// simplify returns an equivalent tree for a yes-or-no answer: groups that
// nothing refers to lose their memory, and alternatives of one character each
// become a set. used tells which groups a reference or a condition reads.
func simplify(n *node, used map[int]bool) *node {
	if len(n.subs) == 0 {
		return n
	}
	subs := make([]*node, 0, len(n.subs))
	for _, s := range n.subs {
		s = simplify(s, used)
		if n.kind == kindSeq {
			switch s.kind {
			case kindEmpty:
				continue
			case kindSeq:
				subs = append(subs, s.subs...)
				continue
			}
		}
		subs = append(subs, s)
	}
	switch n.kind {
	case kindCapture:
		if !used[n.group] {
			return subs[0]
		}
	case kindSeq:
		return seq(subs)
	case kindAlt:
		if set, ok := allSingle(subs); ok {
			return setNode(set)
		}
	}
	c := *n
	c.subs = subs
	return &c
}

func allSingle(subs []*node) (*charSet, bool) {
	sets := make([]*charSet, 0, len(subs))
	for _, s := range subs {
		set, ok := s.single()
		if !ok {
			return nil, false
		}
		sets = append(sets, set)
	}
	return union(sets...), true
}

// referred collects the groups that back references and conditions read.
func referred(n *node, used map[int]bool) {
	if n.kind == kindBackref || n.kind == kindCond {
		used[n.group] = true
	}
	for _, s := range n.subs {
		referred(s, used)
	}
}

// firsts tells how a match of a node can begin.
type firsts struct {
	set      *charSet // the characters that can come first
	nullable bool     // nothing need be consumed
	unknown  bool     // cannot be said
}

// first computes which characters a match of n can begin with, so that a
// search can skip the places where none of them stands.
func (n *node) first() firsts {
	switch n.kind {
	case kindChar, kindSet:
		set, _ := n.single()
		return firsts{set: set}
	case kindBackref:
		return firsts{unknown: true}
	case kindSeq, kindAlt, kindCond, kindRepeat, kindCapture, kindAtomic:
		if n.begins == nil {
			f := n.firstOfSubs()
			n.begins = &f
		}
		return *n.begins
	}
	return firsts{set: noChar, nullable: true}
}

// mustBegin is the set of characters one of which must stand where a match of n
// begins, nil when there is no such set.
func (n *node) mustBegin() *charSet {
	f := n.first()
	if f.nullable || f.unknown {
		return nil
	}
	return f.set
}

func (n *node) firstOfSubs() firsts {
	var sets []*charSet
	out := firsts{nullable: n.kind == kindSeq}
	for _, s := range n.subs {
		f := s.first()
		out.unknown = out.unknown || f.unknown
		if f.set != nil && !f.set.empty() {
			sets = append(sets, f.set)
		}
		if n.kind != kindSeq {
			out.nullable = out.nullable || f.nullable
		} else if !f.nullable {
			out.nullable = false
			break
		}
	}
	out.set = union(sets...)
	if n.kind == kindRepeat {
		out.nullable = out.nullable || n.min == 0
		if n.max == 0 {
			return firsts{set: noChar, nullable: true}
		}
	}
	return out
}

// anchored reports whether every match of n begins at the start of the text.
func (n *node) anchored() bool {
	switch n.kind {
	case kindAssert:
		return n.assert == assertTextBegin
	case kindSeq:
		for _, s := range n.subs {
			if s.anchored() {
				return true
			}
			if s.kind != kindAssert && s.kind != kindLook {
				return false
			}
		}
	case kindAlt:
		for _, s := range n.subs {
			if !s.anchored() {
				return false
			}
		}
		return len(n.subs) > 0
	case kindCapture, kindAtomic:
		return n.subs[0].anchored()
	case kindRepeat:
		return n.min > 0 && n.subs[0].anchored()
	}
	return false
}

// matchesInsidePair reports whether n matches the empty string between the two
// halves of a surrogate pair. ECMA-262 never looks there, V8's search does
// (observed on Node.js 20: /\B/u finds a match in "c😀b"). Nothing can be
// consumed there in either direction, neither half is a word character, and
// V8 makes every back reference fail.
func (n *node) matchesInsidePair() bool {
	switch n.kind {
	case kindEmpty:
		return true
	case kindAssert:
		return n.assert == assertNotWord
	case kindSeq:
		for _, s := range n.subs {
			if !s.matchesInsidePair() {
				return false
			}
		}
		return true
	case kindAlt:
		for _, s := range n.subs {
			if s.matchesInsidePair() {
				return true
			}
		}
	case kindRepeat:
		return n.min == 0 || n.subs[0].matchesInsidePair()
	case kindCapture:
		return n.subs[0].matchesInsidePair()
	case kindLook:
		return n.subs[0].matchesInsidePair() != n.neg
	}
	return false
}
