package wire_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/wire"
)

// strict is a server of 2026-07-28 that notes every duty of a client that a request
// breaks. It reads requests by itself, with nothing of this package.
// Source: MCP 2026-07-28 basic/index, basic/transports/streamable-http, server/tools.
type strict struct {
	*httptest.Server
	mu      sync.Mutex
	broken  []string
	ids     map[string]bool
	methods []string
	fetched int // requests for what a schema refers to
	refuse  func(method string, header http.Header) (code int, message string)
	before  func(w http.ResponseWriter, r *http.Request, method string) (done bool) // answers in the place of the server
}

type strictRequest struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  struct {
		Name      string                     `json:"name"`
		Cursor    *string                    `json:"cursor"`
		Arguments map[string]json.RawMessage `json:"arguments"`
		Meta      map[string]json.RawMessage `json:"_meta"`
	} `json:"params"`
}

func newStrict() *strict {
	s := &strict{ids: map[string]bool{}}
	s.Server = httptest.NewServer(s)
	DeferCleanup(s.Close)
	return s
}

func (s *strict) breaks(format string, args ...any) {
	s.broken = append(s.broken, fmt.Sprintf(format, args...))
}

// plain undoes the base64 form of a header, exactly once.
func (s *strict) plain(value string) string {
	inner, ok := strings.CutPrefix(value, "=?base64?")
	if !ok || !strings.HasSuffix(inner, "?=") {
		for _, r := range value {
			if r < 0x20 || r > 0x7e {
				s.breaks("the header value %q is neither plain nor in base64", value)
			}
		}
		if strings.TrimSpace(value) != value {
			s.breaks("the header value %q has space at its ends", value)
		}
		return value
	}
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(inner, "?="))
	if err != nil {
		s.breaks("the header value %q is no base64", value)
	}
	return string(raw)
}

// tools ask for headers of all kinds, and refer to elsewhere.
func (s *strict) tools() []string {
	return []string{
		`{"name":"größe ","annotations":{"readOnlyHint":false},"inputSchema":{"type":"object","properties":{
			"region":{"type":"string","x-mcp-header":"Region"},"count":{"type":"integer","x-mcp-header":"Count"},"round":{"type":"integer","x-mcp-header":"Round"},
			"on":{"type":"boolean","x-mcp-header":"On"},"none":{"type":["string","null"],"x-mcp-header":"None"},"left":{"type":"string","x-mcp-header":"Left"},
			"like":{"type":"string","x-mcp-header":"Like"},"empty":{"type":"string","x-mcp-header":"Empty"},"deep":{"type":"object","properties":{"in":{"type":"string","x-mcp-header":"Deep"}}},
			"list":{"type":"array","items":{"type":"string","x-mcp-header":"Never"}}}}}`,
		fmt.Sprintf(`{"name":"refers","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","$ref":"%[1]s/schema","properties":{"a":{"$ref":"%[1]s/schema"}}},"outputSchema":{"$schema":"%[1]s/schema","$ref":"%[1]s/schema"}}`, s.URL),
	}
}

// headersOf are the Mcp-Param headers that the arguments of the first tool below have.
var headersOf = map[string]string{"Mcp-Param-Region": "zürich", "Mcp-Param-Count": "-9007199254740991", "Mcp-Param-Round": "1000", "Mcp-Param-On": "false",
	"Mcp-Param-Like": "=?base64?YQ==?=", "Mcp-Param-Empty": "", "Mcp-Param-Deep": " deep"}

const strictArguments = `{"region":"zürich","count":-9007199254740991,"round":1e3,"on":false,"none":null,"like":"=?base64?YQ==?=","empty":"","deep":{"in":" deep"},"list":["x"]}`

