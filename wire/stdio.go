package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/wire/process"
)

// stdio speaks to a server process: one message per line.
type stdio struct {
	server *process.Process
	peer   *peer
	stop   time.Duration

	writing sync.Mutex
	readers sync.WaitGroup

	closedPipe atomic.Bool // the server closed its stdin or stdout and runs on

	once sync.Once
	why  *Error
	gone chan struct{} // closed when nothing will arrive any more
}

// settling is how long a process that closed a pipe has to end, and what it left in a pipe
// when it ended to be read: a second on a busy machine.
const settling = time.Second

// startStdio starts the command of the target.
func startStdio(target Target, p *peer) (*stdio, *Error) {
	server, err := process.Start(target.Command, target.Dir, append(BaseEnv(), target.Env...))
	if err != nil {
		return nil, cannotStart(target, err)
	}
	s := &stdio{server: server, peer: p, stop: p.timeouts.Stop, gone: make(chan struct{})}
	s.readers.Add(2)
	go s.watchStdin()
	go s.readStdout()
	go s.readStderr()
	go s.reap()
	return s, nil
}

func cannotStart(target Target, err error) *Error {
	e := &Error{Kind: KindStart, Doing: "start", On: target.String(), Text: "the command could not be executed: " + err.Error(), Err: err,
		Hint: "Check the command, its path and the working directory"}
	switch {
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist):
		e.Text = fmt.Sprintf("no program %q was found", target.Command[0])
		e.Hint = "Install it, or give its full path; the search path is that of PATH"
		if target.Dir != "" {
			if _, statErr := os.Stat(target.Dir); statErr != nil {
				e.Text, e.Hint = fmt.Sprintf("the working directory %s does not exist", target.Dir), "Create it, or name another one"
			}
		}
	case errors.Is(err, fs.ErrPermission):
		e.Text = fmt.Sprintf("%q may not be executed", target.Command[0])
		e.Hint = "Make the file executable, or put its interpreter before it"
	}
	return e
}

func (s *stdio) name() string                      { return Stdio }
func (s *stdio) dead() <-chan struct{}             { return s.gone }
func (s *stdio) cause() *Error                     { return s.why }
func (s *stdio) established(string, recording.Era) {}
func (s *stdio) send(ctx context.Context, m outgoing) *Error {
	s.peer.journal.sent(kindMessage, m.raw)
	line := append(append(make([]byte, 0, len(m.raw)+1), m.raw...), '\n')
	written := make(chan error, 1)
	go func() {
		s.writing.Lock()
		defer s.writing.Unlock()
		_, err := s.server.Stdin.Write(line)
		written <- err
	}()
	select {
	case err := <-written:
		if err == nil {
			return nil
		}
	case <-ctx.Done():
		return nil // the waiting request says that time is up
	case <-s.gone:
	}
	// The pipe is broken: the process closed its stdin or ended. Which of the two
	// is known a moment later, and "exited" says more than "broken pipe".
	select {
	case <-s.gone:
		return s.why
	case <-time.After(min(s.stop, settling)):
		return s.deaf()
	}
}

// deaf is why nothing more can be asked of a server that closed its stdin.
func (s *stdio) deaf() *Error {
	s.closedPipe.Store(true)
	return &Error{Kind: KindClosed, Text: "the server closed its stdin", Hint: "A stdio server reads requests from stdin until it is closed"}
}

// watchStdin ends the connection when the server has closed its stdin although requests
// wait: what was written last may have gone into the pipe before, and a write that fails
// may never come. An answer has the time of settling to come all the same.
func (s *stdio) watchStdin() {
	tick := time.NewTicker(settling / 4)
	defer tick.Stop()
	for since := 0; ; {
		select {
		case <-s.gone:
			return
		case <-tick.C:
		}
		if !s.server.StdinClosed() {
			continue
		}
		if since++; since > 4 {
			s.fail(s.deaf())
			return
		}
	}
}

// fail ends the connection with the first reason given.
func (s *stdio) fail(e *Error) {
	s.once.Do(func() {
		s.why = e
		close(s.gone)
	})
}

func (s *stdio) readStdout() {
	defer s.readers.Done()
	max := s.peer.journal.limits.MessageBytes
	err := process.EachLine(s.server.Stdout, max, func(line []byte, complete bool) bool {
		take := s.peer.line
		if !complete {
			take = s.peer.cutLine
		}
		if failure := take(line); failure != nil {
			s.fail(failure)
			return false
		}
		return true
	})
	if errors.Is(err, process.ErrLineTooLong) {
		s.fail(&Error{Kind: KindLimit, Text: fmt.Sprintf("one line on stdout is longer than %d bytes", max), Hint: "Raise --max-message if that is honest"})
	}
	// EOF alone does not say why; reap does, unless the process lives on.
	select {
	case <-s.server.Exited():
	case <-time.After(min(s.stop, settling)):
		s.closedPipe.Store(true)
		s.fail(&Error{Kind: KindClosed, Text: "the server closed its stdout but runs on", Hint: "A stdio server answers on stdout until its stdin is closed"})
	}
}

func (s *stdio) readStderr() {
	defer s.readers.Done()
	// Lines longer than a megabyte are cut into pieces: stderr is free text.
	_ = process.EachLine(s.server.Stderr, sideBytes, func(line []byte, _ bool) bool {
		_, failure := s.peer.journal.received(kindStderr, line)
		return failure == nil
	})
	_, _ = io.Copy(io.Discard, s.server.Stderr) // never let the server block on stderr
}

// reap waits for the process, gives the readers a moment for what is still in
// the pipes, and says how it ended.
func (s *stdio) reap() {
	<-s.server.Exited()
	s.server.Unblock(time.Now().Add(min(s.stop, settling)))
	s.readers.Wait()
	s.fail(s.ending())
	s.server.Release()
}

// ending says how the process ended, with the last of what it wrote on stderr.
func (s *stdio) ending() *Error {
	e := &Error{Kind: KindExited, Text: "the server process ended: " + s.server.Ending(), Hint: "Run the command by hand to see why"}
	if tail := s.peer.journal.stderrTail(4 * rawMax); tail != "" {
		e.Text += `; its stderr ends: ` + tail
	}
	if raw := s.peer.journal.lastNoise(); raw != "" {
		e.Raw = raw
	}
	return e
}

func (s *stdio) close() {
	s.fail(&Error{Kind: KindClosed, Text: "the session was closed"})
	switch {
	case s.why.Kind == KindLimit:
		s.server.Kill() // a flood is not asked to end
	case s.closedPipe.Load():
		s.server.Terminate() // its stdin says nothing to it any more, or it has closed its stdout
	}
	s.server.Stop(s.stop)
	s.server.Unblock(time.Now())
	s.readers.Wait()
}
