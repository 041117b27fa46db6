package lint_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/recording"
)

// slowest is what the rules may take for a small recording on a busy machine.
const slowest = 20 * time.Second

// FuzzRun feeds the rules hostile recordings: none may panic (Run turns that into an
// entry of NotChecked that says so) or take long. The seeds are the cases of the
// rules.
func FuzzRun(f *testing.F) {
	seeds, err := filepath.Glob("../cases/rules/*/*.json")
	if err != nil || len(seeds) == 0 {
		f.Fatalf("no case of a rule: %v", err)
	}
	for _, seed := range seeds {
		opened, err := recording.Open(recording.Limits{}, seed)
		if err != nil {
			f.Fatal(err)
		}
		var file bytes.Buffer
		if err := recording.WriteCapture(&file, opened[0].Capture, "test", "2026-11-30T12:00:00Z", nil); err != nil {
			f.Fatal(err)
		}
		f.Add(file.Bytes())
	}
	table, err := capabilities.Builtin()
	if err != nil {
		f.Fatal(err)
	}
	var hosts []*capabilities.Resolved // a few: what the rules ask of a host does not depend on the capture
	for _, h := range table.Hosts() {
		if r, err := table.Resolve(h.ID); err == nil && lint.Find("portable-format").Stands(r) {
			hosts = append(hosts, r)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 64<<10 {
			t.Skip()
		}
		capture, err := recording.Read("fuzz", bytes.NewReader(data), recording.Limits{})
		if err != nil {
			t.Skip()
		}
		started := time.Now()
		for _, not := range lint.Run(capture, lint.Input{Hosts: hosts}).NotChecked {
			if strings.Contains(not.Reason, "failed") {
				t.Fatalf("%s: %s", not.Rule, not.Reason)
			}
		}
		for _, revision := range lint.Revisions {
			lint.SpecFindings(capture, revision, lint.Until{})
		}
		if took := time.Since(started); took > slowest {
			t.Fatalf("took %s", took)
		}
	})
}
