package regex

// deadAfter is how many steps a match takes before its dead ends are remembered;
// ordinary ones are over by then and pay nothing. Only the test that compares with and
// without changes it.
var deadAfter = 50_000

const (
	// maxDead bounds the dead ends that are remembered, about 10 MB.
	maxDead = 1 << 18
	// maxDeadLoops bounds the loops of a program whose dead ends are: their counters
	// are part of the place.
	maxDeadLoops = 3
)

// dead remembers from which places a match cannot be completed, and how many steps it
// took to find that out. An engine that backtracks without bound goes there again and
// again; here the price is charged without being paid, so that a pattern that runs away
// uses its budget up, to the step, in a small part of the time.
type dead struct {
	from  int // steps left below which dead ends are remembered
	costs map[place]int32
	open  []attempt
}

// place is all on which the rest of a match depends in a countable program.
type place struct {
	pc, pos int32
	loops   [2 * maxDeadLoops]int32
}

// attempt is a place from which the match is being tried: it is a dead end when the
// backtracking stack is back at height.
type attempt struct {
	place  place
	height int
	steps  int // left when it began
}

// end is asked when the match fails back to a place. It is true when that is known to
// be a dead end, whose price is taken; else the place is tried, and learned from.
func (d *dead) end(m *matcher, pc, pos int32) bool {
	if m.steps > d.from || !m.prog.countable {
		return false
	}
	at := place{pc: pc, pos: pos}
	for i, slot := range m.prog.loops {
		at.loops[2*i], at.loops[2*i+1] = m.slots[slot], m.slots[slot+1]
	}
	if cost, known := d.costs[at]; known {
		if m.steps -= int(cost); m.steps < 0 {
			m.failed = "steps"
			return false
		}
		return true
	}
	if len(d.costs) < maxDead {
		d.open = append(d.open, attempt{at, len(m.stack), m.steps})
	}
	return false
}

// close notes the attempts that have failed: all choices since are gone.
func (d *dead) close(m *matcher) {
	for n := len(d.open) - 1; n >= 0 && len(m.stack) <= d.open[n].height; n-- {
		a := &d.open[n]
		if d.costs == nil {
			d.costs = make(map[place]int32)
		}
		d.costs[a.place] = int32(min(a.steps-m.steps, 1<<30))
		d.open = d.open[:n]
	}
}

func (d *dead) forget() {
	d.open = d.open[:0]
	if len(d.costs) > 0 {
		d.costs = nil
	}
}

// count sets the fields of the program that dead ends need.
func (p *program) count() {
	p.countable = true
	for _, in := range p.insts {
		switch in.op {
		case opLook, opLookEnd, opLookFail, opAtomic, opAtomicEnd, opBack, opAtSlot, opBackref, opCond:
			p.countable = false // what a match kept elsewhere decides too
		case opLoopInit:
			p.loops = append(p.loops, in.x)
		}
	}
	p.countable = p.countable && len(p.loops) <= maxDeadLoops
}
