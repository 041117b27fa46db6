//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// busyFor waits until a process has used that much time of a CPU: it is then well
// within what takes it longest.
func busyFor(t *testing.T, pid int, d time.Duration) {
	t.Helper()
	const perSecond = 100 // USER_HZ, of every Linux that Go runs on
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil {
			t.Fatalf("the process ended before it was interrupted: %v", err)
		}
		_, after, _ := bytes.Cut(stat, []byte(") "))
		fields := strings.Fields(string(after))
		user, _ := strconv.Atoi(fields[11])
		if time.Duration(user)*time.Second/perSecond >= d {
			return
		}
	}
	t.Fatal("the process never became busy")
}

// program starts this test binary as conform.
func program(t *testing.T, arguments ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	link := filepath.Join(t.TempDir(), "conform")
	if err := os.Symlink(testBinary(t), link); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(link, arguments...)
	cmd.Dir = t.TempDir()
	output := new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, output
}

func testBinary(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self
}

// largeCase writes a case whose evaluation in all hosts takes seconds.
func largeCase(t *testing.T, tools int) string {
	t.Helper()
	var list, results []string
	for i := range tools {
		list = append(list, fmt.Sprintf(`{"name":"tool_%d","description":"Looks up %d.","inputSchema":{"type":"object","properties":{"q":{"type":"string"}}},`+
			`"outputSchema":{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"array","items":[{"type":"string"},{"type":"number"}]}},"required":["n"]}}`, i, i))
		results = append(results, fmt.Sprintf(`{"tool":"tool_%d","arguments":{"q":"x"},"result":{"content":[{"type":"text","text":"{}"}],"structuredContent":{"n":%d,"s":["a",1]}}}`, i, i))
	}
	file := filepath.Join(t.TempDir(), "large.json")
	text := `{"format":"conform-case/1","id":"large","family":"result","title":"many tools","protocol_version":"2025-11-25","server":{"name":"large","version":"1"},"tools":[` +
		strings.Join(list, ",") + `],"results":[` + strings.Join(results, ",") + `],"expect":[]}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// An interrupt during the evaluation leaves a report in every format that was asked
// for: what was evaluated, and the rest as unknown.
func TestInterruptedEvaluationIsReported(t *testing.T) {
	const tools = 600
	file := largeCase(t, tools)
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			dir := t.TempDir()
			formats := []string{"json", "html", "markdown", "junit", "sarif", "github", "gitlab"}
			arguments := []string{"run", "--replay", file, "--host", "all"}
			for _, f := range formats {
				arguments = append(arguments, "--format", f+"="+filepath.Join(dir, f))
			}
			cmd, output := program(t, arguments...)
			busyFor(t, cmd.Process.Pid, time.Second)
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
				t.Fatalf("exit code %d, want %d; it printed %s", code, exitInterrupted, output)
			}
			if !strings.Contains(output.String(), "interrupted; what was established until then is reported") {
				t.Errorf("it printed %s", output)
			}
			for _, f := range formats {
				if info, err := os.Stat(filepath.Join(dir, f)); err != nil || info.Size() == 0 {
					t.Errorf("no %s: %v", f, err)
				}
			}
			text, err := os.ReadFile(filepath.Join(dir, "json"))
			if err != nil {
				t.Fatal(err)
			}
			var r verdict.Report
			if err := json.Unmarshal(text, &r); err != nil {
				t.Fatal(err)
			}
			unreached := 0
			for _, c := range r.Cells {
				for _, f := range c.Findings {
					if f.Rule == "not-evaluated" {
						unreached++
						if c.Verdict == verdict.Works || !strings.Contains(f.Message, "interrupted") {
							t.Fatalf("cell %+v", c)
						}
					}
				}
			}
			if unreached == 0 {
				t.Errorf("the run of %d cells was not interrupted before its end", len(r.Cells))
			}
			if want := tools * len(r.Hosts); len(r.Cells) < want {
				t.Errorf("%d cells, want one for every tool and host: %d", len(r.Cells), want)
			}
		})
	}
}

// So does --total-timeout, which bounds the evaluation too.
func TestTotalTimeoutEndsTheEvaluation(t *testing.T) {
	began := time.Now()
	cmd, output := program(t, "run", "--replay", largeCase(t, 600), "--host", "all", "--total-timeout", "1s", "--format", "json=report.json")
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitIncomplete {
		t.Fatalf("exit code %d, want %d; it printed %s", code, exitIncomplete, output)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %s", took)
	}
	if !strings.Contains(output.String(), "--total-timeout 1s ran out; what was established until then is reported") {
		t.Errorf("it printed %s", output)
	}
	text, err := os.ReadFile(filepath.Join(cmd.Dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r verdict.Report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(r.Cells, func(c verdict.Cell) bool {
		return slices.ContainsFunc(c.Findings, func(f verdict.Finding) bool { return f.Rule == "not-evaluated" })
	}) {
		t.Error("no cell says that it was not reached")
	}
}

// What the first interrupt does not end, the second one does.
func TestSecondInterruptEndsAtOnce(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "never-written")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, output := program(t, "run", "--replay", fifo)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	// The first one may come before the program listens and end it like any other.
	for range 1000 {
		select {
		case err := <-ended:
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() == 0 {
				t.Errorf("ended with %v: %s", err, output)
			}
			return
		case <-time.After(20 * time.Millisecond):
			_ = cmd.Process.Signal(syscall.SIGINT)
		}
	}
	t.Error("it goes on after many interrupts")
}
