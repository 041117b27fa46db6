package wire_test

import (
	"io"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/wire"
)

var _ = Describe("Negotiation over HTTP", func() {
	probe := []wire.Handshake{{Mode: wire.Auto}}

	DescribeTable("by the answer to server/discover",
		func(ctx SpecContext, discover func(exchange), version string, problems ...string) {
			server := only("server/discover", discover)
			s := take(ctx, wire.Target{URL: server.URL}, wire.Options{Handshakes: probe})
			Expect(s.err).To(BeNil())
			Expect(s.Sessions[0].Negotiated).To(Equal(version))
			Expect(s.toolNames()).To(Equal([]string{"good"}))
			Expect(s.rules()).To(ConsistOf(problems))
		},
		Entry("a result is modern", func(x exchange) { x.json(200, result(x.id, discoverResult)) }, "2026-07-28"),
		Entry("404 with method not found is modern", func(x exchange) { x.json(404, failure(x.id, -32601, "no")) }, "2026-07-28", "discover-missing"),
		Entry("200 with method not found is legacy", func(x exchange) { x.json(200, failure(x.id, -32601, "no")) }, "2025-11-25"),
		Entry("an empty 400 is legacy", status(400), "2025-11-25"),
		Entry("an empty 404 is legacy", status(404), "2025-11-25"),
		Entry("a 500 is legacy", status(500), "2025-11-25"),
		Entry("400 with another error is legacy", func(x exchange) { x.json(400, failure("null", -32000, "Bad Request: Server not initialized")) }, "2025-11-25"),
		Entry("HTML is legacy", func(x exchange) { x.Header().Set("Content-Type", "text/html"); _, _ = io.WriteString(x, "<html>") }, "2025-11-25"),
		Entry("silence is legacy", func(x exchange) { <-x.r.Context().Done() }, "2025-11-25", "discover-ignored"),
		Entry("400 with legacy revisions only is legacy", func(x exchange) {
			x.json(400, `{"jsonrpc":"2.0","id":`+x.id+`,"error":{"code":-32022,"message":"v","data":{"supported":["2025-11-25"]}}}`)
		}, "2025-11-25"),
	)

	It("takes 401 for what it is, not for a sign of the era", func(ctx SpecContext) {
		server := serve(map[string]func(exchange){"server/discover": status(401), "initialize": func(exchange) { Fail("initialize was sent") }})
		s := take(ctx, wire.Target{URL: server.URL}, wire.Options{Handshakes: probe})
		Expect(s.err.Kind).To(Equal(wire.KindAuth))
	})

	It("does not fall back from a modern error", func(ctx SpecContext) {
		server := serve(map[string]func(exchange){
			"server/discover": func(x exchange) { x.json(400, failure(x.id, -32020, "header mismatch")) },
			"initialize":      func(exchange) { Fail("initialize was sent") }})
		s := take(ctx, wire.Target{URL: server.URL}, wire.Options{Handshakes: probe})
		Expect(s.err.Code()).To(Equal(int64(-32020)))
	})

	It("names both refusals when neither transport is there", func(ctx SpecContext) {
		server := only("*", status(404))
		s := take(ctx, wire.Target{URL: server.URL}, wire.Options{Handshakes: probe})
		Expect(s.err.Kind).To(Equal(wire.KindHTTP))
		Expect(s.err.Error()).To(ContainSubstring("HTTP 404 Not Found; as HTTP+SSE: HTTP 404 Not Found"))
	})

	It("bounds the wait for an endpoint event", func(ctx SpecContext) {
		server := serve(map[string]func(exchange){"GET": func(x exchange) { x.stream(": wait\n\n"); <-x.r.Context().Done() }})
		limits := short()
		limits.Start = time.Second
		s := take(ctx, wire.Target{URL: server.URL, Transport: wire.SSE}, wire.Options{Timeouts: limits})
		Expect(s.err.Kind).To(Equal(wire.KindTimeout))
	})
})
