package lint_test

import (
	"strings"
	"testing"

	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/recording"
)

// FuzzRun feeds rules hostile recordings: none may panic (Run would turn that into
// an entry of NotChecked that says so) or take long.
func FuzzRun(f *testing.F) {
	f.Add([]byte(`{"format":"conform-recording/1","server":{"name":"x"}}` + "\n" + `{"session":"s","from":"server","kind":"message","at_ms":1,"text":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"}`))
	f.Add([]byte(`{"format":"conform-case/1","id":"x","family":"f","title":"t","protocol_version":"2025-11-25","tools":[{"name":"a","inputSchema":{"type":"object","properties":{"b":false},"required":["b"]}}],"results":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		capture, err := recording.Read("fuzz", strings.NewReader(string(data)), recording.Limits{LineBytes: 1 << 20, Bytes: 1 << 20})
		if err != nil {
			opened, err := recording.Detect("fuzz.json", data, recording.Limits{LineBytes: 1 << 20, Bytes: 1 << 20})
			if err != nil {
				t.Skip()
			}
			capture = opened.Capture
		}
		if capture == nil {
			t.Skip()
		}
		for _, not := range lint.Run(capture, lint.Input{}).NotChecked {
			if strings.Contains(not.Reason, "failed") {
				t.Fatalf("%s: %s", not.Rule, not.Reason)
			}
		}
	})
}
