// Command mcpgo is a server of mcp-go: mcpgo stdio | http PORT | sse PORT.
package main

import (
	"context"
	"log"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

type place struct {
	Place string `json:"place,omitempty"`
}

type stock struct {
	Count int64   `json:"count"`
	Ratio float64 `json:"ratio"`
}

func main() {
	s := server.NewMCPServer("stock", "1.0.0", server.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool("count_stock", mcp.WithDescription("Counts what lies in a place"), mcp.WithString("place"),
		mcp.WithOutputSchema[stock](), mcp.WithReadOnlyHintAnnotation(true)),
		mcp.NewStructuredToolHandler(func(context.Context, mcp.CallToolRequest, place) (stock, error) {
			return stock{9007199254740991, 1.5}, nil
		}))
	s.AddTool(mcp.NewTool("clear_stock", mcp.WithDescription("Clears a place"), mcp.WithString("place", mcp.Required()), mcp.WithDestructiveHintAnnotation(true)),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			log.Print("clear_stock was called")
			return mcp.NewToolResultText("done"), nil
		})
	switch os.Args[1] {
	case "http":
		log.Fatal(server.NewStreamableHTTPServer(s).Start("127.0.0.1:" + os.Args[2]))
	case "sse":
		log.Fatal(server.NewSSEServer(s).Start("127.0.0.1:" + os.Args[2]))
	default:
		if err := server.ServeStdio(s); err != nil {
			log.Fatal(err)
		}
	}
}
