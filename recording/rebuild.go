package recording

import (
	"bytes"
	"fmt"

	"github.com/hostmatrix/conform/schema"
)

// exchange is one request of the client and what came back for it.
type exchange struct {
	method string
	params *schema.Value
	result *schema.Value
	err    *schema.Value
	bytes  int
}

// rebuild fills in what follows from a session's messages: the handshake, pages,
// tools and calls. It uses nothing else, so a recording made by any program is
// enough; what only the recorder knew (why an answer did not come) is added by
// notes afterwards.
func (s *Session) rebuild() {
	if s.Transport != "stdio" && s.oldStream() {
		s.Transport = "sse"
	}
	var handshakes, pages, calls []*exchange
	for _, e := range s.exchanges() {
		switch e.method {
		case "initialize", "server/discover":
			handshakes = append(handshakes, e)
		case "tools/list":
			pages = append(pages, e)
		case "tools/call":
			calls = append(calls, e)
		}
		if version, ok := e.params.Get("_meta").Get(metaVersion).IsString(); ok && s.Negotiated == "" {
			s.Requested = version
			if e.result != nil {
				s.Negotiated = version
			}
		}
	}
	for _, e := range handshakes {
		s.handshake(e)
	}
	if s.InitError == nil && s.Negotiated == "" && len(handshakes) > 0 {
		s.InitError = &Failure{Kind: "closed", Text: handshakes[len(handshakes)-1].method + ": no answer was recorded"}
	}
	s.Era = Legacy
	if s.Negotiated != "" {
		s.Era = EraOf(s.Negotiated)
	} else if s.Requested != "" {
		s.Era = EraOf(s.Requested)
	}
	s.addPages(pages)
	for _, e := range calls {
		s.Calls = append(s.Calls, e.call())
	}
}

// oldStream reports whether the session began as one of HTTP+SSE does: with a GET
// whose stream names first where messages go. A proxy cannot know before.
// Source: MCP 2024-11-05 basic/transports, HTTP with SSE.
func (s *Session) oldStream() bool {
	for _, m := range s.Messages {
		switch {
		case m.From == fromClient:
			if m.Kind != "http-request" || !bytes.HasPrefix(m.Bytes, []byte("GET ")) {
				return false
			}
		case m.Kind == "noise":
			return true
		case m.Kind == kindMessage:
			return false
		}
	}
	return false
}

// metaVersion is the key that names the revision of a modern request
// (2026-07-28, basic/index, _meta).
const metaVersion = "io.modelcontextprotocol/protocolVersion"

// handshake takes over the outcome of one handshake request; a later one wins,
// as initialize does after a failed probe.
func (s *Session) handshake(e *exchange) {
	if e.method == "initialize" {
		s.Requested, _ = e.params.Get("protocolVersion").IsString()
	}
	switch {
	case e.result != nil && e.method == "initialize":
		s.Init, s.InitError = e.result, nil
		s.Negotiated, _ = e.result.Get("protocolVersion").IsString()
	case e.result != nil:
		s.Init, s.InitError = e.result, nil
	case e.err != nil && s.Init == nil:
		s.InitError = e.failure()
	}
}

// addPages takes each cursor once: a client that lists again later (a host does
// after list_changed) does not double the tools.
func (s *Session) addPages(list []*exchange) {
	at := map[string]int{} // by the cursor as it is written: none and "" are two
	for _, e := range list {
		page := Page{Result: e.result, Bytes: e.bytes}
		page.Cursor, _ = e.params.Get("cursor").IsString()
		if tools := e.result.Get("tools"); e.result == nil {
			page.Failed = e.failure()
		} else if tools == nil || tools.Kind != schema.Array {
			page.Result, page.Failed = nil, &Failure{Kind: "malformed", Text: "tools/list: the result has no tools array", Raw: start([]byte(e.result.Compact()))}
		}
		if page.Failed != nil && NoTools(s.Init, page.Failed.Error) {
			page = EmptyPage(s.Era)
		}
		key := written(e.params.Get("cursor"))
		i, seen := at[key]
		switch {
		case !seen:
			at[key] = len(s.Pages)
			s.AddPage(page)
		case s.Pages[i].Failed != nil && page.Failed == nil && i == len(s.Pages)-1: // tried again
			s.Pages = s.Pages[:i]
			s.AddPage(page)
		}
	}
}

