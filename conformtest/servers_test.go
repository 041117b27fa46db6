package conformtest_test

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The two servers of these tests: the same tool, whose result is right by the
// schema that each declares. One declares its pairs as a tuple.
const (
	pairsAsTuple = `{"type":"object","properties":{"pairs":{"type":"array","items":{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}],"items":false}}},"required":["pairs"]}`
	pairsAsList  = `{"type":"object","properties":{"pairs":{"type":"array","items":{"type":"array","items":{"type":"number"},"minItems":2,"maxItems":2}}},"required":["pairs"]}`
)

// newServer is a server of the Go SDK with one read-only tool.
func newServer(output string) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "hauler", Version: "1.0.0"}, nil)
	server.AddTool(&mcp.Tool{
		Name:         "hauler_status",
		Description:  "How long the last runs of a hauler took, as pairs of day and minutes",
		InputSchema:  json.RawMessage(`{"type":"object"}`),
		OutputSchema: json.RawMessage(output),
		Annotations:  &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		const result = `{"pairs":[[1,42],[2,38]]}`
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: result}}, StructuredContent: json.RawMessage(result)}, nil
	})
	return server
}

// inProcess has the method by which mcp-go's server answers messages, with a result
// of a type of its own. examples/mcp-go has the real one.
type (
	inProcess struct {
		answer func(context.Context, json.RawMessage) any
	}
	inProcessMessage any
)

func (s *inProcess) HandleMessage(ctx context.Context, message json.RawMessage) inProcessMessage {
	return s.answer(ctx, message)
}

// answer speaks just enough JSON-RPC to stand for a server of another library that
// answers message by message.
func answer(output string) func(context.Context, json.RawMessage) any {
	return func(_ context.Context, message json.RawMessage) any {
		var request struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				ProtocolVersion string `json:"protocolVersion"`
			} `json:"params"`
		}
		if err := json.Unmarshal(message, &request); err != nil || request.ID == nil {
			return nil
		}
		reply := func(key string, value any) any {
			return map[string]any{"jsonrpc": "2.0", "id": request.ID, key: value}
		}
		switch request.Method {
		case "initialize":
			return reply("result", map[string]any{"protocolVersion": request.Params.ProtocolVersion, "capabilities": map[string]any{"tools": struct{}{}},
				"serverInfo": map[string]any{"name": "hauler", "version": "1.0.0"}})
		case "tools/list":
			return reply("result", map[string]any{"tools": []any{map[string]any{"name": "hauler_status", "description": "runs", "inputSchema": json.RawMessage(`{"type":"object"}`),
				"outputSchema": json.RawMessage(output), "annotations": map[string]any{"readOnlyHint": true}}}})
		case "tools/call":
			return reply("result", map[string]any{"content": []any{map[string]any{"type": "text", "text": `{"pairs":[[1,42]]}`}},
				"structuredContent": json.RawMessage(`{"pairs":[[1,42]]}`)})
		case "ping":
			return reply("result", struct{}{})
		}
		return reply("error", map[string]any{"code": -32601, "message": "method not found"})
	}
}
