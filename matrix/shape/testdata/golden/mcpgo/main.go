// Command mcpgo remakes the golden of the mcp-go shape from the real client. It
// is a module of its own, so that the project does not depend on that library:
//
//	go run . < ../payloads.jsonl > ../mcp-go-1.2.jsonl
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

const initialize = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`

func serve(in io.Reader, out io.WriteCloser, answers map[string]string) {
	defer out.Close()
	scanner := bufio.NewScanner(in)
	for scanner.Scan() {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(scanner.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		if answer, ok := answers[m.Method]; ok {
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, answer)
		} else {
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`+"\n", m.ID)
		}
	}
}

func says(part, payload string) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("panic: %v", r)
		}
	}()
	answers := map[string]string{"initialize": initialize, "tools/list": `{"tools":[]}`, "tools/call": `{"content":[]}`}
	answers[map[string]string{"initialize": "initialize", "list": "tools/list", "result": "tools/call"}[part]] = payload
	clientIn, serverOut := io.Pipe()
	serverIn, clientOut := io.Pipe()
	go serve(serverIn, serverOut, answers)
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	t := transport.NewIO(clientIn, clientOut, io.NopCloser(new(emptyReader)))
	c := client.NewClient(t)
	if err := c.Start(ctx); err != nil {
		return "start: " + err.Error()
	}
	defer c.Close()
	request := mcp.InitializeRequest{}
	request.Params.ProtocolVersion = "2025-06-18"
	request.Params.ClientInfo = mcp.Implementation{Name: "golden", Version: "0"}
	_, err := c.Initialize(ctx, request)
	if err == nil {
		switch part {
		case "list":
			_, err = c.ListTools(ctx, mcp.ListToolsRequest{})
		case "result":
			call := mcp.CallToolRequest{}
			call.Params.Name = "plain"
			_, err = c.CallTool(ctx, call)
		}
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

type emptyReader struct{}

func (emptyReader) Read([]byte) (int, error) { return 0, io.EOF }

func main() {
	scanner := bufio.NewScanner(os.Stdin)
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		var item struct{ ID, Part, Payload string }
		if err := json.Unmarshal(scanner.Bytes(), &item); err != nil {
			panic(err)
		}
		if item.Part == "discover" {
			continue
		}
		answer := map[string]string{"id": item.ID}
		// The rounds of an input_required result come after the parser accepted.
		if text := says(item.Part, item.Payload); text != "" && !strings.HasPrefix(text, "multi round-trip") {
			answer["text"] = text
		}
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetEscapeHTML(false)
		encoder.Encode(answer)
	}
}
