package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// TestRerun changes a file after each run and ends after the third one.
func TestRerun(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"src", "node_modules"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var log bytes.Buffer
	a := &app{stdout: &log, stderr: &log}
	write := func(name string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(time.Now().String()), 0o644); err != nil {
			t.Error(err)
		}
	}
	var changes sync.WaitGroup
	runs := 0
	err := a.rerun(ctx, []string{dir}, []string{filepath.Join(dir, "report.json")}, func(context.Context) error {
		runs++
		write("report.json")    // our own output
		write("node_modules/x") // somebody else's
		write(".hidden")        // an editor's
		switch runs {
		case 1:
			changes.Go(func() { write("src/server.js") })
		case 2:
			changes.Go(func() {
				if err := os.MkdirAll(filepath.Join(dir, "src", "new"), 0o755); err != nil {
					t.Error(err)
				}
			})
		case 3:
			cancel()
		}
		return nil
	}, nil)
	changes.Wait()
	if codeOf(err) != exitInterrupted {
		t.Errorf("ended with %v, want the exit code %d", err, exitInterrupted)
	}
	if runs != 3 {
		t.Errorf("%d runs, want 3: the first, one for the file, one for the folder\n%s", runs, &log)
	}
	if !bytes.Contains(log.Bytes(), []byte("server.js changed, running again")) {
		t.Errorf("the log does not name the file that changed:\n%s", &log)
	}
}

// TestRerunOverALog has a server that writes a log beside its source: the log starts
// one run at most, the source still does.
func TestRerunOverALog(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var log bytes.Buffer
	a := &app{stdout: &log, stderr: &log}
	write := func(name string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(time.Now().String()), 0o644); err != nil {
			t.Error(err)
		}
	}
	runs := 0
	var changes sync.WaitGroup
	err := a.rerun(ctx, []string{dir}, nil, func(context.Context) error {
		runs++
		write("server.log")
		if runs == 3 {
			cancel()
		}
		return nil
	}, func(context.Context, func(string)) {
		if runs == 2 { // nothing but a person starts the third one
			changes.Go(func() { write("server.js") })
		}
	})
	changes.Wait()
	if codeOf(err) != exitInterrupted || runs != 3 {
		t.Errorf("%d runs, ended with %v\n%s", runs, err, &log)
	}
	if !bytes.Contains(log.Bytes(), []byte("server.log changes while a run is going")) || !bytes.Contains(log.Bytes(), []byte("server.js changed, running again")) {
		t.Errorf("the log does not say what happened:\n%s", &log)
	}
}

// TestWatchedFolder: --watch works without a value, and a folder behind it is one.
func TestWatchedFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("src", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args    []string
		watched string
		failure string
	}{
		{[]string{"--watch", "--", "node"}, ".", ""},
		{[]string{"--watch", "src", "--", "node"}, "src", ""},
		{[]string{"--watch=src", "--", "node"}, "src", ""},
		{[]string{"--watch", "lib", "--", "node"}, ".", `unexpected argument "lib"`},
		{[]string{"--watch", "src", "src", "--", "node"}, "src", `unexpected argument "src"`},
		{[]string{"src", "--", "node"}, "", `unexpected argument "src"`},
	} {
		cmd := &cobra.Command{}
		var watched []string
		cmd.Flags().StringSliceVar(&watched, "watch", nil, "")
		cmd.Flags().Lookup("watch").NoOptDefVal = "."
		if err := cmd.ParseFlags(c.args); err != nil {
			t.Fatal(err)
		}
		var target targetOptions
		err := target.positional(cmd, cmd.Flags().Args())
		if (err == nil) != (c.failure == "") || err != nil && !strings.Contains(err.Error(), c.failure) {
			t.Errorf("%v: %v, want %q", c.args, err, c.failure)
		}
		if got := strings.Join(watched, ","); got != c.watched {
			t.Errorf("%v: watches %q, want %q", c.args, got, c.watched)
		}
		if err == nil && strings.Join(target.command, " ") != "node" {
			t.Errorf("%v: the command is %q", c.args, target.command)
		}
	}
}
