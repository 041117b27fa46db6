package wire_test

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/wire"
)

// legacyFour are four handshakes that an honest legacy server answers.
func legacyFour() []wire.Handshake { return allEras()[:4] }

// times plans n calls of the first tool.
func times(n int) func(*recording.Session) []recording.Call {
	return func(s *recording.Session) []recording.Call {
		var out []recording.Call
		for range min(n, n*len(s.Tools)) {
			out = append(out, recording.Call{Tool: s.Tools[0].Name, Arguments: schema.MustParse(`{"region":"north"}`)})
		}
		return out
	}
}

var _ = Describe("Sessions of one capture", func() {
	It("wait for a slow tool at the same time over HTTP", func(ctx SpecContext) {
		var waiting sync.WaitGroup
		waiting.Add(4)
		server := only("tools/call", func(x exchange) {
			waiting.Done()
			waiting.Wait() // answers only when all four sessions have called
			x.json(http.StatusOK, honest(x.request))
		})
		s := take(ctx, wire.Target{URL: server.URL}, wire.Options{Handshakes: legacyFour(), Calls: times(1)})
		Expect(s.err).To(BeNil())
		Expect(s.Sessions).To(HaveLen(4))
		for i, session := range s.Sessions {
			Expect(session.Requested).To(Equal(legacyFour()[i].Version), "the order is that of the handshakes")
			Expect(session.Calls).To(HaveExactElements(HaveField("Failed", BeNil())))
		}
	})

	It("keep the order of their problems", func(ctx SpecContext) {
		server := only("tools/list", func(x exchange) { x.json(http.StatusOK, result(x.id, `{"tools":[],"nextCursor":5}`)) })
		s := take(ctx, wire.Target{URL: server.URL}, wire.Options{Handshakes: legacyFour()})
		var order []string
		for _, p := range s.Problems {
			order = append(order, p.Session)
		}
		Expect(order).To(Equal([]string{"initialize-2024-11-05", "initialize-2025-03-26", "initialize-2025-06-18", "initialize-2025-11-25"}))
	})

	DescribeTable("of a stdio server run one after the other unless asked", func(ctx SpecContext, parallel bool) {
		var mu sync.Mutex
		open, most := 0, 0
		s := take(ctx, stdioTarget("honest"), wire.Options{Handshakes: legacyFour(), Calls: times(1), Parallel: parallel,
			Progress: func(e wire.Event) {
				mu.Lock()
				defer mu.Unlock()
				switch e.Doing {
				case "start":
					open++
				case "tools/call":
					most = max(most, open)
				}
			}})
		Expect(s.err).To(BeNil())
		for _, session := range s.Sessions {
			Expect(session.Calls).To(HaveLen(1))
		}
		if !parallel {
			Expect(most).To(Equal(4), "each session begins when the one before has ended")
		}
	}, Entry("one by one", false), Entry("at the same time", true))
})

var _ = Describe("A stdio server whose answers overtake each other", func() {
	It("gets one call at a time from then on", func(ctx SpecContext) {
		s := take(ctx, stdioTarget("overtaken"), wire.Options{Calls: times(6), Concurrency: 2})
		Expect(s.err).To(BeNil())
		Expect(s.Sessions[0].Calls).To(HaveLen(6))
		for _, c := range s.Sessions[0].Calls {
			Expect(c.Error).To(BeNil())
			Expect(c.Failed).To(BeNil())
		}
	})
})

