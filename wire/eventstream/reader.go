// Package eventstream reads server-sent events of a stream that may be hostile.
package eventstream

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"time"
)

// Event is one server-sent event.
type Event struct {
	Name  string        // "message" when the stream names none
	Data  []byte        // nil when the event has no data field
	Retry time.Duration // reconnection time it asks for, 0 for none
}

// ErrTooLong says that one event is longer than the reader's limit.
var ErrTooLong = errors.New("event too long")

// Reader reads an event stream. Source: WHATWG HTML, Server-sent events: lines
// end in CR, LF or CRLF, a BOM is skipped, ":" begins a comment, several data
// fields are joined by LF, an unterminated event at the end is dropped.
type Reader struct {
	in     *bufio.Reader
	max    int // bytes of one event
	began  bool
	skipLF bool // a CR ended the last line: an LF that follows belongs to it
	lastID string
}

// NewReader reads r; max is the limit of one event in bytes. lastID is the last
// event id of a stream that this one resumes, "" for a new one.
func NewReader(r io.Reader, max int, lastID string) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, 64<<10), max: max, lastID: lastID}
}

// LastID is the last event id that was seen, "" for none.
func (s *Reader) LastID() string { return s.lastID }

// Next returns the next event that has data, an id or a retry field; io.EOF at
// the end; [ErrTooLong] when an event exceeds the limit, or what is no event (comments,
// unknown fields) goes on for as long.
func (s *Reader) Next() (Event, error) {
	var e Event
	has, hasData := false, false
	size := 0 // of all lines since the last event
	for {
		line, err := s.line(s.max - size)
		if err != nil {
			return Event{}, err
		}
		size += len(line) + 1
		if len(line) == 0 {
			if !has {
				e = Event{}
				continue
			}
			if e.Name == "" {
				e.Name = "message"
			}
			return e, nil
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "data":
			if hasData {
				e.Data = append(e.Data, '\n')
			}
			e.Data = append(e.Data, value...)
			has, hasData = true, true
		case "event":
			e.Name = string(value)
		case "id":
			if bytes.IndexByte(value, 0) < 0 {
				s.lastID, has = string(value), true
			}
		case "retry":
			if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
				e.Retry, has = time.Duration(ms)*time.Millisecond, true
			}
		}
	}
}

// line reads one line of at most max bytes. It never waits for the byte after a
// CR: with CR-only streams that byte may come minutes later.
func (s *Reader) line(max int) ([]byte, error) {
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
			return nil, ErrTooLong
		}
		if end >= 0 {
			return line, nil
		}
	}
}
