package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/term"
)

// terminalPair opens a pseudo terminal of the given width: what a program writes to
// the terminal end can be read from the other one.
func terminalPair(t *testing.T, columns uint16) (near, end *os.File) {
	t.Helper()
	near, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("could not run: no pseudo terminals here: %v", err)
	}
	t.Cleanup(func() { near.Close() })
	control := func(f *os.File, request uintptr, argument unsafe.Pointer) {
		t.Helper()
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(argument)); errno != 0 {
			t.Skipf("could not run: no pseudo terminals here: %v", errno)
		}
	}
	var unlock, number int32
	control(near, syscall.TIOCSPTLCK, unsafe.Pointer(&unlock))
	control(near, syscall.TIOCGPTN, unsafe.Pointer(&number))
	size := [4]uint16{40, columns}
	control(near, syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	end, err = os.OpenFile("/dev/pts/"+strconv.Itoa(int(number)), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("could not run: no pseudo terminals here: %v", err)
	}
	t.Cleanup(func() { end.Close() })
	return near, end
}

// onTerminal runs the program with stderr on a terminal and returns what it showed
// there and wrote to stdout.
func onTerminal(t *testing.T, columns uint16, args ...string) (shown, stdout string) {
	t.Helper()
	near, end := terminalPair(t, columns)
	if _, err := term.MakeRaw(int(end.Fd())); err != nil { // else line breaks become two characters
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "conform", args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, end
	cmd.Dir = t.TempDir()
	read := make(chan string)
	go func() {
		var all []byte
		buffer := make([]byte, 4096)
		for {
			n, err := near.Read(buffer)
			all = append(all, buffer[:n]...)
			if err != nil { // EIO once nobody has the other end open
				read <- string(all)
				return
			}
		}
	}()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end.Close()
	err := cmd.Wait()
	shown = <-read
	if code := cmd.ProcessState.ExitCode(); code != exitOK && code != exitFindings {
		t.Fatalf("exit code %d (%v): %s", code, err, shown)
	}
	return shown, out.String()
}

// states are what stood on the line one after another, blanks at the end cut.
func states(shown string) (out []string) {
	for _, s := range strings.Split(shown, "\r") {
		if s = strings.TrimRight(s, " "); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// TestProgress: on a terminal one line says what is being done, how far it is and for
// how long; it never wraps, and nothing of it stays.
func TestProgress(t *testing.T) {
	shown, stdout := onTerminal(t, 80, "run", "--host", "go-sdk", "--format", "json", "--", "conform", "fixture", "--set", "good")
	for _, want := range []string{"session 1 of 1 (", "tools/list, 0s", "tools/call depot_list, 1 of ", "evaluating 1 session in 1 host, "} {
		if !strings.Contains(shown, want) {
			t.Errorf("the line never said %q:\n%q", want, shown)
		}
	}
	if !strings.HasPrefix(stdout, "{") {
		t.Errorf("stdout is not the report: %.100s", stdout)
	}
	if last := shown[strings.LastIndex(strings.TrimRight(shown, "\r"), "\r"):]; strings.Trim(last, " \r") != "" {
		t.Errorf("the line stays at the end: %q", last)
	}

	shown, _ = onTerminal(t, 30, "run", "--host", "go-sdk", "--format", "json", "--", "conform", "fixture", "--set", "good")
	for _, s := range states(shown) {
		if len(s) >= 30 {
			t.Errorf("%q wraps on a terminal of 30 columns", s)
		}
	}
	if !strings.Contains(shown, ", 0s") {
		t.Errorf("a narrow line has no room for the time: %q", shown)
	}

	if shown, _ = onTerminal(t, 80, "run", "--quiet", "--host", "go-sdk", "--format", "json", "--", "conform", "fixture", "--set", "good"); shown != "" {
		t.Errorf("--quiet shows %q", shown)
	}
}

// TestProgressOfSlowServer: time passes on the line while the server does nothing.
func TestProgressOfSlowServer(t *testing.T) {
	shown, _ := onTerminal(t, 80, "run", "--host", "go-sdk", "--format", "json", "--", "badserver", "slow")
	if !strings.Contains(shown, ": start, 1s") {
		t.Errorf("the line stands still: %q", shown)
	}
}

// TestProgressOfSeveralServers: they share one line.
func TestProgressOfSeveralServers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mcp.json")
	text := `{"mcpServers": {"one": {"command": "conform", "args": ["fixture", "--set", "good"]}, "two": {"command": "badserver", "args": ["noise"]}}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	shown, _ := onTerminal(t, 80, "run", "--host", "go-sdk", "--format", "json", "--config", file)
	for _, want := range []string{"0 of 2 servers done; ", "2 of 2 servers done, 0s", "evaluating server one in 1 host, 1 of 2"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the line never said %q:\n%q", want, shown)
		}
	}
}
