//go:build !unix

package process

import (
	"fmt"
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

// terminateGroup cannot ask a process to end here; the ladder goes on to kill it.
func terminateGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func newMarker() string { return "CONFORM_SESSION=1" }

func killMarked(string) {}

// StdinClosed cannot tell here: a write says it.
func (p *Process) StdinClosed() bool { return false }

func ending(state *os.ProcessState) string {
	if state == nil {
		return "for an unknown reason"
	}
	return fmt.Sprintf("exit status %d", state.ExitCode())
}
