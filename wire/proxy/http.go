package proxy

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/wire"
	"github.com/hostmatrix/conform/wire/auth"
	"github.com/hostmatrix/conform/wire/eventstream"
)

// HTTP is a reverse proxy for one MCP endpoint. The host's configuration names
// the proxy's address in place of the server's; the path "/" and the endpoint's
// own path both lead to the endpoint, other paths to the same origin (an old
// HTTP+SSE server's message endpoint, the metadata of OAuth). Serve it on
// loopback: it takes requests only for loopback names, and only from pages of
// loopback origins, so that no web page can use it.
type HTTP struct {
	target   wire.Target
	base     *url.URL
	client   *http.Client
	recorder *recorder
	max      int
	secret   func(string)
	sessions *sessions
}

// NewHTTP returns the proxy for a target with a URL; target.Headers are added to
// every request, so that the host's configuration needs no secret.
func NewHTTP(target wire.Target, sink Sink, o Options) (*HTTP, error) {
	o = o.withDefaults()
	base, err := url.Parse(target.URL)
	if err != nil || base.Host == "" {
		return nil, fmt.Errorf("%s is no URL of an endpoint", target)
	}
	return &HTTP{target: target, base: base, recorder: newRecorder(sink, o), max: o.MessageBytes, secret: o.Secret, sessions: newSessions(o.Mark),
		client: &http.Client{
			Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, DisableCompression: true, MaxResponseHeaderBytes: 256 << 10},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}}, nil
}

// ServeHTTP hands one request on and its response back.
func (h *HTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !loopback(r) {
		http.Error(w, "this proxy serves loopback only", http.StatusForbidden)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(h.max)))
	if err != nil {
		http.Error(w, "the request cannot be read, or is too long", http.StatusRequestEntityTooLarge)
		return
	}
	session := h.sessions.of(r, body)
	h.record(session, r, body)
	request, err := http.NewRequestWithContext(r.Context(), r.Method, h.upstream(r.URL).String(), bytes.NewReader(body))
	if err != nil {
		http.Error(w, "the request cannot be built", http.StatusBadRequest)
		return
	}
	request.Header = forwarded(r.Header)
	request.Header.Del("Accept-Encoding") // so that what comes back can be read
	for name, values := range h.target.Headers {
		request.Header[http.CanonicalHeaderKey(name)] = values
	}
	response, err := h.client.Do(request)
	if err != nil {
		h.recorder.problem(session, "server-unreachable", "The server could not be reached")
		http.Error(w, "the server behind the proxy could not be reached", http.StatusBadGateway)
		return
	}
	defer response.Body.Close()
	h.sessions.answered(session, response.Header)
	h.answer(w, session, r.URL, response)
}

// record writes down the head of a request, without credentials, and its message.
func (h *HTTP) record(session string, r *http.Request, body []byte) {
	for _, text := range wire.HeaderSecrets(r.Header) {
		h.secret(text)
	}
	head := r.Method + " " + wire.RedactURL(h.upstream(r.URL).String()) + wire.HeaderText(r.Header, nil)
	h.recorder.message(session, "client", "http-request", []byte(head))
	h.body(session, "client", h.foreign(r.URL), body)
}

// body writes a body down. What passes beside the endpoint and is no message, as in a
// login (codes, tokens, secrets), is not.
func (h *HTTP) body(session, from string, foreign bool, body []byte) {
	if len(bytes.TrimSpace(body)) == 0 {
		return
	}
	if v, err := schema.Parse(body, schema.Limits{}); err != nil || v.Kind != schema.Array && !v.Has("jsonrpc") {
		login := auth.SecretsIn(body)
		for _, text := range login {
			h.secret(text)
		}
		if foreign || len(login) > 0 {
			return
		}
	}
	h.recorder.message(session, from, kindOf(body), body)
}

// foreign reports whether a request is for something else than the endpoint.
func (h *HTTP) foreign(asked *url.URL) bool {
	return asked.Path != "/" && asked.Path != "" && asked.Path != h.base.Path
}

