package regex

// javaWidth is what Pattern's study of a look-behind's body adds up, in 32-bit
// arithmetic that wraps around: Java 17 accepts (?<=a*) and (?<=ab+), refuses
// (?<=(?:ab)*), and never matches (?<=a*b*), all because of that.
type javaWidth struct {
	lo, hi  int32
	invalid bool // no obvious maximum
	// pending are the sums from before an alternative, which are added when
	// the study is through.
	pending []javaWidth
}

// javaMaxReps is the upper bound of a repetition without one.
const javaMaxReps = 1<<31 - 1

// fixed is the study of something n characters wide.
func fixed(n int) func(*javaWidth) {
	return func(w *javaWidth) {
		w.lo += int32(n)
		w.hi += int32(n)
	}
}

// of studies a part by itself, on top of what w holds already.
func (w *javaWidth) of(study func(*javaWidth)) {
	base := len(w.pending)
	study(w)
	for _, p := range w.pending[base:] {
		w.lo += p.lo
		w.hi += p.hi
		w.invalid = w.invalid || p.invalid
	}
	w.pending = w.pending[:base]
}

// inOrder is the study of a sequence.
func inOrder(studies []func(*javaWidth)) func(*javaWidth) {
	return func(w *javaWidth) {
		for _, s := range studies {
			s(w)
		}
	}
}

// branches is the study of alternatives: what follows them is studied from
// nothing again.
func branches(studies []func(*javaWidth)) func(*javaWidth) {
	if len(studies) == 1 {
		return studies[0]
	}
	return func(w *javaWidth) {
		lo, hi, invalid := int32(javaMaxReps), int32(-1), w.invalid
		for _, s := range studies {
			var one javaWidth
			one.of(s)
			lo, hi, invalid = min(lo, one.lo), max(hi, one.hi), invalid || one.invalid
		}
		w.pending = append(w.pending, javaWidth{lo: w.lo + lo, hi: w.hi + hi, invalid: invalid})
		w.lo, w.hi, w.invalid = 0, 0, false
	}
}

// optional is the study of x? where x is not a group.
func optional(study func(*javaWidth)) func(*javaWidth) {
	return func(w *javaWidth) {
		lo := w.lo
		w.of(study)
		w.lo = lo
	}
}

// greedyChar is the study of a greedy * or + on one character.
func greedyChar(least int) func(*javaWidth) {
	return func(w *javaWidth) {
		w.lo += int32(least)
		w.hi += javaMaxReps
	}
}

// counted is the study of other repetitions.
func counted(study func(*javaWidth), least, most int) func(*javaWidth) {
	return func(w *javaWidth) {
		var one javaWidth
		one.of(study)
		lo := one.lo*int32(least) + w.lo
		if lo < w.lo {
			lo = 0xFFFFFFF
		}
		w.lo = lo
		if w.invalid || one.invalid {
			w.invalid = true
			return
		}
		hi := one.hi*int32(most) + w.hi
		w.invalid = hi < w.hi
		w.hi = hi
	}
}

// noMaximum is the study of what can be of any width.
func noMaximum(w *javaWidth) { w.invalid = true }
