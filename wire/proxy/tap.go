package proxy

import (
	"bytes"
	"fmt"
)

// tap splits what is written to it into lines. Of a line longer than max it gives
// a remark in place of the text.
type tap struct {
	max     int
	line    func([]byte)
	pending []byte
	skipped int // bytes of a line that is too long
}

// Write never fails.
func (t *tap) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		piece, after, found := bytes.Cut(rest, []byte("\n"))
		t.add(piece)
		if found {
			t.emit()
		}
		rest = after
	}
	return len(p), nil
}

func (t *tap) add(piece []byte) {
	if t.skipped > 0 || len(t.pending)+len(piece) > t.max {
		t.skipped += len(t.pending) + len(piece)
		t.pending = nil
		return
	}
	t.pending = append(t.pending, piece...)
}

func (t *tap) emit() {
	line := t.pending
	if t.skipped > 0 {
		line = fmt.Appendf(nil, "(a line of %d bytes is not recorded)", t.skipped)
	}
	t.pending, t.skipped = nil, 0
	t.line(line)
}

// flush gives the last line, if no line break ended it.
func (t *tap) flush() {
	if len(t.pending) > 0 || t.skipped > 0 {
		t.emit()
	}
}