// answer passes the response on as it comes and records it.
func (h *HTTP) answer(w http.ResponseWriter, session string, asked *url.URL, response *http.Response) {
	h.recorder.message(session, "server", "http-response", []byte(response.Proto+" "+response.Status+wire.HeaderText(response.Header, nil)))
	for name, values := range forwarded(response.Header) {
		w.Header()[name] = values
	}
	w.WriteHeader(response.StatusCode)
	flusher, _ := w.(http.Flusher)
	out := flushing{w, flusher}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	switch {
	case response.Header.Get("Content-Encoding") != "":
		h.recorder.problem(session, "content-coding", "A response is compressed although nobody asked for it; it passed, but is not recorded")
		_, _ = io.Copy(out, response.Body)
	case kind == "text/event-stream":
		h.stream(out, session, asked, response.Body)
	default:
		h.whole(out, session, h.foreign(asked), response.Body)
	}
}

// whole records a body and then hands it on, so that no answer is seen before it
// is recorded.
func (h *HTTP) whole(out io.Writer, session string, foreign bool, body io.Reader) {
	kept, _ := io.ReadAll(io.LimitReader(body, int64(h.max)+1))
	switch {
	case len(kept) > h.max:
		h.recorder.problem(session, "message-limit", "A response is longer than %d bytes; it passed, but is not recorded", h.max)
	default:
		h.body(session, "server", foreign, kept)
	}
	_, _ = out.Write(kept)
	_, _ = io.Copy(out, body)
}

// stream passes an event stream on and records its messages.
func (h *HTTP) stream(out io.Writer, session string, asked *url.URL, body io.Reader) {
	held := &holdBack{in: body, out: out}
	reader := eventstream.NewReader(held, h.max, "")
	for {
		e, err := reader.Next()
		if err != nil {
			break
		}
		if len(bytes.TrimSpace(e.Data)) == 0 {
			continue
		}
		kind, data := "message", e.Data
		switch e.Name {
		case "message":
		case "endpoint": // of the old transport; its address holds a session's id
			h.sessions.endpoint(session, h.upstream(asked), strings.TrimSpace(string(data)))
			kind, data = "noise", []byte(wire.RedactURL(strings.TrimSpace(string(data))))
		default:
			kind = "noise"
		}
		h.recorder.message(session, "server", kind, data)
	}
	held.release()
	_, _ = io.Copy(out, body) // after an event that is too long for us
}

// upstream is where a request for the proxy's path goes.
func (h *HTTP) upstream(asked *url.URL) *url.URL {
	to := *h.base
	if h.foreign(asked) {
		to.Path, to.RawPath, to.RawQuery = asked.Path, asked.RawPath, asked.RawQuery
	} else if asked.RawQuery != "" {
		to.RawQuery = asked.RawQuery
	}
	return &to
}

// flushing hands every piece on at once: a host waits for events.
type flushing struct {
	io.Writer
	flusher http.Flusher
}

func (f flushing) Write(p []byte) (int, error) {
	n, err := f.Writer.Write(p)
	if f.flusher != nil {
		f.flusher.Flush()
	}
	return n, err
}

// holdBack hands on what was read when more is asked for: by then every event in
// it has been recorded.
type holdBack struct {
	in   io.Reader
	out  io.Writer
	held []byte
}

func (h *holdBack) Read(p []byte) (int, error) {
	h.release()
	n, err := h.in.Read(p)
	h.held = append(h.held[:0], p[:n]...)
	return n, err
}

func (h *holdBack) release() {
	if len(h.held) > 0 {
		_, _ = h.out.Write(h.held)
		h.held = h.held[:0]
	}
}

// hopByHop are the headers that belong to one connection (RFC 9110 section 7.6.1).
var hopByHop = []string{"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}

func forwarded(h http.Header) http.Header {
	out := h.Clone()
	for _, name := range append(strings.FieldsFunc(h.Get("Connection"), func(r rune) bool { return r == ',' || r == ' ' }), hopByHop...) {
		out.Del(name)
	}
	return out
}

// loopback reports whether a request is for a loopback name and, if a web page
// makes it, from a loopback origin (DNS rebinding: MCP transports, Security).
func loopback(r *http.Request) bool {
	if !loopbackHost(r.Host) {
		return false
	}
	from := r.Header.Get("Origin")
	if from == "" {
		return true
	}
	u, err := url.Parse(from)
	return err == nil && loopbackHost(u.Host)
}

func loopbackHost(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	return slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, name)
}