// ServeHTTP looks at one request.
func (s *strict) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.URL.Path == "/schema" {
		s.fetched++
		return
	}
	if r.Method != http.MethodPost {
		s.breaks("%s is no POST", r.Method)
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, _ := io.ReadAll(r.Body)
	var m strictRequest
	if err := json.Unmarshal(body, &m); err != nil || m.JSONRPC != "2.0" {
		s.breaks("no JSON-RPC: %s", body)
	}
	if strings.HasPrefix(m.Method, "notifications/") {
		s.breaks("the notification %s was sent, for which a client of this era has no use", m.Method)
		w.WriteHeader(http.StatusAccepted)
		return
	}
	s.methods = append(s.methods, m.Method)
	if len(m.ID) == 0 || string(m.ID) == "null" || s.ids[string(m.ID)] {
		s.breaks("%s has the id %s", m.Method, m.ID)
	}
	s.ids[string(m.ID)] = true
	var version string
	_ = json.Unmarshal(m.Params.Meta["io.modelcontextprotocol/protocolVersion"], &version)
	var client struct{ Name, Version string }
	_ = json.Unmarshal(m.Params.Meta["io.modelcontextprotocol/clientInfo"], &client)
	var capabilities map[string]any
	err := json.Unmarshal(m.Params.Meta["io.modelcontextprotocol/clientCapabilities"], &capabilities)
	switch {
	case version != "2026-07-28" || r.Header.Get("Mcp-Protocol-Version") != version:
		s.breaks("%s: version %q in _meta, %q in the header", m.Method, version, r.Header.Get("Mcp-Protocol-Version"))
	case err != nil || capabilities == nil || len(capabilities) > 0:
		s.breaks("%s: capabilities %v, of which we have none", m.Method, capabilities)
	case client.Name == "" || client.Version == "":
		s.breaks("%s: no clientInfo", m.Method)
	}
	if r.Header.Get("Mcp-Method") != m.Method || len(r.Header.Values("Mcp-Method")) != 1 {
		s.breaks("%s: Mcp-Method is %q", m.Method, r.Header.Values("Mcp-Method"))
	}
	accept := r.Header.Get("Accept")
	if !strings.Contains(accept, "application/json") || !strings.Contains(accept, "text/event-stream") || r.Header.Get("Content-Type") != "application/json" {
		s.breaks("%s: Accept %q, Content-Type %q", m.Method, accept, r.Header.Get("Content-Type"))
	}
	for _, old := range []string{"Mcp-Session-Id", "Last-Event-Id"} {
		if r.Header.Get(old) != "" {
			s.breaks("%s: sends %s", m.Method, old)
		}
	}
	s.names(m, r.Header)
	if s.refuse != nil {
		if code, message := s.refuse(m.Method, r.Header); code != 0 {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, m.ID, code, message)
			return
		}
	}
	if s.before != nil && s.before(w, r, m.Method) {
		return
	}
	s.answer(w, m)
}

// names looks at the headers that repeat the name and the arguments of a call.
func (s *strict) names(m strictRequest, header http.Header) {
	want := map[string]string{}
	if m.Method == "tools/call" {
		if got := s.plain(header.Get("Mcp-Name")); got != m.Params.Name {
			s.breaks("Mcp-Name is %q for %q", got, m.Params.Name)
		}
		if m.Params.Name == "größe " {
			want = headersOf
		}
	} else if header.Get("Mcp-Name") != "" {
		s.breaks("%s has Mcp-Name", m.Method)
	}
	for name, values := range header {
		if _, expected := want[name]; strings.HasPrefix(name, "Mcp-Param-") && !expected {
			s.breaks("%s: the header %s: %q is not asked for", m.Method, name, values)
		}
	}
	for name, value := range want {
		values, sent := header[name]
		if !sent || s.plain(values[0]) != value {
			s.breaks("%s: %s is %q, not %q", m.Method, name, values, value)
		}
	}
}

