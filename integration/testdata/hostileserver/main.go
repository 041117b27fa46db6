// Command hostileserver is an MCP server that misbehaves in the one way that its
// argument names: over stdio, or with -http on a loopback port whose URL it prints.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

func main() {
	args := os.Args[1:]
	overHTTP := len(args) > 0 && args[0] == "-http"
	if overHTTP {
		args = args[1:]
	}
	if len(args) != 1 {
		fmt.Fprintln(os.Stderr, "hostileserver [-http] KIND")
		os.Exit(64)
	}
	kind := args[0]
	switch {
	case overHTTP:
		serveHTTP(kind)
	case processes[kind] != nil:
		processes[kind](&speaker{bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)})
	case answers[kind] != nil:
		(&speaker{bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)}).each(answers[kind])
	default:
		fmt.Fprintln(os.Stderr, "no kind", kind)
		os.Exit(64)
	}
}

// message is a request or notification of the client; id is nil for the latter.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Cursor string `json:"cursor"`
	} `json:"params"`
}

// speaker is the server's side of stdio.
type speaker struct {
	in  *bufio.Reader
	out *bufio.Writer
}

// say writes text as it is; it ends the program when nobody reads.
func (s *speaker) say(text string) {
	if _, err := io.WriteString(s.out, text); err != nil || s.out.Flush() != nil {
		os.Exit(1)
	}
}

func (s *speaker) read() (m message, ok bool) {
	line, err := s.in.ReadBytes('\n')
	_ = json.Unmarshal(line, &m)
	return m, err == nil
}

// each answers what is read until stdin ends.
func (s *speaker) each(answer func(message) string) {
	for {
		m, ok := s.read()
		if !ok {
			return
		}
		if text := answer(m); text != "" {
			s.say(text + "\n")
		}
	}
}

// for ever repeats text until nobody reads.
func (s *speaker) flood(text string) {
	text = strings.Repeat(text, 1+(64<<10)/len(text))
	for {
		s.say(text)
	}
}

const (
	good     = `{"name":"good","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`
	goodCall = `{"content":[{"type":"text","text":"ok"}]}`
)

func result(m message, text string) string {
	return `{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + text + `}`
}

// honest answers as a small legacy server does; "" for a notification.
func honest(m message) string {
	switch {
	case m.ID == nil:
		return ""
	case m.Method == "initialize":
		return result(m, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"hostile","version":"1"}}`)
	case m.Method == "tools/list":
		return result(m, `{"tools":[`+good+`]}`)
	case m.Method == "tools/call":
		return result(m, goodCall)
	}
	return `{"jsonrpc":"2.0","id":` + string(m.ID) + `,"error":{"code":-32601,"message":"Method not found"}}`
}

// on answers one method in its own way and the others honestly.
func on(method string, special func(message) string) func(message) string {
	return func(m message) string {
		if m.Method == method {
			return special(m)
		}
		return honest(m)
	}
}

// list answers tools/list with these entries.
func list(entries ...string) func(message) string {
	text := strings.Join(entries, ",")
	return on("tools/list", func(m message) string { return result(m, `{"tools":[`+text+`]}`) })
}

// page answers tools/list with one entry and the cursor after it; "" ends the list.
func page(next func(cursor string) (entry, following string)) func(message) string {
	return on("tools/list", func(m message) string {
		entry, cursor := next(m.Params.Cursor)
		if cursor == "" {
			return result(m, `{"tools":[`+entry+`]}`)
		}
		return result(m, `{"tools":[`+entry+`],"nextCursor":"`+cursor+`"}`)
	})
}

// whole answers tools/list with a text in which ID is the id of the request.
func whole(text string) func(message) string {
	return on("tools/list", func(m message) string { return strings.ReplaceAll(text, "ID", string(m.ID)) })
}

func tool(name string) string { return `{"name":"` + name + `","inputSchema":{"type":"object"}}` }

func number(cursor string) (n int) {
	_, _ = fmt.Sscan(cursor, &n)
	return n
}

// tools are n entries of the usual size.
func tools(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(`{"name":"tool_%d","description":"Does the thing number %d.","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a"]}}`, i, i)
	}
	return out
}

