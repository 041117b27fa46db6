package hauler

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/onsi/gomega"

	"github.com/hostmatrix/conform/conformtest"
)

// The server as it is, within this process: no port to choose, no command to build.
func TestWorksInHosts(t *testing.T) {
	g := gomega.NewWithT(t)
	g.Expect(New()).To(conformtest.WorkIn("cursor", "codex", "claude-code", "gemini-cli"))
}

// The same over HTTP, as it is deployed.
func TestWorksOverHTTP(t *testing.T) {
	g := gomega.NewWithT(t)
	g.Expect(server.NewStreamableHTTPServer(New())).To(conformtest.WorkIn("cursor", "codex"))
}

// A pair as a tuple is right by the newest draft and rejected by hosts that read an
// older one: the suite says so before a user does.
func TestATupleBreaks(t *testing.T) {
	g := gomega.NewWithT(t)
	s := New()
	tool := mcp.NewToolWithRawSchema("hauler_pairs", "Its runs as pairs", []byte(`{"type":"object"}`))
	tool.RawOutputSchema = []byte(`{"type":"object","properties":{"pairs":{"type":"array","items":{"type":"array","prefixItems":[{"type":"integer"},{"type":"integer"}],"items":false}}},"required":["pairs"]}`)
	tool.Annotations.ReadOnlyHint = mcp.ToBoolPtr(true)
	s.AddTool(tool, answer(`{"pairs":[[1,42]]}`))
	g.Expect(s).NotTo(conformtest.WorkIn("cursor"))
	g.Expect(s).To(conformtest.WorkIn("codex"))
}

func answer(structured string) server.ToolHandlerFunc {
	return func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultStructured(json.RawMessage(structured), structured), nil
	}
}
