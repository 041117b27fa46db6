package wire

import (
	"context"
	"fmt"
	"maps"
	"sync"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// call makes the planned calls with bounded parallelism and keeps their order.
func (r *run) call(ctx context.Context, p *peer, s *recording.Session) {
	if r.options.Calls == nil || ctx.Err() != nil {
		return
	}
	plan := r.plan(s)
	if max := r.options.Limits.Calls; len(plan) > max {
		p.journal.problem("call-limit", nil, "Of %d planned calls only the first %d were made", len(plan), max)
		plan = plan[:max]
	}
	c := &caller{run: r, peer: p, session: s, inputs: inputsOf(s.Tools), readOnly: map[string]bool{}}
	for _, t := range s.Tools {
		_, twice := c.readOnly[t.Name]
		c.readOnly[t.Name] = recording.ReadOnly(t) && !twice
	}
	calls := make([]*recording.Call, len(plan))
	done := make(chan struct{})
	running := 0
	for i, planned := range plan {
		for running >= p.inFlight(r.options.Concurrency) {
			<-done
			running--
		}
		if ctx.Err() != nil {
			break
		}
		r.progress(Event{Session: s.ID, Doing: "tools/call", Tool: planned.Tool, N: i + 1, Of: len(plan)})
		running++
		go func() {
			calls[i] = c.call(ctx, planned)
			done <- struct{}{}
		}()
	}
	for range running {
		<-done
	}
	for _, c := range calls {
		if c != nil {
			s.Calls = append(s.Calls, c)
		}
	}
}

// inFlight is how many calls may wait at once: of a stdio server that mixed
// answers up, one.
func (p *peer) inFlight(concurrency int) int {
	if p.tr.name() == Stdio && p.disorderly.Load() {
		return 1
	}
	return concurrency
}

// caller makes the calls of one session.
type caller struct {
	*run
	peer    *peer
	session *recording.Session
	// readOnly are the tools that may be called twice for one call.
	readOnly map[string]bool

	mu     sync.Mutex
	inputs map[string]*schema.Value // inputSchema by tool
	again  bool                     // the list was read again
}

func inputsOf(tools []*recording.Tool) map[string]*schema.Value {
	out := make(map[string]*schema.Value, len(tools))
	for _, t := range tools {
		out[t.Name] = t.Input
	}
	return out
}

func (c *caller) call(ctx context.Context, planned recording.Call) *recording.Call {
	out := &recording.Call{Tool: planned.Tool, Arguments: planned.Arguments, Origin: recording.Real}
	params := schema.Obj(member("name", schema.Str(out.Tool)))
	if out.Arguments != nil {
		params = params.With("arguments", out.Arguments)
	}
	headers := c.headers(out)
	a, failure := c.peer.request(ctx, c.options.Timeouts.Call, "tools/call", params, headers)
	if failure != nil && c.readOnly[out.Tool] && c.peer.broke(failure) {
		a, failure = c.peer.request(ctx, c.options.Timeouts.Call, "tools/call", params, headers)
	}
	if failure != nil && failure.Code() == codeHeaderMismatch && c.peer.modern() && c.relist(ctx) {
		// The call was refused for its headers, so it was not made.
		if now := c.headers(out); !maps.Equal(now, headers) {
			a, failure = c.peer.request(ctx, c.options.Timeouts.Call, "tools/call", params, now)
		}
	}
	if a != nil {
		out.Bytes, out.Result, out.Error = a.bytes, a.result, a.err
		if out.Error != nil {
			out.Result = nil
			return out
		}
	}
	if failure != nil {
		failure = failure.without(c.ledger.secrets)
		failure.Doing = fmt.Sprintf("tools/call %s", Printable([]byte(out.Tool), 80))
		out.Failed = failure.Failure()
		c.fail(c.session, failure)
	}
	return out
}

func (c *caller) headers(call *recording.Call) map[string]string {
	if !c.peer.modern() {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return ParamHeaders(c.inputs[call.Tool], call.Arguments)
}

// relist reads the tools once more: the server refused a header that its tool may
// ask for by now. Source: MCP 2026-07-28 server/tools, x-mcp-header: refetch and
// retry. The session keeps the list that it had; only the messages show the new one.
func (c *caller) relist(ctx context.Context) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.again || c.peer.tr.name() != StreamableHTTP {
		return c.again
	}
	c.again = true
	fresh := &recording.Session{ID: c.session.ID}
	c.list(ctx, c.peer, fresh)
	maps.Copy(c.inputs, inputsOf(fresh.Tools))
	return true
}
