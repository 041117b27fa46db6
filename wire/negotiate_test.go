package wire_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/wire"
)

var _ = Describe("Negotiation over stdio", func() {
	// methods lists what we sent, in order.
	methods := func(s shot) []string {
		var sent []string
		for _, m := range s.Sessions[0].Messages {
			if m.From == "client" && m.Kind == "message" {
				sent = append(sent, parseRequest(m.Bytes).method)
			}
		}
		return sent
	}

	DescribeTable("in Auto mode", func(ctx SpecContext, server, version string, sent ...string) {
		s := take(ctx, stdioTarget(server), wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Auto}}})
		Expect(s.err).To(BeNil())
		Expect(s.Sessions[0].Negotiated).To(Equal(version))
		Expect(methods(s)).To(Equal(sent))
		if server != "ignores-probe" && server != "spoilt-by-probe" {
			Expect(s.Problems).To(BeEmpty())
		}
	},
		Entry("finds a modern server", "modern", "2026-07-28", "server/discover", "tools/list"),
		Entry("finds a legacy server that refuses the probe", "honest", "2025-11-25", "server/discover", "initialize", "notifications/initialized", "tools/list"),
		Entry("takes a server that lists only legacy revisions for legacy", "lists-legacy", "2025-11-25", "server/discover", "initialize", "notifications/initialized", "tools/list"),
		Entry("finds a legacy server that ignores the probe", "ignores-probe", "2025-11-25", "server/discover", "initialize", "notifications/initialized", "tools/list"),
		Entry("waits for a modern server that starts slowly", "modern-slow", "2026-07-28", "server/discover", "initialize", "server/discover", "tools/list"),
		Entry("waits for a legacy server that starts slowly", "slow", "2025-11-25", "server/discover", "initialize", "notifications/initialized", "tools/list"),
		Entry("starts a server again that dies of the probe", "dies-on-probe", "2025-11-25", "server/discover", "initialize", "notifications/initialized", "tools/list"),
		Entry("starts a server again that the probe spoils", "spoilt-by-probe", "2025-11-25", "server/discover", "initialize", "initialize", "notifications/initialized", "tools/list"),
	)

	It("numbers requests on when it begins again, so that no id means two", func(ctx SpecContext) {
		s := take(ctx, stdioTarget("modern-slow"), wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Auto}}, Timeouts: short()})
		Expect(s.err).To(BeNil())
		seen := map[string]bool{}
		for _, m := range s.Sessions[0].Messages {
			if id := schema.MustParse(string(m.Bytes)).Get("id"); m.From == "client" && id != nil {
				Expect(seen).NotTo(HaveKey(id.Compact()))
				seen[id.Compact()] = true
			}
		}
		Expect(len(seen)).To(BeNumerically(">", 2))
	})

	It("does not fall back from an error that only a modern server sends", func(ctx SpecContext) {
		s := take(ctx, stdioTarget("modern-only-x"), wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Auto}}})
		Expect(s.err.Kind).To(Equal(wire.KindRPC))
		Expect(s.err.Code()).To(Equal(int64(-32022)))
		Expect(methods(s)).To(Equal([]string{"server/discover"}))
	})

	It("never probes in Initialize mode", func(ctx SpecContext) {
		s := take(ctx, stdioTarget("modern"), wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Initialize, Version: "2025-06-18"}}})
		Expect(s.err).NotTo(BeNil())
		Expect(methods(s)).To(Equal([]string{"initialize"}))
	})

	It("records that a server negotiates down", func(ctx SpecContext) {
		s := take(ctx, stdioTarget("down"), wire.Options{})
		Expect(s.err).To(BeNil())
		Expect(s.Sessions[0].Requested).To(Equal("2025-11-25"))
		Expect(s.Sessions[0].Negotiated).To(Equal("2024-11-05"))
	})

	DescribeTable("never initializes in Discover mode", func(ctx SpecContext, server string, kind wire.Kind, sent ...string) {
		s := take(ctx, stdioTarget(server), wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Discover}}, Timeouts: waiting()})
		if kind == "" {
			Expect(s.err).To(BeNil())
		} else {
			Expect(s.err.Kind).To(Equal(kind), s.err.Error())
		}
		Expect(methods(s)).To(Equal(sent))
	},
		Entry("modern", "modern", wire.Kind(""), "server/discover", "tools/list"),
		Entry("legacy revisions only", "lists-legacy", wire.KindVersion, "server/discover"),
		Entry("another modern revision only", "modern-only-x", wire.KindRPC, "server/discover"),
		Entry("a legacy server that lists its tools to anyone", "honest", wire.KindVersion, "server/discover", "tools/list"),
		Entry("discover ignored, but tools listed", "modern-no-discover", wire.Kind(""), "server/discover", "notifications/cancelled", "tools/list"),
		Entry("silent", "silent", wire.KindTimeout, "server/discover", "notifications/cancelled", "tools/list", "notifications/cancelled"),
	)

	It("takes \"\" for a cursor in the modern era only", func(ctx SpecContext) {
		s := take(ctx, stdioTarget("empty-cursor"), wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Discover}, {Mode: wire.Initialize}}})
		Expect(s.Sessions[0].Tools).To(HaveLen(2))
		Expect(s.Sessions[1].Tools).To(HaveLen(1))
		Expect(s.rules()).To(Equal([]string{"empty-cursor"}))
	})
})
