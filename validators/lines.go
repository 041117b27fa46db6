package validators

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxLine is the greatest length in bytes of one line that [ServeLines] and
// [ServeBowtie] take.
const MaxLine = 64 << 20

// errLineTooLong marks a line that was skipped.
var errLineTooLong = fmt.Errorf("the line is longer than %d bytes", MaxLine)

// lineReader reads lines of bounded length. A longer one is skipped to its end
// and reported with errLineTooLong, so that the next can be read.
type lineReader struct {
	r   *bufio.Reader
	max int
}

func newLineReader(in io.Reader) *lineReader {
	return &lineReader{bufio.NewReaderSize(in, 64<<10), MaxLine}
}

// next returns the next line that is not blank; io.EOF ends.
func (l *lineReader) next() ([]byte, error) {
	for {
		line, err := l.read()
		if err != nil || len(bytes.TrimSpace(line)) > 0 {
			return line, err
		}
	}
}

func (l *lineReader) read() (line []byte, err error) {
	tooLong := false
	for {
		part, err := l.r.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > l.max; !tooLong {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || len(line) == 0 && !tooLong):
			return nil, err
		case tooLong:
			return nil, errLineTooLong
		}
		return line, nil
	}
}
