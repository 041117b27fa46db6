package wire

import (
	"context"
	"fmt"
	"sync"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// call makes the planned calls with bounded parallelism and keeps their order.
func (r *run) call(ctx context.Context, p *peer, s *recording.Session) {
	if r.options.Calls == nil || ctx.Err() != nil {
		return
	}
	plan := r.options.Calls(s)
	if max := r.options.Limits.Calls; len(plan) > max {
		p.journal.problem("call-limit", nil, "Of %d planned calls only the first %d were made", len(plan), max)
		plan = plan[:max]
	}
	inputs := make(map[string]*schema.Value, len(s.Tools))
	for _, t := range s.Tools {
		inputs[t.Name] = t.Input
	}
	calls := make([]*recording.Call, len(plan))
	slots := make(chan struct{}, r.options.Concurrency)
	var all sync.WaitGroup
	for i, planned := range plan {
		slots <- struct{}{}
		if ctx.Err() != nil {
			<-slots
			break
		}
		r.progress(Event{Session: s.ID, Doing: "tools/call", Tool: planned.Tool, N: i + 1, Of: len(plan)})
		all.Add(1)
		go func() {
			defer all.Done()
			defer func() { <-slots }()
			calls[i] = r.callOne(ctx, p, planned, inputs[planned.Tool])
		}()
	}
	all.Wait()
	for _, c := range calls {
		if c != nil {
			s.Calls = append(s.Calls, c)
		}
	}
}

func (r *run) callOne(ctx context.Context, p *peer, planned recording.Call, input *schema.Value) *recording.Call {
	c := &recording.Call{Tool: planned.Tool, Arguments: planned.Arguments, Origin: recording.Real}
	params := schema.Obj(member("name", schema.Str(c.Tool)))
	if c.Arguments != nil {
		params = params.With("arguments", c.Arguments)
	}
	var headers map[string]string
	if p.modern() {
		headers = ParamHeaders(input, c.Arguments)
	}
	a, failure := p.request(ctx, r.options.Timeouts.Call, "tools/call", params, headers)
	if a != nil {
		c.Bytes, c.Result, c.Error = a.bytes, a.result, a.err
		if c.Error != nil {
			c.Result = nil
			return c
		}
	}
	if failure != nil {
		failure.Doing = fmt.Sprintf("tools/call %s", Printable([]byte(c.Tool), 80))
		c.Failed = failure.Failure()
		r.fail(failure)
	}
	return c
}
