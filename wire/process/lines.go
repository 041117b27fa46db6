package process

import (
	"bufio"
	"errors"
	"io"
	"slices"
)

// ErrLineTooLong says that a line is longer than the limit of [EachLine].
var ErrLineTooLong = errors.New("line too long")

// EachLine calls f with every line of r, without its "\n"; complete is false for
// a last line that no "\n" ends. A line longer than limit bytes ends it with
// ErrLineTooLong. The bytes belong to f.
func EachLine(r io.Reader, limit int, f func(line []byte, complete bool) bool) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	for {
		piece, err := in.ReadSlice('\n')
		if len(line)+len(piece) > cap(line) { // doubling copies less than append does
			line = slices.Grow(line, max(len(piece), len(line)))
		}
		line = append(line, piece...)
		if len(line) > limit+1 {
			return ErrLineTooLong
		}
		switch {
		case err == nil:
			if !f(line[:len(line)-1:len(line)-1], true) {
				return nil
			}
			line = nil
		case errors.Is(err, bufio.ErrBufferFull):
		default:
			if len(line) > 0 {
				f(line, false)
			}
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}
