package wire

import (
	"context"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

const (
	aroundPages = 10  // pages of a list that are read around the calls
	aroundTools = 300 // tools of a server whose list is read once more after the calls
)

// around reads the other lists that a session's server declares, and after the calls
// its tools too: what was called must not change what is listed. Servers that keep
// what they made for all connections show it nowhere else, because every later
// connection sees it from the start.
// Source: MCP 2026-07-28 server/resources, server/prompts and server/tools, Capabilities.
func (r *run) around(ctx context.Context, p *peer, s *recording.Session, after bool) {
	if !r.options.Lists || after && len(s.Calls) == 0 {
		return
	}
	declared := s.Init.Get("capabilities")
	if after && len(s.Tools) > 0 && len(s.Tools) <= aroundTools {
		r.reread(ctx, p, "tools/list")
	}
	for _, kind := range []string{"resources", "prompts"} {
		if declared.Has(kind) {
			r.reread(ctx, p, kind+"/list")
		}
	}
}

// reread asks for the pages of a list, of which only the messages are kept.
func (r *run) reread(ctx context.Context, p *peer, method string) {
	limit := min(probeLimit, r.options.Timeouts.Request)
	var params *schema.Value
	seen := map[string]bool{}
	for range aroundPages {
		if ctx.Err() != nil {
			return
		}
		a, failure := p.request(ctx, limit, method, params, nil)
		if failure != nil || a == nil {
			return
		}
		next, ok := a.result.Get("nextCursor").IsString()
		if !ok || seen[next] || next == "" && !p.modern() {
			return
		}
		seen[next] = true
		params = cursorOf(next)
	}
}
