package main

import (
	"strings"
	"testing"

	"github.com/hostmatrix/conform/recording"
)

// TestWithin: a run looks at as many tools as there is room for in its hosts, and says when
// that is not all.
func TestWithin(t *testing.T) {
	capture := &recording.Capture{Sessions: []*recording.Session{{ID: "large", Tools: make([]*recording.Tool, 30)}, {ID: "small", Tools: make([]*recording.Tool, 20)}}}
	if all := within(capture, 5, 150); len(all.Sessions[0].Tools) != 30 || len(all.Problems) != 0 {
		t.Errorf("150 cells have room for 30 tools in 5 hosts: %d, %v", len(all.Sessions[0].Tools), all.Problems)
	}
	some := within(capture, 5, 149)
	if len(some.Sessions[0].Tools) != 29 || len(some.Sessions[1].Tools) != 20 || len(capture.Sessions[0].Tools) != 30 {
		t.Errorf("%d and %d tools of the part, %d of the capture", len(some.Sessions[0].Tools), len(some.Sessions[1].Tools), len(capture.Sessions[0].Tools))
	}
	if len(some.Problems) != 1 || some.Problems[0].Rule != "cell-limit" || !strings.Contains(some.Problems[0].Message, "Of 30 tools the first 29") {
		t.Errorf("problems: %v", some.Problems)
	}
}
