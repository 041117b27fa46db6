package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What a server said may be nobody else's business: whatever the umask allows, and
// whoever could read what stood there before.
func TestRecordingsArePrivate(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "conform")
	if err := os.Symlink(testBinary(t), link); err != nil {
		t.Fatal(err)
	}
	messages := filepath.Join(dir, "host.jsonl")
	if err := os.WriteFile(messages, []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"host","version":"1"}}}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, command := range map[string]string{
		"new.jsonl":   "./conform record --host ts-sdk-v1 -o new.jsonl -- ./conform fixture --set good",
		"old.jsonl":   "touch old.jsonl old.jsonl.part; ./conform record --host ts-sdk-v1 -o old.jsonl -- ./conform fixture --set good",
		"proxy.jsonl": "./conform record --proxy -o proxy.jsonl -- ./conform fixture --set good <host.jsonl",
	} {
		cmd := exec.Command("sh", "-c", "umask 0; "+command)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", command, err, out)
		}
		info, err := os.Stat(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 || info.Size() == 0 {
			t.Errorf("%s has mode %o and %d bytes after %s", file, mode, info.Size(), command)
		}
	}
}
