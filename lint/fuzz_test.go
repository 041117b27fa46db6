package lint_test

import (
	"bytes"
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
// entry of NotChecked that says so) or take long. The seeds are the captures on
// which each rule is shown.
func FuzzRun(f *testing.F) {
	for _, p := range pairs {
		for _, c := range []*recording.Capture{p.wrong, p.right} {
			var file bytes.Buffer
			if err := recording.WriteCapture(&file, c, "test", "2026-11-30T12:00:00Z", nil); err != nil {
				f.Fatal(err)
			}
			f.Add(file.Bytes())
		}
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
			lint.SpecFindings(capture, revision)
		}
		if took := time.Since(started); took > slowest {
			t.Fatalf("took %s", took)
		}
	})
}
