//go:build unix

package process

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// ownGroup makes the process lead a new process group.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func terminateGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// markerName is the variable by which descendants that left the process group
// (setsid, a daemon) are found again.
const markerName = "CONFORM_SESSION"

func newMarker() string {
	var id [12]byte
	_, _ = rand.Read(id[:])
	return markerName + "=" + hex.EncodeToString(id[:])
}

// killMarked kills every process whose environment holds the marker. It works
// where /proc shows environments (Linux) and does nothing elsewhere.
func killMarked(marker string) {
	paths, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range paths {
		env, err := os.ReadFile(path)
		if err != nil || !strings.Contains("\x00"+string(env), "\x00"+marker+"\x00") {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil && pid != os.Getpid() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// StdinClosed reports whether nobody can read any more what is written to the process.
func (p *Process) StdinClosed() (closed bool) {
	conn, err := p.Stdin.SyscallConn()
	if err != nil {
		return false
	}
	_ = conn.Control(func(fd uintptr) {
		// The end of a pipe that is written to reports an error when the other one is closed.
		watched := []unix.PollFd{{Fd: int32(fd)}}
		n, err := unix.Poll(watched, 0)
		closed = err == nil && n > 0 && watched[0].Revents&unix.POLLERR != 0
	})
	return closed
}

// ending names the exit status or the signal.
func ending(state *os.ProcessState) string {
	if state == nil {
		return "for an unknown reason"
	}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return fmt.Sprintf("killed by signal %s (%s)", signalName(status.Signal()), status.Signal())
	}
	return fmt.Sprintf("exit status %d", state.ExitCode())
}

func signalName(signal syscall.Signal) string {
	switch signal {
	case syscall.SIGSEGV:
		return "SIGSEGV"
	case syscall.SIGABRT:
		return "SIGABRT"
	case syscall.SIGKILL:
		return "SIGKILL"
	case syscall.SIGTERM:
		return "SIGTERM"
	case syscall.SIGBUS:
		return "SIGBUS"
	case syscall.SIGILL:
		return "SIGILL"
	case syscall.SIGFPE:
		return "SIGFPE"
	case syscall.SIGPIPE:
		return "SIGPIPE"
	case syscall.SIGINT:
		return "SIGINT"
	case syscall.SIGHUP:
		return "SIGHUP"
	case syscall.SIGTRAP:
		return "SIGTRAP"
	}
	return strconv.Itoa(int(signal))
}
