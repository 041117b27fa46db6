package wire

import (
	"context"
	"net/http"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/wire/eventstream"
)

// renew begins a new session after the server answered 404 to one that was used,
// and reports whether there is one now. Source: MCP 2025-03-26 to 2025-11-25,
// transports, Session Management: on 404 a client sends initialize again,
// without a session id. A session that we began anew and that is lost again at
// once stays lost: each request is sent twice at most.
func (s *streamable) renew(ctx context.Context, used string) bool {
	s.renewal.Lock()
	defer s.renewal.Unlock()
	s.mu.Lock()
	current, opening := s.session, s.opening
	s.mu.Unlock()
	if current != used {
		return true // another request did it meanwhile
	}
	if len(opening) == 0 {
		return false
	}
	s.journal.problem("session-lost", nil, "The server answered 404 to a session that it had given; a new one was begun")
	h := http.Header{}
	setMessageHeaders(h, opening[0], "", recording.Legacy)
	response, failure := s.do(ctx, http.MethodPost, s.base, h, opening[0].raw)
	if failure != nil {
		return false
	}
	defer response.Body.Close()
	id := response.Header.Get(headerSession)
	if response.StatusCode >= 300 || id == "" || !s.initializedAgain(ctx, response) {
		return false
	}
	s.mu.Lock()
	s.session = id
	s.mu.Unlock()
	for _, m := range opening[1:] {
		if confirmed, failure := s.do(ctx, http.MethodPost, s.base, s.headers(m), m.raw); failure == nil {
			confirmed.Body.Close()
		}
	}
	return true
}

// initializedAgain reads the answer to a repeated initialize, which nobody waits
// for, and reports whether it is a result.
func (s *streamable) initializedAgain(ctx context.Context, response *http.Response) bool {
	body, failure := s.open(response)
	if failure != nil {
		return false
	}
	var raw []byte
	if mediaType(response) == "text/event-stream" {
		reader := eventstream.NewReader(body, s.journal.limits.MessageBytes, "")
		for len(raw) == 0 {
			e, err := reader.Next()
			if err != nil {
				return false
			}
			raw = e.Data
		}
	} else if raw, failure = s.readAll(ctx, body, response.ContentLength, s.journal.limits.MessageBytes); failure != nil {
		return false
	}
	raw, failure = s.journal.received(kindMessage, raw)
	if failure != nil {
		return false
	}
	v, err := schema.Parse(raw, schema.Limits{Depth: s.journal.limits.Depth})
	return err == nil && v.Get("result") != nil
}
