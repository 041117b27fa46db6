package wire

import (
	"context"
	"io"
	"net/http"
	"time"
)

// noRequest is the id of a source that serves no request: what comes from it is
// never taken for the answer of one that waits.
const noRequest = -1

// standingLead is how long the next request waits for the standing stream.
const standingLead = 200 * time.Millisecond

// listen opens the stream on which a legacy server may send what answers no
// request: its own requests get an answer, notifications are kept. A server that
// has none says 405, and whatever else it says is no reason to end the session:
// clients go on without the stream. It ends with the session.
// Source: MCP 2025-03-26 to 2025-11-25 transports, Listening for Messages from the
// Server; the TypeScript and Python SDKs open it after notifications/initialized.
//
// It returns when the server has answered, so that this GET comes before the next
// request as it does from the SDKs and nobody takes it for the reconnection of a
// later stream; a server that holds back its headers is waited for no longer than
// standingLead.
func (s *streamable) listen() {
	ctx, cancel := context.WithCancel(context.Background())
	s.hangUp, s.silent = cancel, make(chan struct{})
	opened := make(chan struct{})
	go func() {
		defer close(s.silent)
		defer cancel()
		body, failure := s.standingStream(ctx)
		close(opened)
		if failure != nil || body == nil {
			return
		}
		defer body.Close()
		// A limit that it passes, the next request passes too, and says so.
		_, _, _ = s.events(outgoing{id: noRequest, answered: make(chan struct{})}, body, "")
	}()
	select {
	case <-opened:
	case <-time.After(standingLead):
	}
}

// standingStream opens the stream; nil without a failure when the server has none.
func (s *streamable) standingStream(ctx context.Context) (io.ReadCloser, *Error) {
	h := s.headers(outgoing{})
	h.Del("Content-Type")
	h.Set("Accept", "text/event-stream")
	response, failure := s.do(ctx, http.MethodGet, s.base, h, nil)
	if failure != nil {
		return nil, failure
	}
	if response.StatusCode != http.StatusOK || mediaType(response) != "text/event-stream" {
		response.Body.Close()
		return nil, nil
	}
	return s.open(response)
}
