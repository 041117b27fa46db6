package wire_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/wire"
)

var _ = Describe("An HTTP server that", func() {
	DescribeTable("works although it is odd",
		func(ctx SpecContext, list func(exchange), problems ...string) {
			server := only("tools/list", list)
			s := take(ctx, wire.Target{URL: server.URL}, wire.Options{Calls: callFirst})
			Expect(s.err).To(BeNil())
			Expect(s.toolNames()).To(Equal([]string{"good"}))
			Expect(s.rules()).To(ConsistOf(problems))
			Expect(s.Sessions[0].Calls[0].Result).NotTo(BeNil())
		},
		Entry("answers JSON", func(x exchange) { x.json(200, result(x.id, goodList)) }),
		Entry("answers with a charset", func(x exchange) {
			x.Header().Set("Content-Type", "Application/JSON; charset=utf-8")
			_, _ = io.WriteString(x, result(x.id, goodList))
		}),
		Entry("answers a stream", func(x exchange) { x.stream("event: message\ndata: " + result(x.id, goodList) + "\n\n") }),
		Entry("ends stream lines in CR only", func(x exchange) { x.stream("event: message\rdata: " + result(x.id, goodList) + "\r\r") }),
		Entry("ends stream lines in CR only and keeps the stream open", func(x exchange) {
			x.stream("data: " + result(x.id, goodList) + "\r\r")
			<-x.r.Context().Done()
		}),
		Entry("drips a stream with BOM, CRLF and comments byte by byte", func(x exchange) {
			x.stream(chop("\ufeff: hello\r\nid: 1\r\ndata: " + result(x.id, goodList) + "\r\n\r\n")...)
		}),
		Entry("drips JSON byte by byte", func(x exchange) {
			x.Header().Set("Content-Type", "application/json")
			for _, piece := range chop(result(x.id, goodList)) {
				_, _ = io.WriteString(x, piece)
				x.ResponseWriter.(http.Flusher).Flush()
			}
		}),
		Entry("splits a message over several data fields", func(x exchange) {
			text := schema.MustParse(result(x.id, goodList)).Stringify("  ")
			x.stream("data: " + strings.ReplaceAll(text, "\n", "\ndata: ") + "\n\n")
		}),
		Entry("sends an empty data event first, as SSE resumption does", func(x exchange) {
			x.stream("id: 1\nretry: 10\ndata:\n\n", "data: "+result(x.id, goodList)+"\n\n")
		}),
		Entry("compresses honestly", func(x exchange) {
			x.Header().Set("Content-Type", "application/json")
			x.Header().Set("Content-Encoding", "gzip")
			_, _ = x.Write(gzipped(strings.NewReader(result(x.id, goodList))))
		}),
		Entry("redirects within the origin", func(x exchange) {
			if x.r.URL.Path == "/" {
				http.Redirect(x, x.r, "/mcp/", http.StatusPermanentRedirect)
				return
			}
			x.json(200, result(x.id, goodList))
		}),
		Entry("says text/plain", func(x exchange) {
			x.Header().Set("Content-Type", "text/plain")
			_, _ = io.WriteString(x, result(x.id, goodList))
		}, "content-type"),
		Entry("sends other events too", func(x exchange) {
			x.stream("event: ping\ndata: {}\n\ndata: " + result(x.id, goodList) + "\n\n")
		}, "sse-event-name"),
		Entry("sends a broken event before the answer", func(x exchange) {
			x.stream("data: {\"hello\":1}\n\ndata: " + result(x.id, goodList) + "\n\n")
		}, "malformed-message"),
	)

	DescribeTable("ends with a clear error",
		func(ctx SpecContext, list func(exchange), kind wire.Kind, text string) {
			server := only("tools/list", list)
			options := wire.Options{Limits: wire.Limits{MessageBytes: 4 << 20}}
			if kind == wire.KindTimeout {
				options.Timeouts = waiting()
			}
			s := take(ctx, wire.Target{URL: server.URL + "/mcp?key=abcdef0123456789"}, options)
			Expect(s.err).NotTo(BeNil())
			Expect(s.err.Kind).To(Equal(kind), s.err.Error())
			Expect(s.err.Error()).To(MatchRegexp(text))
			Expect(s.err.Error()).To(HavePrefix("tools/list on " + server.URL))
			Expect(s.err.Error()).NotTo(ContainSubstring("abcdef0123456789"))
			Expect(s.Sessions[0].Init).NotTo(BeNil())
			Expect(s.Sessions[0].Pages[0].Failed.Kind).To(Equal(string(kind)))
		},
		Entry("says 401", status(401, "WWW-Authenticate", `Bearer resource_metadata="https://x/y"`), wire.KindAuth, `HTTP 401 Unauthorized \(WWW-Authenticate: Bearer resource_metadata="https://x/y"\); it sent: sorry \\x1b\[1m\. The server wants authentication`),
		Entry("says 403", status(403), wire.KindHTTP, "HTTP 403 Forbidden.*refuses this client"),
		Entry("says 403 with a challenge", status(403, "WWW-Authenticate", `Bearer error="insufficient_scope"`), wire.KindAuth, "insufficient_scope"),
		Entry("says 404", status(404), wire.KindHTTP, "HTTP 404 Not Found.*path"),
		Entry("says 405", status(405), wire.KindHTTP, "HTTP 405"),
		Entry("says 429", status(429, "Retry-After", "17"), wire.KindHTTP, "HTTP 429.*retry after 17"),
		Entry("says 500", status(500), wire.KindHTTP, "HTTP 500 Internal Server Error.*server failed"),
		Entry("says 503", status(503), wire.KindHTTP, "HTTP 503"),
		Entry("says 400 with a JSON-RPC error", func(x exchange) { x.json(400, failure(x.id, -32602, "bad")) }, wire.KindRPC, `error -32602: bad \(HTTP 400\)`),
		Entry("says 400 with a JSON-RPC error without id", func(x exchange) { x.json(400, failure("null", -32000, "no session")) }, wire.KindRPC, "-32000: no session"),
		Entry("sends HTML", func(x exchange) { x.Header().Set("Content-Type", "text/html"); _, _ = io.WriteString(x, "<html>login") }, wire.KindMalformed, `text/html.*<html>login.*MCP endpoint`),
		Entry("sends nothing", func(x exchange) { x.WriteHeader(202) }, wire.KindMalformed, "HTTP 202 with an empty body"),
		Entry("never answers", func(x exchange) { <-x.r.Context().Done() }, wire.KindTimeout, "no answer"),
		Entry("drips without end", func(x exchange) {
			x.Header().Set("Content-Type", "application/json")
			for x.r.Context().Err() == nil {
				_, _ = io.WriteString(x, " ")
				x.ResponseWriter.(http.Flusher).Flush()
				select {
				case <-x.r.Context().Done():
				case <-time.After(20 * time.Millisecond):
				}
			}
		}, wire.KindTimeout, "no answer"),
		Entry("stops within the body", func(x exchange) {
			_, _ = io.WriteString(x, "{")
			x.ResponseWriter.(http.Flusher).Flush()
			<-x.r.Context().Done()
		}, wire.KindTimeout, "no answer"),
		Entry("drops the connection", func(x exchange) { panic(http.ErrAbortHandler) }, wire.KindNetwork, "closed the connection"),
		Entry("drops the connection within the body", func(x exchange) {
			x.Header().Set("Content-Length", "500")
			_, _ = io.WriteString(x, `{"jsonrpc"`)
		}, wire.KindNetwork, `closed the connection in the middle.*it sent: \{"jsonrpc"`),
		Entry("sends a gzip bomb", func(x exchange) {
			x.Header().Set("Content-Type", "application/json")
			x.Header().Set("Content-Encoding", "gzip")
			_, _ = x.Write(bomb())
		}, wire.KindLimit, "longer than 4194304 bytes \\(decoded\\)"),
		Entry("sends a gzip bomb as an event", func(x exchange) {
			x.Header().Set("Content-Type", "text/event-stream")
			x.Header().Set("Content-Encoding", "gzip")
			_, _ = x.Write(bomb())
		}, wire.KindLimit, "longer than 4194304 bytes"),
		Entry("says gzip and sends none", func(x exchange) { x.Header().Set("Content-Encoding", "gzip"); _, _ = io.WriteString(x, "{}") }, wire.KindMalformed, "says gzip and is not"),
		Entry("uses a coding nobody asked for", func(x exchange) { x.Header().Set("Content-Encoding", "br"); _, _ = io.WriteString(x, "{}") }, wire.KindMalformed, "content coding br"),
		Entry("floods headers", func(x exchange) {
			for i := range 100 {
				x.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("h", 10_000))
			}
			x.WriteHeader(200)
		}, wire.KindLimit, "headers are longer"),
		Entry("ends the stream without the answer", func(x exchange) { x.stream(": nothing\n\n") }, wire.KindClosed, "event stream ended without the answer"),
		Entry("ends every resumed stream too", func(x exchange) { x.stream("id: 5\nretry: 1\ndata:\n\n") }, wire.KindClosed, "could not be resumed \\(HTTP 405\\)"),
		Entry("answers with a wrong id", func(x exchange) { x.json(200, result(`"x"`, goodList)) }, wire.KindMalformed, `carries the id "x"`),
		Entry("redirects for ever", func(x exchange) { http.Redirect(x, x.r, "/again", http.StatusTemporaryRedirect) }, wire.KindRedirect, "more than 3 redirects"),
		Entry("redirects without a Location", status(307), wire.KindRedirect, "without a usable Location"),
		Entry("redirects so that the message is lost", func(x exchange) { http.Redirect(x, x.r, "/mcp", http.StatusFound) }, wire.KindRedirect, "HTTP 302: .*would lose the message.*it sent: /mcp"),
	)

	It("redirects to another origin gets nothing sent there", func(ctx SpecContext) {
		var hits atomic.Int32
		other := only("*", func(exchange) { hits.Add(1) })
		for _, code := range []int{301, 302, 303, 307, 308} {
			server := only("initialize", func(x exchange) { http.Redirect(x, x.r, other.URL, code) })
			s := take(ctx, wire.Target{URL: server.URL, Headers: http.Header{"Authorization": {"Bearer abcdefgh"}}}, wire.Options{})
			Expect(s.err.Kind).To(Equal(wire.KindRedirect))
			Expect(s.err.Error()).To(ContainSubstring("another origin (" + other.URL + ")"))
		}
		Expect(hits.Load()).To(BeZero())
	})

	It("names an SSE endpoint on another origin gets nothing sent there", func(ctx SpecContext) {
		var hits atomic.Int32
		other := only("*", func(exchange) { hits.Add(1) })
		server := serve(map[string]func(exchange){
			"initialize": status(405),
			"GET": func(x exchange) {
				x.stream("event: endpoint\ndata: " + other.URL + "/messages\n\n")
				<-x.r.Context().Done()
			}})
		s := take(ctx, wire.Target{URL: server.URL}, wire.Options{})
		Expect(s.err.Kind).To(Equal(wire.KindRedirect))
		Expect(s.err.Error()).To(ContainSubstring("names another origin"))
		Expect(hits.Load()).To(BeZero())
	})

	It("has a certificate nobody trusts", func(ctx SpecContext) {
		server := httptest.NewUnstartedServer(http.NotFoundHandler())
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		server.StartTLS()
		defer server.Close()
		s := take(ctx, wire.Target{URL: server.URL}, wire.Options{})
		Expect(s.err.Kind).To(Equal(wire.KindTLS))
		Expect(s.err.Error()).To(ContainSubstring("unknown authority"))
	})

	It("does not speak TLS", func(ctx SpecContext) {
		server := serve(nil)
		s := take(ctx, wire.Target{URL: strings.Replace(server.URL, "http", "https", 1)}, wire.Options{})
		Expect(s.err.Kind).To(Equal(wire.KindTLS))
		Expect(s.err.Error()).To(ContainSubstring("does not speak TLS"))
	})

	It("does not listen", func(ctx SpecContext) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		Expect(err).NotTo(HaveOccurred())
		address := listener.Addr().String()
		Expect(listener.Close()).To(Succeed())
		s := take(ctx, wire.Target{URL: "http://" + address}, wire.Options{Handshakes: []wire.Handshake{{}, {Mode: wire.Initialize}}})
		Expect(s.err.Kind).To(Equal(wire.KindNetwork))
		Expect(s.err.Error()).To(ContainSubstring("connection refused"))
		Expect(s.err.Kind.Unreachable()).To(BeTrue())
		Expect(s.Sessions).To(HaveLen(2))
	})

	It("closes its stream on purpose is resumed after the time it names", func(ctx SpecContext) {
		var text string
		var mu sync.Mutex
		server := serve(map[string]func(exchange){
			"tools/list": func(x exchange) {
				mu.Lock()
				text = result(x.id, goodList)
				mu.Unlock()
				x.stream("id: ev-7\nretry: 20\ndata:\n\n")
			},
			"GET": func(x exchange) {
				if x.r.Header.Get("Last-Event-ID") != "ev-7" { // the standing stream
					x.WriteHeader(http.StatusMethodNotAllowed)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				x.stream("id: ev-8\ndata: " + text + "\n\n")
			}})
		s := take(ctx, wire.Target{URL: server.URL}, wire.Options{})
		Expect(s.err).To(BeNil())
		Expect(s.toolNames()).To(Equal([]string{"good"}))
	})

	It("asks the client on a stream gets its answer by POST", func(ctx SpecContext) {
		replies := make(chan string, 2)
		server := serve(map[string]func(exchange){
			"": func(x exchange) {
				replies <- x.value.Compact()
				x.WriteHeader(202)
			},
			"tools/list": func(x exchange) {
				x.stream(`data: {"jsonrpc":"2.0","id":"q","method":"ping"}` + "\n\n")
				Eventually(replies).Should(Receive(Equal(`{"jsonrpc":"2.0","id":"q","result":{}}`)))
				x.stream("data: " + result(x.id, goodList) + "\n\n")
			}})
		s := take(ctx, wire.Target{URL: server.URL}, wire.Options{})
		Expect(s.err).To(BeNil())
		Expect(s.toolNames()).To(Equal([]string{"good"}))
	})

	It("keeps sessions sees the id and the revision on every later request, and DELETE at the end", func(ctx SpecContext) {
		var mu sync.Mutex
		var log []string
		note := func(x exchange) {
			mu.Lock()
			defer mu.Unlock()
			log = append(log, x.method+" "+x.r.Header.Get("Mcp-Session-Id")+" "+x.r.Header.Get("Mcp-Protocol-Version"))
		}
		server := serve(map[string]func(exchange){
			"initialize": func(x exchange) {
				note(x)
				x.Header().Set("Mcp-Session-Id", "session-1")
				x.json(200, honest(x.request))
			},
			"notifications/initialized": func(x exchange) { note(x); x.WriteHeader(202) },
			"tools/list":                func(x exchange) { note(x); x.json(200, honest(x.request)) },
			"DELETE":                    note,
		})
		s := take(ctx, wire.Target{URL: server.URL}, wire.Options{})
		Expect(s.err).To(BeNil())
		Expect(log).To(Equal([]string{"initialize  ", "notifications/initialized session-1 2025-11-25", "tools/list session-1 2025-11-25", "DELETE session-1 2025-11-25"}))
	})

	It("forgets the session is asked for a new one once", func(ctx SpecContext) {
		var sessions atomic.Int32
		server := serve(map[string]func(exchange){
			"initialize": func(x exchange) {
				x.Header().Set("Mcp-Session-Id", fmt.Sprintf("session-%d", sessions.Add(1)))
				x.json(200, honest(x.request))
			},
			"tools/list": func(x exchange) {
				if x.r.Header.Get("Mcp-Session-Id") == "session-1" {
					x.json(404, failure(x.id, -32001, "Session not found"))
					return
				}
				x.json(200, honest(x.request))
			}})
		s := take(ctx, wire.Target{URL: server.URL}, wire.Options{})
		Expect(s.err).To(BeNil())
		Expect(s.rules()).To(Equal([]string{"session-lost"}))
		Expect(s.toolNames()).To(Equal([]string{"good"}))
	})

	It("gets the headers of the modern era", func(ctx SpecContext) {
		const tool = `{"name":"näme ","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"deep":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"}}},"flag":{"type":"boolean","x-mcp-header":"Flag"},"gone":{"type":"string","x-mcp-header":"Gone"},"list":{"type":"array","items":{"type":"string","x-mcp-header":"No"}}}}}`
		var headers http.Header
		server := serve(map[string]func(exchange){
			"server/discover": func(x exchange) { x.json(200, result(x.id, discoverResult)) },
			"tools/list":      func(x exchange) { x.json(200, result(x.id, `{"tools":[`+tool+`]}`)) },
			"tools/call": func(x exchange) {
				headers = x.r.Header.Clone()
				x.json(200, result(x.id, goodCall))
			}})
		s := take(ctx, wire.Target{URL: server.URL}, wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Discover}}, ClientVersion: "1.2.3",
			Calls: func(s *recording.Session) []recording.Call {
				return []recording.Call{{Tool: "näme ", Arguments: schema.MustParse(`{"region":" eu","deep":{"n":9007199254740993},"flag":true,"gone":null,"list":["x"]}`)}}
			}})
		Expect(s.err).To(BeNil())
		Expect(s.Sessions[0].Calls[0].Result).NotTo(BeNil())
		Expect(headers.Get("User-Agent")).To(Equal("conform/1.2.3"))
		Expect(headers.Get("Mcp-Protocol-Version")).To(Equal("2026-07-28"))
		Expect(headers.Get("Mcp-Method")).To(Equal("tools/call"))
		Expect(headers.Get("Mcp-Name")).To(Equal("=?base64?bsOkbWUg?="))
		Expect(headers.Get("Mcp-Param-Region")).To(Equal("=?base64?IGV1?="))
		Expect(headers.Get("Mcp-Param-N")).To(Equal("9007199254740993"))
		Expect(headers.Get("Mcp-Param-Flag")).To(Equal("true"))
		Expect(headers).NotTo(HaveKey("Mcp-Param-Gone"))
		Expect(headers).NotTo(HaveKey("Mcp-Param-No"))
	})

	It("gets a token that no message, problem or error shows", func(ctx SpecContext) {
		const token = "tok-0123456789abcdef"
		server := only("tools/list", func(x exchange) {
			x.Header().Set("X-Echo", x.r.Header.Get("Authorization"))
			x.json(200, failure(x.id, -32000, "bad token "+x.r.Header.Get("Authorization")))
		})
		s := take(ctx, wire.Target{URL: strings.Replace(server.URL, "http://", "http://me:pass-word@", 1) + "/mcp?api_key=" + token + "&x=1",
			Headers: http.Header{"Authorization": {"Bearer " + token}, "x-custom": {"custom-secret"}}}, wire.Options{})
		Expect(s.err.Error()).To(ContainSubstring("bad token [redacted]"))
		everything := s.err.Error() + fmt.Sprintf("%+v", s.Target) + fmt.Sprintf("%+v", s.Problems)
		for _, m := range s.Sessions[0].Messages {
			everything += string(m.Bytes)
		}
		Expect(everything).To(ContainSubstring("Authorization: [redacted]"))
		for _, secret := range []string{token, "custom-secret", "pass-word"} {
			Expect(everything).NotTo(ContainSubstring(secret))
		}
	})

	It("hangs is left at once when the caller is interrupted", func(ctx SpecContext) {
		inner, cancel := context.WithCancel(ctx)
		defer cancel()
		server := only("tools/list", func(x exchange) { cancel(); <-x.r.Context().Done() })
		s := take(inner, wire.Target{URL: server.URL}, wire.Options{})
		Expect(s.err.Kind).To(Equal(wire.KindCanceled))
		Expect(s.Sessions[0].Init).NotTo(BeNil())
	})
})
