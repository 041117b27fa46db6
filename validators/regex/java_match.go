package regex

// pairsMatter reports whether Java's answer on an input with surrogate pairs
// may differ from matched, the answer by code points. Java may look for a
// match between the halves of a pair, and steps back in a look-behind by
// UTF-16 units, both depending on how it classified the pattern.
func (m *matcher) pairsMatter(matched bool) bool {
	for _, in := range m.prog.insts {
		if in.op == opBack {
			return true
		}
	}
	if matched || m.prog.anchored {
		return false
	}
	whole := m.input
	defer func() { m.input = whole }()
	for i, r := range whole {
		if r <= 0xFFFF {
			continue
		}
		r -= 0x10000
		m.input = append(append(append([]rune(nil), whole[:i]...), leadFirst+r>>10, trailFirst+r&0x3FF), whole[i+1:]...)
		if m.spend(len(whole)); m.try(int32(i+1)) || m.failed != "" {
			return true
		}
	}
	return false
}
