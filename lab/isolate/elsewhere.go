//go:build !linux

package isolate

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"time"
)

// errSystem is why there are no rooms: what they are made of is Linux's.
var errSystem = fmt.Errorf("%s has none", runtime.GOOS)

// Run runs the program of s without a room, where s.Open accepts that; else the error
// is an *UnavailableError.
func Run(ctx context.Context, s Spec) (int, error) {
	if !s.Open {
		return -1, &UnavailableError{errSystem}
	}
	return program(ctx, s, nil)
}

// Available returns an *UnavailableError.
func Available() error { return &UnavailableError{errSystem} }

// Enter can't be: there is no room to enter.
func Enter(Room) error { return &UnavailableError{errSystem} }

// Close can't be, for the same reason.
func Close(string) error { return &UnavailableError{errSystem} }

// Command runs the program and waits. Only the limit of time is kept, and what the
// program started may outlive it: the user said --no-isolation.
func Command(ctx context.Context, p Program) (Outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, p.Limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.Args[0], p.Args[1:]...)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = p.Env, p.Dir, p.Stdout, p.Stderr, 2*time.Second
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return Outcome{}, fmt.Errorf("starting %s: %w", p.Args[0], err)
	}
	err := cmd.Wait()
	out := Outcome{Exit: cmd.ProcessState.ExitCode(), Ended: "exit", Seconds: time.Since(start).Seconds()}
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		out.Ended = "time"
	case errors.As(err, &exit) && exit.ExitCode() < 0:
		out.Ended = "signal"
	}
	return out, nil
}
