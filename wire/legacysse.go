package wire

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/wire/eventstream"
)

// sse is the HTTP+SSE transport of 2024-11-05: one GET stream brings an endpoint
// event and then all messages; ours are posted to that endpoint.
type sse struct {
	*link
	peer     *peer
	endpoint *url.URL
	cancel   context.CancelFunc
	finished chan struct{}

	once sync.Once
	why  *Error
	gone chan struct{}
}

// openSSE opens the stream and waits for its endpoint event until ctx ends.
func openSSE(ctx context.Context, l *link, p *peer) (*sse, *Error) {
	streamCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, cancel) // only until the endpoint is known
	h := http.Header{}
	h.Set("Accept", "text/event-stream")
	response, failure := l.do(streamCtx, http.MethodGet, l.base, h, nil)
	if failure != nil {
		cancel()
		if ctx.Err() != nil {
			failure = networkError(ctx, ctx.Err())
		}
		return nil, failure
	}
	fail := func(e *Error) (*sse, *Error) {
		response.Body.Close()
		cancel()
		return nil, e
	}
	if response.StatusCode >= 400 {
		raw, _ := l.errorBody(ctx, response)
		return fail(statusError(response, raw))
	}
	if mediaType(response) != "text/event-stream" {
		return fail(&Error{Kind: KindMalformed, Status: response.StatusCode, Text: fmt.Sprintf("GET gave %s in place of an event stream", mediaName(response)),
			Hint: "Check that the URL is the MCP endpoint"})
	}
	body, failure := l.open(response)
	if failure != nil {
		return fail(failure)
	}
	s := &sse{link: l, peer: p, cancel: cancel, finished: make(chan struct{}), gone: make(chan struct{})}
	reader := eventstream.NewReader(body, l.journal.limits.MessageBytes, "")
	if s.endpoint, failure = l.readEndpoint(ctx, reader); failure != nil {
		return fail(failure)
	}
	if !stop() {
		return fail(networkError(ctx, ctx.Err()))
	}
	go s.read(reader, body)
	return s, nil
}

// readEndpoint takes the first event, which must name the endpoint on the same
// origin: another one would get our messages and credentials.
// Source: MCP 2024-11-05 basic/transports, HTTP with SSE.
func (l *link) readEndpoint(ctx context.Context, reader *eventstream.Reader) (*url.URL, *Error) {
	e, err := reader.Next()
	if err != nil {
		if ctx.Err() != nil {
			return nil, networkError(ctx, err)
		}
		return nil, &Error{Kind: KindClosed, Text: "the event stream ended before its endpoint event", Err: err}
	}
	if _, failure := l.journal.received(kindMessage, e.Data); failure != nil {
		return nil, failure
	}
	if e.Name != "endpoint" {
		return nil, &Error{Kind: KindMalformed, Text: fmt.Sprintf("the event stream begins with an event %q in place of \"endpoint\"", Printable([]byte(e.Name), 40)), Raw: Printable(e.Data, rawMax)}
	}
	endpoint, err := l.base.Parse(string(bytes.TrimSpace(e.Data)))
	if err != nil {
		return nil, &Error{Kind: KindMalformed, Text: "the endpoint event holds no URL", Raw: Printable(e.Data, rawMax), Err: err}
	}
	if !sameOrigin(l.base, endpoint) {
		return nil, &Error{Kind: KindRedirect, Text: fmt.Sprintf("the endpoint event names another origin (%s), which gets nothing from us", Printable([]byte(origin(endpoint)), rawMax)),
			Raw: Printable(e.Data, rawMax), Hint: "The endpoint must have the origin of the event stream"}
	}
	return endpoint, nil
}

func (s *sse) name() string                      { return SSE }
func (s *sse) dead() <-chan struct{}             { return s.gone }
func (s *sse) cause() *Error                     { return s.why }
func (s *sse) established(string, recording.Era) {}

func (s *sse) fail(e *Error) {
	s.once.Do(func() {
		s.why = e
		close(s.gone)
	})
}

func (s *sse) read(reader *eventstream.Reader, body io.ReadCloser) {
	defer close(s.finished)
	defer body.Close()
	skipped := skippedEvents{journal: s.journal}
	for {
		e, err := reader.Next()
		if err != nil {
			failure := s.streamError(err)
			if failure == nil {
				failure = &Error{Kind: KindClosed, Text: "the event stream ended"}
			}
			s.fail(failure)
			return
		}
		if skip, failure := skipped.skip(e); failure != nil {
			s.fail(failure)
			return
		} else if skip {
			continue
		}
		ok, failure := s.peer.receive(e.Data, source{status: http.StatusOK})
		if failure != nil {
			s.fail(failure)
			return
		}
		if !ok {
			s.journal.problem("malformed-message", e.Data, "An event is no JSON-RPC message")
		}
	}
}

func (s *sse) send(ctx context.Context, m outgoing) *Error {
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	response, failure := s.do(ctx, http.MethodPost, s.endpoint, h, m.raw)
	if failure != nil {
		return failure
	}
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		raw, _ := s.errorBody(ctx, response)
		return statusError(response, raw)
	}
	return nil
}

func (s *sse) close() {
	s.fail(&Error{Kind: KindClosed, Text: "the session was closed"})
	s.cancel()
	<-s.finished
	s.client.CloseIdleConnections()
}
