package wire

import (
	"context"
	"net/http"
	"time"

	"github.com/hostmatrix/conform/recording"
)

// auto negotiates as a client of both eras does. Source: MCP 2026-07-28
// basic/transports/stdio and /streamable-http, Backward Compatibility, and
// basic/versioning: a DiscoverResult, or an error that only a modern server
// sends, means modern; any other error, death, or silence means legacy. A list
// of supported revisions without a modern one means legacy too (the
// specification leaves that open; the Go SDK 1.8.0 server in stateful mode does
// it).
func (d *dialer) auto(ctx context.Context) (*peer, *Error) {
	if d.target.Transport == SSE {
		return d.legacy(ctx, d.handshake.Legacy) // the old transport has no modern era
	}
	p, failure := d.open(ctx, recording.Modern, d.handshake.Version)
	if failure != nil {
		return nil, failure
	}
	d.beginModern(p, d.handshake.Version)
	m, w := p.prepare("server/discover", nil, p.agreed.Load().meta)
	probe := min(d.options.Timeouts.Probe, d.left())
	sendCtx, cancel := context.WithTimeout(ctx, d.left())
	defer cancel()
	go p.transmit(sendCtx, m, w)

	timer := time.NewTimer(probe)
	defer timer.Stop()
	select {
	case a := <-w.got:
		p.forget(m.id)
		return d.probed(ctx, p, m, a)
	case e := <-w.failed:
		p.forget(m.id)
		return d.fallBack(ctx, p, p.explain(m, e))
	case <-p.tr.dead():
		p.forget(m.id)
		return d.fallBack(ctx, p, p.explain(m, p.tr.cause()))
	case <-ctx.Done():
		p.tr.close()
		return nil, p.explain(m, p.lateness(ctx, probe))
	case <-timer.C:
		return d.silent(ctx, p, m, w, probe)
	}
}

// probed decides by the answer to the probe.
func (d *dialer) probed(ctx context.Context, p *peer, m outgoing, a answer) (*peer, *Error) {
	answered, failure := p.judge(m, a)
	if failure == nil {
		failure = d.discovered(p, answered, true)
		if failure == nil {
			return p, nil
		}
		if failure.Kind == KindVersion || failure.Kind == KindMalformed {
			return d.fallBack(ctx, p, failure)
		}
	}
	if failure.Code() == codeUnsupportedVersion {
		supported, _ := versionList(failure.RPC.Get("data").Get("supported"))
		if version := pick(supported, d.handshake.Version, true); version != "" {
			d.beginModern(p, version)
			d.settle(p, version)
			return p, nil
		}
		for _, version := range supported {
			if recording.EraOf(version) == recording.Legacy {
				return d.fallBack(ctx, p, failure)
			}
		}
	}
	// HTTP 404 with "method not found" is a modern server without discover.
	if isModernError(failure) || (failure.Status == http.StatusNotFound && failure.Code() == codeMethodNotFound) {
		if failure.Code() == codeMethodNotFound {
			d.journal.problem("discover-missing", []byte(failure.Raw), "The server does not implement server/discover, which revision %s requires", d.handshake.Version)
			d.settle(p, d.handshake.Version)
			return p, nil
		}
		p.tr.close()
		return nil, failure
	}
	return d.fallBack(ctx, p, failure)
}

// fallBack goes on with initialize after the probe failed: on the same
// connection while that lives, and on a fresh one when it does not, or when the
// server cannot get over the probe (one real server exits, another answers all
// that follows with an error).
func (d *dialer) fallBack(ctx context.Context, p *peer, probe *Error) (*peer, *Error) {
	switch probe.Kind {
	case KindCanceled, KindAuth, KindTLS, KindNetwork, KindRedirect:
		if d.target.URL != "" {
			p.tr.close()
			return nil, probe
		}
	}
	d.session.Init = nil
	select {
	case <-p.tr.dead():
		p.tr.close()
		return d.legacy(ctx, d.handshake.Legacy)
	default:
	}
	p.tr.established("", recording.Legacy)
	failure := d.initialize(ctx, p, d.handshake.Legacy)
	if failure == nil {
		return p, nil
	}
	p.tr.close()
	if failure.Kind == KindCanceled || failure.Kind == KindTimeout {
		return nil, failure
	}
	if d.isOldEndpoint(failure) {
		return d.oldTransport(ctx, d.handshake.Legacy, failure)
	}
	if d.target.URL != "" {
		return nil, failure
	}
	d.journal.problem("probe-breaks-server", []byte(failure.Raw), "After server/discover the server did not answer initialize (%s); a fresh process was tried", failure.Text)
	return d.legacy(ctx, d.handshake.Legacy)
}

// silent goes on when the probe got no answer in time: it sends initialize while
// the probe still waits, and whichever is answered first decides. So a modern
// server that only starts slowly is not taken for a legacy one.
func (d *dialer) silent(ctx context.Context, p *peer, m outgoing, w *waiting, probe time.Duration) (*peer, *Error) {
	defer p.forget(m.id)
	d.journal.problem("discover-ignored", nil, "The server did not answer server/discover within %s", probe)
	if d.target.URL != "" {
		// Over HTTP each request has its own connection: nothing is lost by
		// leaving the probe behind.
		return d.fallBack(ctx, p, p.explain(m, p.timedOut(probe)))
	}
	first, second := p.prepare("initialize", d.initializeParams(d.handshake.Legacy), nil)
	limit := d.left()
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	go p.transmit(ctx, first, second)
	select {
	case a := <-w.got:
		p.forget(first.id)
		return d.probed(ctx, p, m, a)
	case a := <-second.got:
		p.forget(first.id)
		return d.late(ctx, p, first, a)
	case e := <-second.failed:
		p.forget(first.id)
		return d.fallBack(ctx, p, p.explain(first, e))
	case <-p.tr.dead():
		p.forget(first.id)
		return d.fallBack(ctx, p, p.explain(first, p.tr.cause()))
	case <-ctx.Done():
		p.tr.close()
		return nil, p.explain(first, p.lateness(ctx, limit))
	}
}

// late takes the answer to an initialize that followed a silent probe.
func (d *dialer) late(ctx context.Context, p *peer, m outgoing, a answer) (*peer, *Error) {
	answered, failure := p.judge(m, a)
	if failure == nil {
		d.beginLegacy(p, d.handshake.Legacy)
		failure = d.initialized(ctx, p, answered)
	}
	if failure == nil {
		return p, nil
	}
	p.tr.close()
	return d.legacy(ctx, d.handshake.Legacy)
}
