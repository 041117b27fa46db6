package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// badserver is a server that misbehaves in one way, named by its argument.
func badserver() {
	mode := "silent"
	if len(os.Args) > 1 {
		mode = os.Args[1]
	}
	listed := 0
	switch mode {
	case "exits":
		fmt.Fprintln(os.Stderr, "cannot read config.toml")
		os.Exit(7)
	case "silent":
		io.Copy(io.Discard, os.Stdin)
	case "garbage":
		bufio.NewReader(os.Stdin).ReadString('\n')
		fmt.Println("<html><body>502 Bad Gateway</body></html>")
		io.Copy(io.Discard, os.Stdin)
	case "error":
		respond(func(id json.RawMessage, method string) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"license expired"}}`, id)
		})
	case "pretty": // one message on several lines, which stdio forbids
		respond(func(id json.RawMessage, method string) string {
			var out bytes.Buffer
			json.Indent(&out, []byte(honest("")(id, method)), "", "  ")
			return out.String()
		})
	case "noise":
		fmt.Println("Listening for requests ...")
		respond(honest(""))
	case "slow":
		time.Sleep(1500 * time.Millisecond)
		respond(honest(""))
	case "escapes":
		respond(honest("::error::pwned \x1b[31mred\x1b[0m"))
	case "plants": // the JSON of a text, wherever a server may put one
		fmt.Fprintln(os.Stderr, decoded(os.Args[2]))
		respond(func(id json.RawMessage, method string) string { return plant(os.Args[2], id, method) })
	case "silent-call":
		respond(func(id json.RawMessage, method string) string {
			if method == "tools/call" {
				return ""
			}
			return honest("")(id, method)
		})
	case "echoes", "echoes-and-dies":
		echoes(mode == "echoes-and-dies")
	case "echo-env":
		respond(honest("the token is " + os.Getenv("API_TOKEN")))
	case "second-page":
		respond(func(id json.RawMessage, method string) string {
			answer := honest("")(id, method)
			if method == "tools/list" {
				if listed++; listed > 1 {
					return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"page 2 broke"}}`, id)
				}
				return strings.TrimSuffix(answer, "}}") + `,"nextCursor":"2"}}`
			}
			return answer
		})
	case "silent-list":
		respond(func(id json.RawMessage, method string) string {
			if method == "tools/list" {
				return ""
			}
			return honest("")(id, method)
		})
	case "interrupts": // as if the person pressed Ctrl-C while a tool is running, or another method
		during := "tools/call"
		if len(os.Args) > 2 {
			during = os.Args[2]
		}
		respond(func(id json.RawMessage, method string) string {
			if method != during {
				return honest("")(id, method)
			}
			if p, err := os.FindProcess(os.Getppid()); err == nil {
				p.Signal(os.Interrupt)
			}
			return ""
		})
	default:
		fmt.Fprintln(os.Stderr, "badserver: no mode", mode)
		os.Exit(2)
	}
}

// honest answers like a small correct server; the description of its tool is
// given.
func honest(description string) func(json.RawMessage, string) string {
	return func(id json.RawMessage, method string) string {
		text, _ := json.Marshal(description)
		result := ""
		switch method {
		case "initialize":
			result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"small","version":"1"}}`
		case "tools/list":
			result = fmt.Sprintf(`{"tools":[{"name":"tell","description":%s,"annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}]}`, text)
		case "tools/call":
			result = fmt.Sprintf(`{"content":[{"type":"text","text":%s}],"structuredContent":{"n":%s}}`, text, text)
		default:
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, id)
		}
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
	}
}

// plant answers with a text, given as what stands between the quotes in JSON, in names,
// titles, descriptions, schemas, results and errors.
func plant(text string, id json.RawMessage, method string) string {
	answer := map[string]string{
		"initialize": `"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s T","title":"T","version":"1 T"},"instructions":"T"}`,
		"tools/list": `"result":{"tools":[{"name":"n T","title":"T","description":"T","annotations":{"readOnlyHint":true,"title":"T"},` +
			`"inputSchema":{"type":"object","title":"T","properties":{"p T":{"type":"string","description":"T","enum":["T"],"pattern":"(T"}}},` +
			`"outputSchema":{"type":"object","properties":{"T":{"type":"integer"}},"required":["T"],"additionalProperties":false}},` +
			`{"name":"fails","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","$ref":"#/T"}},"T",{"name":"T"}]}`,
		"tools/call": `"result":{"isError":false,"content":[{"type":"text","text":"T"},{"type":"T","T":"T"},{"type":"image","mimeType":"T","data":"T"}],"structuredContent":{"T":"T","q T":1}}`,
	}[method]
	if answer == "" {
		answer = `"error":{"code":-32601,"message":"T","data":"T"}`
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, id, strings.ReplaceAll(answer, "T", text))
}

// decoded is the text that stands between quotes in JSON.
func decoded(text string) (out string) {
	if json.Unmarshal([]byte(`"`+text+`"`), &out) != nil {
		return text
	}
	return out
}

func respond(answer func(id json.RawMessage, method string) string) {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		if text := answer(m.ID, m.Method); text != "" {
			fmt.Println(text)
		}
	}
}
