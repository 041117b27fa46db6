// Package process runs a server that speaks on its stdin and stdout, and ends it
// together with whatever it started.
package process

import (
	"os"
	"os/exec"
	"time"
)

// Process is a running server. It leads its own process group.
type Process struct {
	Stdin  *os.File // our end of the pipe; Stop closes it
	Stdout *os.File // our end of the pipe; Close or Release closes it
	Stderr *os.File

	cmd    *exec.Cmd
	marker string
	exited chan struct{}
}

// Start runs the command with exactly the given environment, in dir ("" is our
// own). Errors are those of [exec.Cmd.Start].
func Start(command []string, dir string, env []string) (*Process, error) {
	p := &Process{cmd: exec.Command(command[0], command[1:]...), marker: newMarker(), exited: make(chan struct{})}
	p.cmd.Dir = dir
	p.cmd.Env = append(append([]string{}, env...), p.marker)
	ownGroup(p.cmd)
	// Files of our own in place of StdoutPipe: with those, Wait would go on until
	// a grandchild that inherited the pipe closes it.
	var childIn, childOut, childErr *os.File
	var err error
	if childIn, p.Stdin, err = os.Pipe(); err == nil {
		if p.Stdout, childOut, err = os.Pipe(); err == nil {
			p.Stderr, childErr, err = os.Pipe()
		}
	}
	if err == nil {
		p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = childIn, childOut, childErr
		err = p.cmd.Start()
	}
	closeAll(childIn, childOut, childErr)
	if err != nil {
		closeAll(p.Stdin, p.Stdout, p.Stderr)
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// Exited is closed when the process has ended.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Ending names the exit status or the signal of a process that has ended.
func (p *Process) Ending() string { return ending(p.cmd.ProcessState) }

// ExitCode is the exit status of a process that has ended, -1 for a signal.
func (p *Process) ExitCode() int { return p.cmd.ProcessState.ExitCode() }

// Unblock lets reads of the pipes fail from the given time on: a grandchild may
// hold them open for ever.
func (p *Process) Unblock(at time.Time) {
	_ = p.Stdout.SetReadDeadline(at)
	_ = p.Stderr.SetReadDeadline(at)
}

// Release closes our ends of the pipes.
func (p *Process) Release() { closeAll(p.Stdin, p.Stdout, p.Stderr) }

// Terminate asks the process group to end.
func (p *Process) Terminate() { terminateGroup(p.cmd) }

// Kill ends the process group at once.
func (p *Process) Kill() { killGroup(p.cmd) }

// Stop ends the process in order: stdin closed, then SIGTERM and SIGKILL to its
// group, each after the time of a rung; in the end the whole group and whatever
// carries our marker is killed, so that nothing it forked stays.
// Source: MCP 2025-06-18 basic/lifecycle, Shutdown, stdio.
func (p *Process) Stop(rung time.Duration) {
	go p.Stdin.Close() // may wait for a write that the server does not take
	if !p.exitsWithin(rung) {
		terminateGroup(p.cmd)
		if !p.exitsWithin(rung) {
			killGroup(p.cmd)
			p.exitsWithin(rung)
		}
	}
	killGroup(p.cmd)
	killMarked(p.marker)
}

func (p *Process) exitsWithin(limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}
