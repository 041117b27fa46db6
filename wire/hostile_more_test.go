package wire_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/wire"
)

// raw listens on a port and gives every request's connection to answer, for what
// net/http would not let a server say.
func raw(answer func(net.Conn, request)) string {
	GinkgoHelper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(listener.Close)
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				in := bufio.NewReader(c)
				for {
					r, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					body, _ := io.ReadAll(r.Body)
					q := parseRequest(body)
					switch q.method {
					case "tools/list":
						answer(c, q)
						return
					case "":
						fmt.Fprint(c, "HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n")
					default:
						text := honest(q)
						if q.id == "" {
							fmt.Fprint(c, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
							continue
						}
						fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(text), text)
					}
				}
			}()
		}
	}()
	return "http://" + listener.Addr().String()
}

func says(text string) func(net.Conn, request) {
	return func(c net.Conn, _ request) { _, _ = io.WriteString(c, text) }
}

// drips writes a piece again and again until the other side is gone.
func drips(first, piece string) func(net.Conn, request) {
	return func(c net.Conn, _ request) {
		_, err := io.WriteString(c, first)
		for err == nil {
			time.Sleep(5 * time.Millisecond)
			_, err = io.WriteString(c, piece)
		}
	}
}

var _ = Describe("An HTTP server that bends HTTP and", func() {
	DescribeTable("ends with a clear error in bounded time",
		func(ctx SpecContext, answer func(net.Conn, request), text string, kinds ...wire.Kind) {
			began := time.Now()
			limits := short()
			if slices.Contains(kinds, wire.KindTimeout) {
				limits = waiting()
			}
			s := take(ctx, wire.Target{URL: raw(answer)}, wire.Options{Timeouts: limits, Limits: wire.Limits{MessageBytes: 1 << 20, Messages: 50_000}})
			Expect(s.err).NotTo(BeNil())
			Expect(s.err.Kind).To(BeElementOf(kinds), s.err.Error())
			Expect(s.err.Error()).To(MatchRegexp(text))
			Expect(time.Since(began)).To(BeNumerically("<", 15*time.Second))
		},
		Entry("speaks SSH", says("SSH-2.0-OpenSSH_9.6\r\n"), "(?i)malformed HTTP|no HTTP", wire.KindMalformed, wire.KindNetwork),
		Entry("speaks HTTP/0.9", says("<html>hello</html>"), "(?i)HTTP", wire.KindMalformed, wire.KindNetwork),
		Entry("has a status line full of escapes", says("HTTP/1.1 500 \x1b[31m::error::x\r\nContent-Length: 0\r\n\r\n"), "HTTP 500", wire.KindHTTP),
		Entry("has a status that is no number", says("HTTP/1.1 abc OK\r\n\r\n"), "(?i)malformed|status", wire.KindMalformed, wire.KindNetwork),
		Entry("lies about the length", says("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n{\"jsonrpc\":\"2.0\"}"), "no JSON", wire.KindMalformed),
		Entry("has a negative length", says("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}"), "(?i)content-length", wire.KindMalformed, wire.KindNetwork),
		Entry("has two lengths", says("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}    "), "(?i)content-length", wire.KindMalformed, wire.KindNetwork),
		Entry("has a chunk size that is no number", says("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}"), "(?i)chunk", wire.KindMalformed, wire.KindNetwork),
		Entry("has a chunk of 2^63 bytes", says("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n{}"), ".", wire.KindMalformed, wire.KindNetwork),
		Entry("floods informational answers", drips("", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"), "(?i)1xx|no answer|headers are longer", wire.KindMalformed, wire.KindNetwork, wire.KindLimit, wire.KindTimeout),
		Entry("drips its headers", drips("HTTP/1.1 200 OK\r\n", "X-A: b\r\n"), "no answer|headers are longer", wire.KindTimeout, wire.KindLimit),
		Entry("drips one header line", drips("HTTP/1.1 200 OK\r\nX-A: ", "b"), "no answer|headers are longer", wire.KindTimeout, wire.KindLimit),
		Entry("drips trailers", drips("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n2\r\n{}\r\n0\r\n", "X: y\r\n"), ".", wire.KindTimeout, wire.KindLimit, wire.KindMalformed, wire.KindNetwork),
		Entry("streams a line without end", drips("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: ", strings.Repeat("a", 64<<10)), "longer than 1048576 bytes", wire.KindLimit),
		Entry("streams an event without end", drips("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", strings.Repeat("data: aaaaaaaa\n", 4<<10)), "longer than 1048576 bytes", wire.KindLimit),
		Entry("streams comments as fast as they are read", drips("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", strings.Repeat(": ping\n\n", 16<<10)), "what stands before it, is longer than 1048576 bytes", wire.KindLimit),
		Entry("streams other events as fast as they are read", drips("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", strings.Repeat("event: ping\ndata: {}\n\n", 16<<10)), "more than 100000 events that are no message", wire.KindLimit),
		Entry("streams empty events as fast as they are read", drips("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", strings.Repeat("data:\n\n", 16<<10)), "more than 100000 events that are no message", wire.KindLimit),
		Entry("streams notifications as fast as they are read", drips("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", strings.Repeat(`data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}`+"\n\n", 4<<10)), "more than 50000 messages", wire.KindLimit),
		Entry("extends chunks without end", drips("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n", "1;"+strings.Repeat("e=f;", 500)+"\r\n \r\n"), "chunk", wire.KindNetwork, wire.KindMalformed),
		Entry("streams comments without end", drips("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", ": ping\n\n"), "no answer", wire.KindTimeout),
		Entry("streams field names without end", drips("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", strings.Repeat("x", 64<<10)), "longer than|no answer", wire.KindLimit, wire.KindTimeout),
	)

	DescribeTable("says odd things in good HTTP",
		func(ctx SpecContext, list func(exchange), text string, kinds ...wire.Kind) {
			s := take(ctx, wire.Target{URL: only("tools/list", list).URL}, wire.Options{Timeouts: waiting(), Limits: wire.Limits{MessageBytes: 1 << 20}})
			Expect(s.err).NotTo(BeNil())
			Expect(s.err.Kind).To(BeElementOf(kinds), s.err.Error())
			Expect(s.err.Error()).To(MatchRegexp(text))
		},
		Entry("text after the message", func(x exchange) { x.json(200, result(x.id, goodList)+" trailing") }, "no JSON", wire.KindMalformed),
		Entry("two messages in one body", func(x exchange) { x.json(200, result(x.id, goodList)+result(x.id, goodList)) }, "no JSON", wire.KindMalformed),
		Entry("an empty batch", func(x exchange) { x.json(200, "[]") }, ".", wire.KindMalformed),
		Entry("a text in place of an object", func(x exchange) { x.json(200, `"\u001b[31m::error::x"`) }, ".", wire.KindMalformed),
		Entry("result and error at once", func(x exchange) {
			x.json(200, `{"jsonrpc":"2.0","id":`+x.id+`,"result":{},"error":{"code":1,"message":"x"}}`)
		}, ".", wire.KindMalformed, wire.KindRPC),
		Entry("neither result nor error", func(x exchange) { x.json(200, `{"jsonrpc":"2.0","id":`+x.id+`}`) }, ".", wire.KindMalformed),
		Entry("an error that is a text full of escapes", func(x exchange) {
			x.json(200, `{"jsonrpc":"2.0","id":`+x.id+`,"error":"\u001b[31m\n::error::x"}`)
		}, ".", wire.KindMalformed, wire.KindRPC),
		Entry("UTF-16", func(x exchange) { x.json(200, "\xff\xfe{\x00}\x00") }, ".", wire.KindMalformed),
		Entry("a cut gzip", func(x exchange) {
			x.Header().Set("Content-Encoding", "gzip")
			all := gzipped(strings.NewReader(result(x.id, goodList)))
			_, _ = x.Write(all[:len(all)-9])
		}, ".", wire.KindMalformed, wire.KindNetwork),
		Entry("gzip within gzip", func(x exchange) {
			x.Header().Set("Content-Encoding", "gzip, gzip")
			_, _ = x.Write(gzipped(strings.NewReader(string(gzipped(strings.NewReader("{}"))))))
		}, "(?i)coding|gzip", wire.KindMalformed),
		Entry("deflate", func(x exchange) { x.Header().Set("Content-Encoding", "deflate"); _, _ = io.WriteString(x, "x") }, "content coding deflate", wire.KindMalformed),
		Entry("zstd", func(x exchange) { x.Header().Set("Content-Encoding", "zstd"); _, _ = io.WriteString(x, "x") }, "content coding zstd", wire.KindMalformed),
		Entry("a redirect to a file", status(307, "Location", "file:///etc/passwd"), "(?i)redirect|Location|origin", wire.KindRedirect),
		Entry("a redirect to a script", status(308, "Location", "javascript:alert(1)"), "(?i)redirect|Location|origin", wire.KindRedirect),
		Entry("a redirect to user information", status(307, "Location", "http://evil@127.0.0.1:1/"), "(?i)redirect|Location|origin", wire.KindRedirect),
		Entry("a challenge full of escapes", status(401, "WWW-Authenticate", "Bearer realm=\"\t::error::x\", error=\"invalid_token\""), "HTTP 401", wire.KindAuth),
		Entry("204", status(204), "HTTP 204", wire.KindMalformed, wire.KindHTTP),
		Entry("206", func(x exchange) { x.json(206, result(x.id, goodList)[:20]) }, ".", wire.KindMalformed, wire.KindHTTP),
		Entry("418", status(418), "HTTP 418", wire.KindHTTP),
		Entry("511", status(511), "HTTP 511", wire.KindHTTP),
		Entry("a stream that asks to come back in 30 years", func(x exchange) { x.stream("id: 1\nretry: 999999999999\ndata:\n\n") }, ".", wire.KindClosed, wire.KindTimeout),
		Entry("a stream with an id of a megabyte", func(x exchange) { x.stream("id: " + strings.Repeat("i", 1<<20) + "\ndata:\n\n") }, ".", wire.KindClosed, wire.KindLimit, wire.KindTimeout),
	)

	It("answers twice on one stream and is told", func(ctx SpecContext) {
		server := only("tools/list", func(x exchange) {
			x.stream("data: "+result(x.id, goodList)+"\n\n", "data: "+result(x.id, `{"tools":[]}`)+"\n\n")
		})
		s := take(ctx, wire.Target{URL: server.URL}, wire.Options{})
		Expect(s.err).To(BeNil())
		Expect(s.toolNames()).To(Equal([]string{"good"}), "the first answer counts")
	})

	It("begins with a byte order mark", func(ctx SpecContext) {
		s := take(ctx, wire.Target{URL: only("tools/list", func(x exchange) { x.json(200, "\ufeff"+result(x.id, goodList)) }).URL}, wire.Options{})
		if s.err != nil {
			Expect(s.err.Kind).To(Equal(wire.KindMalformed))
			return
		}
		Expect(s.toolNames()).To(Equal([]string{"good"}))
	})

	It("names metadata elsewhere in its challenge, which nobody fetches unasked", func(ctx SpecContext) {
		var hits atomic.Int32
		other := only("*", func(exchange) { hits.Add(1) })
		server := only("initialize", status(401, "WWW-Authenticate", `Bearer resource_metadata="`+other.URL+`/.well-known/x"`))
		s := take(ctx, wire.Target{URL: server.URL}, wire.Options{})
		Expect(s.err.Kind).To(Equal(wire.KindAuth))
		Expect(hits.Load()).To(BeZero())
	})

	DescribeTable("opens a legacy stream and",
		func(ctx SpecContext, text string, stream ...string) {
			server := serve(map[string]func(exchange){
				"initialize": status(405),
				"GET": func(x exchange) {
					x.stream(stream...)
					<-x.r.Context().Done()
				}})
			s := take(ctx, wire.Target{URL: server.URL}, wire.Options{Timeouts: waiting(), Limits: wire.Limits{MessageBytes: 1 << 20}})
			Expect(s.err).NotTo(BeNil())
			Expect(s.err.Error()).To(MatchRegexp(text))
		},
		Entry("says nothing", "no answer|endpoint", ": nothing\n\n"),
		Entry("begins with another event", `begins with an event "message"`, "data: {}\n\n"),
		Entry("names an event in escapes", `begins with an event`, "event: \x1b[31m::error\ndata: {}\n\n"),
		Entry("names no endpoint", "endpoint|HTTP|no answer", "event: endpoint\ndata:\n\n"),
		Entry("names a script", "another origin|no URL", "event: endpoint\ndata: javascript:alert(1)\n\n"),
		Entry("names a file", "another origin|no URL", "event: endpoint\ndata: file:///etc/passwd\n\n"),
		Entry("names an endpoint with control characters", "no URL", "event: endpoint\ndata: /m\x01\x1b[31m\n\n"),
		Entry("names another scheme", "another origin", "event: endpoint\ndata: https://127.0.0.1/m\n\n"),
	)
})
