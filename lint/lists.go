package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// sdkPages is where the TypeScript SDK client 2.4.0 stops reading pages by itself
// (ListPaginationExceeded).
const sdkPages = 64

// largePage is the size of one answer from which paging is advised, in bytes.
const largePage = 1 << 20

// listRules are about lists as such: pages, cursors, order, stability.
func listRules() []*Rule {
	return []*Rule{
		{ID: "list-fails", Title: "A list is not answered, or the answer is none", Covers: []string{"TL2", "R22"}, Stage: verdict.List, Level: Must,
			Why:    "Without tools/list a server has no tools, in any client.",
			Source: "server/tools, Listing Tools; schema.json, ListToolsResult", Wrong: `{"tools":null}`, Right: `{"tools":[]}`,
			Run: func(p *Pass) (out []Finding, err error) {
				for _, s := range p.Sessions() {
					for i, page := range s.Pages {
						switch {
						case page.Failed == nil:
						case page.Failed.Kind == recording.Interrupted:
							return out, CouldNotCheck{"the list was not read to its end: " + page.Failed.Text}
						default:
							out = append(out, Finding{Session: s.ID, Message: fmt.Sprintf("Page %d of tools/list: %s", i+1, page.Failed.Text)})
						}
					}
				}
				return out, nil
			}},
		{ID: "list-next-cursor", Title: "nextCursor is no string, or leads in a circle", Covers: []string{"TL16", "R48"}, Stage: verdict.List, Level: Must,
			Why:    "The last page has no nextCursor. null is refused by every schema of the protocol, and typed clients lose the whole list; a cursor that comes back makes clients ask for ever.",
			Source: "server/utilities/pagination; schema.json, PaginatedResult", Wrong: `{"tools":[…],"nextCursor":null}`, Right: `{"tools":[…]}`, Run: runNextCursor},
		{ID: "list-empty-cursor", Title: "nextCursor is empty", Covers: []string{"TL16"}, Stage: verdict.List, Level: Quality,
			Why:    "Since 2026-07-28 \"\" is a cursor like any other, but the Go SDK 1.8.0, mcp-go 1.2.1 and clients of before take it for the end of the list. In the modern era it is info only, since it is legal.",
			Source: "2026-07-28 server/utilities/pagination; observed: Go SDK 1.8.0", Wrong: `"nextCursor":""`, Right: `"nextCursor":"page-2"`,
			Run: func(p *Pass) (out []Finding, err error) {
				p.eachList(func(s *recording.Session, e *Exchange) {
					if text, ok := e.Result.Get("nextCursor").IsString(); ok && text == "" {
						f := Finding{Session: s.ID, Pointer: "/nextCursor", Message: e.Method + ` gives the nextCursor ""`}
						if s.Modern() { // legal there, whatever clients make of it
							f.Severity = verdict.Info
						}
						out = append(out, f)
					}
				})
				return out, nil
			}},
		{ID: "list-unknown-cursor", Title: "An invented cursor is accepted", Covers: []string{"TL15"}, Stage: verdict.List, Level: Should,
			Why:    "A client whose cursor went stale must learn it; the first page in place of an error makes it read the list twice.",
			Source: "server/utilities/pagination, Error Handling", Wrong: "The first page for a cursor that nobody gave out", Right: `{"code":-32602,"message":"Unknown cursor"}`, Run: runUnknownCursor},
		{ID: "list-cursor-refused", Title: "A cursor that the server gave is refused", Covers: []string{"TL15", "R48"}, Stage: verdict.List, Level: Should,
			Why:    "Cursors are stable: a client that reads the list again, or asks for a page once more after a lost answer, uses the one it has.",
			Source: "server/utilities/pagination, Implementation Guidelines", Wrong: "-32602 to a cursor that stood in nextCursor a moment ago", Right: "The page, as often as it is asked for", Run: runCursorRefused},
		{ID: "list-order", Title: "The order of the list changes from one list to the next", Covers: []string{"TL13", "R45"}, Stage: verdict.List, Level: Should, Revisions: modernOnly,
			Why:    "Clients put the list into the model's prompt; another order is another prompt, and the provider's prompt cache misses each time.",
			Source: "2026-07-28 server/tools, Capabilities", Wrong: "Iterating over a hash map", Right: "Sort by name, or keep the order of registration", Run: runOrder},
		{ID: "list-order-legacy", Title: "The order of the list changes from one list to the next", Covers: []string{"R45"}, Stage: verdict.List, Level: Quality, Severity: verdict.Info, Revisions: legacyOnly,
			Why:    "No revision before 2026-07-28 asks for it, but prompt caches miss all the same.",
			Source: "2026-07-28 server/tools, Capabilities (SHOULD there)", Wrong: "Iterating over a hash map", Right: "Sort by name, or keep the order of registration", Run: runOrder},
		{ID: "list-set", Title: "A list differs between connections", Covers: []string{"TL14", "L6", "R35"}, Stage: verdict.List, Level: Must, Revisions: modernOnly,
			Why:    "The list may depend on who asks and on nothing else: not on the connection, not on what was asked before. A client that cached the list calls what is no longer there.",
			Source: "2026-07-28 server/tools, server/resources and server/prompts, Capabilities; basic/index, Statelessness", Wrong: "A tool that appears after another one was called", Right: "The same list on every connection", Run: runSet},
		{ID: "list-incomplete", Title: "Pages repeat or lose tools", Covers: []string{"R48"}, Stage: verdict.List, Level: Quality,
			Why:    "A tool that stands on two pages is offered twice, and many hosts drop one of them or the server.",
			Source: "server/utilities/pagination", Wrong: "Pages that overlap because the set was sorted anew in between", Right: "Stable cursors over a stable order", Run: runOverlap},
		{ID: "list-many-pages", Title: "The list has more pages than clients read", Covers: []string{"R48"}, Stage: verdict.List, Level: Quality,
			Why:    "The TypeScript SDK client 2.4.0 reads 64 pages by itself and then gives up with an error.",
			Source: "observed: @modelcontextprotocol/client 2.4.0, ListPaginationExceeded", Wrong: "One tool per page", Right: "Hundreds of tools per page",
			Run: func(p *Pass) (out []Finding, err error) {
				for _, s := range p.Sessions() {
					if n := len(s.Pages); n > sdkPages {
						out = append(out, Finding{Session: s.ID, Message: fmt.Sprintf("tools/list has %d pages", n)})
					}
				}
				return out, nil
			}},
		{ID: "list-large-page", Title: "One page of the list is very large", Covers: []string{"R46", "R48"}, Stage: verdict.List, Level: Quality, Severity: verdict.Info,
			Why:    "A page over 1 MB is one line or one body that a client must hold as a whole; pages would let it begin, and the model will not read that many tools anyway.",
			Source: "observed: real servers send up to 2 MB in one answer", Wrong: "2,900 tools in one answer", Right: "nextCursor", Run: runLargePage},
	}
}

