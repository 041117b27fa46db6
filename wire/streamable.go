package wire

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/wire/eventstream"
)

// streamable is the Streamable HTTP transport of 2025-03-26 and later.
type streamable struct {
	*link
	peer    *peer
	timeout Timeouts
	never   chan struct{}

	mu      sync.Mutex
	session string
	version string
	era     recording.Era
	opening []outgoing // initialize and what confirms it, to begin again with
	renewal sync.Mutex

	standing sync.Once // the stream for what the server sends on its own
	hangUp   context.CancelFunc
	silent   chan struct{} // closed when that stream has ended; nil without one
}

func newStreamable(l *link, p *peer, era recording.Era, version string) *streamable {
	return &streamable{link: l, peer: p, timeout: p.timeouts, never: make(chan struct{}), era: era, version: version}
}

func (s *streamable) name() string          { return StreamableHTTP }
func (s *streamable) dead() <-chan struct{} { return s.never }
func (s *streamable) cause() *Error         { return nil }

func (s *streamable) established(version string, era recording.Era) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version, s.era = version, era
	// Source: MCP 2025-06-18 basic/transports, Protocol Version Header: the header
	// came with that revision; a server of 2025-03-26 does not know it.
	if version < "2025-06-18" {
		s.version = ""
	}
}

func (s *streamable) headers(m outgoing) http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := http.Header{}
	setMessageHeaders(h, m, s.version, s.era)
	if s.session != "" {
		h.Set(headerSession, s.session)
	}
	return h
}

func (s *streamable) send(ctx context.Context, m outgoing) *Error {
	if m.method == "initialize" || m.method == "notifications/initialized" {
		s.mu.Lock()
		s.opening = append(s.opening, m)
		s.mu.Unlock()
	}
	h := s.headers(m)
	response, failure := s.do(ctx, http.MethodPost, s.base, h, m.raw)
	if failure != nil {
		return failure
	}
	defer func() { response.Body.Close() }()
	if used := h.Get(headerSession); used != "" && response.StatusCode == http.StatusNotFound && s.renew(ctx, used) {
		response.Body.Close()
		if response, failure = s.do(ctx, http.MethodPost, s.base, s.headers(m), m.raw); failure != nil {
			return failure
		}
	}
	if response.StatusCode >= 400 {
		return s.refused(ctx, m, response)
	}
	if m.id == 0 {
		failure = s.accepted(response)
		if m.method == "notifications/initialized" {
			s.standing.Do(s.listen)
		}
		return failure
	}
	s.remember(m, response)
	body, failure := s.open(response)
	if failure != nil {
		return failure
	}
	switch mediaType(response) {
	case "text/event-stream":
		return s.stream(ctx, m, body)
	default:
		return s.whole(ctx, m, response, body)
	}
}

// accepted looks at the response to a notification or an answer of ours.
// Source: MCP 2025-03-26 and later, transports, Sending Messages: 202, no body.
func (s *streamable) accepted(response *http.Response) *Error {
	body, _ := io.ReadAll(io.LimitReader(response.Body, 4*rawMax))
	if response.StatusCode != http.StatusAccepted {
		s.journal.problem("notification-status", body, "A notification was answered with HTTP %d in place of 202", response.StatusCode)
	}
	return nil
}

// remember keeps the session id that the answer to initialize gives.
func (s *streamable) remember(m outgoing, response *http.Response) {
	id := response.Header.Get(headerSession)
	if id == "" {
		return
	}
	if m.method != "initialize" {
		if s.peer.modern() {
			s.journal.problem("session-id", []byte(id), "The server gave a session id, which the modern protocol does not have")
		}
		return
	}
	for i := 0; i < len(id); i++ {
		if id[i] < 0x21 || id[i] > 0x7e {
			s.journal.problem("session-id", []byte(id), "The session id holds a character outside of visible ASCII")
			break
		}
	}
	s.mu.Lock()
	s.session = id
	s.mu.Unlock()
}

// whole reads a JSON answer.
func (s *streamable) whole(ctx context.Context, m outgoing, response *http.Response, body io.Reader) *Error {
	raw, failure := s.readAll(ctx, body, response.ContentLength, s.journal.limits.MessageBytes)
	if failure != nil {
		return failure
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return &Error{Kind: KindMalformed, Status: response.StatusCode, Text: fmt.Sprintf("HTTP %d with an empty body in place of an answer", response.StatusCode),
			Hint: "A request is answered with JSON or an event stream"}
	}
	foreign := &Error{Kind: KindMalformed, Status: response.StatusCode, Text: fmt.Sprintf("HTTP %d with a body (%s) that is no JSON-RPC message", response.StatusCode, mediaName(response)),
		Hint: "Check that the URL is the MCP endpoint"}
	if mediaType(response) != "application/json" {
		if first := raw[firstByte(raw)]; first != '{' && first != '[' {
			raw, failure = s.journal.received(kindNoise, raw)
			foreign.Raw = Printable(raw, rawMax)
			return cmp.Or(failure, foreign)
		}
		s.journal.problem("content-type", []byte(response.Header.Get("Content-Type")),
			"The answer to %s has a Content-Type that is neither application/json nor text/event-stream", m.method)
	}
	ok, failure := s.peer.receive(raw, source{m.id, response.StatusCode})
	if failure != nil {
		return failure
	}
	if !ok {
		foreign.Raw = Printable(raw, rawMax)
		return foreign
	}
	return s.unanswered(m, "the body")
}

