package proxy

import (
	"fmt"
	"net/http"
	"net/url"
	"sync"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// sessions tells the sessions of several clients apart: each initialize begins
// one, the server's session id marks what follows; a message without an id
// belongs to the last session that has none, and a modern message to the one
// session of the modern era.
type sessions struct {
	prefix  string
	mu      sync.Mutex
	count   int
	byID    map[string]string // by Mcp-Session-Id
	byPath  map[string]string // by path and query of the message endpoint of the old HTTP+SSE
	streams map[string]bool   // those of the old HTTP+SSE
	current string            // the last one without an id
	pending map[string]bool   // begun, the server's id not yet known
}

func newSessions(mark string) *sessions {
	return &sessions{prefix: recording.ProxyPrefix + mark + "-", byID: map[string]string{}, byPath: map[string]string{}, streams: map[string]bool{}, pending: map[string]bool{}}
}

// of returns the session of a request.
func (s *sessions) of(r *http.Request, body []byte) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := r.Header
	if known := s.byPath[r.URL.RequestURI()]; known != "" {
		return known
	}
	if r.Method == http.MethodGet && s.streams[s.current] && h.Get("Mcp-Session-Id") == "" {
		s.current = s.next() // another stream of the old transport
	}
	if id := h.Get("Mcp-Session-Id"); id != "" {
		if known := s.byID[id]; known != "" {
			return known
		}
		s.byID[id] = s.next()
		return s.byID[id]
	}
	v, _ := schema.Parse(body, schema.Limits{})
	if method, _ := v.Get("method").IsString(); method == "initialize" {
		s.current = s.next()
		s.pending[s.current] = true
		return s.current
	}
	if v.Get("params").Get("_meta").Has("io.modelcontextprotocol/protocolVersion") {
		return s.prefix + "modern"
	}
	if s.current == "" {
		s.current = s.next()
	}
	return s.current
}

func (s *sessions) next() string {
	s.count++
	return fmt.Sprintf("%s%d", s.prefix, s.count)
}

// endpoint takes the address that a stream of the old HTTP+SSE names for the messages
// of its session, as it came: relative to the stream's own, or with an origin.
func (s *sessions) endpoint(session string, stream *url.URL, text string) {
	at, err := stream.Parse(text)
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byPath[at.RequestURI()] = session
	s.streams[session] = true
}

// answered takes the session id that the answer to initialize gives.
func (s *sessions) answered(session string, h http.Header) {
	id := h.Get("Mcp-Session-Id")
	s.mu.Lock()
	defer s.mu.Unlock()
	if id != "" && s.pending[session] {
		s.byID[id] = session
		delete(s.pending, session)
	}
}
