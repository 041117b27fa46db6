package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
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

	agreed atomic.Pointer[agreement]

	mu      sync.Mutex
	next    int64
	pending map[int64]*waiting
	partial []byte // lines of a message that may be spread over several
}

// agreement is what the handshake led to, or what is being tried. The zero value
// is a connection that has not begun.
type agreement struct {
	version string
	era     recording.Era
	meta    *schema.Value // _meta of every modern request, nil in the legacy era
}

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
	p := &peer{target: target, journal: j, timeouts: timeouts, pending: map[int64]*waiting{}}
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
// error gives both the answer and an *Error of [KindRPC].
func (p *peer) request(ctx context.Context, limit time.Duration, method string, params *schema.Value, headers map[string]string) (*answer, *Error) {
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

func (p *peer) timedOut(limit time.Duration) *Error {
	e := &Error{Kind: KindTimeout, Text: fmt.Sprintf("no answer within %s", limit), Err: context.DeadlineExceeded,
		Hint: "Check that the server speaks MCP on this transport, or raise the time limit"}
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

func (p *peer) forget(id int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.pending, id)
}

// notify sends a notification; that it could not be sent shows at the next request.
func (p *peer) notify(ctx context.Context, method string, params *schema.Value) {
	ctx, cancel := context.WithTimeout(ctx, p.timeouts.Request)
	defer cancel()
	if err := p.tr.send(ctx, outgoing{method: method, raw: encodeNotification(method, params)}); err != nil && ctx.Err() == nil {
		p.journal.problem("notification-refused", []byte(err.Raw), "The server did not accept %s: %s", method, err.Text)
	}
}

// source says where a message came from: the request whose HTTP response held
// it (0 for stdio and for streams that serve all requests) and the HTTP status.
type source struct {
	request int64
	status  int
}

// receive takes one message from an HTTP transport. It reports whether raw was a
// message at all.
func (p *peer) receive(raw []byte, from source) (ok bool, failure *Error) {
	raw, failure = p.journal.received(kindMessage, raw)
	if failure != nil {
		return false, failure
	}
	v, err := p.decode(raw)
	if err != nil {
		p.garbled(raw, from, err)
		return false, nil
	}
	return p.dispatch(v, len(raw), from), nil
}

// decode parses a message within the limits. Of a tools/list answer with an
// entry that nests too deep, the other entries are kept.
func (p *peer) decode(raw []byte) (*schema.Value, error) {
	limits := p.journal.limits
	depth, values := measure(raw)
	if depth > limits.Depth {
		kept, dropped, ok := dropDeep(raw, limits.Depth)
		if !ok {
			return nil, &schema.LimitError{Limit: "depth", Max: limits.Depth}
		}
		for _, name := range dropped {
			p.journal.problem("tool-too-deep", []byte(name), "Tool %s nests deeper than %d levels and is left out",
				Printable([]byte(name), rawMax), limits.Depth)
		}
		raw = kept
		_, values = measure(raw)
	}
	if !p.journal.spend(values) {
		return nil, &schema.LimitError{Limit: "values", Max: limits.Values}
	}
	return schema.Parse(raw, schema.Limits{Depth: limits.Depth + 1, Bytes: limits.MessageBytes})
}

// garbled deals with text that should have been a message and is none: if it
// belongs to a request, that one fails at once instead of waiting for its limit.
func (p *peer) garbled(raw []byte, from source, err error) {
	e := &Error{Kind: KindMalformed, Text: fmt.Sprintf("the answer is no JSON (%v)", err), Raw: Printable(raw, rawMax), Err: err,
		Hint: "Fix the server's JSON; every client fails on it"}
	rule := "malformed-message"
	var tooMuch *schema.LimitError
	if errors.As(err, &tooMuch) {
		e.Kind, e.Hint = KindLimit, "Raise the limit if that is honest"
		e.Text = fmt.Sprintf("the answer has more than %d %s", tooMuch.Max, tooMuch.Limit)
		if tooMuch.Limit == "depth" {
			e.Text = fmt.Sprintf("the answer nests deeper than %d levels", tooMuch.Max)
		}
		rule = "message-limit"
	}
	p.journal.problem(rule, raw, "A message cannot be read: %s", e.Text)
	if id, found := find(split(raw, firstByte(raw)), "id"); found {
		if v, err := schema.Parse(raw[id.start:id.end], schema.Limits{}); err == nil {
			if n, ok := ourID(v); ok && p.failRequest(n, e) {
				return
			}
		}
	}
	if id, ok := p.meant(from); ok {
		p.failRequest(id, e)
	}
}

func (p *peer) failRequest(id int64, e *Error) bool {
	p.mu.Lock()
	w := p.pending[id]
	p.mu.Unlock()
	if w == nil {
		return false
	}
	w.fail(e)
	return true
}

// meant returns the request that an answer without a usable id is meant for: the
// one whose response it came in, else the only one that waits.
func (p *peer) meant(from source) (int64, bool) {
	if from.request != 0 {
		return from.request, true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.pending) != 1 {
		return 0, false
	}
	for id := range p.pending {
		return id, true
	}
	return 0, false
}

// dispatch acts on one decoded message and reports whether it was JSON-RPC.
func (p *peer) dispatch(v *schema.Value, bytes int, from source) bool {
	switch shapeOf(v) {
	case shapeAnswer:
		p.answered(v, bytes, from)
	case shapeRequest:
		p.asked(v)
	case shapeNotice:
	case shapeBatch:
		// Source: MCP 2025-03-26 basic, Batching; removed in 2025-06-18.
		if version := p.agreed.Load().version; version != "2025-03-26" {
			p.journal.problem("batch", nil, "The server sent a JSON-RPC batch, which revision %s does not have", version)
		}
		any := false
		for _, item := range v.Items {
			if item.Kind != schema.Array && p.dispatch(item, item.End-item.Start, from) {
				any = true
			}
		}
		return any
	default:
		return false
	}
	if version, _ := v.Get("jsonrpc").IsString(); version != "2.0" {
		p.journal.problem("jsonrpc-version", []byte(v.Compact()), "A message does not say \"jsonrpc\":\"2.0\"")
	}
	return true
}

// answered hands an answer to its request, or says whose it is not.
func (p *peer) answered(v *schema.Value, bytes int, from source) {
	a := answer{result: v.Get("result"), err: v.Get("error"), bytes: bytes, status: from.status}
	if a.result != nil && a.err != nil {
		p.journal.problem("result-and-error", []byte(v.Compact()), "An answer has both a result and an error")
	}
	id := v.Get("id")
	n, ours := ourID(id)
	switch {
	case ours && p.deliver(n, a):
	case ours && p.known(n):
		p.journal.problem("duplicate-answer", []byte(v.Compact()), "Request %d was answered again, or after its time limit", n)
	case id == nil || id.Kind == schema.Null:
		p.anonymous(v, a, from)
	default:
		p.journal.problem("unknown-id", []byte(v.Compact()), "An answer carries the id %s, which no request has", Printable([]byte(id.Compact()), 60))
		p.suspect(fmt.Sprintf("the answer carries the id %s in place of the request's", Printable([]byte(id.Compact()), 60)), v, from)
	}
}

// anonymous takes an answer without an id. JSON-RPC 2.0 section 5 prescribes a
// null id for an error about a request that could not be read, so it is the
// answer to the only request that waits.
func (p *peer) anonymous(v *schema.Value, a answer, from source) {
	// The TypeScript SDK's servers write all their HTTP errors so.
	if from.status < 400 {
		p.journal.problem("null-id", []byte(v.Compact()), "An answer has no id")
	}
	id, ok := p.meant(from)
	if !ok {
		return
	}
	if a.err == nil {
		p.suspect("the answer has no id", v, from)
		return
	}
	p.deliver(id, a)
}

// deliver gives a request its answer, unless it has one already.
func (p *peer) deliver(id int64, a answer) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.pending[id]
	if w == nil || w.delivered {
		return false
	}
	w.delivered = true
	w.got <- a
	close(w.answered)
	return true
}

