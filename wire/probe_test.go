package wire_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/fixture"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/wire"
)

// listening serves the clean fixture and keeps the body of every POST.
type listening struct {
	mu     sync.Mutex
	bodies []string
	next   http.Handler
}

func (l *listening) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	l.mu.Lock()
	l.bodies = append(l.bodies, string(body))
	l.mu.Unlock()
	r.Body = io.NopCloser(bytes.NewReader(body))
	l.next.ServeHTTP(w, r)
}

var _ = Describe("probes", func() {
	var server *listening
	var target wire.Target
	options := wire.Options{
		Handshakes: []wire.Handshake{{Mode: wire.Discover}, {Mode: wire.Initialize}},
		Timeouts:   wire.Timeouts{Request: 5 * time.Second},
		Calls: func(s *recording.Session) []recording.Call {
			return recording.Plan(s, nil, recording.PlanOptions{}).Requests()
		},
	}

	BeforeEach(func() {
		set, err := fixture.Find("clean")
		Expect(err).NotTo(HaveOccurred())
		server = &listening{next: fixture.Handler(set)}
		host := httptest.NewServer(server)
		DeferCleanup(host.Close)
		target = wire.Target{URL: host.URL}
	})

	It("give a process the time that it takes to start, for its first answer and for its end", func() {
		limits := short()
		limits.Request = time.Second
		slow := wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Discover}}, Timeouts: limits}
		capture, err := wire.Capture(context.Background(), stdioTarget("slow-start"), slow)
		Expect(err).NotTo(HaveOccurred())
		Expect(wire.Probe(context.Background(), stdioTarget("slow-start"), wire.ProbeOptions{Options: slow}, capture)).To(Succeed())
		Expect(capture.Probes).NotTo(BeEmpty())
		Expect(shot{Capture: capture}.rules()).NotTo(ContainElement(BeElementOf("probe-unanswered", "late-answer", "stays-at-eof")))
	})

	probed := func() *recording.Capture {
		capture, err := wire.Capture(context.Background(), target, options)
		Expect(err).NotTo(HaveOccurred())
		Expect(wire.Probe(context.Background(), target, wire.ProbeOptions{Options: options}, capture)).To(Succeed())
		return capture
	}

	It("are sent on connections of their own, in each era", func() {
		capture := probed()
		var ids []string
		for _, p := range capture.Probes {
			ids = append(ids, p.ID)
			Expect(p.Tools).To(BeEmpty())
			Expect(p.Messages).NotTo(BeEmpty())
		}
		Expect(ids).To(Equal([]string{"probe-modern", "probe-legacy", "probe-future", "probe-no-batch"}))
		Expect(capture.Sessions).To(HaveLen(2))
		Expect(capture.Problems).To(BeEmpty())
	})

	It("call no tool that is not read-only", func() {
		probed()
		for _, body := range server.bodies {
			v, err := schema.ParseString(body)
			if err != nil {
				continue
			}
			name, _ := v.Get("params").Get("name").IsString()
			Expect(name).NotTo(Equal("purge_site"))
		}
	})

	It("survive in a recording, apart from the sessions", func() {
		capture := probed()
		var file bytes.Buffer
		Expect(recording.WriteCapture(&file, capture, "test", "2026-11-30T12:00:00Z", nil)).To(Succeed())
		again, err := recording.Read("file", &file, recording.Limits{})
		Expect(err).NotTo(HaveOccurred())
		Expect(again.Sessions).To(HaveLen(2))
		Expect(again.Probes).To(HaveLen(4))
		for i, p := range again.Probes {
			Expect(p.ID).To(Equal(capture.Probes[i].ID))
			Expect(p.Messages).To(HaveLen(len(capture.Probes[i].Messages)))
			Expect(p.Era).To(Equal(capture.Probes[i].Era))
			Expect(p.Tools).To(BeEmpty())
		}
	})

	It("are left out when nothing worked, and end with the context", func() {
		Expect(wire.Probe(context.Background(), target, wire.ProbeOptions{Options: options}, &recording.Capture{})).To(Succeed())
		Expect(server.bodies).To(BeEmpty())
		capture, err := wire.Capture(context.Background(), target, options)
		Expect(err).NotTo(HaveOccurred())
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		Expect(wire.Probe(ended, target, wire.ProbeOptions{Options: options}, capture)).To(MatchError(context.Canceled))
	})

	It("read the lists once more with another identity", func() {
		capture, err := wire.Capture(context.Background(), target, options)
		Expect(err).NotTo(HaveOccurred())
		other := target
		other.Headers = http.Header{"Authorization": {"Bearer other-secret-token"}}
		Expect(wire.Probe(context.Background(), target, wire.ProbeOptions{Options: options, Second: &other}, capture)).To(Succeed())
		var second *recording.Session
		for _, p := range capture.Probes {
			if p.ID == "probe-second-identity" {
				second = p
			}
		}
		Expect(second).NotTo(BeNil())
		for _, m := range second.Messages {
			Expect(string(m.Bytes)).NotTo(ContainSubstring("other-secret-token"))
		}
	})

	It("are all described", func() {
		for _, k := range wire.ProbeKinds() {
			Expect(k.Name).NotTo(BeEmpty())
			Expect(k.About).NotTo(BeEmpty())
			Expect(strings.Fields("legacy modern both")).To(ContainElement(k.Eras))
			Expect(strings.Fields("stdio http both")).To(ContainElement(k.Where))
		}
	})
})
