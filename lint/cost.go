package lint

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// costRules tell what the list of tools costs. A time proves no fault, so it is
// information whatever it is.
func costRules() []*Rule {
	return []*Rule{
		{ID: "list-cost", Title: "What the first tools/list costs, and later ones", Covers: []string{"R46", "R47"}, Stage: verdict.List, Level: Quality, Severity: verdict.Info,
			Why:    "A server that makes its list anew for each request pays, and lets its clients wait, each time: a later list that takes as long as the first one was not kept. The times are those of this run, from the request to the last byte of its answer, pages together.",
			Source: "cloudflare/mcp 257: a list of 2,900 tools is made once an hour", Wrong: "1,900 ms the first time and 1,850 ms each time after", Right: "1,900 ms the first time, 12 ms after", Run: runListCost},
	}
}

// reading is one reading of tools/list, all its pages.
type reading struct {
	took  time.Duration
	bytes int
}

// readings returns the readings of tools/list in a revision, by their order in time,
// where the messages were recorded. Requests that were made to be refused are none.
func (p *Pass) readings(revision string) (out []reading) {
	type pending struct {
		at    time.Duration
		first bool
	}
	type timed struct {
		reading
		at time.Duration
	}
	var all []timed
	for _, s := range p.Conversations() {
		if revisionOf(s) != revision || strings.HasSuffix(s.ID, secondIdentity) {
			continue
		}
		odd := map[string]bool{}
		for _, e := range p.Exchanges(s) {
			if e.ID != nil && e.Method == "tools/list" && (e.Result == nil || deliberate(e) || e.Params.Get("cursor") != nil && e.Params.Get("cursor").Text == inventedCursor) {
				odd[idKey(e.ID)] = true
			}
		}
		waiting := map[string]pending{}
		from := len(all)
		for _, m := range s.Messages {
			if m.Kind != "message" {
				continue
			}
			v := p.shared.parse(m.Bytes)
			if kindOf(v) != "object" || v.Get("id") == nil {
				continue
			}
			id := idKey(v.Get("id"))
			if method, _ := v.Get("method").IsString(); m.From == "client" && method == "tools/list" && !odd[id] {
				waiting[id] = pending{m.At, !v.Get("params").Has("cursor")}
				continue
			}
			w, asked := waiting[id]
			if m.From == "client" || !asked {
				continue
			}
			delete(waiting, id)
			if w.first || len(all) == from {
				all = append(all, timed{at: w.at})
			}
			all[len(all)-1].took += max(0, m.At-w.at)
			all[len(all)-1].bytes += len(m.Bytes)
		}
	}
	slices.SortStableFunc(all, func(a, b timed) int { return int(a.at - b.at) })
	for _, t := range all {
		out = append(out, t.reading)
	}
	return out
}

func runListCost(p *Pass) (out []Finding, err error) {
	for _, revision := range p.revisionsSeen() {
		all := p.readings(revision)
		if len(all) < 2 {
			continue
		}
		later := make([]time.Duration, 0, len(all)-1)
		for _, r := range all[1:] {
			later = append(later, r.took)
		}
		slices.Sort(later)
		out = append(out, Finding{Session: p.firstIn(revision), Message: fmt.Sprintf("%s: the first tools/list took %s for %d bytes, the %d after it %s each (median; the slowest %s)",
			revision, took(all[0].took), all[0].bytes, len(later), took(later[len(later)/2]), took(later[len(later)-1]))})
	}
	return out, nil
}

// took writes a time for a person: in milliseconds, with a decimal where it is short.
func took(d time.Duration) string {
	if d < 10*time.Millisecond {
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%d ms", d.Milliseconds())
}

// firstIn is the id of the first session in a revision.
func (p *Pass) firstIn(revision string) string {
	for _, s := range p.Conversations() {
		if revisionOf(s) == revision {
			return s.ID
		}
	}
	return ""
}