// known reports whether a request with the id was ever sent.
func (p *peer) known(id int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return id >= 1 && id <= p.next
}

// suspect gives a request a short time to get a proper answer
// after something came that can only be meant for it.
func (p *peer) suspect(text string, v *schema.Value, from source) {
	id, ok := p.meant(from)
	if !ok {
		return
	}
	e := &Error{Kind: KindMalformed, Text: text, Raw: Printable([]byte(v.Compact()), rawMax), Hint: "An answer repeats the id of its request, same type and value"}
	p.mu.Lock()
	if w := p.pending[id]; w != nil {
		w.suspect = e
	}
	p.mu.Unlock()
	time.AfterFunc(p.timeouts.Grace, func() { p.failRequest(id, e) })
}

// asked answers a request of the server: ping with {}, all else with "method not
// found", since conform offers a server nothing. A modern server may not ask at
// all. Source: MCP 2026-07-28 basic/patterns.
func (p *peer) asked(v *schema.Value) {
	method, _ := v.Get("method").IsString()
	if p.modern() {
		p.journal.problem("server-request", []byte(v.Compact()), "The server sent the request %s, which revision %s forbids", Printable([]byte(method), 60), p.agreed.Load().version)
		return
	}
	if method != "ping" {
		p.journal.problem("server-request", []byte(v.Compact()), "The server asked for %s; the answer was \"method not found\"", Printable([]byte(method), 60))
	}
	reply := encodeReply(v.Get("id"), nil, -32601, "Method not found: "+method)
	if method == "ping" {
		reply = encodeReply(v.Get("id"), schema.Obj(), 0, "")
	}
	// In its own goroutine: the caller is the one who reads, and a server that
	// does not read must not stop it.
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), p.timeouts.Request)
		defer cancel()
		if err := p.tr.send(ctx, outgoing{raw: reply}); err != nil {
			p.journal.problem("reply-refused", []byte(err.Raw), "The server did not take the answer to its request %s: %s", Printable([]byte(method), 60), err.Text)
		}
	}()
}

