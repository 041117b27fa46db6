package isolate

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// program runs the program of s with the attributes of a system and waits for it. The
// error is that the limit passed, or wraps why the program did not start.
func program(ctx context.Context, s Spec, attributes *syscall.SysProcAttr) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.Path)
	cmd.Args, cmd.Env, cmd.Dir = s.Args, s.Env, s.Dir
	cmd.Stdout, cmd.Stderr = s.Stdout, s.Stderr
	cmd.SysProcAttr = attributes
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return -1, fmt.Errorf("ended %s after %s: %w", s.Path, s.Limit, ctx.Err())
	case err == nil:
		return 0, nil
	case errors.As(err, &exit):
		return exit.ExitCode(), nil
	}
	return -1, fmt.Errorf("starting %s: %w", s.Path, err)
}
