package recording_test

import (
	"bytes"
	"testing"

	"github.com/hostmatrix/conform/recording"
)

// FuzzDetect feeds any bytes to the readers of all formats: whatever comes, there
// is a capture or an error, the plan and the samples file can be made of it, and
// a capture can be written and read again.
func FuzzDetect(f *testing.F) {
	for _, seed := range []string{
		smallCase,
		`{"tools":[{"name":"a","inputSchema":{"required":["x"],"properties":{"x":{"$ref":"#/properties/x"}}}}]}`,
		`{"format":"conform-recording/1","handshakes":[{"session":"a"}]}` + "\n" + `{"session":"a","from":"server","kind":"message","text":"{\"id\":1}"}`,
		`{"format":"conform-recording/1"}` + "\n" + `{"session":"a","from":"conform","kind":"call","value":{"request":7}}` + "\n" + `{"session":"a","from":"conform","kind":"page","value":{"index":0}}`,
		`{"format":"conform-recording/1"}` + "\n" + `{"from":"conform","kind":"page","value":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n" + `[{"jsonrpc":"2.0","id":1.0,"result":{"tools":[null,[],{"name":5}]}}]`,
		`{"session_id":"s","direction":"s2c","raw":[{"id":null}],"ts":"2026-11-30T12:00:00Z"}`,
		"format: conform-samples/1\nsamples: [{tool: a, arguments: {b: &x [1], c: *x}}]",
	} {
		f.Add([]byte(seed))
	}
	limits := recording.Limits{LineBytes: 1 << 20, Bytes: 1 << 20, Sessions: 10}
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = recording.ReadSamples("fuzz", data)
		opened, err := recording.Detect("fuzz", data, limits)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := recording.WriteCapture(&out, opened.Capture, "0", "2026-11-30T12:00:00Z", nil); err != nil {
			t.Fatal(err)
		}
		if _, err := recording.Read("again", &out, recording.Limits{}); err != nil {
			t.Fatalf("what was written can't be read: %v", err)
		}
		for _, s := range opened.Capture.Sessions {
			recording.Plan(s, nil, recording.PlanOptions{AllowCalls: []string{"*"}, PerTool: 2, SampleErrors: true})
			if _, err := recording.ReadSamples("init", recording.InitSamples(s)); err != nil {
				t.Fatalf("the first samples file can't be read: %v\n%s", err, recording.InitSamples(s))
			}
			for _, tool := range s.Tools {
				recording.Synthesize(tool.Output)
			}
		}
	})
}
