// Package hauler is a server of mcp-go whose suite asks whether its tools work in
// the hosts that its users have.
package hauler

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// status is what hauler_status returns.
type status struct {
	Hauler string  `json:"hauler" jsonschema_description:"Which hauler it is"`
	Hours  []Run   `json:"hours" jsonschema_description:"Its last runs"`
	Load   float64 `json:"load" jsonschema_description:"How full it is, from 0 to 1"`
}

// Run is one run: a day and how long it took.
type Run struct {
	Day     int `json:"day"`
	Minutes int `json:"minutes"`
}

// New makes the server with its one tool.
func New() *server.MCPServer {
	s := server.NewMCPServer("hauler", "1.0.0", server.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool("hauler_status",
		mcp.WithDescription("How a hauler is doing"),
		mcp.WithReadOnlyHintAnnotation(true),
		mcp.WithString("hauler", mcp.Description("Its name; without it the first one")),
		mcp.WithOutputSchema[status](),
	), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultStructuredOnly(status{r.GetString("hauler", "north"), []Run{{1, 42}, {2, 38}}, 0.5}), nil
	})
	return s
}