// eachList calls f for every successful answer to a list request.
func (p *Pass) eachList(f func(*recording.Session, *Exchange)) {
	p.EachExchange(func(e *Exchange) {
		if strings.HasSuffix(e.Method, "/list") && e.Result != nil && e.Result.Kind == schema.Object {
			f(e.Session, e)
		}
	})
}

func runNextCursor(p *Pass) (out []Finding, err error) {
	type list struct{ session, method string }
	way := map[list]map[string]bool{} // cursors since the beginning of a reading
	p.eachList(func(s *recording.Session, e *Exchange) {
		at := list{s.ID, e.Method}
		sent, had := e.Params.Get("cursor").IsString()
		if !had || way[at] == nil {
			way[at] = map[string]bool{}
		}
		if had {
			way[at][sent] = true
		}
		next := e.Result.Get("nextCursor")
		if next == nil {
			return
		}
		text, ok := next.IsString()
		switch {
		case !ok:
			out = append(out, Finding{Session: s.ID, Pointer: "/nextCursor", Message: fmt.Sprintf("%s gives a nextCursor that is %s and no string", e.Method, next.Kind)})
		case had && sent == text:
			out = append(out, Finding{Session: s.ID, Pointer: "/nextCursor", Message: fmt.Sprintf("The page of the cursor %s leads back to itself", quote(text))})
		case way[at][text]:
			out = append(out, Finding{Session: s.ID, Pointer: "/nextCursor", Message: fmt.Sprintf("The pages of %s lead back to the cursor %s", e.Method, quote(text))})
		}
	})
	if len(out) == 0 {
		return fromProblems("list-next-cursor")(p)
	}
	return out, nil
}

