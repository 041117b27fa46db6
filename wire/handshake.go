package wire

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// Names of the members of a modern request's _meta.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaClientInfo   = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
)

// JSON-RPC error codes that only a modern server sends. Source: MCP 2026-07-28
// basic, Error Codes.
const (
	codeHeaderMismatch     = -32020
	codeMissingCapability  = -32021
	codeUnsupportedVersion = -32022
	codeMethodNotFound     = -32601
)

// dialer opens connections for one session, of one handshake.
type dialer struct {
	target    Target
	options   Options
	handshake Handshake
	session   *recording.Session
	journal   *journal
	deadline  time.Time // when the handshake must be done
	auth      *authorization
	before    *peer               // of the connection before this one, nil for the first
	notice    func(method string) // is told each notification of the server; nil: nobody is
	// unproven is the rule that server/discover broke on a connection that was
	// pinned to the modern era, "" when it answered: whether the server speaks
	// that era shows at tools/list.
	unproven string
}

// extend gives a new connection the whole time for its handshake.
func (d *dialer) extend() { d.deadline = time.Now().Add(d.options.Timeouts.Start) }

// left is the time that remains for the handshake.
func (d *dialer) left() time.Duration { return time.Until(d.deadline) }

// dial performs the handshake and returns the connection on which it worked. A
// server that wants a token gets one, if there is an [Authorizer], and a second
// handshake.
func (d *dialer) dial(ctx context.Context) (*peer, *Error) {
	p, failure := d.attempt(ctx)
	if failure == nil {
		return p, nil
	}
	if retry, refused := d.auth.renew(ctx, failure); refused != nil {
		return nil, refused
	} else if !retry {
		return nil, failure
	}
	return d.attempt(ctx)
}

func (d *dialer) attempt(ctx context.Context) (*peer, *Error) {
	d.extend()
	switch d.handshake.Mode {
	case Initialize:
		return d.legacy(ctx, d.handshake.Version)
	case Discover:
		return d.modern(ctx, d.handshake.Version)
	}
	return d.auto(ctx)
}

// peer is our side of a new connection. It numbers on from the one before, so that
// no two requests of a session have one id.
func (d *dialer) peer() *peer {
	p := newPeer(d.target, d.journal, d.options.Timeouts)
	p.auth, p.notice = d.auth, d.notice
	if d.before != nil {
		d.before.mu.Lock()
		p.next = d.before.next
		d.before.mu.Unlock()
	}
	d.before = p
	return p
}

// open starts the process or prepares the HTTP connection.
func (d *dialer) open(ctx context.Context, era recording.Era, version string) (*peer, *Error) {
	p := d.peer()
	if d.target.URL == "" {
		tr, failure := startStdio(d.target, p)
		if failure != nil {
			return nil, failure
		}
		p.tr = tr
		return p, nil
	}
	l, failure := newLink(d.target, newHTTPClient(d.target), d.journal, d.auth)
	if failure != nil {
		return nil, failure
	}
	if d.target.Transport == SSE {
		return p, d.attachSSE(ctx, l, p)
	}
	p.tr = newStreamable(l, p, era, version)
	return p, nil
}

// attachSSE opens the old transport for the peer.
func (d *dialer) attachSSE(ctx context.Context, l *link, p *peer) *Error {
	ctx, cancel := context.WithTimeout(ctx, d.left())
	defer cancel()
	tr, failure := openSSE(ctx, l, p)
	if failure != nil {
		return p.explain(outgoing{method: "opening the event stream"}, failure)
	}
	p.tr = tr
	return nil
}

// legacy sends initialize and never a probe.
func (d *dialer) legacy(ctx context.Context, version string) (*peer, *Error) {
	p, failure := d.open(ctx, recording.Legacy, "")
	if failure != nil {
		return nil, failure
	}
	if failure = d.initialize(ctx, p, version); failure == nil {
		return p, nil
	}
	p.tr.close()
	if !d.isOldEndpoint(failure) {
		return nil, failure
	}
	return d.oldTransport(ctx, version, failure)
}

