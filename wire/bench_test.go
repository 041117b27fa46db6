package wire_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hostmatrix/conform/wire"
)

// catalogueTools and catalogueTool make a list like the largest real ones: 2,900
// tools, about 2.4 kB each, 7 MB.
const catalogueTools = 2_900

func catalogueTool(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"name":"service_%d_list_items","title":"List items of service %d","description":"%s","inputSchema":{"type":"object","properties":{`,
		n, n, strings.Repeat("Lists the items that match. ", 20))
	for p := range 8 {
		if p > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"parameter_%d":{"type":["string","null"],"description":"%s","enum":["alpha","beta","gamma"],"default":"alpha","minLength":%d}`,
			p, strings.Repeat("What the parameter does. ", 3), p)
	}
	b.WriteString(`},"required":["parameter_0"],"additionalProperties":false,"$schema":"http://json-schema.org/draft-07/schema#"},`)
	b.WriteString(`"outputSchema":{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"ratio":{"type":"number"}},"required":["id"]}}}},`)
	b.WriteString(`"annotations":{"readOnlyHint":true,"openWorldHint":false}}`)
	return b.String()
}

func catalogue() string {
	tools := make([]string, catalogueTools)
	for i := range tools {
		tools[i] = catalogueTool(i)
	}
	return strings.Join(tools, ",")
}

// BenchmarkCapture captures the catalogue, once as one page over stdio from a
// child process and once over HTTP, decoded: MB/s of tools/list. Most of the
// time of the stdio one is the start of the child.
func BenchmarkCapture(b *testing.B) {
	list := catalogue()
	answer := listOf(list)
	server := newServer(map[string]func(exchange){"tools/list": func(x exchange) { x.json(200, answer(x.request)) }})
	defer server.Close()
	for name, target := range map[string]wire.Target{"stdio": stdioTarget("catalogue"), "http": {URL: server.URL}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(list)))
			for b.Loop() {
				c, err := wire.Capture(context.Background(), target, wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Initialize}}})
				if err != nil || len(c.Sessions[0].Tools) != catalogueTools {
					b.Fatal(err, len(c.Sessions[0].Tools))
				}
			}
		})
	}
}
