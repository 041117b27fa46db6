package lint_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/fixture"
	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/wire"
)

// rewritten serves a fixture and changes the text of its answers.
func rewritten(set string, change func(r *http.Request, body string) string) *httptest.Server {
	GinkgoHelper()
	found, err := fixture.Find(set)
	Expect(err).NotTo(HaveOccurred())
	inner := fixture.Handler(found)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kept := httptest.NewRecorder()
		inner.ServeHTTP(kept, r)
		for name, values := range kept.Header() {
			if name != "Content-Length" {
				w.Header()[name] = values
			}
		}
		w.WriteHeader(kept.Code)
		_, _ = w.Write([]byte(change(r, kept.Body.String())))
	}))
	DeferCleanup(server.Close)
	return server
}

var _ = Describe("a server that publishes what it made", func() {
	It("is told that its list depends on calls", func() {
		var mu sync.Mutex
		called := false
		server := rewritten("clean", func(r *http.Request, body string) string {
			mu.Lock()
			defer mu.Unlock()
			called = called || r.Header.Get("Mcp-Name") == "depot_list"
			if r.Header.Get("Mcp-Method") == "resources/list" && called {
				return strings.Replace(body, `"resources":[`, `"resources":[{"uri":"depot://made","name":"made","description":"Made by a call."},`, 1)
			}
			return body
		})
		target := wire.Target{URL: server.URL + "/mcp"}
		Expect(lookTwice(target, func(*wire.ProbeOptions) {})).To(ContainElement("list-set"))
	})
})

// lookTwice runs the rules on a server that is probed with more than one address or
// identity.
func lookTwice(target wire.Target, more func(*wire.ProbeOptions)) []string {
	GinkgoHelper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	options := wire.Options{Handshakes: handshakes[:2], Concurrency: 1, Calls: planner(), Lists: true,
		Timeouts: wire.Timeouts{Start: 5 * time.Second, Request: 5 * time.Second, Grace: 20 * time.Millisecond}}
	capture, err := wire.Capture(ctx, target, options)
	Expect(err).NotTo(HaveOccurred())
	probe := wire.ProbeOptions{Options: options}
	more(&probe)
	Expect(wire.Probe(ctx, target, probe, capture)).To(Succeed())
	var rules []string
	for _, a := range lint.Run(capture, lint.Input{}).Advice {
		if a.Severity != verdict.Info {
			rules = append(rules, a.Rule)
		}
	}
	return rules
}

var _ = Describe("a live server at a second address", func() {
	const whole = "truncateToolResult=false"
	look := func(change func(r *http.Request, body string) string) []string {
		server := rewritten("clean", change)
		return lookTwice(wire.Target{URL: server.URL + "/mcp"}, func(o *wire.ProbeOptions) {
			o.Variants = []wire.Target{{URL: server.URL + "/mcp?" + whole}}
		})
	}

	It("is told when structuredContent depends on the switch", func() {
		Expect(look(func(r *http.Request, body string) string {
			if r.URL.RawQuery == whole {
				return body
			}
			return strings.ReplaceAll(body, `"lead":"hauler-7"}`, `"lead":"hauler"}`)
		})).To(ConsistOf("structured-variant"))
	})

	It("may cut the text, and says so there", func() {
		Expect(look(func(r *http.Request, body string) string {
			if r.URL.RawQuery == whole {
				return body
			}
			return strings.ReplaceAll(body, `"text":"{\"moving\":3,\"parked\":1,\"lead\":\"hauler-7\"}"`, `"text":"moving 3\n[truncated]"`)
		})).To(BeEmpty())
	})
})

var _ = Describe("a live server with two identities", func() {
	// The second one gets another description.
	differs := func(r *http.Request, body string) string {
		if r.Header.Get("Authorization") == "Bearer bob" {
			return strings.ReplaceAll(body, "Returns the dispatcher's note of the day as text.", "Returns the note of Bob's day as text.")
		}
		return body
	}
	look := func(set string, change func(r *http.Request, body string) string) []string {
		server := rewritten(set, change)
		alice := wire.Target{URL: server.URL + "/mcp", Headers: http.Header{"Authorization": {"Bearer alice"}}}
		return lookTwice(alice, func(o *wire.ProbeOptions) {
			o.Second = &wire.Target{URL: alice.URL, Headers: http.Header{"Authorization": {"Bearer bob"}}}
		})
	}

	It("is told when what is public differs", func() {
		Expect(look("clean", differs)).To(ConsistOf("caching-public-differs"))
	})

	It("may give everyone what is private", func() {
		Expect(look("clean", func(r *http.Request, body string) string {
			return strings.ReplaceAll(differs(r, body), `"cacheScope":"public"`, `"cacheScope":"private"`)
		})).To(BeEmpty())
	})

	It("may give all the same", func() {
		Expect(look("clean", func(_ *http.Request, body string) string { return body })).To(BeEmpty())
	})

	It("may change what is public with time", func() {
		var mu sync.Mutex
		n := 0
		Expect(look("clean", func(r *http.Request, body string) string {
			mu.Lock()
			defer mu.Unlock()
			n++
			return strings.ReplaceAll(body, "12 bays", strings.Repeat("I", n%7)+" bays")
		})).NotTo(ContainElement("caching-public-differs"))
	})
})

var _ = Describe("a live server of both eras", func() {
	It("is told when modern clients change what legacy ones see", func() {
		var mu sync.Mutex
		listed, modern := false, false // the eras that listed the tools, modern only after legacy
		server := rewritten("clean", func(r *http.Request, body string) string {
			mu.Lock()
			defer mu.Unlock()
			const before, after = "Returns the dispatcher's note", "Gives the dispatcher's note"
			if method := r.Header.Get("Mcp-Method"); method != "" {
				modern = modern || listed && method == "tools/list"
				return body
			}
			listed = listed || strings.Contains(body, before)
			if modern {
				return strings.ReplaceAll(body, before, after)
			}
			return body
		})
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		options := wire.Options{Handshakes: []wire.Handshake{handshakes[1], handshakes[0]}, Concurrency: 1, Calls: planner()}
		capture, err := wire.Capture(ctx, wire.Target{URL: server.URL + "/mcp"}, options)
		Expect(err).NotTo(HaveOccurred())
		Expect(wire.Probe(ctx, wire.Target{URL: server.URL + "/mcp"}, wire.ProbeOptions{Options: options}, capture)).To(Succeed())
		Expect(reported(capture, lint.Input{})).To(ContainElement("era-leak"))
	})
})
