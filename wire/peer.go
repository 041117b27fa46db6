package wire

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// transport carries messages to one server. What comes back is given to the
// [peer] that the transport was made for.
type transport interface {
	// send puts one message on the wire. Over HTTP it returns when the response
	// has ended; an error then means that no answer came or can come.
	send(ctx context.Context, m outgoing) *Error
	// dead is closed when nothing will arrive any more; cause then says why.
	dead() <-chan struct{}
	cause() *Error
	// established tells which revision was agreed on.
	established(version string, era recording.Era)
	// close ends the connection in order, within bounded time.
	close()
	name() string
}

// answer is what a request got.
type answer struct {
	result *schema.Value
	err    *schema.Value
	bytes  int
	status int
}

// peer is our side of one connection: it numbers requests, matches answers and
// answers what the server asks.
type peer struct {
	target   Target
	journal  *journal
	timeouts Timeouts
	tr       transport
	auth     *authorization
	notice   func(method string) // is told each notification; nil: nobody is

	agreed  atomic.Pointer[agreement]
	replies chan struct{} // one for each answer of ours on its way
	// disorderly: an answer overtook an older one, or belonged to no request.
	disorderly atomic.Bool
	batched    atomic.Bool // a batch was sent
	// unasked counts the messages that answer nothing.
	unasked atomic.Int64

	mu      sync.Mutex
	next    int64
	pending map[int64]*waiting
	late    map[int64]bool // no answer came in time
	// abandoned are requests whose answer does not matter any more.
	abandoned map[int64]bool
	partial   []byte // lines of a message that may be spread over several
}

// agreement is what the handshake led to, or what is being tried. The zero value
// is a connection that has not begun.
type agreement struct {
	version string
	era     recording.Era
	meta    *schema.Value // _meta of every modern request, nil in the legacy era
}

// maxReplies is how many answers to requests of the server may be on their way.
const maxReplies = 32

// waiting is a request without an answer.
type waiting struct {
	method   string
	got      chan answer // one answer
	failed   chan *Error // or one reason why none will come
	answered chan struct{}
	// delivered says that got has had its answer.
	delivered bool
	suspect   *Error // something came that can only be meant as its answer
}

func newPeer(target Target, j *journal, timeouts Timeouts) *peer {
	p := &peer{replies: make(chan struct{}, maxReplies), target: target, journal: j, timeouts: timeouts, pending: map[int64]*waiting{}, late: map[int64]bool{}, abandoned: map[int64]bool{}}
	p.agreed.Store(&agreement{})
	return p
}

// modern reports whether the connection speaks, or tries, the modern era.
func (p *peer) modern() bool { return p.agreed.Load().era == recording.Modern }

// prepare registers a request and returns it ready to be sent.
func (p *peer) prepare(method string, params, meta *schema.Value) (outgoing, *waiting) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next++
	w := &waiting{method: method, got: make(chan answer, 1), failed: make(chan *Error, 1), answered: make(chan struct{})}
	p.pending[p.next] = w
	if meta != nil {
		if params == nil {
			params = schema.Obj()
		}
		params = params.With("_meta", meta)
	}
	m := outgoing{id: p.next, method: method, raw: encodeRequest(p.next, method, params), answered: w.answered}
	m.name, _ = params.Get("name").IsString()
	if m.name == "" {
		m.name, _ = params.Get("uri").IsString()
	}
	return m, w
}

// request sends a request and waits for its answer until the limit. A JSON-RPC
// error gives both the answer and an *Error of [KindRPC]. On an established
// connection a refusal for want of a token, or of a scope, is met with a new
// token and a second request. One whose event stream broke in the modern era, which
// resumes none, is sent again, once and under another id; a call is not, since it may
// have been made. Source: MCP 2026-07-28 changelog, major change 9.
func (p *peer) request(ctx context.Context, limit time.Duration, method string, params *schema.Value, headers map[string]string) (*answer, *Error) {
	a, failure := p.ask(ctx, limit, method, params, headers)
	if failure != nil && method != "tools/call" && p.broke(failure) {
		a, failure = p.ask(ctx, limit, method, params, headers)
	}
	if failure == nil || failure.Kind != KindAuth || method == "initialize" || method == "server/discover" {
		return a, failure
	}
	retry, refused := p.auth.renew(ctx, failure)
	if refused != nil {
		return a, refused
	}
	if !retry {
		return a, failure
	}
	return p.ask(ctx, limit, method, params, headers)
}

// broke reports whether a request of the modern era may be sent again because its
// event stream ended without the answer. That is noted: what comes then hides it.
func (p *peer) broke(failure *Error) bool {
	if !failure.broken || !p.modern() {
		return false
	}
	p.journal.problem("stream-unanswered", nil, "The event stream of %s ended without its answer; the request was sent again", failure.Doing)
	return true
}