// unanswered says that the place where the answer should have been held others.
func (s *streamable) unanswered(m outgoing, where string) *Error {
	select {
	case <-m.answered:
		return nil
	default:
	}
	if e := s.peer.suspicion(m.id); e != nil {
		return e
	}
	return &Error{Kind: KindClosed, Text: where + " ended without the answer"}
}

// stream reads an event stream until the answer is there. A stream that breaks
// before is resumed with Last-Event-ID as long as the server gave event ids and
// the era has them. Source: MCP 2025-03-26 to 2025-11-25, transports,
// Resumability; SEP-1699 for streams that the server closes on purpose.
func (s *streamable) stream(ctx context.Context, m outgoing, body io.ReadCloser) *Error {
	lastID, retry := "", time.Second
	for resumes := 0; ; resumes++ {
		id, wait, failure := s.events(m, body, lastID)
		body.Close()
		lastID = id
		if wait > 0 {
			retry = min(wait, 10*time.Second)
		}
		if failure != nil {
			return failure
		}
		select {
		case <-m.answered:
			return nil
		case <-ctx.Done():
			return nil
		default:
		}
		if lastID == "" || s.peer.modern() || resumes >= s.journal.limits.Resumes {
			failure = s.unanswered(m, "the event stream")
			if failure != nil {
				failure.broken = failure.Kind == KindClosed
			}
			return failure
		}
		select {
		case <-time.After(retry):
		case <-ctx.Done():
			return nil
		}
		if body, failure = s.resume(ctx, lastID); failure != nil {
			return failure
		}
	}
}

func (s *streamable) resume(ctx context.Context, lastID string) (io.ReadCloser, *Error) {
	h := s.headers(outgoing{})
	h.Del("Content-Type")
	h.Set("Accept", "text/event-stream")
	h.Set(headerLastEventID, lastID)
	response, failure := s.do(ctx, http.MethodGet, s.base, h, nil)
	if failure != nil {
		return nil, failure
	}
	if response.StatusCode != http.StatusOK || mediaType(response) != "text/event-stream" {
		response.Body.Close()
		return nil, &Error{Kind: KindClosed, Status: response.StatusCode,
			Text: fmt.Sprintf("the event stream ended without the answer and could not be resumed (HTTP %d)", response.StatusCode)}
	}
	return s.open(response)
}

// events reads one stream: its messages go to the peer. It ends with the answer,
// or without a failure when the stream ends.
func (s *streamable) events(m outgoing, body io.Reader, lastID string) (string, time.Duration, *Error) {
	reader := eventstream.NewReader(body, s.journal.limits.MessageBytes, lastID)
	var retry time.Duration
	skipped := skippedEvents{journal: s.journal}
	for {
		e, err := reader.Next()
		if err != nil {
			return reader.LastID(), retry, s.streamError(err)
		}
		if e.Retry > 0 {
			retry = e.Retry
		}
		if skip, failure := skipped.skip(e); failure != nil {
			return reader.LastID(), retry, failure
		} else if skip {
			continue
		}
		ok, failure := s.peer.receive(e.Data, source{m.id, http.StatusOK})
		if failure != nil {
			return reader.LastID(), retry, failure
		}
		if !ok {
			s.journal.problem("malformed-message", e.Data, "An event is no JSON-RPC message")
		}
		select {
		case <-m.answered:
			return reader.LastID(), retry, nil
		default:
		}
	}
}

// close ends the session with DELETE, if there is one. That a server does not
// allow it (405) is fine.
func (s *streamable) close() {
	if s.silent != nil {
		s.hangUp()
		<-s.silent
	}
	s.mu.Lock()
	session := s.session
	s.mu.Unlock()
	if session != "" {
		ctx, cancel := context.WithTimeout(context.Background(), s.timeout.Stop)
		defer cancel()
		h := s.headers(outgoing{})
		h.Del("Content-Type")
		if response, failure := s.do(ctx, http.MethodDelete, s.base, h, nil); failure == nil {
			response.Body.Close()
		}
	}
	s.client.CloseIdleConnections()
}
