package regex

import "sync"

// maxFrames bounds the memory of one match: 16 bytes a frame, 64 MiB in all,
// the size of V8's own backtrack stack limit.
const maxFrames = 4 << 20

// frameKind says what to do with a frame when the match fails back to it.
type frameKind uint8

const (
	frameResume   frameKind = iota // go on at pc from pos
	frameRestore                   // slots[pc] = pos, then fail further back
	frameShorter                   // a greedy run: give back one character, not below aux
	frameLonger                    // a lazy run: take one more character, at most aux
	frameRound                     // a lazy loop: go into one more round
	frameStepBack                  // a look-behind: try from one character earlier, aux left
)

type frame struct {
	pc, pos, aux int32
	kind         frameKind
}

// matcher holds the state of one match. It is reused.
type matcher struct {
	prog   *program
	input  []rune
	slots  []int32
	stack  []frame
	steps  int // left
	failed string
	dead   dead
}

var matchers = sync.Pool{New: func() any { return new(matcher) }}

// recycle puts m back unless it has grown large.
func (m *matcher) recycle() {
	const keep = 1 << 16
	if cap(m.input) > keep || cap(m.stack) > keep {
		return
	}
	m.prog = nil
	m.dead.forget()
	matchers.Put(m)
}

// search looks for a match that begins anywhere. ok is false when the budget
// ran out; m.failed then names the resource.
func (m *matcher) search() (matched, ok bool) {
	p := m.prog
	m.failed = ""
	m.dead.forget()
	m.dead.from = m.steps - deadAfter
	if cap(m.slots) < p.slots {
		m.slots = make([]int32, p.slots)
	}
	m.slots = m.slots[:p.slots]
	last := len(m.input)
	if p.anchored {
		last = 0
	}
	for at := 0; at <= last; at++ {
		if p.first != nil {
			from := at
			for at < len(m.input) && !p.first.contains(m.input[at]) {
				at++
			}
			if !m.spend(at - from) {
				return false, false
			}
			if at == len(m.input) || at > last {
				return false, true
			}
		}
		if m.try(int32(at)) {
			return true, true
		}
		if p.leading != nil {
			from := at
			for at < len(m.input) && p.leading.contains(m.input[at]) {
				at++
			}
			m.spend(at - from)
		}
		if m.failed != "" {
			return false, false
		}
	}
	return p.insidePair && hasPair(m.input), true
}

// try runs the program at one position from a clean state.
func (m *matcher) try(at int32) bool {
	for i := range m.slots {
		m.slots[i] = -1
	}
	m.stack = m.stack[:0]
	m.dead.open = m.dead.open[:0]
	return m.spend(len(m.slots)) && m.run(at)
}

func hasPair(s []rune) bool {
	for _, r := range s {
		if r > 0xFFFF {
			return true
		}
	}
	return false
}

// spend takes the price of looking at n characters in a tight loop, which
// cost about an eighth of an instruction each.
func (m *matcher) spend(n int) bool {
	m.steps -= n >> 3
	if m.steps < 0 {
		m.failed = "steps"
	}
	return m.failed == ""
}

func (m *matcher) push(k frameKind, pc, pos, aux int32) {
	if len(m.stack) >= maxFrames {
		m.failed = "backtracking frames"
		return
	}
	m.stack = append(m.stack, frame{pc: pc, pos: pos, aux: aux, kind: k})
}

// set changes a slot so that failing back undoes it.
func (m *matcher) set(slot, v int32) {
	if m.slots[slot] != v {
		m.push(frameRestore, slot, m.slots[slot], 0)
		m.slots[slot] = v
	}
}

// fail goes back to the last choice. It returns where to go on, or a negative
// pc when there is none.
func (m *matcher) fail() (pc, pos int32) {
	for len(m.stack) > 0 {
		m.dead.close(m)
		top := len(m.stack) - 1
		f := &m.stack[top]
		switch f.kind {
		case frameRestore:
			m.slots[f.pc] = f.pos
			m.stack = m.stack[:top]
			continue
		case frameResume:
			pc, pos = f.pc, f.pos
			m.stack = m.stack[:top]
			if m.dead.end(m, pc, pos) {
				continue
			}
			return pc, pos
		case frameRound:
			pc, pos = f.pc, f.pos
			m.stack = m.stack[:top]
			m.enterRound(&m.prog.insts[pc], pos)
			return pc + 1, pos
		case frameShorter:
			if m.prog.insts[f.pc].back {
				f.pos++
			} else {
				f.pos--
			}
		case frameLonger:
			in := &m.prog.insts[f.pc]
			if !m.consume(in, &f.pos) {
				m.stack = m.stack[:top]
				continue
			}
		case frameStepBack:
			f.pos--
		}
		pc, pos = f.pc+1, f.pos
		if f.pos == f.aux {
			m.stack = m.stack[:top]
		}
		if m.dead.end(m, pc, pos) {
			continue
		}
		return pc, pos
	}
	return -1, 0
}

// consume takes one character of an instruction's set in its direction.
func (m *matcher) consume(in *inst, pos *int32) bool {
	if in.back {
		if *pos > 0 && in.set.contains(m.input[*pos-1]) {
			*pos--
			return true
		}
		return false
	}
	if int(*pos) < len(m.input) && in.set.contains(m.input[*pos]) {
		*pos++
		return true
	}
	return false
}

// cut drops the choices made since the stack was height frames high and keeps
// what is needed to undo changes of slots.
func (m *matcher) cut(height int32) {
	kept := m.stack[:height]
	for _, f := range m.stack[height:] {
		if f.kind == frameRestore {
			kept = append(kept, f)
		}
	}
	m.steps -= (len(m.stack) - int(height)) >> 3
	m.stack = kept
}

// unwind undoes everything since the stack was height frames high.
func (m *matcher) unwind(height int32) {
	for i := len(m.stack) - 1; i >= int(height); i-- {
		if f := &m.stack[i]; f.kind == frameRestore {
			m.slots[f.pc] = f.pos
		}
	}
	m.stack = m.stack[:height]
}
