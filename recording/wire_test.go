package recording_test

import (
	"context"
	"net/http/httptest"

	"github.com/google/go-cmp/cmp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/fixture"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/wire"
)

var _ = Describe("what was captured over HTTP", func() {
	It("is the same when it is read from its recording", func() {
		set, err := fixture.Find("one-of-each")
		Expect(err).NotTo(HaveOccurred())
		server := httptest.NewServer(fixture.Handler(set))
		DeferCleanup(server.Close)
		var handshakes []wire.Handshake
		for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
			mode := wire.Initialize
			if recording.EraOf(version) == recording.Modern {
				mode = wire.Discover
			}
			handshakes = append(handshakes, wire.Handshake{Mode: mode, Version: version})
		}
		handshakes = append(handshakes, wire.Handshake{Mode: wire.Auto})
		c, err := wire.Capture(context.Background(), wire.Target{URL: server.URL}, wire.Options{Handshakes: handshakes, Concurrency: 4,
			Calls: func(s *recording.Session) []recording.Call {
				return recording.Plan(s, nil, recording.PlanOptions{SampleErrors: true}).Requests()
			}})
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Sessions).To(HaveLen(6))
		for _, s := range c.Sessions {
			Expect(s.InitError).To(BeNil(), s.ID)
			Expect(s.Tools).To(HaveLen(12), s.ID)
			if s.Negotiated != "2024-11-05" { // which has no annotations, so nothing may be called
				Expect(len(s.Calls)).To(BeNumerically(">=", 12), s.ID)
			}
		}
		Expect(cmp.Diff(c, read(write(c)), sameValues)).To(BeEmpty())
	})
})
