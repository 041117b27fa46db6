package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"unicode/utf8"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/reports"
)

// whatIsRaw says which character of a server's text came through as it was.
func whatIsRaw(text string) string {
	if !utf8.ValidString(text) {
		return "invalid UTF-8"
	}
	for _, r := range text {
		if r != '\n' && recording.UnsafeRune(r) {
			return fmt.Sprintf("the character %U", r)
		}
	}
	if command := commandOfServer.FindString(text); command != "" {
		return "the line " + command
	}
	return ""
}

var commandOfServer = regexp.MustCompile(`(?m)^[ \t]*(::error::|##\[error\])pwned.*$`)

// No text of a server moves a cursor, hides or reorders, ends a line or gives a command,
// in no format, wherever the server puts it.
func TestServersTextIsHarmlessInEveryFormat(t *testing.T) {
	for kind, text := range map[string]string{
		"ESC, a cleared screen":        `\u001b[2J\u001b[31m`,
		"ESC, a link and a title":      `\u001b]8;;http://x\u0007y\u001b]0;z\u001b\\`,
		"C1, the 8-bit CSI":            `\u009b2J\u0085`,
		"NUL":                          `a\u0000b`,
		"backspaces":                   `safe\b\b\b\b\u007f`,
		"a carriage return":            `real\rfake`,
		"a line that is a command":     `x\n::error::pwned\n##[error]pwned\n`,
		"separators of lines":          `x\u2028::error::pwned\u2029`,
		"a reversed text":              `\u202eexe.txt\u202c`,
		"isolates":                     `\u2066\u2067\u2069`,
		"characters that are not seen": `a\u200b\u200d\u2060\ufeffb\u00ad`,
		"tags":                         `a\udb40\udc41\udb40\udc42`,
		"half of a pair":               `\ud800`,
		"bytes that are no UTF-8":      "\xff\xc0\x80",
		"raw bytes of C1":              "\u009b31m",
	} {
		t.Run(kind, func(t *testing.T) {
			arguments := []string{"run", "--host", "ts-sdk-v1,cursor,codex,gemini-cli", "--fail-on", "never"}
			for _, f := range reports.Formats() {
				arguments = append(arguments, "--format", f.Name+"="+f.Name)
			}
			dir := t.TempDir()
			cmd := exec.Command("conform", append(arguments, "--format", "text", "--verbose", "--", "badserver", "plants", text)...)
			cmd.Dir = dir
			output, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, output)
			}
			if why := whatIsRaw(string(output)); why != "" {
				t.Errorf("the terminal got %s", why)
			}
			for _, f := range reports.Formats() {
				written, err := os.ReadFile(filepath.Join(dir, f.Name))
				if err != nil {
					t.Fatalf("no %s: %v; it printed %s", f.Name, err, output)
				}
				if len(written) == 0 {
					t.Errorf("%s is empty", f.Name)
				}
				if why := whatIsRaw(string(written)); why != "" {
					t.Errorf("%s has %s", f.Name, why)
				}
			}
			report, err := os.ReadFile(filepath.Join(dir, "json"))
			if err != nil || !json.Valid(report) || !bytes.Contains(report, []byte(`"tool":"fails"`)) {
				t.Errorf("the report does not tell of the server: %v", err)
			}
		})
	}
}
