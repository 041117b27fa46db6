package wire_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
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

// sent is one HTTP request as the server got it.
type sent struct {
	verb   string
	header http.Header
	body   string
}

// everything serves the clean fixture, says that it can do all that a probe asks for,
// and keeps each request.
type everything struct {
	mu   sync.Mutex
	sent []sent
	next http.Handler
}

// more are the capabilities that the fixture does not have.
var more = strings.NewReplacer(
	`"capabilities":{"tools":{}`, `"capabilities":{"completions":{},"logging":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}},"tools":{"listChanged":true}`,
	`"resources":{}`, `"resources":{"subscribe":true}`)

func (e *everything) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	e.mu.Lock()
	e.sent = append(e.sent, sent{r.Method, r.Header.Clone(), string(body)})
	e.mu.Unlock()
	r.Body = io.NopCloser(bytes.NewReader(body))
	kept := httptest.NewRecorder()
	e.next.ServeHTTP(kept, r)
	for name, values := range kept.Header() {
		if name != "Content-Length" {
			w.Header()[name] = values
		}
	}
	if strings.Contains(string(body), `"initialize"`) {
		w.Header().Set("Mcp-Session-Id", "1868a90c")
	}
	w.WriteHeader(kept.Code)
	_, _ = io.WriteString(w, more.Replace(kept.Body.String()))
}

// kindOf names the probe that a request belongs to, "" for none.
func kindOf(s sent) string {
	switch s.verb {
	case http.MethodGet:
		return "get"
	case http.MethodDelete:
		if s.header.Get("Mcp-Session-Id") != "" {
			return "session"
		}
		return "delete"
	}
	v, err := schema.ParseString(s.body)
	if err != nil {
		return ""
	}
	text := func(path ...string) string {
		at := v
		for _, key := range path {
			at = at.Get(key)
		}
		out, _ := at.IsString()
		return out
	}
	if v.Kind == schema.Array {
		return "batch"
	}
	method, named := text("method"), text("params", "_meta", "io.modelcontextprotocol/protocolVersion")
	modern := named != "" || s.header.Get("Mcp-Protocol-Version") >= "2026-07-28"
	switch {
	case text("params", "cursor") == "conform-no-such-cursor" && method == "tools/list":
		return "unknown-cursor"
	case s.header.Get("Origin") != "":
		return "origin"
	case named == "2099-01-01" || text("params", "protocolVersion") == "2099-01-01":
		return "unknown-revision"
	case s.header.Get("Mcp-Protocol-Version") == "1999-01-01":
		return "version-header"
	case method == "initialize" || method == "notifications/initialized":
		return "second-connection"
	case method == "notifications/cancelled":
		return "notification"
	case !modern && s.header.Get("Mcp-Session-Id") == "":
		return "session"
	case modern && s.header.Get("Mcp-Session-Id") != "":
		return "session-id"
	case modern && (named == "" || !v.Get("params").Get("_meta").Has("io.modelcontextprotocol/clientCapabilities")):
		return "metadata"
	case modern && spoiled(s.header, method, text("params", "name")+text("params", "uri")):
		return "headers"
	}
	switch {
	case modern && (method == "ping" || method == "logging/setLevel" || method == "resources/subscribe"):
		return "removed-methods"
	case strings.Contains(text("params", "uri"), "/../"):
		return "outside-file"
	case method == "completion/complete" && text("params", "ref", "name") == "conform_no_such_tool":
		return "unknown-prompt"
	case text("params", "_meta", "io.modelcontextprotocol/logLevel") != "" && method != "tools/call":
		return "log-level"
	}
	if kind, ok := map[string]string{"resources/list": "other-lists", "resources/templates/list": "other-lists", "prompts/list": "other-lists", "tools/list": "second-connection",
		"completion/complete": "completion", "logging/setLevel": "log-level", "resources/subscribe": "subscribe", "resources/unsubscribe": "subscribe", "ping": "ping",
		"conform/no-such-method": "unknown-method", "subscriptions/listen": "subscriptions"}[method]; ok {
		return kind
	}
	switch {
	case strings.HasPrefix(method, "tasks/") || v.Get("params").Has("task"):
		return "tasks"
	case v.Get("params").Get("_meta").Has("progressToken"):
		return "progress"
	case method == "resources/read" && text("params", "uri") == "conform://no/such/resource":
		return "unknown-resource"
	case method == "resources/read" || method == "prompts/get" && text("params", "name") != "conform_no_such_tool":
		return "first-entries"
	case method == "prompts/get":
		return "unknown-prompt"
	case method != "tools/call":
		return ""
	case text("params", "name") == "conform_no_such_tool":
		return "unknown-tool"
	case strings.Contains(s.body, "conform-no-such-value") && !strings.Contains(s.body, `"region":"conform-no-such-value"`):
		return "unknown-value"
	}
	return "wrong-arguments"
}

