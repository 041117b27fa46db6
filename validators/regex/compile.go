package regex

import (
	"maps"
	"slices"
	"sort"
)

// compiler turns a tree into a program.
type compiler struct {
	prog     *program
	groups   map[int]int32 // group number to its first slot
	used     []int         // the groups that are referred to, ascending
	clearing bool          // a new round of a loop forgets the groups inside
}

// assemble compiles the tree of a pattern for its dialect.
func assemble(d Dialect, root *node) *program {
	used := map[int]bool{}
	referred(root, used)
	root = simplify(root, used)
	c := &compiler{prog: &program{}, groups: map[int]int32{}}
	switch d {
	case ECMA, ECMAUnicode:
		c.prog.empty, c.prog.unsetMatches, c.clearing = emptyFails, true, true
	case Python:
		c.prog.empty = emptyStops
	case Java:
		c.prog.empty = emptyExits
	}
	c.used = slices.Sorted(maps.Keys(used))
	for _, g := range c.used {
		c.groups[g] = c.newSlots(2)
	}
	c.emit(root, false)
	c.add(inst{op: opMatch})
	c.prog.count()
	c.prog.first = root.mustBegin()
	c.prog.anchored = root.anchored()
	if in := c.prog.insts[0]; in.op == opRun && in.max == unbounded && in.mode != possessive {
		c.prog.leading = in.set
	}
	c.prog.insidePair = d == ECMAUnicode && root.matchesInsidePair()
	return c.prog
}

func (c *compiler) newSlots(n int) int32 {
	s := c.prog.slots
	c.prog.slots += n
	return int32(s)
}

func (c *compiler) add(i inst) int32 {
	c.prog.insts = append(c.prog.insts, i)
	return int32(len(c.prog.insts) - 1)
}

func (c *compiler) here() int32 { return int32(len(c.prog.insts)) }

// emit appends the instructions that match n; back matches right to left.
func (c *compiler) emit(n *node, back bool) {
	switch n.kind {
	case kindEmpty:
	case kindChar:
		c.add(inst{op: opChar, r: n.r, back: back})
	case kindSet:
		c.add(inst{op: opSet, set: n.set, back: back})
	case kindSeq:
		for i := range n.subs {
			if back {
				i = len(n.subs) - 1 - i
			}
			c.emit(n.subs[i], back)
		}
	case kindAlt:
		c.emitAlt(n, back)
	case kindRepeat:
		c.emitRepeat(n, back)
	case kindCapture:
		tmp := c.newSlots(1)
		c.add(inst{op: opSave, x: tmp})
		c.emit(n.subs[0], back)
		c.add(inst{op: opCapture, x: c.groups[n.group], y: tmp, back: back})
	case kindLook:
		c.emitLook(n)
	case kindAtomic:
		s := c.newSlots(1)
		c.add(inst{op: opAtomic, x: s})
		c.emit(n.subs[0], back)
		c.add(inst{op: opAtomicEnd, x: s})
	case kindBackref:
		c.add(inst{op: opBackref, x: c.groups[n.group], back: back, fold: n.fold})
	case kindAssert:
		c.add(inst{op: opAssert, assert: n.assert, set: n.set})
	case kindCond:
		cond := c.add(inst{op: opCond, x: c.groups[n.group]})
		c.emit(n.subs[0], back)
		jump := c.add(inst{op: opJump})
		c.prog.insts[cond].y = c.here()
		c.emit(n.subs[1], back)
		c.prog.insts[jump].x = c.here()
	}
}

// maxForeseen is how many alternatives a split looks ahead over, so that
// compiling stays linear.
const maxForeseen = 16

func (c *compiler) emitAlt(n *node, back bool) {
	var jumps []int32
	for i, s := range n.subs {
		last := i == len(n.subs)-1
		var split int32
		if !last {
			split = c.add(inst{op: opSplit})
			if !back {
				c.prog.insts[split].set = s.mustBegin()
			}
			if rest := n.subs[i+1:]; !back && len(rest) <= maxForeseen {
				c.prog.insts[split].other = (&node{kind: kindAlt, subs: rest}).mustBegin()
			}
		}
		c.emit(s, back)
		if !last {
			jumps = append(jumps, c.add(inst{op: opJump}))
			c.prog.insts[split].x = c.here()
		}
	}
	for _, j := range jumps {
		c.prog.insts[j].x = c.here()
	}
}