// ask sends a request once.
func (p *peer) ask(ctx context.Context, limit time.Duration, method string, params *schema.Value, headers map[string]string) (*answer, *Error) {
	m, w := p.prepare(method, params, p.agreed.Load().meta)
	m.params = headers
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	go p.transmit(ctx, m, w)
	return p.wait(ctx, limit, m, w)
}

// transmit sends and turns a transport's error into the request's.
func (p *peer) transmit(ctx context.Context, m outgoing, w *waiting) {
	if err := p.tr.send(ctx, m); err != nil {
		w.fail(err)
	}
}

func (w *waiting) fail(err *Error) {
	select {
	case w.failed <- err:
	default:
	}
}

// wait returns the answer of a prepared request, or why there is none.
func (p *peer) wait(ctx context.Context, limit time.Duration, m outgoing, w *waiting) (*answer, *Error) {
	defer p.forget(m.id)
	select {
	case a := <-w.got:
		return p.judge(m, a)
	case err := <-w.failed:
		select { // an answer that came before the failure counts
		case a := <-w.got:
			return p.judge(m, a)
		default:
		}
		return nil, p.explain(m, err)
	case <-p.tr.dead():
		select {
		case a := <-w.got:
			return p.judge(m, a)
		default:
		}
		return nil, p.explain(m, p.tr.cause())
	case <-ctx.Done():
		p.giveUp(m)
		return nil, p.explain(m, p.lateness(ctx, limit))
	}
}

// giveUp tells the server that nobody waits for a request any more. Over
// Streamable HTTP the closed response says it; initialize must not be cancelled.
// Source: MCP 2025-06-18 and 2026-07-28, Cancellation.
func (p *peer) giveUp(m outgoing) {
	if p.tr.name() == StreamableHTTP || m.method == "initialize" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.timeouts.Grace)
	defer cancel()
	params := schema.Obj(member("requestId", schema.Num(m.id)), member("reason", schema.Str("time limit")))
	_ = p.tr.send(ctx, outgoing{method: "notifications/cancelled", raw: encodeNotification("notifications/cancelled", params)})
}

func (p *peer) lateness(ctx context.Context, limit time.Duration) *Error {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &Error{Kind: KindCanceled, Text: "interrupted", Err: ctx.Err()}
	}
	return p.timedOut(limit)
}

// roughly rounds what is left of a limit for a person.
func roughly(limit time.Duration) time.Duration {
	if limit > time.Second {
		return limit.Round(100 * time.Millisecond)
	}
	return limit.Round(time.Millisecond)
}

func (p *peer) timedOut(limit time.Duration) *Error {
	e := &Error{Kind: KindTimeout, Text: fmt.Sprintf("no answer within %s", roughly(limit)), Err: context.DeadlineExceeded,
		Hint: "Check that the server speaks MCP on this transport, or raise the time limit: --start-timeout for the handshake, --call-timeout for tools, --timeout for the rest"}
	if raw := p.journal.lastNoise(); raw != "" {
		e.Text += "; what it wrote is no JSON-RPC"
		e.Raw = raw
	}
	return e
}

// explain fills in what the place of failure did not know.
func (p *peer) explain(m outgoing, err *Error) *Error {
	e := *err
	orDefault(&e.Doing, m.method)
	orDefault(&e.On, p.target.String())
	return &e
}

func (p *peer) judge(m outgoing, a answer) (*answer, *Error) {
	if a.err == nil {
		return &a, nil
	}
	message, _ := a.err.Get("message").IsString()
	e := &Error{Kind: KindRPC, Status: a.status, RPC: a.err, Raw: Printable([]byte(a.err.Compact()), rawMax),
		Text: fmt.Sprintf("the server answered with JSON-RPC error %s: %s", codeText(a.err), Printable([]byte(message), rawMax))}
	e.Hint = "The server's own log may say more"
	if e.Code() == codeMethodNotFound {
		e.Hint = "The server does not implement " + m.method
	}
	if a.status >= 400 {
		e.Text += fmt.Sprintf(" (HTTP %d)", a.status)
	}
	return &a, p.explain(m, e)
}

func codeText(rpc *schema.Value) string {
	if c := rpc.Get("code"); c != nil {
		return Printable([]byte(c.Compact()), 40)
	}
	return "without a code"
}

// forget ends the wait for an answer. One that comes later is a finding.
func (p *peer) forget(id int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w := p.pending[id]; w != nil && !w.delivered {
		p.late[id] = true
	}
	delete(p.pending, id)
}

// abandon ends the wait for an answer that may come later or not: nobody minds.
func (p *peer) abandon(id int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.pending, id)
	p.abandoned[id] = true
}

// notify sends a notification; that it could not be sent shows at the next request.
func (p *peer) notify(ctx context.Context, method string, params *schema.Value) {
	ctx, cancel := context.WithTimeout(ctx, p.timeouts.Request)
	defer cancel()
	if err := p.tr.send(ctx, outgoing{method: method, raw: encodeNotification(method, params)}); err != nil && ctx.Err() == nil {
		p.journal.problem("notification-refused", []byte(err.Raw), "The server did not accept %s: %s", method, err.Text)
	}
}
