package wire_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/wire"
)

var _ = Describe("A server that announces changes", func() {
	// serve is a server of the Go SDK over HTTP.
	serve := func(server *mcp.Server, stateless bool) wire.Target {
		handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: stateless})
		s := httptest.NewServer(handler)
		DeferCleanup(func() {
			s.CloseClientConnections()
			s.Close()
		})
		return wire.Target{URL: s.URL}
	}
	type outcome struct {
		list string
		err  error
	}
	await := func(ctx context.Context, target wire.Target, h wire.Handshake, known string) <-chan outcome {
		done := make(chan outcome, 1)
		listed := make(chan struct{}, 100)
		go func() {
			list, err := wire.AwaitChange(ctx, target, wire.Options{Handshakes: []wire.Handshake{h}, Progress: func(e wire.Event) {
				if e.Doing == "tools/list" {
					listed <- struct{}{}
				}
			}}, known)
			done <- outcome{list, err}
		}()
		Eventually(ctx, listed).WithTimeout(20 * time.Second).Should(Receive()) // it has begun to look
		return done
	}

	DescribeTable("is heard in every era", func(ctx SpecContext, h wire.Handshake, stateless bool) {
		server := sdkServer(1)
		done := await(ctx, serve(server, stateless), h, "")
		tool := func(name string) {
			server.AddTool(&mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object"}},
				func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					return &mcp.CallToolResult{}, nil
				})
		}
		var got outcome
		// Until the stream is open an announcement goes nowhere, and nothing tells when it is.
		for i, names := 0, []string{"a", "b", "c", "d", "e", "f", "g", "h"}; ; i++ {
			tool(names[i%len(names)])
			select {
			case got = <-done:
			case <-time.After(500 * time.Millisecond):
				if i < 20 {
					continue
				}
				Fail("nothing was heard")
			}
			break
		}
		Expect(got.err).NotTo(HaveOccurred())
		Expect(got.list).NotTo(BeEmpty())
	},
		Entry("2025-11-25", wire.Handshake{Mode: wire.Initialize, Version: "2025-11-25"}, false),
		Entry("2026-07-28", wire.Handshake{Mode: wire.Discover}, true),
	)

	It("is waited for until the end", func(ctx SpecContext) {
		waiting, cancel := context.WithCancel(ctx)
		done := await(waiting, serve(sdkServer(1), false), wire.Handshake{Mode: wire.Initialize}, "")
		cancel()
		var got outcome
		Eventually(ctx, done).Should(Receive(&got))
		Expect(got.err).To(MatchError(context.Canceled))
	})

	It("must say that it does", func(ctx SpecContext) {
		_, err := wire.AwaitChange(ctx, stdioTarget("honest"), wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Initialize}}}, "")
		Expect(err).To(MatchError(wire.ErrUnannounced))
	})

	It("is not believed when the list is the same", func(ctx SpecContext) {
		// The server announces a change after each list; the third list is another one.
		target := stdioTarget("announces")
		list, err := wire.AwaitChange(ctx, target, wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Initialize}}}, "")
		Expect(err).NotTo(HaveOccurred())
		Expect(list).NotTo(BeEmpty())
		limited, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		_, err = wire.AwaitChange(limited, target, wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Initialize}}}, list)
		Expect(err).To(MatchError(context.DeadlineExceeded), "what is known already is no change")
	})

	It("leaves the messages of a capture as they are", func(ctx SpecContext) {
		c, err := wire.Capture(ctx, stdioTarget("announces"), wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Initialize}},
			Calls: func(*recording.Session) []recording.Call {
				return []recording.Call{{Tool: "a", Arguments: schema.Obj()}}
			}})
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Sessions[0].Tools).To(HaveLen(1))
	})
})
