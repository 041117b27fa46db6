package wire

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// listChanged is the notification of a server whose tools changed.
// Source: MCP 2024-11-05 to 2026-07-28 server/tools, List Changed Notification.
const listChanged = "notifications/tools/list_changed"

// listenLimit bounds one subscription; a new one follows.
const listenLimit = 24 * time.Hour

// firstPause and lastPause are how long announcements are left alone after one that
// was none; the pause doubles.
const firstPause, lastPause = 100 * time.Millisecond, 30 * time.Second

// ErrUnannounced says that a server does not declare that it announces changes.
var ErrUnannounced = errors.New("the server does not declare tools.listChanged")

// endedBy gives a failure that the end of ctx brought about its cause, wherever it came.
func endedBy(ctx context.Context, failure *Error) *Error {
	if failure.Err == nil {
		failure.Err = ctx.Err()
	}
	return failure
}

// AwaitChange opens a session of its own with the first of options.Handshakes, and
// returns when the server has said that its tools changed and the list is indeed
// another one: neither that with which this session began nor the one that known
// names, the result of an earlier call ("" for none). Many servers announce what they
// only load late; that is no change from one session to the next.
//
// The error is an *[Error]: of [KindCanceled] when ctx ends, [ErrUnannounced] when the
// server announces no changes, else why there is no session any more.
func AwaitChange(ctx context.Context, target Target, options Options, known string) (list string, err error) {
	options = options.withDefaults()
	capture := &recording.Capture{Target: target.describe()}
	if failure := check(target, options); failure != nil {
		return "", failure
	}
	r := newRun(target, options, capture)
	told := make(chan struct{}, 1)
	h := options.Handshakes[0]
	s := &recording.Session{ID: h.ID, Requested: h.Version, Era: recording.EraOf(h.Version)}
	d := &dialer{target: target, options: options, handshake: h, session: s, journal: r.ledger.open(s), auth: r.auth, notice: func(method string) {
		if method == listChanged {
			select {
			case told <- struct{}{}:
			default:
			}
		}
	}}
	p, failure := d.dial(ctx)
	if failure != nil {
		return "", endedBy(ctx, failure)
	}
	defer p.tr.close()
	if !s.Init.Get("capabilities").Get("tools").Get("listChanged").IsTrue() {
		return "", &Error{Kind: KindClosed, Doing: "waiting for a change of the tools", On: target.String(), Text: ErrUnannounced.Error(), Err: ErrUnannounced}
	}
	ended := make(chan *Error, 1)
	if p.modern() {
		go func() { ended <- p.subscribe(ctx) }()
	}
	first, failure := r.digest(ctx, p)
	if failure != nil {
		return "", endedBy(ctx, failure)
	}
	interrupted := func() *Error {
		return p.explain(outgoing{}, &Error{Kind: KindCanceled, Text: "interrupted", Err: ctx.Err()})
	}
	pause := firstPause
	var deaf <-chan time.Time // until then announcements are not looked into
	for {
		heard := told
		if deaf != nil {
			heard = nil
		}
		select {
		case <-deaf:
			deaf = nil
		case <-heard:
			now, failure := r.digest(ctx, p)
			switch {
			case ctx.Err() != nil:
				return "", interrupted()
			case failure != nil:
				return "", failure
			case now != first && now != known:
				return now, nil
			}
			// A server that announces a change with every list would be asked without end.
			deaf, pause = time.After(pause), min(2*pause, lastPause)
		case failure := <-ended:
			return "", failure
		case <-p.tr.dead():
			return "", p.explain(outgoing{}, p.tr.cause())
		case <-ctx.Done():
			return "", interrupted()
		}
	}
}

// subscribe asks a modern server to tell of changes; it returns when the stream ends.
// Source: MCP 2026-07-28 basic/patterns/subscriptions.
func (p *peer) subscribe(ctx context.Context) *Error {
	for {
		began := time.Now()
		params := schema.Obj(member("notifications", schema.Obj(member("toolsListChanged", schema.Flag(true)))))
		_, failure := p.request(ctx, listenLimit, "subscriptions/listen", params, nil)
		if failure != nil && (failure.Kind != KindTimeout || time.Since(began) < listenLimit) {
			return failure
		}
		if time.Since(began) < time.Second { // a server that ends every stream at once
			return p.explain(outgoing{method: "subscriptions/listen"}, &Error{Kind: KindClosed, Text: "the server ended the subscription at once"})
		}
	}
}

// digest names the list of tools, whatever it consists of.
func (r *run) digest(ctx context.Context, p *peer) (string, *Error) {
	s := &recording.Session{}
	r.list(ctx, p, s)
	sum := sha256.New()
	for _, page := range s.Pages {
		if page.Failed != nil {
			return "", p.explain(outgoing{method: "tools/list"}, &Error{Kind: Kind(page.Failed.Kind), Text: page.Failed.Text, Raw: page.Failed.Raw})
		}
	}
	for _, t := range s.Tools {
		sum.Write(append([]byte(t.Value.Compact()), '\n'))
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
