package wire_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/wire"
)

// sdkServer is a server of the Go SDK with two tools, two on a page at most.
func sdkServer(tools int) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "sdk-fixture", Version: "1.2.3"}, &mcp.ServerOptions{PageSize: 2})
	type in struct {
		City string `json:"city"`
	}
	type out struct {
		Degrees float64 `json:"degrees"`
	}
	for i := range tools {
		mcp.AddTool(server, &mcp.Tool{Name: fmt.Sprintf("weather_%d", i), Description: "Tells the weather"},
			func(context.Context, *mcp.CallToolRequest, in) (*mcp.CallToolResult, out, error) {
				return nil, out{Degrees: 21.5}, nil
			})
	}
	return server
}

func serveSDK() int {
	if err := sdkServer(5).Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// callFirst plans one call of the first tool.
func callFirst(s *recording.Session) []recording.Call {
	if len(s.Tools) == 0 {
		return nil
	}
	return []recording.Call{{Tool: s.Tools[0].Name, Arguments: schema.MustParse(`{"city":"Bern"}`)}}
}

func allEras() []wire.Handshake {
	return []wire.Handshake{
		{Mode: wire.Initialize, Version: "2024-11-05"},
		{Mode: wire.Initialize, Version: "2025-03-26"},
		{Mode: wire.Initialize, Version: "2025-06-18"},
		{Mode: wire.Initialize, Version: "2025-11-25"},
		{Mode: wire.Discover},
		{Mode: wire.Auto},
	}
}

// expectAllEras asserts what every session with sdkServer(5) must hold.
func expectAllEras(c *recording.Capture) {
	Expect(c.Sessions).To(HaveLen(6))
	Expect(c.Target.Server).To(Equal("sdk-fixture"))
	Expect(c.Target.Version).To(Equal("1.2.3"))
	for i, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "2026-07-28"} {
		s := c.Sessions[i]
		By(s.ID)
		Expect(s.InitError).To(BeNil())
		Expect(s.Negotiated).To(Equal(version))
		Expect(s.Era).To(Equal(recording.EraOf(version)))
		Expect(s.Pages).To(HaveLen(3))
		Expect(s.Tools).To(HaveLen(5))
		Expect(s.Tools[4].Name).To(Equal("weather_4"))
		Expect(s.Calls).To(HaveLen(1))
		Expect(s.Calls[0].Failed).To(BeNil())
		Expect(s.Calls[0].Error).To(BeNil())
		Expect(s.Calls[0].Result.Get("structuredContent").Get("degrees").Text).To(Equal("21.5"))
		Expect(s.Messages).NotTo(BeEmpty())
	}
}

var _ = Describe("A server of the Go SDK", func() {
	It("speaks every era over stdio", func(ctx SpecContext) {
		c, err := wire.Capture(ctx, stdioTarget("go-sdk"), wire.Options{Handshakes: allEras(), Calls: callFirst})
		Expect(err).NotTo(HaveOccurred())
		expectAllEras(c)
		Expect(c.Problems).To(BeEmpty())
	})

	DescribeTable("speaks every era over Streamable HTTP",
		func(ctx SpecContext, json bool) {
			handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return sdkServer(5) },
				&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: json})
			server := httptest.NewServer(handler)
			defer server.Close()
			c, err := wire.Capture(ctx, wire.Target{URL: server.URL}, wire.Options{Handshakes: allEras(), Calls: callFirst})
			Expect(err).NotTo(HaveOccurred())
			expectAllEras(c)
			Expect(c.Target.Transport).To(Equal(wire.StreamableHTTP))
		},
		Entry("answers as JSON", true),
		Entry("answers as event streams", false))

	It("keeps sessions over Streamable HTTP and has no modern era there", func(ctx SpecContext) {
		server := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return sdkServer(5) }, nil))
		defer server.Close()
		c, err := wire.Capture(ctx, wire.Target{URL: server.URL}, wire.Options{
			Handshakes: []wire.Handshake{{Mode: wire.Auto}, {Mode: wire.Initialize}, {Mode: wire.Discover}}, Calls: callFirst})
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Sessions[0].Negotiated).To(Equal("2025-11-25"))
		Expect(c.Sessions[1].Negotiated).To(Equal("2025-11-25"))
		Expect(c.Sessions[2].InitError).NotTo(BeNil())
		Expect(c.Sessions[2].InitError.Kind).To(Equal(string(wire.KindVersion)))
	})

	It("speaks the old HTTP+SSE", func(ctx SpecContext) {
		server := httptest.NewServer(mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return sdkServer(5) }, nil))
		defer server.Close()
		c, err := wire.Capture(ctx, wire.Target{URL: server.URL}, wire.Options{
			Handshakes: []wire.Handshake{{Mode: wire.Initialize, Version: "2024-11-05"}, {Mode: wire.Auto}}, Calls: callFirst})
		Expect(err).NotTo(HaveOccurred())
		for _, s := range c.Sessions {
			Expect(s.InitError).To(BeNil())
			Expect(s.Transport).To(Equal(wire.SSE))
			Expect(s.Tools).To(HaveLen(5))
			Expect(s.Calls[0].Result).NotTo(BeNil())
		}
	})
})
