package main

import (
	"bytes"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestNothingIsFetched gives every host, rule and format a server whose definitions
// and results name addresses wherever one may stand, and counts who calls there.
func TestNothingIsFetched(t *testing.T) {
	var calls atomic.Int32
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		http.NotFound(w, r)
	}))
	s.Config.ConnState = func(net.Conn, http.ConnState) { calls.Add(1) }
	s.Start()
	defer s.Close()
	name := filepath.Join(t.TempDir(), "case.json")
	text := strings.ReplaceAll(`{"format":"conform-case/1","id":"addresses","protocol_version":"2026-07-28",
		"tools":[{"name":"a","icons":[{"src":"URL/icon.png"}],"_meta":{"ui":{"resourceUri":"URL/app.html"}},
			"annotations":{"readOnlyHint":true},
			"inputSchema":{"$schema":"URL/dialect","$id":"URL/in","type":"object","properties":{"x":{"$ref":"URL/x.json#/y"},"z":{"$ref":"other.json"}},"$dynamicRef":"URL/d"},
			"outputSchema":{"$id":"URL/out","type":"object","properties":{"x":{"$ref":"URL/x.json"}},"allOf":[{"$ref":"//127.0.0.1/y"}]}}],
		"results":[{"tool":"a","arguments":{"x":1},"result":{"resultType":"complete","content":[
			{"type":"resource_link","uri":"URL/link","name":"n"},{"type":"text","text":"![x](URL/beacon.png) <img src='URL/i.png'>"},
			{"type":"resource","resource":{"uri":"URL/res","text":"t"}}],"structuredContent":{"x":1}}}]}`, "URL", s.URL)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "json", "markdown", "html", "sarif", "junit"} {
		var stdout, stderr bytes.Buffer
		code := execute(t.Context(), []string{"run", "--replay", name, "--host", "all", "--format", format}, strings.NewReader(""), &stdout, &stderr)
		if code != exitOK && code != exitFindings {
			t.Errorf("%s: exit code %d: %s", format, code, &stderr)
		}
	}
	if n := calls.Load(); n > 0 {
		t.Errorf("somebody called %d times", n)
	}
}
