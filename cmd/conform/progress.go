package main

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/wire"
)

// watch shows what a capture is doing on the status line, passes the server's own
// stderr on, each line once, and with --verbose all that passes.
type watch struct {
	app      *app
	line     *status
	to       io.Writer // lines go here
	sessions int
	redact   *recording.Redactor

	mu   sync.Mutex
	seen map[string]bool
	nth  int
}

// watch is the watch over a capture with so many sessions. In a run of several
// servers they share one line.
func (a *app) watch(sessions int, target wire.Target) *watch {
	w := &watch{app: a, sessions: sessions, redact: recording.NewRedactor(target.Secrets()...), seen: map[string]bool{}}
	if shared, ok := a.stderr.(*prefixed); ok {
		w.to = shared
		return w
	}
	w.line = a.status()
	w.to = w.line
	return w
}

func (w *watch) event(e wire.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	probe := strings.HasPrefix(e.Session, recording.ProbePrefix)
	if e.Doing == "start" && !probe {
		w.nth++
	}
	text := fmt.Sprintf("session %d of %d (%s): %s", w.nth, w.sessions, e.Session, e.Doing)
	if probe {
		text = fmt.Sprintf("probes (%s): %s", strings.TrimPrefix(e.Session, recording.ProbePrefix), e.Doing)
	}
	if e.Tool != "" {
		text += " " + wire.Printable([]byte(e.Tool), 40)
	}
	switch {
	case e.Of > 0:
		text += fmt.Sprintf(", %d of %d", e.N, e.Of)
	case e.N > 1:
		text += fmt.Sprintf(", page %d", e.N)
	}
	w.show(text)
}

func (w *watch) show(text string) {
	if shared, ok := w.app.stderr.(*prefixed); ok {
		shared.show(text)
		return
	}
	w.line.set("%s", text)
}

const (
	// maxServerLines bounds how many different lines of a server's stderr are passed on.
	maxServerLines = 200
	// maxTraced is how many bytes of a message a trace shows; a recording has them all.
	maxTraced = 4000
)

func (w *watch) trace(m recording.Message) {
	if w.app.quiet {
		return
	}
	m = w.redact.Message(m)
	if m.Kind != "stderr" {
		if w.app.verbose {
			w.passed(m)
		}
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	line := wire.Printable(m.Bytes, 500)
	if line == "" || w.seen[line] || len(w.seen) >= maxServerLines {
		return
	}
	w.seen[line] = true
	fmt.Fprintf(w.to, "server: %s\n", line)
}

// passed prints a message of the trace, the head of an HTTP message line by line.
func (w *watch) passed(m recording.Message) {
	direction := ">"
	if m.From == "server" {
		direction = "<"
	}
	if m.Kind == "noise" {
		direction += " noise"
	}
	lines := []string{string(m.Bytes)}
	if strings.HasPrefix(m.Kind, "http-") {
		lines = strings.Split(strings.TrimRight(lines[0], "\r\n"), "\n")
	}
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			line = "  " + line
		}
		fmt.Fprintf(&b, "%8.3fs %s %s %s\n", m.At.Seconds(), m.Session, direction, wire.Printable([]byte(strings.TrimRight(line, "\r")), maxTraced))
	}
	_, _ = io.WriteString(w.to, b.String())
}

// done removes the status line.
func (w *watch) done() {
	if w.line != nil {
		w.line.done()
	}
}