func (c *compiler) emitLook(n *node) {
	s := c.newSlots(2)
	look := c.add(inst{op: opLook, x: s})
	if n.neg {
		c.prog.insts[look].mode = lazy // remembers where to go on when the body fails
	}
	if n.stepping {
		c.add(inst{op: opBack, min: n.backMin, max: n.backMax})
		c.emit(n.subs[0], false)
		c.add(inst{op: opAtSlot, x: s + 1})
	} else {
		c.emit(n.subs[0], n.behind)
	}
	end := opLookEnd
	if n.neg {
		end = opLookFail
	}
	c.add(inst{op: end, x: s})
	c.prog.insts[look].y = c.here()
}

// emitRepeat chooses the cheapest form of loop that means the same.
func (c *compiler) emitRepeat(n *node, back bool) {
	body := n.subs[0]
	if n.max == 0 {
		return
	}
	if set, ok := body.single(); ok {
		c.add(inst{op: opRun, set: set, min: int32(n.min), max: int32(n.max), mode: n.mode, back: back})
		return
	}
	if n.mode == possessive {
		c.emitPossessive(n, back)
		return
	}
	plain := !body.nullable() || n.max == 1 && c.prog.empty != emptyFails
	switch {
	case n.min == 1 && n.max == 1:
		c.clear(n.lo, n.hi)
		c.emit(body, back)
	case plain && n.min == 0 && n.max == 1:
		split := c.add(inst{op: opSplit, mode: n.mode})
		c.clear(n.lo, n.hi)
		c.emit(body, back)
		c.prog.insts[split].x = c.here()
	case plain && n.min == 0 && n.max == unbounded:
		split := c.add(inst{op: opSplit, mode: n.mode})
		if !back && n.mode == greedy {
			c.prog.insts[split].set = body.mustBegin()
		}
		c.clear(n.lo, n.hi)
		c.emit(body, back)
		c.add(inst{op: opJump, x: split})
		c.prog.insts[split].x = c.here()
	default:
		s := c.newSlots(2)
		c.add(inst{op: opLoopInit, x: s})
		loop := c.add(inst{op: opLoop, x: s, min: int32(n.min), max: int32(n.max), mode: n.mode})
		c.clear(n.lo, n.hi)
		c.emit(body, back)
		c.add(inst{op: opJump, x: loop})
		c.prog.insts[loop].y = c.here()
	}
}

// emitPossessive makes every round atomic and the choice to go on final.
func (c *compiler) emitPossessive(n *node, back bool) {
	s, a, all := c.newSlots(2), c.newSlots(1), c.newSlots(1)
	c.add(inst{op: opAtomic, x: all})
	c.add(inst{op: opLoopInit, x: s})
	loop := c.add(inst{op: opLoop, x: s, min: int32(n.min), max: int32(n.max), mode: greedy})
	c.add(inst{op: opAtomic, x: a})
	c.emit(n.subs[0], back)
	c.add(inst{op: opAtomicEnd, x: a})
	c.add(inst{op: opJump, x: loop})
	c.prog.insts[loop].y = c.here()
	c.add(inst{op: opAtomicEnd, x: all})
}

// clear forgets the groups lo to hi-1 at the start of a round (ECMA-262
// RepeatMatcher step 4). Groups have their slots in ascending order, so those
// that are referred to lie side by side.
func (c *compiler) clear(lo, hi int) {
	if !c.clearing {
		return
	}
	i := sort.SearchInts(c.used, lo)
	j := sort.SearchInts(c.used, hi)
	if i < j {
		c.add(inst{op: opClear, x: c.groups[c.used[i]], y: c.groups[c.used[j-1]] + 2})
	}
}
