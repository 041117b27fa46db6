package regex

// run tries to match at one position.
func (m *matcher) run(pos int32) bool {
	var pc int32
	insts := m.prog.insts
	input := m.input
	for {
		if m.steps--; m.steps < 0 {
			m.failed = "steps"
		}
		if m.failed != "" {
			return false
		}
		in := &insts[pc]
		ok := true
		next := pc + 1
		switch in.op {
		case opMatch:
			return true
		case opChar:
			if in.back {
				if ok = pos > 0 && input[pos-1] == in.r; ok {
					pos--
				}
			} else if ok = int(pos) < len(input) && input[pos] == in.r; ok {
				pos++
			}
		case opSet:
			ok = m.consume(in, &pos)
		case opRun:
			pos, ok = m.takeRun(in, pc, pos)
		case opJump:
			next = in.x
		case opSplit:
			switch {
			case in.mode == lazy:
				m.push(frameResume, next, pos, 0)
				next = in.x
			case in.set != nil && (int(pos) == len(input) || !in.set.contains(input[pos])):
				next = in.x
			case in.other == nil || int(pos) < len(input) && in.other.contains(input[pos]):
				m.push(frameResume, in.x, pos, 0)
			}
		case opSave:
			m.set(in.x, pos)
		case opCapture:
			lo, hi := m.slots[in.y], pos
			if in.back {
				lo, hi = hi, lo
			}
			m.set(in.x, lo)
			m.set(in.x+1, hi)
		case opClear:
			m.steps -= int(in.y-in.x) >> 3
			for s := in.x; s < in.y; s++ {
				m.set(s, -1)
			}
		case opLoopInit:
			m.set(in.x, 0)
			m.set(in.x+1, -1)
		case opLoop:
			next, ok = m.loop(in, pc, pos)
		case opLook:
			m.slots[in.x] = int32(len(m.stack))
			m.slots[in.x+1] = pos
			if in.mode == lazy {
				m.push(frameResume, in.y, pos, 0)
			}
		case opLookEnd:
			m.cut(m.slots[in.x])
			pos = m.slots[in.x+1]
		case opLookFail:
			m.unwind(m.slots[in.x])
			ok = false
		case opAtomic:
			m.slots[in.x] = int32(len(m.stack))
		case opAtomicEnd:
			m.cut(m.slots[in.x])
		case opBack:
			from, lowest := pos-in.min, max(pos-in.max, 0)
			if ok = from >= lowest; ok {
				if from > lowest {
					m.push(frameStepBack, pc, from, lowest)
				}
				pos = from
			}
		case opAtSlot:
			ok = pos == m.slots[in.x]
		case opBackref:
			pos, ok = m.backref(in, pos)
		case opAssert:
			ok = assertHolds(in, input, int(pos))
		case opCond:
			if m.slots[in.x+1] < 0 {
				next = in.y
			}
		}
		if !ok {
			if next, pos = m.fail(); next < 0 {
				return false
			}
		}
		pc = next
	}
}

// takeRun consumes as many characters of a set as the mode wants and leaves
// one frame for the others.
func (m *matcher) takeRun(in *inst, pc, pos int32) (int32, bool) {
	avail := int32(len(m.input)) - pos
	if in.back {
		avail = pos
	}
	if avail < in.min {
		return pos, false
	}
	most := min(in.max, avail)
	want := most
	if in.mode == lazy {
		want = in.min
	}
	start := pos
	n := int32(0)
	if in.back {
		for n < want && in.set.contains(m.input[pos-1]) {
			pos--
			n++
		}
	} else {
		for n < want && in.set.contains(m.input[pos]) {
			pos++
			n++
		}
	}
	m.spend(int(n))
	if n < in.min {
		return pos, false
	}
	dir := int32(1)
	if in.back {
		dir = -1
	}
	switch {
	case in.mode == greedy && n > in.min:
		m.push(frameShorter, pc, pos, start+dir*in.min)
	case in.mode == lazy && n < most:
		m.push(frameLonger, pc, pos, start+dir*most)
	}
	return pos, true
}

// loop decides at the head of a counted loop, or of one whose body can match
// the empty string, whether to go on (pc+1) or to leave (in.y).
func (m *matcher) loop(in *inst, pc, pos int32) (next int32, ok bool) {
	count, began := m.slots[in.x], m.slots[in.x+1]
	switch m.prog.empty {
	case emptyFails:
		if count > in.min && pos == began {
			return 0, false
		}
	case emptyStops:
		if count >= in.min && pos == began {
			return in.y, true
		}
	case emptyExits:
		if pos == began {
			return in.y, true
		}
	}
	switch {
	case count < in.min:
		m.enterRound(in, pos)
		return pc + 1, true
	case count >= in.max && in.max != unbounded:
		return in.y, true
	case in.mode == lazy:
		m.push(frameRound, pc, pos, 0)
		return in.y, true
	}
	m.push(frameResume, in.y, pos, 0)
	m.enterRound(in, pos)
	return pc + 1, true
}

// enterRound counts a round that begins at pos.
func (m *matcher) enterRound(in *inst, pos int32) {
	count := m.slots[in.x]
	if in.max != unbounded || count <= in.min {
		m.set(in.x, count+1)
	}
	// CPython notes the start of optional rounds only (sre MAX_UNTIL).
	if m.prog.empty != emptyStops || count >= in.min {
		m.set(in.x+1, pos)
	}
}

// backref consumes a copy of what a group holds.
func (m *matcher) backref(in *inst, pos int32) (int32, bool) {
	lo, hi := m.slots[in.x], m.slots[in.x+1]
	if lo < 0 || hi < 0 {
		return pos, m.prog.unsetMatches
	}
	n := hi - lo
	m.spend(int(n))
	from := pos
	if in.back {
		from = pos - n
	}
	if from < 0 || int(from+n) > len(m.input) {
		return pos, false
	}
	for i := int32(0); i < n; i++ {
		a, b := m.input[lo+i], m.input[from+i]
		if a != b && (in.fold == nil || in.fold(a) != in.fold(b)) {
			return pos, false
		}
	}
	if in.back {
		return from, true
	}
	return from + n, true
}
