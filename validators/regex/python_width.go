package regex

// width is how many characters a part of a Python pattern can match, as
// sre computes it to decide whether a look-behind has a fixed width.
type width struct{ lo, hi int }

// maxWidth stands for any width beyond what sre's 32-bit codes can hold.
const maxWidth = 1 << 40

func (w width) plus(v width) width {
	return width{min(w.lo+v.lo, maxWidth), min(w.hi+v.hi, maxWidth)}
}

// either is the width of an alternative.
func (w width) either(v width) width { return width{min(w.lo, v.lo), max(w.hi, v.hi)} }

// times is the width of a repetition.
func (w width) times(lo, hi int) width {
	return width{product(w.lo, lo), product(w.hi, hi)}
}

func product(a, b int) int {
	if a != 0 && b > maxWidth/a {
		return maxWidth
	}
	return min(a*b, maxWidth)
}
