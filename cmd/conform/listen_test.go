package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// lockedBuffer is a buffer that is read while it is written.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// TestWatchServer watches a server whose tools change.
func TestWatchServer(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "changing", Version: "1"}, nil)
	tool := func(name string) {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object"}},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{}, nil
			})
	}
	tool("first")
	s := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	defer s.Close()
	defer s.CloseClientConnections()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var stdout, stderr lockedBuffer
	code := make(chan int, 1)
	go func() {
		code <- execute(ctx, []string{"run", "--url", s.URL, "--watch=" + t.TempDir(), "--host", "ts-sdk-v1", "--format", "jsonl", "--fail-on", "never"}, strings.NewReader(""), &stdout, &stderr)
	}()
	until := func(what string, done func() bool) {
		for !done() {
			select {
			case <-ctx.Done():
				t.Fatalf("%s: never\n%s\n%s", what, &stdout, &stderr)
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	until("the first run", func() bool { return strings.Contains(stderr.String(), "interrupt to end") })
	if strings.Contains(stdout.String(), "second_") {
		t.Fatal("the second tool is there before it was made")
	}
	// Until conform listens an announcement goes nowhere, and nothing tells when it does.
	for i := 0; !strings.Contains(stderr.String(), "running again"); i++ {
		tool("second_" + string(rune('a'+i%26)))
		select {
		case <-ctx.Done():
			t.Fatalf("the change was not heard\n%s", &stderr)
		case <-time.After(300 * time.Millisecond):
		}
	}
	until("the second run", func() bool { return strings.Contains(stdout.String(), "second_a") })
	cancel()
	if got := <-code; got != exitInterrupted {
		t.Errorf("exit code %d, want %d", got, exitInterrupted)
	}
}