// isOldEndpoint reports whether a refusal of POST initialize means that the URL
// may be an HTTP+SSE endpoint. Source: MCP 2026-07-28
// basic/transports/streamable-http, Backward Compatibility: 400, 404 or 405
// without a modern error.
func (d *dialer) isOldEndpoint(e *Error) bool {
	if d.target.URL == "" || d.target.Transport != "" || isModernError(e) {
		return false
	}
	return e.Status == http.StatusBadRequest || e.Status == http.StatusNotFound || e.Status == http.StatusMethodNotAllowed
}

// oldTransport tries HTTP+SSE after Streamable HTTP was refused.
func (d *dialer) oldTransport(ctx context.Context, version string, refusal *Error) (*peer, *Error) {
	p := d.peer()
	l, failure := newLink(d.target, newHTTPClient(d.target), d.journal, d.auth)
	if failure != nil {
		return nil, failure
	}
	if failure = d.attachSSE(ctx, l, p); failure != nil {
		if failure.Kind == KindRedirect && failure.Status == 0 || failure.Kind == KindAuth || failure.Kind == KindCanceled {
			return nil, failure
		}
		refusal.Text += "; as HTTP+SSE: " + failure.Text
		return nil, refusal
	}
	if failure = d.initialize(ctx, p, version); failure != nil {
		p.tr.close()
		return nil, failure
	}
	return p, nil
}

// initialize performs the legacy handshake on a connection.
func (d *dialer) initialize(ctx context.Context, p *peer, version string) *Error {
	d.beginLegacy(p, version)
	a, failure := p.request(ctx, d.left(), "initialize", d.initializeParams(version), nil)
	if failure != nil {
		return failure
	}
	return d.initialized(ctx, p, a)
}

func (d *dialer) beginLegacy(p *peer, version string) {
	p.agreed.Store(&agreement{version: version, era: recording.Legacy})
	d.session.Requested, d.session.Era = version, recording.Legacy
}

func (d *dialer) initializeParams(version string) *schema.Value {
	return schema.Obj(
		member("protocolVersion", schema.Str(version)),
		member("capabilities", d.handshake.Capabilities),
		member("clientInfo", d.handshake.ClientInfo))
}

// initialized takes the answer to initialize and ends the handshake.
func (d *dialer) initialized(ctx context.Context, p *peer, a *answer) *Error {
	version, ok := a.result.Get("protocolVersion").IsString()
	if !ok {
		return p.explain(outgoing{method: "initialize"}, &Error{Kind: KindMalformed, Text: "the result has no protocolVersion", Raw: Printable([]byte(a.result.Compact()), rawMax),
			Hint: "The result of initialize needs protocolVersion, capabilities and serverInfo"})
	}
	d.session.Init = a.result
	if !legacyVersion(version) {
		return p.explain(outgoing{method: "initialize"}, &Error{Kind: KindVersion,
			Text: fmt.Sprintf("the server answered initialize with revision %s, which no client can go on with there", Printable([]byte(version), 60)),
			Hint: "A server answers with the revision that was asked for, or the latest one it knows"})
	}
	p.agreed.Store(&agreement{version: version, era: recording.Legacy})
	d.session.Negotiated = version
	d.session.Transport = p.tr.name()
	p.tr.established(version, recording.Legacy)
	p.notify(ctx, "notifications/initialized", nil)
	return nil
}

// legacyVersion reports whether a revision is one that initialize negotiates. An
// unknown date in between is let through: it would be a server ahead of us.
func legacyVersion(version string) bool {
	if len(version) != len("2024-11-05") {
		return false
	}
	return version >= "2024-10-07" && recording.EraOf(version) == recording.Legacy
}

// isModernError reports whether an error is one that only a modern server sends.
func isModernError(e *Error) bool {
	switch e.Code() {
	case codeHeaderMismatch, codeMissingCapability, codeUnsupportedVersion:
		return e.Kind == KindRPC
	}
	return false
}
