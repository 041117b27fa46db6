package wire

import (
	"context"
	"net/http"
	"slices"
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

// reading is what an answer to the probe means: one of its fields is set.
type reading struct {
	modern string // the modern revision to speak
	lost   *Error // a modern server with which no revision is shared: no fallback
	legacy *Error // a sign of the legacy era
}

// read tells what an answer to the probe means.
func (d *dialer) read(p *peer, m outgoing, a answer) reading {
	answered, failure := p.judge(m, a)
	if failure == nil {
		d.session.Init = answered.result
		version, failure := d.discovered(p, answered, d.handshake.Version, true)
		return reading{modern: version, legacy: failure}
	}
	if failure.Code() == codeUnsupportedVersion {
		supported, _ := versionList(failure.RPC.Get("data").Get("supported"))
		if version := pick(supported, d.handshake.Version, true); version != "" {
			return reading{modern: version}
		}
		if slices.ContainsFunc(supported, func(v string) bool { return recording.EraOf(v) == recording.Legacy }) {
			return reading{legacy: failure}
		}
	}
	switch {
	case isModernError(failure):
		return reading{lost: failure}
	case failure.Status == http.StatusNotFound && failure.Code() == codeMethodNotFound:
		d.journal.problem("discover-missing", []byte(failure.Raw), "The server does not implement server/discover, which revision %s requires", d.handshake.Version)
		return reading{modern: d.handshake.Version}
	}
	return reading{legacy: failure}
}

// probed goes on after the answer to the probe.
func (d *dialer) probed(ctx context.Context, p *peer, m outgoing, a answer) (*peer, *Error) {
	r := d.read(p, m, a)
	switch {
	case r.modern != "":
		d.beginModern(p, r.modern)
		d.settle(p, r.modern)
		return p, nil
	case r.lost != nil:
		p.tr.close()
		return nil, r.lost
	}
	return d.fallBack(ctx, p, r.legacy)
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
	if failure.Kind == KindCanceled || failure.Kind == KindTimeout || failure.Kind == KindLimit {
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
// the probe still waits. A server that only starts slowly answers the probe
// first, and is not taken for a legacy one: it gets a fresh connection of its
// era, without the initialize that it should never have seen.
func (d *dialer) silent(ctx context.Context, p *peer, m outgoing, w *waiting, probe time.Duration) (*peer, *Error) {
	if d.target.URL != "" {
		// Over HTTP each request has its own connection: nothing is lost by
		// leaving the probe behind.
		p.abandon(m.id)
		d.ignored(probe)
		return d.fallBack(ctx, p, p.explain(m, p.timedOut(probe)))
	}
	first, second := p.prepare("initialize", d.initializeParams(d.handshake.Legacy), nil)
	defer p.abandon(first.id)
	defer p.abandon(m.id)
	limit := d.left()
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	go p.transmit(limited, first, second)
	late := w.got
	for {
		select {
		case a := <-late:
			switch r := d.read(p, m, a); {
			case r.modern != "":
				p.tr.close()
				d.extend()
				return d.modern(ctx, r.modern)
			case r.lost != nil:
				p.tr.close()
				return nil, r.lost
			}
			late = nil // legacy: the answer to initialize is on its way
		case a := <-second.got:
			if late != nil {
				d.ignored(probe)
			}
			return d.late(ctx, p, first, a)
		case e := <-second.failed:
			return d.fallBack(ctx, p, p.explain(first, e))
		case <-p.tr.dead():
			return d.fallBack(ctx, p, p.explain(first, p.tr.cause()))
		case <-limited.Done():
			p.tr.close()
			return nil, p.explain(first, p.lateness(limited, limit))
		}
	}
}

func (d *dialer) ignored(probe time.Duration) {
	d.journal.problem("discover-ignored", nil, "The server did not answer server/discover within %s", probe)
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
