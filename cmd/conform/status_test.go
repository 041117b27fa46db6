package main

import (
	"bytes"
	"fmt"
	"testing"
	"time"
)

// TestWidth: characters that take two columns are counted so.
func TestWidth(t *testing.T) {
	for _, c := range []struct {
		text, want string
		columns    int
	}{{"abc", "ab", 2}, {"日本語", "日本", 5}, {"", "", 0}, {"äöü", "äöü", 6}, {"abc", "", -1}} {
		if got := cut(c.text, c.columns); got != c.want {
			t.Errorf("cut(%q, %d) is %q, want %q", c.text, c.columns, got, c.want)
		}
	}
	var out bytes.Buffer
	s := &status{to: &out, columns: func() int { return 12 }, now: func() time.Time { return time.Unix(65, 0) }, began: time.Unix(0, 0), stop: make(chan struct{})}
	s.set("%s", "a long text")
	s.set("%s", "b")
	fmt.Fprintln(s, "above")
	s.done()
	if want := "\ra lon, 1m5s\rb, 1m5s    \r       \rabove\n\rb, 1m5s\r       \r"; out.String() != want {
		t.Errorf("the line was %q, want %q", out.String(), want)
	}
}