// runCursorRefused reports cursors that the server gave out and does not know any
// more on the same connection.
func runCursorRefused(p *Pass) (out []Finding, err error) {
	for _, s := range p.Conversations() {
		given := map[string]bool{}
		for _, e := range p.Exchanges(s) {
			if !strings.HasSuffix(e.Method, "/list") {
				continue
			}
			if sent, ok := e.Params.Get("cursor").IsString(); ok && given[e.Method+" "+sent] && e.Error != nil && !deliberate(e) {
				out = append(out, Finding{Session: s.ID, Message: fmt.Sprintf("%s gave the cursor %s and answers it with the error %d", e.Method, quote(sent), e.Code())})
			}
			if next, ok := e.Result.Get("nextCursor").IsString(); ok {
				given[e.Method+" "+next] = true
			}
		}
	}
	return out, nil
}

// inventedCursor is what the recorder sends; see wire.Probe.
const inventedCursor = "conform-no-such-cursor"

func runUnknownCursor(p *Pass) (out []Finding, err error) {
	p.eachList(func(s *recording.Session, e *Exchange) {
		if cursor, _ := e.Params.Get("cursor").IsString(); cursor == inventedCursor {
			out = append(out, Finding{Session: s.ID, Message: e.Method + " accepts a cursor that nobody gave out"})
		}
	})
	p.EachExchange(func(e *Exchange) {
		if cursor, _ := e.Params.Get("cursor").IsString(); cursor == inventedCursor && e.Error != nil && e.Code() != codeInvalidParams && e.Code() != codeMethodNotFound {
			out = append(out, Finding{Session: e.Session.ID, Message: fmt.Sprintf("%s answers an invented cursor with the error %d in place of -32602", e.Method, e.Code())})
		}
	})
	return out, nil
}

// listing is one whole reading of tools/list: the names in order.
type listing struct {
	session *recording.Session
	names   []string
}

// listKeyOf are the lists whose set must not change, and what names their entries.
// Source: 2026-07-28 server/tools, server/resources and server/prompts, Capabilities.
var listKeyOf = []struct{ method, list, name string }{{"tools/list", "tools", "name"}, {"resources/list", "resources", "uri"}, {"prompts/list", "prompts", "name"}}

// listingsOf returns the readings of a list in one revision, oldest first. A
// reading begins with a page without a cursor and counts when it was read to its
// end.
func (p *Pass) listingsOf(revision, method string) []listing {
	at := slices.IndexFunc(listKeyOf, func(k struct{ method, list, name string }) bool { return k.method == method })
	var out []listing
	for _, s := range p.Conversations() {
		if revisionOf(s) != revision || strings.HasSuffix(s.ID, secondIdentity) { // who asks may change the list
			continue
		}
		var now *listing
		for _, e := range p.Exchanges(s) {
			if e.Method != method || e.Result == nil || deliberate(e) {
				continue
			}
			cursor, had := e.Params.Get("cursor").IsString()
			switch {
			case !had:
				now = &listing{session: s}
			case now == nil || cursor == inventedCursor:
				continue
			}
			if list := e.Result.Get(listKeyOf[at].list); kindOf(list) == "array" {
				for _, item := range list.Items {
					name, _ := item.Get(listKeyOf[at].name).IsString()
					now.names = append(now.names, name)
				}
			}
			if !e.Result.Has("nextCursor") {
				out = append(out, *now)
				now = nil
			}
		}
	}
	return out
}

