package main

import (
	"fmt"
	"strings"
	"sync"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/wire"
)

// watch shows what a capture is doing: one line that is rewritten, on a terminal
// only, and the server's own stderr, each line once.
type watch struct {
	app      *app
	sessions int
	live     bool

	mu    sync.Mutex
	seen  map[string]bool
	nth   int
	shown int // characters on the progress line
}

func (a *app) watch(sessions int) *watch {
	return &watch{app: a, sessions: sessions, live: terminal(a.stderr) > 0 && !a.quiet, seen: map[string]bool{}}
}

func (w *watch) event(e wire.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if e.Doing == "start" {
		w.nth++
	}
	if !w.live {
		return
	}
	text := fmt.Sprintf("session %d of %d (%s): %s", w.nth, w.sessions, e.Session, e.Doing)
	if e.Tool != "" {
		text += " " + wire.Printable([]byte(e.Tool), 40)
	}
	switch {
	case e.Of > 0:
		text += fmt.Sprintf(" %d/%d", e.N, e.Of)
	case e.N > 1:
		text += fmt.Sprintf(" %d", e.N)
	}
	if width := terminal(w.app.stderr); len(text) >= width {
		text = text[:max(0, width-1)]
	}
	fmt.Fprintf(w.app.stderr, "\r%s%s", text, strings.Repeat(" ", max(0, w.shown-len(text))))
	w.shown = len(text)
}

// maxServerLines bounds how many different lines of a server's stderr are passed on.
const maxServerLines = 200

func (w *watch) trace(m recording.Message) {
	if m.Kind != "stderr" || w.app.quiet {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	line := wire.Printable(m.Bytes, 500)
	if line == "" || w.seen[line] || len(w.seen) >= maxServerLines {
		return
	}
	w.seen[line] = true
	w.clear()
	fmt.Fprintf(w.app.stderr, "server: %s\n", line)
}

// done removes the progress line.
func (w *watch) done() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clear()
}

func (w *watch) clear() {
	if w.shown > 0 {
		fmt.Fprintf(w.app.stderr, "\r%s\r", strings.Repeat(" ", w.shown))
		w.shown = 0
	}
}
