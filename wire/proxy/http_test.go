package proxy_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/wire"
	"github.com/hostmatrix/conform/wire/proxy"
)

// between starts a server and a proxy before it; the proxy's address comes back.
func between(server http.Handler, path string, headers http.Header, options proxy.Options) (*httptest.Server, *tape) {
	behind := httptest.NewServer(server)
	DeferCleanup(behind.Close)
	t := &tape{}
	target := wire.Target{URL: behind.URL + path, Headers: headers}
	h, err := proxy.NewHTTP(target, t.start(target.Secrets()...), options)
	Expect(err).NotTo(HaveOccurred())
	front := httptest.NewServer(h)
	DeferCleanup(front.Close)
	return front, t
}

// echo plans one call.
func echo(*recording.Session) []recording.Call {
	return []recording.Call{{Tool: "echo", Arguments: schema.MustParse(`{"text":"hello"}`)}}
}

var _ = Describe("An HTTP proxy", func() {
	DescribeTable("lets a host and a server talk, and records it",
		func(ctx SpecContext, server http.Handler, path string, handshakes []wire.Handshake, versions ...string) {
			front, t := between(server, path, nil, proxy.Options{})
			live, err := wire.Capture(ctx, wire.Target{URL: front.URL + path}, wire.Options{Handshakes: handshakes, Calls: echo})
			Expect(err).NotTo(HaveOccurred())
			c := t.read()
			Expect(c.Sessions).To(HaveLen(len(versions)))
			for i, s := range c.Sessions {
				Expect(s.Negotiated).To(Equal(versions[i]))
				Expect(s.Tools).To(HaveLen(1))
				Expect(s.Tools[0].Value.Compact()).To(Equal(live.Sessions[i].Tools[0].Value.Compact()))
				Expect(s.Calls).To(HaveLen(1))
				Expect(s.Calls[0].Result.Compact()).To(Equal(live.Sessions[i].Calls[0].Result.Compact()))
			}
		},
		Entry("Streamable HTTP, two sessions", sdkHandler(), "/mcp", []wire.Handshake{{Mode: wire.Initialize, Version: "2025-06-18"}, {Mode: wire.Initialize, Version: "2025-11-25"}}, "2025-06-18", "2025-11-25"),
		Entry("Streamable HTTP at the root", sdkHandler(), "", []wire.Handshake{{Mode: wire.Initialize, Version: "2025-03-26"}}, "2025-03-26"),
		Entry("the modern era", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return sdkServer() }, &mcp.StreamableHTTPOptions{Stateless: true}), "/mcp",
			[]wire.Handshake{{Mode: wire.Discover}}, "2026-07-28"),
	)

	It("lets the old HTTP+SSE pass", func(ctx SpecContext) {
		front, t := between(mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return sdkServer() }, nil), "/sse", nil, proxy.Options{})
		live, err := wire.Capture(ctx, wire.Target{URL: front.URL + "/sse", Transport: wire.SSE}, wire.Options{Handshakes: []wire.Handshake{
			{Mode: wire.Initialize, Version: "2024-11-05"}, {Mode: wire.Initialize, Version: "2025-06-18"}}, Calls: echo})
		Expect(err).NotTo(HaveOccurred())
		c := t.read()
		Expect(c.Sessions).To(HaveLen(2))
		Expect(c.Target.Transport).To(Equal(wire.SSE))
		for i, s := range c.Sessions {
			Expect(s.InitError).To(BeNil())
			Expect(s.Transport).To(Equal(wire.SSE))
			Expect(s.Negotiated).To(Equal(live.Sessions[i].Negotiated))
			Expect(s.Calls).To(HaveLen(1))
			Expect(s.Calls[0].Result.Compact()).To(Equal(live.Sessions[i].Calls[0].Result.Compact()))
		}
		Expect(t.text()).To(MatchRegexp(`"noise".*sessionid=redacted`), "the address is no message, and its id is one of a session")
	})

	It("adds the target's headers and records no secret", func(ctx SpecContext) {
		got := make(chan http.Header, 1)
		front, t := between(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got <- r.Header.Clone()
			w.Header().Set("Set-Cookie", "sid=cookie-value")
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"echo":"`+r.Header.Get("X-Key")+`"}}`)
		}), "/mcp?key=querysecret", http.Header{"X-Key": {"header-secret"}}, proxy.Options{})
		request, err := http.NewRequest(http.MethodPost, front.URL+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"x"}`))
		Expect(err).NotTo(HaveOccurred())
		request.Header.Set("Authorization", "Bearer host-secret")
		request.Header.Set("Connection", "close, X-Hop")
		request.Header.Set("X-Hop", "1")
		response, err := http.DefaultClient.Do(request)
		Expect(err).NotTo(HaveOccurred())
		defer response.Body.Close()
		body, _ := io.ReadAll(response.Body)
		Expect(string(body)).To(ContainSubstring("header-secret"), "what passes is not changed")
		headers := <-got
		Expect(headers.Get("X-Key")).To(Equal("header-secret"))
		Expect(headers.Get("Authorization")).To(Equal("Bearer host-secret"))
		Expect(headers).NotTo(HaveKey("X-Hop"))
		for _, secret := range []string{"header-secret", "host-secret", "querysecret", "cookie-value"} {
			Expect(t.text()).NotTo(ContainSubstring(secret))
		}
	})

	DescribeTable("serves loopback only", func(host, origin string, status int) {
		front, _ := between(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {}), "/mcp", nil, proxy.Options{})
		request, err := http.NewRequest(http.MethodPost, front.URL+"/mcp", nil)
		Expect(err).NotTo(HaveOccurred())
		if host != "" {
			request.Host = host
		}
		if origin != "" {
			request.Header.Set("Origin", origin)
		}
		response, err := http.DefaultClient.Do(request)
		Expect(err).NotTo(HaveOccurred())
		response.Body.Close()
		Expect(response.StatusCode).To(Equal(status))
	},
		Entry("itself", "", "", 200),
		Entry("localhost", "localhost:123", "http://localhost:5173", 200),
		Entry("a rebound name", "evil.example", "", 403),
		Entry("a page elsewhere", "", "https://evil.example", 403),
		Entry("a page without an origin of its own", "", "null", 403),
	)

	It("says that the server cannot be reached", func() {
		t := &tape{}
		h, err := proxy.NewHTTP(wire.Target{URL: "http://127.0.0.1:1/mcp"}, t.start(), proxy.Options{})
		Expect(err).NotTo(HaveOccurred())
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(`{}`)))
		Expect(w.Code).To(Equal(http.StatusBadGateway))
		Expect(t.read().Problems).To(HaveLen(1))
	})

	It("lets pass what is too long to record", func() {
		long := `{"x":"` + strings.Repeat("y", 1000) + `"}`
		front, t := between(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, long) }), "/mcp", nil, proxy.Options{MessageBytes: 100})
		response, err := http.Post(front.URL+"/mcp", "application/json", strings.NewReader(`{}`))
		Expect(err).NotTo(HaveOccurred())
		defer response.Body.Close()
		body, _ := io.ReadAll(response.Body)
		Expect(string(body)).To(Equal(long))
		Expect(t.read().Problems[0].Rule).To(Equal("message-limit"))
	})
})