// answer gives the list in three pages, of which the second has the cursor "".
func (s *strict) answer(w http.ResponseWriter, m strictRequest) {
	tools := s.tools()
	result := ""
	switch m.Method {
	case "server/discover":
		result = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"strict","version":"1"}}}`
	case "tools/list":
		next, page := `,"nextCursor":""`, `[`+tools[0]+`]`
		switch cursor := m.Params.Cursor; {
		case cursor == nil:
		case *cursor == "":
			next, page = `,"nextCursor":"opaque, {\"not\": \"ours\"} ünd \u0000"`, `[]`
		case *cursor == "opaque, {\"not\": \"ours\"} ünd \x00":
			next, page = ``, `[`+tools[1]+`]`
		default:
			s.breaks("the cursor %q was never given", *cursor)
		}
		result = `{"resultType":"complete","ttlMs":-5,"cacheScope":"private","tools":` + page + next + `}`
	case "tools/call":
		result = `{"content":[{"type":"text","text":"ok"}]}` // an absent resultType means complete
	default:
		s.breaks("the method %q was called", m.Method)
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, strings.Join(strings.Fields(result), " "))
}

// strictCalls call both tools.
func strictCalls(*recording.Session) []recording.Call {
	return []recording.Call{{Tool: "größe ", Arguments: schema.MustParse(strictArguments)}, {Tool: "refers", Arguments: schema.MustParse(`{"a":1}`)}}
}

var _ = Describe("A client of 2026-07-28", func() {
	It("fulfils its duties", func(ctx SpecContext) {
		s := newStrict()
		t := take(ctx, wire.Target{URL: s.URL + "/mcp"}, wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Discover}}, Calls: strictCalls, Concurrency: 1})
		Expect(t.err).To(BeNil())
		Expect(s.broken).To(BeEmpty())
		Expect(s.methods).To(Equal([]string{"server/discover", "tools/list", "tools/list", "tools/list", "tools/call", "tools/call"}))
		Expect(t.toolNames()).To(Equal([]string{"größe ", "refers"}))
		for _, c := range t.Sessions[0].Calls {
			Expect(c.Result.Has("content")).To(BeTrue(), c.Tool)
		}
		Expect(s.fetched).To(BeZero(), "what a schema refers to is never fetched")
	})

	It("reads the list again for each session: what it knows of one is not another's", func(ctx SpecContext) {
		s := newStrict()
		t := take(ctx, wire.Target{URL: s.URL + "/mcp"}, wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Discover, ID: "one"}, {Mode: wire.Discover, ID: "two"}}})
		Expect(t.err).To(BeNil())
		s.mu.Lock()
		defer s.mu.Unlock()
		lists := 0
		for _, m := range s.methods {
			if m == "tools/list" {
				lists++
			}
		}
		Expect(lists).To(Equal(6))
	})

	It("repeats a call that was refused for its headers with those of a new list only", func(ctx SpecContext) {
		s := newStrict()
		refused := 0
		s.refuse = func(method string, _ http.Header) (int, string) {
			if method == "tools/call" {
				refused++
				return -32020, "header mismatch"
			}
			return 0, ""
		}
		t := take(ctx, wire.Target{URL: s.URL + "/mcp"}, wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Discover}}, Calls: strictCalls, Concurrency: 1})
		Expect(t.err).To(BeNil())
		Expect(s.broken).To(BeEmpty())
		Expect(refused).To(Equal(2), "the headers were right, so each call is made once")
		Expect(t.Sessions[0].Calls[0].Error.Get("code").Text).To(Equal("-32020"))
	})

	// Source: MCP 2026-07-28 changelog, major change 9: no stream is resumed; the
	// request is sent again, under a new id (which strict looks at).
	It("sends a request anew whose event stream broke, but no call that may change something", func(ctx SpecContext) {
		s := newStrict()
		cut := map[string]bool{}
		s.before = func(w http.ResponseWriter, r *http.Request, method string) bool {
			key := method + " " + r.Header.Get("Mcp-Name")
			if cut[key] {
				return false
			}
			cut[key] = true
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "id: 7\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"soon\"}}\n\n")
			return true
		}
		t := take(ctx, wire.Target{URL: s.URL + "/mcp"}, wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Discover, Version: "2026-07-28"}}, Calls: strictCalls, Concurrency: 1})
		Expect(t.err).To(BeNil())
		Expect(s.broken).To(BeEmpty())
		Expect(s.methods).To(Equal([]string{"server/discover", "server/discover", "tools/list", "tools/list", "tools/list", "tools/list", "tools/call", "tools/call", "tools/call"}))
		Expect(t.toolNames()).To(Equal([]string{"größe ", "refers"}))
		calls := t.Sessions[0].Calls
		Expect(calls[0].Failed.Kind).To(Equal(string(wire.KindClosed)), "nothing marks größe as read-only")
		Expect(calls[1].Result.Has("content")).To(BeTrue(), "refers is read-only")
		rules := map[string]int{}
		for _, problem := range t.Problems {
			rules[problem.Rule]++
		}
		Expect(rules).To(HaveKeyWithValue("stream-unanswered", 3))
	})

	// Source: MCP 2026-07-28 basic/utilities/cancellation: over HTTP the closed
	// response is what cancels; a server gets no notification.
	It("closes the response of a call that it gives up, and sends nothing", func(ctx SpecContext) {
		s := newStrict()
		closed := make(chan struct{})
		s.before = func(w http.ResponseWriter, r *http.Request, method string) bool {
			if method != "tools/call" || r.Header.Get("Mcp-Name") != "refers" {
				return false
			}
			w.Header().Set("Content-Type", "text/event-stream")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			close(closed)
			return true
		}
		t := take(ctx, wire.Target{URL: s.URL + "/mcp"}, wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Discover}}, Calls: strictCalls, Concurrency: 1,
			Timeouts: wire.Timeouts{Call: 300 * time.Millisecond}})
		Expect(t.Sessions[0].Calls[1].Failed.Kind).To(Equal(string(wire.KindTimeout)))
		Eventually(closed).WithContext(ctx).Should(BeClosed())
		s.mu.Lock()
		defer s.mu.Unlock()
		Expect(s.broken).To(BeEmpty())
	})

	// Source: MCP 2026-07-28 basic/index, Error Codes: -32002 is what servers of
	// before say; it is the answer like any other error.
	It("takes the error code of an older server", func(ctx SpecContext) {
		s := newStrict()
		s.refuse = func(method string, _ http.Header) (int, string) {
			if method == "tools/call" {
				return -32002, "Resource not found"
			}
			return 0, ""
		}
		t := take(ctx, wire.Target{URL: s.URL + "/mcp"}, wire.Options{Handshakes: []wire.Handshake{{Mode: wire.Discover}}, Calls: strictCalls, Concurrency: 1})
		Expect(t.err).To(BeNil())
		Expect(t.Sessions[0].Calls[0].Failed).To(BeNil())
		Expect(t.Sessions[0].Calls[0].Error.Get("code").Text).To(Equal("-32002"))
	})
})
