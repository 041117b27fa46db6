package lint

import (
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// sdkLongestTTL is what the TypeScript SDK client 2.4.0 cuts ttlMs to, in ms.
const sdkLongestTTL = 86_400_000

// cacheable are the methods whose complete results carry caching hints.
// Source: 2026-07-28 server/utilities/caching.
var cacheable = map[string]bool{"server/discover": true, "tools/list": true, "prompts/list": true, "resources/list": true, "resources/templates/list": true, "resources/read": true}

// cachingRules are about ttlMs and cacheScope.
func cachingRules() []*Rule {
	return []*Rule{
		{ID: "caching-hints", Title: "A cacheable answer lacks ttlMs or cacheScope, or has others than exist", Covers: []string{"TL12", "R43"}, Stage: verdict.List, Level: Must, Revisions: modernOnly,
			Why:    "ttlMs is an integer of at least 0, cacheScope is public or private, on every page and every cacheable answer. Clients that parse strictly refuse the answer without them; a missing cacheScope has no default in the specification, although SDKs assume one.",
			Source: "2026-07-28 server/utilities/caching; schema.json, CacheableResult", Wrong: `{"tools":[],"ttlMs":"60000"}`, Right: `{"tools":[],"ttlMs":60000,"cacheScope":"private"}`, Run: runCachingHints},
		{ID: "caching-pages", Title: "cacheScope differs from page to page", Covers: []string{"TL12", "R48"}, Stage: verdict.List, Level: Must, Revisions: modernOnly,
			Why:    "The pages of one list are cached together: one private page among public ones is shared with everyone, or none is cached.",
			Source: "2026-07-28 server/utilities/caching, Interaction with Pagination", Wrong: "public on page 1, private on page 2", Right: "The same on all pages", Run: runCachingPages},
		{ID: "caching-public-differs", Title: "A public answer differs from one identity to the next", Covers: []string{"R44"}, Stage: verdict.List, Level: Must, Revisions: modernOnly,
			Why:    "Whatever is public may be served to anyone, even from an endpoint behind a login. A list that depends on the caller and says public shows one user's tools to another.",
			Source: "2026-07-28 server/utilities/caching, cacheScope", Wrong: `"cacheScope":"public" with the caller's account in a description`, Right: `"cacheScope":"private"`, Run: runPublicDiffers},
		{ID: "caching-long", Title: "ttlMs is longer than clients keep anything", Covers: []string{"R43"}, Stage: verdict.List, Level: Quality, Severity: verdict.Info, Revisions: modernOnly,
			Why:    "The TypeScript SDK client 2.4.0 cuts ttlMs to one day.",
			Source: "observed: @modelcontextprotocol/client 2.4.0", Wrong: `"ttlMs":604800000`, Right: `"ttlMs":86400000`,
			Run: func(p *Pass) (out []Finding, err error) {
				p.eachCacheable(func(e *Exchange) {
					if ttl, ok := e.Result.Get("ttlMs").Exact(); ok && ttl.IsInt() && ttl.Num().IsInt64() && ttl.Num().Int64() > sdkLongestTTL {
						out = append(out, Finding{Session: e.Session.ID, Pointer: "/ttlMs", Message: fmt.Sprintf("%s gives the ttlMs %s", e.Method, short(e.Result.Get("ttlMs").Text))})
					}
				})
				return out, nil
			}},
	}
}

// eachCacheable calls f for the complete modern results that carry caching hints.
func (p *Pass) eachCacheable(f func(*Exchange)) {
	p.EachExchange(func(e *Exchange) {
		if !cacheable[e.Method] || e.Result == nil || e.Result.Kind != schema.Object || !modernResult(e) {
			return
		}
		if t, ok := e.Result.Get("resultType").IsString(); !ok || t == "complete" {
			f(e)
		}
	})
}

// modernResult reports whether a result answers a modern request. A session of a
// case file is modern as a whole; one that failed is not, but for server/discover:
// legacy servers answer tools/list to anyone.
func modernResult(e *Exchange) bool {
	if e.Session.InitError != nil && e.Method != "server/discover" {
		return false
	}
	return e.Session.Modern() && (e.Request == nil || e.Version() != "") && e.Method != "initialize"
}

func runCachingHints(p *Pass) (out []Finding, err error) {
	p.eachCacheable(func(e *Exchange) {
		report := func(pointer, format string, args ...any) {
			out = append(out, Finding{Session: e.Session.ID, Pointer: pointer, Message: e.Method + ": " + fmt.Sprintf(format, args...)})
		}
		switch ttl := e.Result.Get("ttlMs"); {
		case kindOf(ttl) != "number":
			report("/ttlMs", "ttlMs is %s and no number", kindOf(ttl))
		default:
			if r, ok := ttl.Exact(); !ok || !r.IsInt() || r.Sign() < 0 {
				report("/ttlMs", "ttlMs is %s, it must be an integer of at least 0", short(ttl.Text))
			}
		}
		switch scope := e.Result.Get("cacheScope"); {
		case kindOf(scope) != "string":
			report("/cacheScope", "cacheScope is %s and no string", kindOf(scope))
		case scope.Text != "public" && scope.Text != "private":
			report("/cacheScope", "cacheScope is %s, it must be public or private", quote(scope.Text))
		}
	})
	return out, nil
}

func runCachingPages(p *Pass) (out []Finding, err error) {
	for _, s := range p.Conversations() {
		first := map[string]string{}
		for _, e := range p.Exchanges(s) {
			scope, ok := e.Result.Get("cacheScope").IsString()
			if !ok || !strings.HasSuffix(e.Method, "/list") {
				continue
			}
			if had, seen := first[e.Method]; seen && had != scope {
				out = append(out, Finding{Session: s.ID, Pointer: "/cacheScope", Message: fmt.Sprintf("%s is %s on one page and %s on another", e.Method, quote(had), quote(scope))})
			} else if !seen {
				first[e.Method] = scope
			}
		}
	}
	return out, nil
}

// secondIdentity is the end of the id of a probe that was made with another token.
const secondIdentity = "second-identity"

func runPublicDiffers(p *Pass) (out []Finding, err error) {
	var other *recording.Session
	for _, s := range p.Capture.Probes {
		if p.wants(s) && strings.HasSuffix(s.ID, secondIdentity) {
			other = s
		}
	}
	if other == nil {
		if len(p.Sessions()) == 0 {
			return nil, nil
		}
		return nil, CouldNotCheck{"no second identity was given"}
	}
	mine, restless := p.cached(), map[string]bool{}
	for key, list := range mine {
		for _, later := range list[1:] {
			restless[key] = restless[key] || !schema.Equal(list[0], later)
		}
	}
	for _, e := range p.Exchanges(other) {
		key := cacheKey(e)
		// What changes by itself tells nothing of who asks.
		if e.Result == nil || len(mine[key]) == 0 || restless[key] || schema.Equal(mine[key][0], lasting(e.Result)) {
			continue
		}
		if scope, _ := mine[key][0].Get("cacheScope").IsString(); scope == "public" {
			out = append(out, Finding{Session: other.ID, Message: e.Method + " is public, and another identity gets another answer"})
		}
	}
	return out, nil
}

// cached returns the answers that the first identity got, by what they are cached
// under.
func (p *Pass) cached() map[string][]*schema.Value {
	answers := map[string][]*schema.Value{}
	for _, s := range p.Conversations() {
		if strings.HasSuffix(s.ID, secondIdentity) {
			continue
		}
		for _, e := range p.Exchanges(s) {
			if cacheable[e.Method] && e.Result != nil && e.Result.Kind == schema.Object && !deliberate(e) {
				answers[cacheKey(e)] = append(answers[cacheKey(e)], lasting(e.Result))
			}
		}
	}
	return answers
}

// lasting is what of an answer is the same as long as the answer is: its time to live
// may run down, and its metadata may be of the request.
func lasting(result *schema.Value) *schema.Value { return result.Without("ttlMs").Without("_meta") }

// cacheKey names what an answer is cached under: method and parameters.
func cacheKey(e *Exchange) string {
	if e.Params == nil {
		return e.Method
	}
	return e.Method + " " + e.Params.Without("_meta").Compact()
}
