package wire

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hostmatrix/conform/schema"
)

// source says where a message came from: the request whose HTTP response held
// it (0 for stdio and for streams that serve all requests) and the HTTP status.
type source struct {
	request int64
	status  int
}

// receive takes one message from an HTTP transport. It reports whether raw was a
// message at all.
func (p *peer) receive(raw []byte, from source) (ok bool, failure *Error) {
	if drop, failure := p.surplusMessage(raw); drop {
		return true, failure
	}
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
	limits, whole := p.journal.limits, true
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
		raw, whole = kept, false
		_, values = measure(raw)
	}
	known, key := p.journal.shared.decoded(raw)
	if known != nil {
		if whole {
			p.journal.decoded(raw, known)
		}
		return known, nil
	}
	if !p.journal.spend(values) {
		return nil, &schema.LimitError{Limit: "values", Max: limits.Values}
	}
	v, err := schema.Parse(raw, schema.Limits{Depth: limits.Depth + 1, Bytes: limits.MessageBytes})
	if err == nil {
		p.journal.shared.keep(key, v)
		if whole {
			p.journal.decoded(raw, v)
		}
	}
	return v, err
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
		switch tooMuch.Limit {
		case "depth":
			e.Text = fmt.Sprintf("the answer nests deeper than %d levels", tooMuch.Max)
		case "values":
			e.Text = fmt.Sprintf("all that the server sent has more than %d JSON values", tooMuch.Max)
		default:
			e.Text = fmt.Sprintf("the answer has more than %d %s", tooMuch.Max, tooMuch.Limit)
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
		p.unasked.Add(1)
		p.asked(v)
	case shapeNotice:
		p.unasked.Add(1)
		if p.notice != nil {
			method, _ := v.Get("method").IsString()
			p.notice(method)
		}
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
	if ours && p.deliver(n, a) {
		return
	}
	p.unasked.Add(1)
	switch {
	case ours && p.known(n):
		p.disorderly.Store(true)
		p.surplus(n, v)
	case id == nil || id.Kind == schema.Null:
		p.disorderly.Store(true)
		p.anonymous(v, a, from)
	default:
		p.disorderly.Store(true)
		p.journal.problem("unknown-id", []byte(v.Compact()), "An answer carries the id %s, which no request has", Printable([]byte(id.Compact()), 60))
		p.suspect(fmt.Sprintf("the answer carries the id %s in place of the request's", Printable([]byte(id.Compact()), 60)), v, from)
	}
}

// anonymous takes an answer without an id. JSON-RPC 2.0 section 5 prescribes a
// null id for an error about a request that could not be read, so it is the
// answer to the only request that waits.
func (p *peer) anonymous(v *schema.Value, a answer, from source) {
	// The TypeScript SDK's servers write all their HTTP errors so, and whoever refuses a
	// batch as such names none of its requests.
	if from.status < 400 && (a.err == nil || !p.batched.Load()) {
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
	for other, older := range p.pending {
		if other < id && !older.delivered {
			p.disorderly.Store(true)
		}
	}
	w.delivered = true
	w.got <- a
	close(w.answered)
	return true
}

// surplus deals with an answer to a request that does not wait.
func (p *peer) surplus(id int64, v *schema.Value) {
	p.mu.Lock()
	late, abandoned := p.late[id], p.abandoned[id]
	delete(p.late, id)
	delete(p.abandoned, id)
	p.mu.Unlock()
	switch {
	case abandoned:
	case late:
		p.journal.problem("late-answer", []byte(v.Compact()), "Request %d was answered after its time limit", id)
	default:
		p.journal.problem("duplicate-answer", []byte(v.Compact()), "Request %d was answered again", id)
	}
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
	// does not read must not stop it; nor may it make us pile up replies.
	select {
	case p.replies <- struct{}{}:
	default:
		p.journal.problem("request-flood", nil, "The server sent requests faster than it took the answers; %d wait, the others get none", cap(p.replies))
		return
	}
	go func() {
		defer func() { <-p.replies }()
		ctx, cancel := context.WithTimeout(context.Background(), p.timeouts.Request)
		defer cancel()
		if err := p.tr.send(ctx, outgoing{raw: reply}); err != nil {
			p.journal.problem("reply-refused", []byte(err.Raw), "The server did not take the answer to its request %s: %s", Printable([]byte(method), 60), err.Text)
		}
	}()
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
