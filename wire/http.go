package wire

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/hostmatrix/conform/recording"
)

const (
	maxHeaderBytes = 256 << 10
	maxRedirects   = 3
	maxErrorBody   = 1 << 20
)

// newHTTPClient returns a client that follows no redirect, decodes no body and
// bounds headers; [link.do] does the first two with our own limits.
func newHTTPClient() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DisableCompression:     true,
			MaxResponseHeaderBytes: maxHeaderBytes,
			TLSHandshakeTimeout:    10 * time.Second,
			ForceAttemptHTTP2:      true,
			MaxIdleConnsPerHost:    16,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// link is what both HTTP transports share: one endpoint, the user's headers, the
// journal.
type link struct {
	target  Target
	client  *http.Client
	journal *journal
	base    *url.URL
}

func newLink(target Target, client *http.Client, j *journal) (*link, *Error) {
	base, err := url.Parse(target.URL)
	if err != nil {
		return nil, &Error{Kind: KindUsage, On: target.String(), Text: "the URL cannot be parsed"}
	}
	return &link{target: target, client: client, journal: j, base: base}, nil
}

// do sends one HTTP request and records both heads. Redirects are followed only
// within the origin, only where the method and body stay as they are, and only
// a few times: a message or a credential never goes to another origin.
func (l *link) do(ctx context.Context, method string, to *url.URL, headers http.Header, body []byte) (*http.Response, *Error) {
	for hop := 0; ; hop++ {
		request, err := http.NewRequestWithContext(ctx, method, to.String(), bytes.NewReader(body))
		if err != nil {
			return nil, &Error{Kind: KindUsage, Text: "the request cannot be built"}
		}
		request.Header = headers.Clone()
		request.Header.Set("Accept-Encoding", "gzip")
		for name, values := range l.target.Headers {
			request.Header[http.CanonicalHeaderKey(name)] = values
		}
		var head strings.Builder
		head.WriteString(method + " " + redactURL(to.String()))
		dumpHeaders(&head, request.Header, l.target.Headers)
		l.journal.sent(kindRequest, []byte(head.String()))
		if len(body) > 0 && hop == 0 {
			l.journal.sent(kindMessage, body)
		}
		response, err := l.client.Do(request)
		if err != nil {
			return nil, networkError(ctx, err)
		}
		head.Reset()
		head.WriteString(response.Proto + " " + response.Status)
		dumpHeaders(&head, response.Header, nil)
		if _, failure := l.journal.received(kindResponse, []byte(head.String())); failure != nil {
			response.Body.Close()
			return nil, failure
		}
		if response.StatusCode < 300 || response.StatusCode > 399 || response.StatusCode == http.StatusNotModified {
			return response, nil
		}
		response.Body.Close()
		next, failure := follow(method, to, response, hop)
		if failure != nil {
			return nil, failure
		}
		to = next
	}
}

// follow returns where a redirect leads, if it may be followed.
func follow(method string, from *url.URL, response *http.Response, hop int) (*url.URL, *Error) {
	location := response.Header.Get("Location")
	fail := func(format string, args ...any) *Error {
		return &Error{Kind: KindRedirect, Status: response.StatusCode, Raw: Printable([]byte(location), rawMax),
			Text: fmt.Sprintf("HTTP %d: ", response.StatusCode) + fmt.Sprintf(format, args...),
			Hint: "Give the final URL itself, if you trust it"}
	}
	next, err := from.Parse(location)
	switch {
	case location == "" || err != nil:
		return nil, fail("a redirect without a usable Location")
	case !sameOrigin(from, next):
		return nil, fail("a redirect to another origin (%s) is not followed", Printable([]byte(origin(next)), rawMax))
	case method == http.MethodPost && response.StatusCode != http.StatusTemporaryRedirect && response.StatusCode != http.StatusPermanentRedirect:
		return nil, fail("this redirect of a POST would lose the message (only 307 and 308 keep it)")
	case hop >= maxRedirects:
		return nil, fail("more than %d redirects", maxRedirects)
	}
	return next, nil
}

func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return strings.ToLower(u.Scheme + "://" + u.Hostname() + ":" + port)
}

func sameOrigin(a, b *url.URL) bool { return origin(a) == origin(b) }

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
		return s.accepted(response)
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
			return s.unanswered(m, "the event stream")
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
	reader := newSSEReader(body, s.journal.limits.MessageBytes)
	reader.lastID = lastID
	var retry time.Duration
	for {
		e, err := reader.next()
		if err != nil {
			return reader.lastID, retry, s.streamError(err)
		}
		if e.retry > 0 {
			retry = e.retry
		}
		if len(bytes.TrimSpace(e.data)) == 0 {
			continue
		}
		if e.name != "message" {
			s.journal.problem("sse-event-name", []byte(e.name), "The event stream holds an event that is no \"message\"; clients skip it")
			continue
		}
		ok, failure := s.peer.receive(e.data, source{m.id, http.StatusOK})
		if failure != nil {
			return reader.lastID, retry, failure
		}
		if !ok {
			s.journal.problem("malformed-message", e.data, "An event is no JSON-RPC message")
		}
		select {
		case <-m.answered:
			return reader.lastID, retry, nil
		default:
		}
	}
}

// close ends the session with DELETE, if there is one. That a server does not
// allow it (405) is fine.
func (s *streamable) close() {
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
