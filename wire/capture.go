package wire

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hostmatrix/conform/recording"
)

// run is one capture in progress.
type run struct {
	target  Target
	options Options
	ledger  *ledger
	auth    *authorization

	mu       sync.Mutex
	failures map[*recording.Session]*Error // the first failure of each session
	// hopeless is a failure that every further handshake would meet as well.
	hopeless *Error
	// unheard: a session got no answer to tools/list at all.
	unheard atomic.Bool
	// endless: the list of a session went on beyond the limit of pages.
	endless atomic.Bool
}

// Capture talks to the target: each handshake in turn, on it all pages of
// tools/list and the calls that options.Calls plans. The capture is never nil
// and holds all that was established. The error is an *[Error] and says why no
// session worked, or why the only failures that matter happened: it is nil as
// soon as one session listed its tools, whatever the others did; their failures
// are in Session.InitError, Page.Failed and Call.Failed. When ctx ends, the
// error has [KindCanceled].
func Capture(ctx context.Context, target Target, options Options) (*recording.Capture, error) {
	options = options.withDefaults()
	c := &recording.Capture{Target: target.describe()}
	if failure := check(target, options); failure != nil {
		return c, failure
	}
	ctx, cancel := context.WithTimeout(ctx, options.Timeouts.Total)
	defer cancel()
	r := newRun(target, options, c)
	var following sync.WaitGroup
	for _, h := range options.Handshakes {
		if ctx.Err() != nil {
			break
		}
		s, follow := r.session(ctx, h)
		c.Sessions = append(c.Sessions, s)
		if options.Parallel || target.URL != "" {
			following.Go(follow)
		} else {
			follow()
		}
	}
	following.Wait()
	orderProblems(c)
	r.nameServer(c)
	return c, r.verdict(ctx, c)
}

// newRun begins a capture; options have their defaults.
func newRun(target Target, options Options, c *recording.Capture) *run {
	r := &run{target: target, options: options, failures: map[*recording.Session]*Error{}, ledger: &ledger{
		start: options.Now(), now: options.Now, secrets: newRedactor(target.Secrets()),
		limits: options.Limits, trace: options.Trace, shared: newShared(), agent: "conform/" + options.ClientVersion, capture: c}}
	if options.Authorizer != nil {
		r.auth = &authorization{authorizer: options.Authorizer, limit: options.Timeouts.Authorize, secrets: r.ledger.secrets}
	}
	return r
}

func check(target Target, options Options) *Error {
	if failure := target.check(); failure != nil {
		return failure
	}
	for _, h := range options.Handshakes {
		if failure := h.check(target.String()); failure != nil {
			return failure
		}
	}
	return nil
}

// orderProblems puts problems in the order of the sessions, which may have run at
// the same time.
func orderProblems(c *recording.Capture) {
	at := map[string]int{}
	for i, s := range c.Sessions {
		at[s.ID] = i
	}
	slices.SortStableFunc(c.Problems, func(a, b recording.Problem) int { return at[a.Session] - at[b.Session] })
}

// session performs one handshake. What follows on it is left to follow, which
// must be called.
func (r *run) session(ctx context.Context, h Handshake) (s *recording.Session, follow func()) {
	s = &recording.Session{ID: h.ID, Requested: h.Version, Era: recording.EraOf(h.Version), Transport: r.ledger.capture.Target.Transport}
	j := r.ledger.open(s)
	if r.hopeless != nil {
		s.InitError = r.hopeless.Failure()
		return s, j.seal
	}
	r.progress(Event{Session: h.ID, Doing: "start"})
	d := &dialer{target: r.target, options: r.options, handshake: h, session: s, journal: j, auth: r.auth}
	p, failure := d.dial(ctx)
	if failure != nil {
		failure = failure.without(r.ledger.secrets)
		s.InitError = failure.Failure()
		r.fail(s, failure)
		r.learn(failure)
		return s, j.seal
	}
	return s, func() {
		defer j.seal()
		defer p.tr.close()
		r.explore(ctx, d, p, s)
	}
}

// explore lists and calls tools on an open session.
func (r *run) explore(ctx context.Context, d *dialer, p *peer, s *recording.Session) {
	r.list(ctx, p, s)
	if failure := d.prove(p).without(r.ledger.secrets); failure != nil {
		r.fail(s, failure)
		s.InitError, s.Negotiated = failure.Failure(), ""
		return
	}
	if d.unproven != "" && s.Pages[0].Failed != nil {
		s.InitError, s.Negotiated = s.Pages[0].Failed, ""
		return
	}
	r.around(ctx, p, s, false)
	r.call(ctx, p, s)
	r.around(ctx, p, s, true)
}

// patience is the time for a handshake, and for the first page of tools/list, after one
// that got no answer at all.
const patience = 5 * time.Second

// learn keeps what a failed handshake says about those to come.
func (r *run) learn(e *Error) {
	switch e.Kind {
	case KindStart, KindAuth, KindTLS, KindRedirect, KindLimit:
		r.hopeless = e
	case KindNetwork:
		var op *net.OpError
		if errors.As(e.Err, &op) && op.Op == "dial" {
			r.hopeless = e
		}
	case KindTimeout:
		r.options.Timeouts.Start = min(r.options.Timeouts.Start, patience)
	}
}

// nameServer copies name and version of the server into the target.
func (r *run) nameServer(c *recording.Capture) {
	for _, s := range c.Sessions {
		info := s.Init.Get("serverInfo")
		if info == nil {
			info = s.Init.Get("_meta").Get("io.modelcontextprotocol/serverInfo")
		}
		if s.InitError != nil || info == nil {
			continue
		}
		c.Target.Server, _ = info.Get("name").IsString()
		c.Target.Version, _ = info.Get("version").IsString()
		c.Target.Transport = s.Transport
		return
	}
}

// verdict is the error of the whole capture.
func (r *run) verdict(ctx context.Context, c *recording.Capture) error {
	if ctx.Err() == context.Canceled {
		return &Error{Kind: KindCanceled, Doing: "capture", On: r.target.String(), Text: "interrupted", Err: ctx.Err()}
	}
	for _, s := range c.Sessions {
		if s.InitError == nil && len(s.Pages) > 0 && s.Pages[0].Failed == nil {
			return nil
		}
	}
	for _, s := range c.Sessions {
		if e := r.failures[s]; e != nil {
			return e
		}
	}
	return &Error{Kind: KindTimeout, Doing: "capture", On: r.target.String(), Text: "the total time limit was reached", Err: ctx.Err()}
}

// fail keeps the first failure of a session.
func (r *run) fail(s *recording.Session, e *Error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failures[s] == nil {
		r.failures[s] = e
	}
}

func (r *run) progress(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.options.Progress(e)
}

// plan asks which tools to call on a session.
func (r *run) plan(s *recording.Session) []recording.Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.options.Calls(s)
}