var _ = Describe("The standing stream of a legacy server", func() {
	It("is opened after the handshake, and its requests are answered", func(ctx SpecContext) {
		replies := make(chan string, 1)
		opened := make(chan http.Header, 1)
		server := serve(map[string]func(exchange){
			"GET": func(x exchange) {
				opened <- x.r.Header
				x.stream(`data: {"jsonrpc":"2.0","id":"own","method":"ping"}` + "\n\n")
				<-x.r.Context().Done()
			},
			"": func(x exchange) {
				replies <- x.value.Compact()
				x.WriteHeader(http.StatusAccepted)
			},
			"tools/list": func(x exchange) {
				Eventually(replies).Should(Receive(Equal(`{"jsonrpc":"2.0","id":"own","result":{}}`)))
				x.json(http.StatusOK, honest(x.request))
			}})
		s := take(ctx, wire.Target{URL: server.URL}, wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Initialize, Version: "2025-11-25"}}})
		Expect(s.err).To(BeNil())
		Expect(s.toolNames()).To(Equal([]string{"good"}))
		var headers http.Header
		Expect(opened).To(Receive(&headers))
		Expect(headers.Get("Accept")).To(Equal("text/event-stream"))
		Expect(headers.Get("Mcp-Protocol-Version")).To(Equal("2025-11-25"))
	})

	It("is not opened in the modern era", func(ctx SpecContext) {
		server := serve(map[string]func(exchange){
			"GET":             func(exchange) { Fail("GET was sent") },
			"server/discover": func(x exchange) { x.json(200, result(x.id, discoverResult)) }})
		Expect(take(ctx, wire.Target{URL: server.URL}, wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Discover}}}).err).To(BeNil())
	})

	DescribeTable("stops nothing when the server", func(ctx SpecContext, get func(exchange)) {
		started := time.Now()
		s := take(ctx, wire.Target{URL: only("GET", get).URL}, wire.Options{Calls: times(1)})
		Expect(s.err).To(BeNil())
		Expect(s.toolNames()).To(Equal([]string{"good"}))
		Expect(time.Since(started)).To(BeNumerically("<", 9*time.Second))
	},
		Entry("never answers it", func(x exchange) { <-x.r.Context().Done() }),
		Entry("keeps it open", func(x exchange) { x.stream(": hello\n\n"); <-x.r.Context().Done() }),
		Entry("fails", status(500)),
		Entry("sends a page", func(x exchange) { x.Header().Set("Content-Type", "text/html"); x.WriteHeader(200) }),
		Entry("redirects it elsewhere", status(302, "Location", "http://127.0.0.1:1/")),
		Entry("sends garbage", func(x exchange) { x.stream("data: }{\n\n"); <-x.r.Context().Done() }),
	)
})

var _ = Describe("A modern server that wants a header which its list did not name", func() {
	It("is asked for its list again, and called once more with the header", func(ctx SpecContext) {
		var lists, refused atomic.Int32
		server := serve(map[string]func(exchange){
			"server/discover": func(x exchange) { x.json(200, result(x.id, discoverResult)) },
			"tools/list": func(x exchange) {
				property := `{"type":"string"}`
				if lists.Add(1) > 1 {
					property = `{"type":"string","x-mcp-header":"Region"}`
				}
				x.json(200, result(x.id, `{"resultType":"complete","tools":[{"name":"good","inputSchema":{"type":"object","properties":{"region":`+property+`}}}]}`))
			},
			"tools/call": func(x exchange) {
				if x.r.Header.Get("Mcp-Param-Region") != "north" {
					refused.Add(1)
					x.json(400, failure(x.id, -32020, "Mcp-Param-Region is missing"))
					return
				}
				x.json(200, result(x.id, `{"resultType":"complete","content":[]}`))
			}})
		s := take(ctx, wire.Target{URL: server.URL}, wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Discover}}, Calls: times(3), Concurrency: 1})
		Expect(s.err).To(BeNil())
		Expect(s.Sessions[0].Calls).To(HaveLen(3))
		for _, c := range s.Sessions[0].Calls {
			Expect(c.Error).To(BeNil())
		}
		Expect(refused.Load()).To(Equal(int32(1)))
		Expect(lists.Load()).To(Equal(int32(2)))
		Expect(s.Sessions[0].Pages).To(HaveLen(1), "the list of the session is the first one")
	})

	It("is not called for ever", func(ctx SpecContext) {
		var calls atomic.Int32
		server := serve(map[string]func(exchange){
			"server/discover": func(x exchange) { x.json(200, result(x.id, discoverResult)) },
			"tools/call":      func(x exchange) { calls.Add(1); x.json(400, failure(x.id, -32020, "never enough")) }})
		s := take(ctx, wire.Target{URL: server.URL}, wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Discover}}, Calls: times(2), Concurrency: 1})
		Expect(s.Sessions[0].Calls).To(HaveLen(2))
		Expect(calls.Load()).To(Equal(int32(2)))
	})
})
