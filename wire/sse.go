package wire

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"time"
)

// event is one server-sent event.
type event struct {
	name  string // "message" when the stream names none
	data  []byte
	id    string // last event id, "" for none
	idSet bool   // whether this event had an id field
	retry time.Duration
}

// sseReader reads an event stream. Source: WHATWG HTML, Server-sent events:
// lines end in CR, LF or CRLF, a BOM is skipped, ":" begins a comment, several
// data fields are joined by LF, an unterminated event at the end is dropped.
type sseReader struct {
	in     *bufio.Reader
	max    int // bytes of one event
	began  bool
	skipLF bool // a CR ended the last line: an LF that follows belongs to it
	lastID string
}

func newSSEReader(r io.Reader, max int) *sseReader {
	return &sseReader{in: bufio.NewReaderSize(r, 64<<10), max: max}
}

// next returns the next event that has data, an id or a retry field; io.EOF at
// the end; errLineTooLong when an event exceeds the limit.
func (s *sseReader) next() (event, error) {
	var e event
	has, hasData := false, false
	size := 0
	for {
		line, err := s.line(s.max - size)
		if err != nil {
			return event{}, err
		}
		size += len(line)
		if len(line) == 0 {
			if !has {
				e, size = event{}, 0
				continue
			}
			if e.name == "" {
				e.name = "message"
			}
			if !hasData {
				e.data = nil
			}
			e.id = s.lastID
			return e, nil
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "data":
			if hasData {
				e.data = append(e.data, '\n')
			}
			e.data = append(e.data, value...)
			has, hasData = true, true
		case "event":
			e.name = string(value)
		case "id":
			if bytes.IndexByte(value, 0) < 0 {
				s.lastID, e.idSet, has = string(value), true, true
			}
		case "retry":
			if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
				e.retry, has = time.Duration(ms)*time.Millisecond, true
			}
		}
	}
}

// line reads one line of at most max bytes. It never waits for the byte after a
// CR: with CR-only streams that byte may come minutes later.
func (s *sseReader) line(max int) ([]byte, error) {
	var line []byte
	for {
		if s.in.Buffered() == 0 {
			if _, err := s.in.Peek(1); err != nil {
				if err == bufio.ErrBufferFull {
					err = nil
				} else {
					return nil, err
				}
			}
		}
		chunk, _ := s.in.Peek(s.in.Buffered())
		if !s.began {
			// A BOM is three bytes that may arrive one by one.
			if bom := []byte("\ufeff"); chunk[0] == bom[0] {
				if chunk, err := s.in.Peek(len(bom)); err == nil && bytes.Equal(chunk, bom) {
					_, _ = s.in.Discard(len(bom))
				}
			}
			s.began = true
			continue
		}
		if s.skipLF {
			s.skipLF = false
			if chunk[0] == '\n' {
				_, _ = s.in.Discard(1)
				continue
			}
		}
		end := bytes.IndexAny(chunk, "\r\n")
		if end < 0 {
			line = append(line, chunk...)
			_, _ = s.in.Discard(len(chunk))
		} else {
			line = append(line, chunk[:end]...)
			s.skipLF = chunk[end] == '\r'
			_, _ = s.in.Discard(end + 1)
		}
		if len(line) > max {
			return nil, errLineTooLong
		}
		if end >= 0 {
			return line, nil
		}
	}
}
