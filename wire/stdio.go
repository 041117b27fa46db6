package wire

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/hostmatrix/conform/recording"
)

// stdio speaks to a server process: one message per line. The process leads its
// own group, so that what it starts can be ended with it.
type stdio struct {
	cmd    *exec.Cmd
	marker string
	stdin  io.WriteCloser
	stdout *os.File
	stderr *os.File
	peer   *peer
	stop   time.Duration

	writing sync.Mutex
	readers sync.WaitGroup
	exited  chan struct{} // closed when the process has been waited for

	once sync.Once
	why  *Error
	gone chan struct{} // closed when nothing will arrive any more
}

// startStdio starts the command of the target.
func startStdio(target Target, p *peer) (*stdio, *Error) {
	cmd := exec.Command(target.Command[0], target.Command[1:]...)
	cmd.Dir = target.Dir
	marker := newMarker()
	cmd.Env = append(append(BaseEnv(), target.Env...), marker)
	ownGroup(cmd)
	s := &stdio{cmd: cmd, marker: marker, peer: p, stop: p.timeouts.Stop, exited: make(chan struct{}), gone: make(chan struct{})}
	var err error
	var childOut, childErr *os.File
	if s.stdin, err = cmd.StdinPipe(); err == nil {
		if s.stdout, childOut, err = os.Pipe(); err == nil {
			s.stderr, childErr, err = os.Pipe()
		}
	}
	if err != nil {
		closeAll(s.stdout, childOut)
		return nil, cannotStart(target, err)
	}
	// Files of our own in place of StdoutPipe: with those, Wait would go on until
	// a grandchild that inherited the pipe closes it.
	cmd.Stdout, cmd.Stderr = childOut, childErr
	err = cmd.Start()
	closeAll(childOut, childErr)
	if err != nil {
		closeAll(s.stdout, s.stderr)
		return nil, cannotStart(target, err)
	}
	s.readers.Add(2)
	go s.readStdout()
	go s.readStderr()
	go s.reap()
	return s, nil
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
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
		_, err := s.stdin.Write(line)
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
	case <-time.After(s.stop):
		return &Error{Kind: KindClosed, Text: "the server closed its stdin", Hint: "A stdio server reads requests from stdin until it is closed"}
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
	err := eachLine(s.stdout, max, func(line []byte, complete bool) bool {
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
	if errors.Is(err, errLineTooLong) {
		s.fail(&Error{Kind: KindLimit, Text: fmt.Sprintf("one line on stdout is longer than %d bytes", max), Hint: "Raise the limit of message bytes if that is honest"})
	}
	// EOF alone does not say why; reap does, unless the process lives on.
	select {
	case <-s.exited:
	case <-time.After(s.stop):
		s.fail(&Error{Kind: KindClosed, Text: "the server closed its stdout but runs on", Hint: "A stdio server answers on stdout until its stdin is closed"})
	}
}

func (s *stdio) readStderr() {
	defer s.readers.Done()
	// Lines longer than a megabyte are cut into pieces: stderr is free text.
	_ = eachLine(s.stderr, sideBytes, func(line []byte, _ bool) bool {
		_, failure := s.peer.journal.received(kindStderr, line)
		return failure == nil
	})
	_, _ = io.Copy(io.Discard, s.stderr) // never let the server block on stderr
}

// reap waits for the process, gives the readers a moment for what is still in
// the pipes, and says how it ended.
func (s *stdio) reap() {
	_ = s.cmd.Wait()
	close(s.exited)
	deadline := time.Now().Add(s.stop)
	_ = s.stdout.SetReadDeadline(deadline) // a grandchild may hold the pipes open
	_ = s.stderr.SetReadDeadline(deadline)
	s.readers.Wait()
	s.fail(s.ending())
	closeAll(s.stdout, s.stderr)
}

// ending says how the process ended, with the last of what it wrote on stderr.
func (s *stdio) ending() *Error {
	e := &Error{Kind: KindExited, Text: "the server process ended: " + exitText(s.cmd.ProcessState), Hint: "Run the command by hand to see why"}
	if tail := s.peer.journal.stderrTail(4 * rawMax); tail != "" {
		e.Text += `; its stderr ends: ` + tail
	}
	if raw := s.peer.journal.lastNoise(); raw != "" {
		e.Raw = raw
	}
	return e
}

// close ends the process in order: stdin closed, then SIGTERM and SIGKILL to its
// group, each after the stop time; in the end the whole group and whatever
// carries our marker is killed, so that nothing it forked stays.
// Source: MCP 2025-06-18 basic/lifecycle, Shutdown, stdio.
func (s *stdio) close() {
	s.fail(&Error{Kind: KindClosed, Text: "the session was closed"})
	go s.stdin.Close() // may wait for a write that the server does not take
	if s.why.Kind == KindLimit {
		killGroup(s.cmd) // a flood is not asked to end
	}
	if !s.exitsWithin(s.stop) {
		terminateGroup(s.cmd)
		if !s.exitsWithin(s.stop) {
			killGroup(s.cmd)
			s.exitsWithin(s.stop)
		}
	}
	killGroup(s.cmd)
	killMarked(s.marker)
	now := time.Now()
	_ = s.stdout.SetReadDeadline(now)
	_ = s.stderr.SetReadDeadline(now)
	s.readers.Wait()
}

func (s *stdio) exitsWithin(limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-s.exited:
		return true
	case <-timer.C:
		return false
	}
}

var errLineTooLong = errors.New("line too long")

// eachLine calls f with every line of r, without its "\n"; complete is false for
// a last line that no "\n" ends. A line longer than limit bytes ends it with
// errLineTooLong. The bytes belong to f.
func eachLine(r io.Reader, limit int, f func(line []byte, complete bool) bool) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	for {
		piece, err := in.ReadSlice('\n')
		if len(line)+len(piece) > cap(line) { // doubling copies less than append does
			line = slices.Grow(line, max(len(piece), len(line)))
		}
		line = append(line, piece...)
		if len(line) > limit+1 {
			return errLineTooLong
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