// output is a tool whose calls are answered, with an outputSchema.
func output(name, schema string) string {
	return `{"name":"` + name + `","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"outputSchema":` + schema + `}`
}

// dear are schemas that cost much to compile or to apply.
var dear = []string{
	`{"type":"object","properties":{"a":{"type":"string","pattern":"^(a+)+$"}}}`,
	`{"type":"object","properties":{"a":{"type":"string","pattern":"^((a{0,1000}){0,1000}){0,1000}$"}}}`,
	`{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + fan(40, "anyOf") + `}}`,
	`{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + fan(40, "allOf") + `}}`,
	`{"type":"object","properties":{"a":` + strings.Repeat(`{"unevaluatedProperties":false,"anyOf":[`, 60) + `{"required":["x"]}` + strings.Repeat(`]}`, 60) + `}}`,
	`{"type":"object","properties":{"a":` + strings.Repeat(`{"unevaluatedItems":false,"anyOf":[`, 60) + `{"prefixItems":[{"type":"integer"}]}` + strings.Repeat(`]}`, 60) + `}}`,
	`{"$ref":"#"}`,
	`{"type":"object","properties":{"a":{"$ref":"#/` + strings.Repeat("a/", 50_000) + `"}}}`,
}

func fan(n int, keyword string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"d%d":{"%s":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, keyword, i+1, i+1)
	}
	fmt.Fprintf(&b, `"d%d":{"type":"string"}`, n)
	return b.String()
}

// fifty are 51 tools with dear schemas and a good one.
func fifty() []string {
	entries := []string{good}
	for i := range 51 {
		entries = append(entries, output(fmt.Sprintf("dear_%d", i), strings.Replace(dear[i%len(dear)], "{", fmt.Sprintf(`{"title":"t%d",`, i), 1)))
	}
	return entries
}