// spoiled reports whether the headers of a modern request are not those that a client
// writes for it.
func spoiled(h http.Header, method, name string) bool {
	param := h.Get("Mcp-Param-Region")
	return h.Get("Mcp-Protocol-Version") != "2026-07-28" || h.Get("Mcp-Method") != method || name != "" && h.Get("Mcp-Name") != name ||
		strings.HasPrefix(param, "=?") || strings.HasSuffix(param, "x")
}

var _ = Describe("the list of probes", func() {
	// What needs a server, a transport or a flag of its own, and is tested there.
	apart := []string{"lists-around-calls", "unlisted-revision", "stdin-end", "variant", "second-identity", "apps", "unknown-value", "both-eras"}

	It("holds the lists that are read around the calls of a session", func() {
		set, err := fixture.Find("clean")
		Expect(err).NotTo(HaveOccurred())
		server := &everything{next: fixture.Handler(set)}
		host := httptest.NewServer(server)
		defer host.Close()
		options := wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Discover}}, Concurrency: 1, Lists: true,
			Calls: func(s *recording.Session) []recording.Call { return []recording.Call{{Tool: "depot_list"}} }}
		_, err = wire.Capture(context.Background(), wire.Target{URL: host.URL}, options)
		Expect(err).NotTo(HaveOccurred())
		var methods []string
		for _, s := range server.sent {
			method, _ := schema.MustParse(s.body).Get("method").IsString()
			methods = append(methods, method)
		}
		Expect(methods).To(Equal([]string{"server/discover", "tools/list", "tools/list", "resources/list", "prompts/list", "tools/call",
			"tools/list", "tools/list", "resources/list", "prompts/list"}))
	})

	It("names each request that is sent, and each that it names is sent", func() {
		set, err := fixture.Find("clean")
		Expect(err).NotTo(HaveOccurred())
		server := &everything{next: fixture.Handler(set)}
		host := httptest.NewServer(server)
		defer host.Close()
		target := wire.Target{URL: host.URL}
		options := wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Discover}, {Mode: wire.Initialize}, {Mode: wire.Initialize, Version: "2025-03-26"}}, Timeouts: wire.Timeouts{Request: 5 * time.Second},
			Calls: func(s *recording.Session) []recording.Call {
				return recording.Plan(s, nil, recording.PlanOptions{}).Requests()
			}}
		capture, err := wire.Capture(context.Background(), target, options)
		Expect(err).NotTo(HaveOccurred())
		handshakes := len(server.sent)
		Expect(wire.Probe(context.Background(), target, wire.ProbeOptions{Options: options}, capture)).To(Succeed())

		listed, seen := map[string]bool{}, map[string]bool{}
		for _, k := range wire.ProbeKinds() {
			listed[k.Name] = true
		}
		for i, s := range server.sent[handshakes:] {
			kind := kindOf(s)
			if i == 0 && strings.Contains(s.body, `"tools/call"`) {
				kind = "call-first"
			}
			Expect(listed).To(HaveKey(kind), "%s %v %s", s.verb, s.header, s.body)
			seen[kind] = true
		}
		for name := range listed {
			if !slices.Contains(apart, name) {
				Expect(seen).To(HaveKey(name))
			}
		}
	})
})