// methodNotFound is the JSON-RPC error code for a method that a server lacks.
const methodNotFound = "-32601"

// NoTools reports whether an error to tools/list is what a server without tools
// says: its handshake result declares no capability tools, and it has no such
// method. Clients that read the capability don't ask. A handshake without
// capabilities says nothing.
func NoTools(init, rpcError *schema.Value) bool {
	capabilities := init.Get("capabilities")
	code := rpcError.Get("code")
	return capabilities != nil && capabilities.Kind == schema.Object && !capabilities.Has("tools") && code != nil && code.Text == methodNotFound
}

// EmptyPage is the only page of a server without tools.
func EmptyPage(era Era) Page { return Page{Result: pageOf(schema.List(), era)} }

func (e *exchange) call() *Call {
	c := &Call{Arguments: e.params.Get("arguments"), Result: e.result, Error: e.err, Origin: Real, Bytes: e.bytes}
	c.Tool, _ = e.params.Get("name").IsString()
	if e.result == nil && e.err == nil {
		c.Failed = e.failure()
	}
	return c
}

func (e *exchange) failure() *Failure {
	if e.err == nil {
		return &Failure{Kind: "closed", Text: e.method + ": no answer was recorded"}
	}
	text := "without a message"
	if m, ok := e.err.Get("message").IsString(); ok {
		text = m
	}
	code := "no code"
	if c := e.err.Get("code"); c != nil {
		code = c.Compact()
	}
	return &Failure{Kind: "protocol-error", Text: fmt.Sprintf("%s: the server answered with JSON-RPC error %s: %s", e.method, code, text), Error: e.err}
}

// exchanges pairs the client's requests with the server's answers by id. The
// first answer counts.
func (s *Session) exchanges() []*exchange {
	var list []*exchange
	open := map[string]*exchange{}
	for i := range s.Messages {
		m := &s.Messages[i]
		if m.Kind != kindMessage {
			continue
		}
		v, err := schema.Parse(m.Bytes, caseLimits)
		if err != nil {
			continue // kept as bytes; what is malformed was reported when it was recorded
		}
		if m.From == fromServer {
			m.Decoded = v
		}
		parts, size := []*schema.Value{v}, len(m.Bytes)
		if v.Kind == schema.Array {
			parts, size = v.Items, 0
		}
		for _, part := range parts {
			bytes := size
			if bytes == 0 {
				bytes = part.End - part.Start
			}
			if e := pair(open, m.From, part, bytes); e != nil {
				list = append(list, e)
			}
		}
	}
	return list
}

// pair returns the exchange that a request begins, or completes the one that an
// answer belongs to.
func pair(open map[string]*exchange, from string, v *schema.Value, bytes int) *exchange {
	id := v.Get("id")
	if id == nil {
		return nil
	}
	method, isRequest := v.Get("method").IsString()
	switch {
	case from == fromClient && isRequest:
		e := &exchange{method: method, params: v.Get("params")}
		open[idKey(id)] = e
		return e
	case from == fromServer && !isRequest:
		e := open[idKey(id)]
		if e != nil && e.result == nil && e.err == nil {
			e.result, e.err, e.bytes = v.Get("result"), v.Get("error"), bytes
			if e.err != nil {
				e.result = nil // with both, most clients take the error
			}
		}
	}
	return nil
}

// idKey makes ids comparable: 1 and 1.0 are one id, "1" is another.
func idKey(id *schema.Value) string {
	if id.Kind == schema.Number {
		if r, ok := id.Exact(); ok {
			return r.RatString()
		}
	}
	return id.Compact()
}
