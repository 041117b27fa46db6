package lint

import (
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// eraRules are about what a server of several revisions gives to which.
func eraRules() []*Rule {
	return []*Rule{
		{ID: "era-structured", Title: "Structured output is sent under a revision that has none", Covers: []string{"R31", "ERA"}, Stage: verdict.List, Level: Should, Revisions: Revisions[:2],
			Why:    "outputSchema and structuredContent exist since 2025-06-18. Unknown members are legal, and no sentence of the specification forbids them. But a client that negotiated an older revision and still validates refuses calls; one that does not know them hides data from the model.",
			Source: "2025-06-18 changelog; observed: n8n-mcp sends both under 2025-03-26, a desktop host refuses them there", Wrong: `"outputSchema":{…} in a 2025-03-26 session`, Right: "Text alone in old sessions", Run: runEraStructured},
		{ID: "era-input-required", Title: "A legacy request is answered with input_required", Covers: []string{"ERA"}, Stage: verdict.Result, Level: Must, Revisions: legacyOnly,
			Why:    "Legacy clients know elicitation and sampling requests only; this result looks like an empty one to them.",
			Source: "2026-07-28 basic/patterns/mrtr; basic/versioning", Wrong: `{"resultType":"input_required"} in a 2025-11-25 session`, Right: "elicitation/create, if the client declared it", Run: runEraInputRequired},
		{ID: "era-modern-fields", Title: "Fields of the modern era are sent to legacy clients", Covers: []string{"R31", "ERA"}, Stage: verdict.List, Level: Should, Revisions: legacyOnly,
			Why:    "resultType, ttlMs, cacheScope and x-mcp-header mean nothing before 2026-07-28. They are legal extra members, but legacy answers are no longer what they were, and a server that forgets to project these forgets others.",
			Source: "2026-07-28 basic/versioning, Matrix; observed: Go SDK 1.8.0", Wrong: `"ttlMs":0 in a 2025-06-18 session`, Right: "No such members", Run: runEraModernFields},
		{ID: "era-newer-fields", Title: "Fields are sent that the revision does not have yet", Covers: []string{"ERA", "TL19"}, Stage: verdict.List, Level: Quality, Severity: verdict.Info,
			Why:    "annotations exist since 2025-03-26, title and _meta since 2025-06-18, icons since 2025-11-25, execution in 2025-11-25 alone. Unknown members are legal; clients skip them.",
			Source: "changelogs of the revisions", Wrong: `"icons":[…] in a 2025-06-18 session`, Right: "What the revision has", Run: runEraNewerFields},
		{ID: "era-rename", Title: "A tool has another name in another era", Covers: []string{"R50", "ERA"}, Stage: verdict.List, Level: Quality,
			Why:    "Permissions, prompts and instructions name tools. A user whose client moves to the modern era loses them.",
			Source: "cloudflare/mcp 257 (open question)", Wrong: "dns_list in legacy sessions, dns_records_list in modern ones", Right: "One name", Run: runEraRename},
		{ID: "era-leak", Title: "The list of one revision changes within a run", Covers: []string{"R34", "R35", "R45"}, Stage: verdict.List, Level: Quality,
			Why:    "Sessions of one revision see the same definitions, whatever other clients ask in between. A server that changes shared definitions for a modern client shows them to the next legacy one; one that writes a time or a number into a description makes every cache of prompts miss. Which tools there are in the modern era is list-set's.",
			Source: "observed class: github-mcp-server before its copy-on-write fix", Wrong: "A legacy list before and after a modern one that differs", Right: "Copy, then change", Run: runEraLeak},
		{ID: "era-negotiated-down", Title: "The server speaks an older revision than it was asked for", Covers: []string{"L1", "R30"}, Stage: verdict.Connect, Level: Quality, Severity: verdict.Info, Revisions: legacyOnly,
			Why:    "It is allowed. The session then has what that revision has, and no more.",
			Source: "basic/lifecycle, Version Negotiation", Wrong: "2024-11-05 to a request for 2025-11-25", Right: "The newest revision that both speak",
			Run: func(p *Pass) (out []Finding, err error) {
				for _, s := range p.Sessions() {
					if s.Negotiated != "" && s.Negotiated < s.Requested && !s.Modern() && known(s.Requested) {
						out = append(out, Finding{Session: s.ID, Message: fmt.Sprintf("Asked for %s, the server answered %s", s.Requested, s.Negotiated)})
					}
				}
				return out, nil
			}},
	}
}

func runEraStructured(p *Pass) (out []Finding, err error) {
	p.EachTool(func(s *recording.Session, t *recording.Tool) {
		if t.Output != nil {
			out = append(out, Finding{Tool: t.Name, Session: s.ID, Pointer: "/outputSchema", Message: fmt.Sprintf("The tool has an outputSchema under %s", revisionOf(s))})
		}
	})
	p.EachResult(func(s *recording.Session, _ *recording.Tool, name string, result *schema.Value) {
		if result.Has("structuredContent") {
			out = append(out, Finding{Tool: name, Session: s.ID, Pointer: "/structuredContent", Message: fmt.Sprintf("A result has structuredContent under %s", revisionOf(s))})
		}
	})
	return out, nil
}

func runEraInputRequired(p *Pass) (out []Finding, err error) {
	p.EachExchange(func(e *Exchange) {
		if t, _ := e.Result.Get("resultType").IsString(); t == "input_required" && e.Version() == "" {
			out = append(out, Finding{Tool: calledTool(e), Session: e.Session.ID, Message: "The result of " + e.Method + " is input_required"})
		}
	})
	return out, nil
}

func runEraModernFields(p *Pass) (out []Finding, err error) {
	said := map[string]bool{} // once for each session and member
	p.EachExchange(func(e *Exchange) {
		if e.Method == "" || e.Method == "server/discover" || e.Version() != "" || e.Result == nil || e.Result.Kind != schema.Object {
			return
		}
		if e.Result.Get("_meta").Has(metaServerInfo) && !said[e.Session.ID+metaServerInfo] {
			said[e.Session.ID+metaServerInfo] = true
			out = append(out, Finding{Session: e.Session.ID, Pointer: "/_meta", Message: fmt.Sprintf("The result of %s has serverInfo in its _meta in a legacy session", e.Method)})
		}
		for _, key := range []string{"resultType", "ttlMs", "cacheScope"} {
			if e.Result.Has(key) && !said[e.Session.ID+key] {
				said[e.Session.ID+key] = true
				out = append(out, Finding{Session: e.Session.ID, Pointer: "/" + key, Message: fmt.Sprintf("The result of %s has %s in a legacy session", e.Method, key)})
			}
		}
	})
	p.eachHeaderParam(func(s *recording.Session, t *recording.Tool, d designation) {
		out = append(out, Finding{Tool: t.Name, Session: s.ID, Pointer: d.pointer, Message: "The inputSchema has x-mcp-header in a legacy session"})
	})
	return out, nil
}

// fieldSince is the first revision that has a member of a tool.
var fieldSince = []struct{ key, since string }{{"annotations", v2025_03}, {"title", v2025_06}, {"_meta", v2025_06}, {"icons", v2025_11}}

func runEraNewerFields(p *Pass) (out []Finding, err error) {
	for _, s := range p.Sessions() {
		count := map[string]int{}
		for _, t := range s.Tools {
			for _, f := range fieldSince {
				if t.Value.Has(f.key) && revisionOf(s) < f.since {
					count[f.key]++
				}
			}
			if t.Value.Has("execution") && revisionOf(s) != v2025_11 {
				count["execution"]++
			}
		}
		for _, key := range []string{"annotations", "title", "_meta", "icons", "execution"} {
			if count[key] > 0 {
				out = append(out, Finding{Session: s.ID, Message: fmt.Sprintf("%d tools have %s under %s", count[key], key, revisionOf(s))})
			}
		}
	}
	return out, nil
}

// sessionOf returns the first session of an era that has tools.
func (p *Pass) sessionOf(era recording.Era, revision string) *recording.Session {
	var best *recording.Session
	for _, s := range p.Capture.Sessions {
		if s.InitError != nil || len(s.Tools) == 0 || s.Era != era || revision != "" && revisionOf(s) != revision {
			continue
		}
		if best == nil || revisionOf(s) > revisionOf(best) {
			best = s
		}
	}
	return best
}

func runEraRename(p *Pass) (out []Finding, err error) {
	legacy, modern := p.sessionOf(recording.Legacy, ""), p.sessionOf(recording.Modern, "")
	if legacy == nil || modern == nil || !p.wants(legacy) {
		return nil, nil
	}
	left, right := byName(legacy.Tools), byName(modern.Tools)
	for _, t := range legacy.Tools {
		if t.Name == "" || right[t.Name] != nil {
			continue
		}
		f := Finding{Tool: t.Name, Session: legacy.ID, Severity: verdict.Info, Message: "The tool is in the legacy list only"}
		if other := renamed(t, modern.Tools, left); other != nil {
			f.Severity, f.Message = "", fmt.Sprintf("In the modern era this tool seems to be called %s", quote(other.Name))
		}
		out = append(out, f)
	}
	for _, t := range modern.Tools {
		if t.Name != "" && left[t.Name] == nil && renamed(t, legacy.Tools, right) == nil {
			out = append(out, Finding{Tool: t.Name, Session: modern.ID, Severity: verdict.Info, Message: "The tool is in the modern list only"})
		}
	}
	return out, nil
}

func byName(tools []*recording.Tool) map[string]*recording.Tool {
	out := make(map[string]*recording.Tool, len(tools))
	for _, t := range tools {
		out[t.Name] = t
	}
	return out
}

// renamed returns the tool of another list that has the same description and
// arguments as t and whose name t's list does not have.
func renamed(t *recording.Tool, others []*recording.Tool, mine map[string]*recording.Tool) *recording.Tool {
	description, ok := t.Value.Get("description").IsString()
	if !ok || description == "" {
		return nil
	}
	for _, o := range others {
		text, _ := o.Value.Get("description").IsString()
		if mine[o.Name] == nil && text == description && argumentNames(o) == argumentNames(t) {
			return o
		}
	}
	return nil
}

func argumentNames(t *recording.Tool) string {
	var names []string
	for _, m := range t.Input.Get("properties").Unique() {
		names = append(names, m.Key)
	}
	return strings.Join(names, "\x00")
}

// spoken is the revision of a session as the server knows it, which over HTTP may be
// an older one than that by which it is judged.
func spoken(s *recording.Session) string {
	if s.Negotiated != "" {
		return s.Negotiated
	}
	return revisionOf(s)
}

func runEraLeak(p *Pass) (out []Finding, err error) {
	first := map[string]map[string]*schema.Value{} // by revision and name
	for _, s := range p.Conversations() {
		if strings.HasSuffix(s.ID, secondIdentity) { // who asks may change the list
			continue
		}
		for _, e := range p.Exchanges(s) {
			if e.Method != "tools/list" || e.Result == nil || e.Params.Has("cursor") || deliberate(e) || kindOf(e.Result.Get("tools")) != "array" {
				continue
			}
			now := map[string]*schema.Value{}
			for _, t := range e.Result.Get("tools").Items {
				name, _ := t.Get("name").IsString()
				now[name] = t
			}
			before := first[spoken(s)]
			if before == nil {
				first[spoken(s)] = now
				continue
			}
			for name, t := range now {
				if had := before[name]; had == nil && !s.Modern() || had != nil && !schema.Equal(had, t) {
					out = append(out, Finding{Tool: name, Session: s.ID, Message: leaked(name, had, t)})
				}
			}
		}
	}
	sortFindings(out)
	return out, nil
}

// leaked says how the definition of a tool differs from what another session of the
// same revision got; had is nil where that session did not get the tool at all.
func leaked(name string, had, now *schema.Value) string {
	if had == nil {
		return fmt.Sprintf("The tool %s is not in the list that another session of the same revision got", quote(name))
	}
	if at := differsAt(had, now, 0); at != "" {
		return fmt.Sprintf("The definition of %s differs at %s from the one that another session of the same revision got", quote(name), short(at))
	}
	return fmt.Sprintf("The definition of %s differs from the one that another session of the same revision got", quote(name))
}
