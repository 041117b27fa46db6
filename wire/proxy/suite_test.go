package proxy_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
)

// serverVariable makes the test binary act as a stdio server.
const serverVariable = "CONFORM_PROXY_SERVER"

func TestMain(m *testing.M) {
	switch os.Getenv(serverVariable) {
	case "":
		os.Exit(m.Run())
	case "sdk":
		fmt.Println("a banner that is no JSON")
		fmt.Fprintln(os.Stderr, "secret is", os.Getenv("API_TOKEN"))
		if err := sdkServer().Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			os.Exit(1)
		}
	case "exit":
		os.Exit(7)
	case "stays":
		select {}
	}
}

func TestProxy(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "proxy")
}

func sdkServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "behind", Version: "2"}, nil)
	type in struct {
		Text string `json:"text"`
	}
	mcp.AddTool(server, &mcp.Tool{Name: "echo"}, func(_ context.Context, _ *mcp.CallToolRequest, i in) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: i.Text}}}, nil, nil
	})
	return server
}

func sdkHandler() http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return sdkServer() }, nil)
}

// tape is a recording in memory.
type tape struct {
	mu sync.Mutex
	bytes.Buffer
}

func (t *tape) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.Buffer.Write(p)
}

func (t *tape) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.String()
}

// start begins a recording on the tape.
func (t *tape) start(secrets ...string) *recording.Writer {
	w, err := recording.NewWriter(t, recording.Header{Conform: "test"}, recording.NewRedactor(secrets...))
	Expect(err).NotTo(HaveOccurred())
	return w
}

// read plays the recording back.
func (t *tape) read() *recording.Capture {
	c, err := recording.Read("tape", strings.NewReader(t.text()), recording.Limits{})
	Expect(err).NotTo(HaveOccurred())
	return c
}
