package proxy

import (
	"fmt"
	"net/http"
	"sync"

	"github.com/hostmatrix/conform/schema"
)

// sessions tells the sessions of several clients apart: each initialize begins
// one, the server's session id marks what follows; a message without an id
// belongs to the last session that has none, and a modern message to the one
// session of the modern era.
type sessions struct {
	mu      sync.Mutex
	count   int
	byID    map[string]string // by Mcp-Session-Id
	current string            // the last one without an id
	pending map[string]bool   // begun, the server's id not yet known
}

func newSessions() *sessions {
	return &sessions{byID: map[string]string{}, pending: map[string]bool{}}
}

// of returns the session of a request.
func (s *sessions) of(h http.Header, body []byte) string {
	s.mu.Lock()
	defer s.mu.Unlock()
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
		return "proxy-modern"
	}
	if s.current == "" {
		s.current = s.next()
	}
	return s.current
}

func (s *sessions) next() string {
	s.count++
	return fmt.Sprintf("proxy-%d", s.count)
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
