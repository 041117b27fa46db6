package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/width"
)

// status is one line on a terminal that is rewritten: what is being done, how far it
// is, and for how long. Where there is no terminal it shows nothing.
type status struct {
	to      io.Writer
	columns func() int // width of the terminal now
	now     func() time.Time
	began   time.Time

	mu    sync.Mutex
	text  string
	shown int           // columns that the line takes
	stop  chan struct{} // nil: nothing is shown
}

// status begins such a line on stderr; the caller ends it with done.
func (a *app) status() *status {
	s := &status{to: a.stderr, columns: func() int { return terminal(a.stderr) }, now: time.Now}
	if s.columns() > 0 && !a.quiet {
		s.begin()
	}
	return s
}

func (s *status) begin() {
	s.began, s.stop = s.now(), make(chan struct{})
	go s.tick(s.stop)
}

// tick shows that time passes while nothing else happens.
func (s *status) tick(stop <-chan struct{}) {
	every := time.NewTicker(time.Second)
	defer every.Stop()
	for {
		select {
		case <-stop:
			return
		case <-every.C:
			s.mu.Lock()
			s.draw()
			s.mu.Unlock()
		}
	}
}

// set says what is being done.
func (s *status) set(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = fmt.Sprintf(format, args...)
	s.draw()
}

// draw rewrites the line; s is locked.
func (s *status) draw() {
	if s.stop == nil || s.text == "" {
		return
	}
	elapsed := s.now().Sub(s.began).Truncate(time.Second)
	end := ", " + elapsed.String()
	text := cut(s.text, s.columns()-1-len(end)) + end
	wide := cells(text)
	fmt.Fprintf(s.to, "\r%s%s", text, strings.Repeat(" ", max(0, s.shown-wide)))
	s.shown = wide
}

// Write prints whole lines of something else above the line.
func (s *status) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	n, err := s.to.Write(b)
	s.draw()
	return n, err
}

func (s *status) clear() {
	if s.shown > 0 {
		fmt.Fprintf(s.to, "\r%s\r", strings.Repeat(" ", s.shown))
		s.shown = 0
	}
}

// done removes the line.
func (s *status) done() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	if s.stop != nil {
		close(s.stop)
		s.stop = nil
	}
}

// cut returns the start of a text that fits into so many columns.
func cut(text string, columns int) string {
	taken := 0
	for i, r := range text {
		if taken += cell(r); taken > columns {
			return text[:i]
		}
	}
	return text
}

func cells(text string) (n int) {
	for _, r := range text {
		n += cell(r)
	}
	return n
}

// cell is how many columns a terminal gives to a character; of those whose width
// depends on the font it may take two, so that a line never wraps.
func cell(r rune) int {
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth, width.EastAsianAmbiguous:
		return 2
	}
	return 1
}