// answers are servers that misbehave in what they answer, on any transport.
var answers = map[string]func(message) string{
	"honest": honest,
	// Controls: nothing is wrong with these.
	"pages-10000": page(func(cursor string) (string, string) {
		n := number(cursor)
		if n == 9_999 {
			return tool(fmt.Sprint("tool_", n)), ""
		}
		return tool(fmt.Sprint("tool_", n)), fmt.Sprint(n + 1)
	}),
	"tools-20000": func() func(message) string {
		var all func(message) string
		return func(m message) string {
			if all == nil {
				all = list(tools(20_000)...)
			}
			return all(m)
		}
	}(),
	"line-10MB": func(m message) string {
		return list(good, `{"name":"big","description":"`+strings.Repeat("x", 10<<20)+`","inputSchema":{"type":"object"}}`)(m)
	},
	// Lists without end or measure.
	"endless-pages": page(func(cursor string) (string, string) {
		n := number(cursor)
		return tool(fmt.Sprint("tool_", n)), fmt.Sprint(n + 1)
	}),
	"endless-big-pages": page(func(cursor string) (string, string) {
		n := number(cursor)
		return `{"name":"big_` + fmt.Sprint(n) + `","description":"` + strings.Repeat("x", 1<<20) + `","inputSchema":{"type":"object"}}`, fmt.Sprint(n + 1)
	}),
	"cursor-loop": page(func(cursor string) (string, string) {
		n := number(cursor)
		return tool(fmt.Sprint("tool_", n)), fmt.Sprint((n+1)%3 + 3)
	}),
	"cursor-grows": page(func(cursor string) (string, string) { return tool("grows"), cursor + strings.Repeat("c", 64<<10) }),
	"tools-100000": func(m message) string { return list(tools(100_000)...)(m) },
	"tools-500MB": on("tools/list", func(m message) string {
		return result(m, `{"tools":[`+strings.Repeat(good+",", 5_500_000)+good+`]}`)
	}),
	"name-3MB":            func(m message) string { return list(good, tool(strings.Repeat("n", 3<<20)))(m) },
	"description-escapes": list(good, `{"name":"bad","description":"\u001b[31m\u001b]0;t\u0007\n::error::pwned\u202e\u0000\u009b2J","inputSchema":{"type":"object"}}`),
	"name-escapes":        list(good, `{"name":"\u001b[31m\n::error::pwned\u202e","inputSchema":{"type":"object"}}`),
	"odd-entries":         list(`null,1,"x",[],{},{"name":5},{"name":""}`, good),
	"duplicate-names":     list(good, good),
	"schemas-null":        list(good, `{"name":"bad","inputSchema":null},{"name":"worse","inputSchema":"x"},{"name":"none"}`),
	"deep-tool":           func(m message) string { return list(good, deep())(m) },
	"deep-message":        whole(`{"jsonrpc":"2.0","id":ID,"result":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`),
	"dense": func(m message) string {
		return whole(`{"jsonrpc":"2.0","id":ID,"result":{"tools":[` + good + `],"x":[` + strings.Repeat("0,", 10<<20) + `0]}}`)(m)
	},
	"dear-schemas": func(m message) string { return list(fifty()...)(m) },
	// Answers that are none.
	"invalid-utf8":     list("{\"name\":\"bad\xff\xfe\",\"inputSchema\":{\"type\":\"object\"}}", good),
	"nul":              list("{\"name\":\"a\x00b\",\"inputSchema\":{\"type\":\"object\"}}", good),
	"utf-16":           whole("\xff\xfe{\x00\"\x00a\x00\"\x00:\x001\x00}\x00"),
	"cut-json":         whole(`{"jsonrpc":"2.0","id":ID,"result":{"tools":[` + good + `]}`),
	"wrong-id":         whole(`{"jsonrpc":"2.0","id":4711,"result":{"tools":[` + good + `]}}`),
	"string-id":        whole(`{"jsonrpc":"2.0","id":"ID","result":{"tools":[` + good + `]}}`),
	"no-id":            whole(`{"jsonrpc":"2.0","result":{"tools":[` + good + `]}}`),
	"result-null":      whole(`{"jsonrpc":"2.0","id":ID,"result":null}`),
	"tools-null":       whole(`{"jsonrpc":"2.0","id":ID,"result":{"tools":null}}`),
	"result-and-error": whole(`{"jsonrpc":"2.0","id":ID,"result":{"tools":[` + good + `]},"error":{"code":1,"message":"x"}}`),
	"neither":          whole(`{"jsonrpc":"2.0","id":ID}`),
	"list-error":       whole(`{"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"boom \u001b]0;x\u0007\n::error::x"}}`),
	"huge-id":          whole(`{"jsonrpc":"2.0","id":` + strings.Repeat("9", 100_000) + `,"result":{"tools":[]}}`),
	"silent-list":      whole(""),
	"silent-call":      on("tools/call", func(message) string { return "" }),
	"ignores-discover": on("server/discover", func(message) string { return "" }),
	// Results.
	"result-5MB-twice": on("tools/call", func(m message) string {
		text := strings.Repeat("y", 5<<20)
		return result(m, `{"content":[{"type":"text","text":"{\"a\":\"`+text+`\"}"}],"structuredContent":{"a":"`+text+`"}}`)
	}),
	"result-deep": on("tools/call", func(m message) string {
		return result(m, `{"content":[],"structuredContent":`+strings.Repeat(`{"a":`, 100_000)+"1"+strings.Repeat("}", 100_000)+`}`)
	}),
	"result-40MB": on("tools/call", func(m message) string {
		return result(m, `{"content":[{"type":"text","text":"`+strings.Repeat("z", 40<<20)+`"}]}`)
	}),
}

func deep() string {
	return `{"name":"deep","inputSchema":` + strings.Repeat(`{"not":`, 100_000) + `{}` + strings.Repeat(`}`, 100_000) + `}`
}

// sorted are the names of kinds, for those who look for one.
func sorted[T any](kinds map[string]T) []string {
	var out []string
	for kind := range kinds {
		out = append(out, kind)
	}
	slices.Sort(out)
	return out
}

// forever keeps the program up, whatever happens to stdin.
func forever() {
	for {
		time.Sleep(time.Hour)
	}
}
