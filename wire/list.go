package wire

import (
	"context"
	"fmt"
	"time"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// list asks for every page of tools. What stops it before the end is a page with
// a failure, or a problem; the pages before stay.
func (r *run) list(ctx context.Context, p *peer, s *recording.Session) {
	seen := map[string]bool{}
	cursor, first := "", true
	for {
		var params *schema.Value
		if !first {
			params = schema.Obj(member("cursor", schema.Str(cursor)))
		}
		r.progress(Event{Session: s.ID, Doing: "tools/list", N: len(s.Pages) + 1})
		a, failure := p.request(ctx, r.listLimit(), "tools/list", params, nil)
		page := recording.Page{Cursor: cursor}
		if a != nil {
			page.Bytes = a.bytes
		}
		if failure == nil {
			failure = pageFault(p, a.result)
		}
		if failure != nil {
			failure = failure.without(r.ledger.secrets)
			page.Failed = failure.Failure()
			if first && recording.NoTools(s.Init, page.Failed.Error) {
				s.Pages = append(s.Pages, recording.EmptyPage(s.Era))
				return
			}
			s.Pages = append(s.Pages, page)
			if first && failure.Kind == KindTimeout {
				r.unheard.Store(true)
			}
			r.fail(s, failure)
			return
		}
		page.Result = a.result
		s.Pages = append(s.Pages, page)
		entries := a.result.Get("tools").Items
		room := max(0, r.options.Limits.Tools-len(s.Tools))
		for i, entry := range entries[:min(len(entries), room)] {
			s.Tools = append(s.Tools, recording.NewTool(entry, len(s.Pages)-1, i))
		}
		next, more := nextCursor(p, a.result)
		switch {
		case len(entries) > room, more && len(entries) == room:
			p.journal.problem("tool-limit", []byte(next), "The list has more than %d tools, conform's own limit (--max-tools); the rest was not looked at", r.options.Limits.Tools)
			return
		case !more:
			return
		case seen[next]:
			p.journal.problem("cursor-loop", []byte(next), "Page %d repeats a cursor that was already used; the list would never end", len(s.Pages))
			return
		case len(s.Pages) >= r.pageLimit():
			p.journal.problem("list-limit", []byte(next), "The list has more than %d pages, conform's own limit (--max-pages); the rest was not read", len(s.Pages))
			r.endless.Store(true)
			return
		}
		seen[next] = true
		cursor, first = next, false
	}
}

// listLimit is how long each page is waited for: once a session got no answer to its
// first one, the others need not wait as long for the same.
func (r *run) listLimit() time.Duration {
	if r.unheard.Load() {
		return min(r.options.Timeouts.Request, patience)
	}
	return r.options.Timeouts.Request
}

// endlessPages is how many pages a session reads after one whose list had no end.
const endlessPages = 500

func (r *run) pageLimit() int {
	if r.endless.Load() {
		return min(r.options.Limits.Pages, endlessPages)
	}
	return r.options.Limits.Pages
}

// pageFault says why a result of tools/list is none.
func pageFault(p *peer, result *schema.Value) *Error {
	tools := result.Get("tools")
	if tools != nil && tools.Kind == schema.Array {
		return nil
	}
	text := fmt.Sprintf("the result is %s, no object", result.Kind)
	if result.Kind == schema.Object {
		text = "the result has no tools array"
		if tools != nil {
			text = fmt.Sprintf("the member tools is %s, no array", tools.Kind)
		}
	}
	return p.explain(outgoing{method: "tools/list"}, &Error{Kind: KindMalformed, Text: text, Raw: Printable([]byte(result.Compact()), rawMax),
		Hint: "The result of tools/list is an object with an array tools"})
}

// nextCursor returns the cursor of the next page. In the modern era "" is a
// cursor like any other; legacy clients take it for the end.
// Source: MCP 2026-07-28 server/utilities/pagination.
func nextCursor(p *peer, result *schema.Value) (string, bool) {
	v := result.Get("nextCursor")
	if v == nil {
		return "", false
	}
	next, ok := v.IsString()
	if !ok {
		p.journal.problem("cursor-type", []byte(v.Compact()), "nextCursor is %s, no string", v.Kind)
		return "", false
	}
	if next == "" && !p.modern() {
		p.journal.problem("empty-cursor", nil, "nextCursor is \"\", which legacy clients take for the end of the list")
		return "", false
	}
	return next, true
}
