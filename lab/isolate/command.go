//go:build linux

package isolate

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// Command runs the program under its limits and waits. Afterwards nothing that it
// started is alive. An error means that it did not start.
func Command(ctx context.Context, p Program) (Outcome, error) {
	type ended struct {
		outcome Outcome
		err     error
	}
	done := make(chan ended)
	go func() {
		// Privileges belong to a thread. This one ends with the goroutine, because it
		// is never unlocked, and it must not end before the program: Pdeathsig.
		runtime.LockOSThread()
		o, err := command(ctx, p)
		done <- ended{o, err}
	}()
	e := <-done
	return e.outcome, e.err
}

func command(ctx context.Context, p Program) (Outcome, error) {
	if err := becomeReaper(); err != nil {
		return Outcome{}, fmt.Errorf("becoming the parent of orphans: %w", err)
	}
	forbidCoreDumps()
	if err := keepFilesBack(); err != nil {
		return Outcome{}, fmt.Errorf("keeping open files from %s (Linux 5.11 can): %w", p.Args[0], err)
	}
	ctx, cancel := context.WithTimeout(ctx, p.Limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.Args[0], p.Args[1:]...)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = p.Env, p.Dir, p.Stdout, p.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	cmd.WaitDelay = 2 * time.Second
	if p.Confined {
		if err := giveUpPrivileges(); err != nil {
			return Outcome{}, fmt.Errorf("taking privileges from %s: %w", p.Args[0], err)
		}
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return Outcome{}, fmt.Errorf("starting %s: %w", p.Args[0], err)
	}
	tooBig := p.watch(ctx, p.Memory, p.memory, cancel)
	tooMuch := p.watch(ctx, p.Disk, func() int64 { return used(p.Scratch) }, cancel)
	tooMany := p.watch(ctx, p.Tasks, tasks, cancel)
	err := cmd.Wait()
	out := Outcome{Exit: cmd.ProcessState.ExitCode(), Ended: "exit", Seconds: time.Since(start).Seconds()}
	var exit *exec.ExitError
	switch {
	case tooBig():
		out.Ended = "memory"
	case tooMuch():
		out.Ended = "disk"
	case tooMany():
		out.Ended = "tasks"
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		out.Ended = "time"
	case errors.As(err, &exit) && exit.ExitCode() < 0:
		out.Ended = "signal"
	}
	if out.Ended == "exit" {
		settle()
	}
	out.Left = p.endAll()
	return out, nil
}

// keepFilesBack marks every file that this process has open, but for the first three,
// as none of its children's business. Go does so with those that it opens; whoever
// started this process may have left others.
func keepFilesBack() error {
	const closeRange, onExec = 436, 4 // close_range(2), the same on every architecture
	if _, _, errno := syscall.Syscall(closeRange, 3, 1<<31-1, onExec); errno != 0 {
		return errno
	}
	return nil
}

func forbidCoreDumps() {
	// A limit that can't be lowered is one that the host can't use either.
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
}
