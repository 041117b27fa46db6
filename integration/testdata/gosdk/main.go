// Command gosdk is a server of the Go SDK: gosdk stdio | http PORT | sse PORT.
package main

import (
	"context"
	"log"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type place struct {
	Place string `json:"place,omitempty"`
}

type stock struct {
	Count int64   `json:"count"`
	Ratio float64 `json:"ratio"`
}

func newServer(*http.Request) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "stock", Version: "1.0.0"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "count_stock", Description: "Counts what lies in a place", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(context.Context, *mcp.CallToolRequest, place) (*mcp.CallToolResult, stock, error) {
			return nil, stock{9007199254740991, 1.5}, nil
		})
	yes := true
	mcp.AddTool(s, &mcp.Tool{Name: "clear_stock", Description: "Clears a place", Annotations: &mcp.ToolAnnotations{DestructiveHint: &yes}},
		func(context.Context, *mcp.CallToolRequest, place) (*mcp.CallToolResult, any, error) {
			log.Print("clear_stock was called")
			return nil, nil, nil
		})
	return s
}

func main() {
	switch os.Args[1] {
	case "http": // stateless, which the modern era needs; the legacy eras work too
		log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[2], mcp.NewStreamableHTTPHandler(newServer, &mcp.StreamableHTTPOptions{Stateless: true})))
	case "sse":
		log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[2], mcp.NewSSEHandler(newServer, nil)))
	default:
		if err := newServer(nil).Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			log.Fatal(err)
		}
	}
}