func (p *Pass) revisionsSeen() []string {
	var out []string
	for _, s := range p.Conversations() {
		if r := revisionOf(s); !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

func runOrder(p *Pass) (out []Finding, err error) {
	compared := false
	for _, revision := range p.revisionsSeen() {
		for _, kind := range listKeyOf {
			all := p.listingsOf(revision, kind.method)
			for _, other := range all[min(1, len(all)):] {
				compared = compared || kind.list == "tools"
				a, b := common(all[0].names, other.names), common(other.names, all[0].names)
				if i := firstDifference(a, b); i >= 0 {
					out = append(out, Finding{Session: other.session.ID, Message: fmt.Sprintf("Of the %s that two lists share, number %d is %s in one and %s in the other", kind.list, i+1, quote(a[i]), quote(b[i]))})
					break
				}
			}
		}
	}
	if !compared && len(p.Sessions()) > 0 {
		return nil, CouldNotCheck{"the list was read once only"}
	}
	return out, nil
}

// common returns the names of a list that another one has too, each once.
func common(list, other []string) (out []string) {
	wanted := setOf(other)
	for _, name := range list {
		if wanted[name] {
			wanted[name] = false
			out = append(out, name)
		}
	}
	return out
}

func firstDifference(a, b []string) int {
	for i := range a {
		if i < len(b) && a[i] != b[i] {
			return i
		}
	}
	return -1
}

func setOf(list []string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, s := range list {
		set[s] = true
	}
	return set
}

func runSet(p *Pass) (out []Finding, err error) {
	compared := false
	for _, revision := range p.revisionsSeen() {
		for _, kind := range listKeyOf {
			all := p.listingsOf(revision, kind.method)
			for _, other := range all[min(1, len(all)):] {
				compared = compared || kind.list == "tools"
				if more, fewer := difference(all[0].names, other.names); more+fewer != "" {
					out = append(out, Finding{Session: other.session.ID, Message: "Two lists of " + kind.list + " differ:" + clause(" only the first has ", fewer) + clause(" only the second has ", more)})
					break
				}
			}
		}
	}
	if !compared && len(p.Sessions()) > 0 {
		return out, CouldNotCheck{"the list was read once only"}
	}
	return out, nil
}

func clause(words, name string) string {
	if name == "" {
		return ""
	}
	return words + name
}

// difference returns a name that only b has and one that only a has.
func difference(a, b []string) (more, fewer string) {
	inA, inB := setOf(a), setOf(b)
	for _, s := range b {
		if !inA[s] {
			more = quote(s)
			break
		}
	}
	for _, s := range a {
		if !inB[s] {
			fewer = quote(s)
			break
		}
	}
	return more, fewer
}

func runOverlap(p *Pass) (out []Finding, err error) {
	for _, s := range p.Sessions() {
		at := map[string]*recording.Tool{}
		for _, t := range s.Tools {
			first, seen := at[t.Name]
			if !seen {
				at[t.Name] = t
				continue
			}
			if t.Name != "" && t.Page != first.Page && schema.Equal(t.Value, first.Value) {
				out = append(out, Finding{Tool: t.Name, Session: s.ID, Message: fmt.Sprintf("%s stands on page %d and again on page %d", quote(t.Name), first.Page+1, t.Page+1)})
			}
		}
	}
	return out, nil
}

func runLargePage(p *Pass) (out []Finding, err error) {
	for _, s := range p.Sessions() {
		total := 0
		for i, page := range s.Pages {
			total += page.Bytes
			if page.Bytes > largePage {
				out = append(out, Finding{Session: s.ID, Message: fmt.Sprintf("Page %d of tools/list has %d bytes", i+1, page.Bytes)})
			}
		}
	}
	return out, nil
}