// line takes one line of a stdio server's stdout, which should be a message.
func (p *peer) line(raw []byte) *Error {
	trimmed := bytes.TrimRight(raw, "\r")
	if len(bytes.TrimSpace(trimmed)) == 0 {
		return nil
	}
	if looksLikeMessage(trimmed) {
		clean, failure := p.journal.received(kindMessage, raw)
		if failure != nil {
			return failure
		}
		v, err := p.decode(clean)
		if err != nil {
			p.garbled(clean, source{}, err)
			return nil
		}
		if p.dispatch(v, len(raw), source{}) {
			return nil
		}
		p.journal.relabelNoise()
		p.noise(clean)
		return nil
	}
	clean, failure := p.journal.received(kindNoise, raw)
	if failure != nil {
		return failure
	}
	p.noise(clean)
	return nil
}

// cutLine takes what stands after the last line break when stdout ends. A whole
// message that only lacks its line break counts; of a cut one, how the process
// ended says more than its syntax.
func (p *peer) cutLine(raw []byte) *Error {
	if !looksLikeMessage(raw) {
		return p.line(raw)
	}
	if _, err := schema.Parse(raw, schema.Limits{Depth: p.journal.limits.Depth}); err == nil {
		return p.line(raw)
	}
	clean, failure := p.journal.received(kindNoise, raw)
	p.journal.problem("cut-message", clean, "stdout ended in the middle of a message")
	return failure
}

// looksLikeMessage tells a line that is meant as a message, perhaps a broken
// one, from noise: it begins like JSON and speaks of JSON-RPC.
func looksLikeMessage(line []byte) bool {
	i := firstByte(line)
	if i == len(line) || (line[i] != '{' && line[i] != '[') {
		return false
	}
	has := func(key string) bool { return bytes.Contains(line, []byte(key)) }
	return has(`"jsonrpc"`) || (has(`"id"`) && (has(`"result"`) || has(`"error"`)))
}

// noise reports a line that is no message, and recognises a message that is
// written over several lines, which no client can read.
func (p *peer) noise(raw []byte) {
	p.journal.problem("stdout-noise", raw, "A line on stdout is no JSON-RPC message")
	text := strings.TrimSpace(string(raw))
	switch {
	case text == "{":
		p.partial = append([]byte(nil), raw...)
		return
	case p.partial == nil:
		return
	case len(p.partial)+len(raw) > sideBytes:
		p.partial = nil
		return
	}
	p.partial = append(append(p.partial, '\n'), raw...)
	if text != "}" {
		return
	}
	if v, err := schema.Parse(p.partial, schema.Limits{Depth: p.journal.limits.Depth}); err == nil && shapeOf(v) == shapeAnswer {
		if id, ok := ourID(v.Get("id")); ok {
			p.failRequest(id, &Error{Kind: KindMalformed, Text: "the answer is spread over several lines", Raw: Printable(p.partial, rawMax),
				Hint: "On stdio a message is one line without line breaks; do not pretty-print"})
		}
		p.partial = nil
	}
}

// suspicion returns why the answer of a request cannot come any more although
// something came that looked like it, nil when nothing did.
func (p *peer) suspicion(id int64) *Error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w := p.pending[id]; w != nil {
		return w.suspect
	}
	return nil
}
