//go:build linux

package isolate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Run runs the program of s in its room and waits for it. The exit code is that of
// the program, or -1 when it was killed. Errors are *UnavailableError, or that the
// program did not start, or that the limit passed (context.DeadlineExceeded).
func Run(ctx context.Context, s Spec) (int, error) {
	code, err := program(ctx, s, attributes(s.Open))
	if !s.Open && (errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.ENOSPC)) {
		return -1, &UnavailableError{errors.Unwrap(err)}
	}
	return code, err
}

// Available returns nil when this machine grants the namespaces that Run needs,
// else an *UnavailableError.
func Available() error {
	path, err := exec.LookPath("true")
	if err != nil {
		return &UnavailableError{err}
	}
	code, err := Run(context.Background(), Spec{Path: path, Args: []string{"true"}, Dir: "/", Limit: 10 * time.Second})
	if err == nil && code != 0 {
		err = &UnavailableError{fmt.Errorf("%s exited with %d in new namespaces", path, code)}
	}
	return err
}

// attributes asks for the namespaces. Root needs no user namespace; anyone else
// becomes root in one, which maps to nobody outside. The first process dies with
// its parent, and a process namespace dies with its first process.
func attributes(open bool) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	if open {
		return a
	}
	a.Cloneflags = syscall.CLONE_NEWNET | syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS
	if os.Geteuid() != 0 {
		a.Cloneflags |= syscall.CLONE_NEWUSER
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	return a
}
