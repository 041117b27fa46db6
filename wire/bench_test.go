package wire_test

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/hostmatrix/conform/recording"
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

// BenchmarkCapture captures and decodes the catalogue: as one page over stdio from a
// child process and over HTTP, and as 2,900 pages over HTTP. MB/s are of tools/list,
// live-MB is what a capture still holds at its end. Most of the time of the stdio one
// is the start of the child, most of the many pages' one is their 2,900 requests.
func BenchmarkCapture(b *testing.B) {
	list := catalogue()
	for _, way := range []struct {
		name   string
		target func(*testing.B) wire.Target
	}{
		{"stdio", func(*testing.B) wire.Target { return stdioTarget("catalogue") }},
		{"http", func(b *testing.B) wire.Target { return overHTTP(b, listOf(list)) }},
		{"pages", func(b *testing.B) wire.Target { return overHTTP(b, pageEach(catalogueTools)) }},
	} {
		b.Run(way.name, func(b *testing.B) {
			target := way.target(b)
			b.ReportAllocs()
			b.SetBytes(int64(len(list)))
			var c *recording.Capture
			before := liveBytes()
			for b.Loop() {
				c = captureCatalogue(b, target, catalogueTools)
			}
			b.ReportMetric(float64(liveBytes()-before)/1e6, "live-MB")
			runtime.KeepAlive(c)
		})
	}
}

// TestCaptureGrowsWithTheList compares what is allocated for a list and for one four
// times as long: work that grows with the square would be sixteen times as much.
func TestCaptureGrowsWithTheList(t *testing.T) {
	spent := func(tools int) float64 {
		target := overHTTP(t, pageEach(tools))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		captureCatalogue(t, target, tools)
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	spent(10) // what the first use of everything costs
	if short, long := spent(150), spent(600); long > 6*short {
		t.Errorf("600 tools took %.1f times the memory of 150", long/short)
	}
}

func captureCatalogue(tb testing.TB, target wire.Target, tools int) *recording.Capture {
	tb.Helper()
	c, err := wire.Capture(context.Background(), target, wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Initialize}}})
	if err != nil || len(c.Sessions[0].Tools) != tools {
		tb.Fatal(err, len(c.Sessions[0].Tools))
	}
	return c
}

// overHTTP serves what answer says.
func overHTTP(tb testing.TB, answer func(request) string) wire.Target {
	server := newServer(map[string]func(exchange){"tools/list": func(x exchange) { x.json(200, answer(x.request)) }})
	tb.Cleanup(server.Close)
	return wire.Target{URL: server.URL}
}

// pageEach answers with the catalogue's first tools, one on each page.
func pageEach(tools int) func(request) string {
	return on("tools/list", func(r request) string {
		page, _ := strconv.Atoi(r.param("cursor"))
		if page+1 >= tools {
			return result(r.id, `{"tools":[`+catalogueTool(page)+`]}`)
		}
		return result(r.id, `{"tools":[`+catalogueTool(page)+`],"nextCursor":"`+strconv.Itoa(page+1)+`"}`)
	})
}

func liveBytes() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
