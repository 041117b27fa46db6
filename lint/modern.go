package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// modernRules are about server/discover, metadata and statelessness.
func modernRules() []*Rule {
	return []*Rule{
		{ID: "discover", Title: "server/discover is missing or incomplete", Covers: []string{"L3", "R30"}, Stage: verdict.Connect, Level: Must, Revisions: modernOnly,
			Why:    "A client of both eras asks server/discover first. A server that does not answer it is taken for a legacy one; one that does not list the revision it answers in can't be used. (That the list holds that revision is not written down; nothing else makes sense of it.)",
			Source: "2026-07-28 server/discover; schema.ts, DiscoverResult", Wrong: `{"supportedVersions":[]}`, Right: `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public"}`, Run: runDiscover},
		{ID: "metadata-required", Title: "A modern request without its metadata is accepted", Covers: []string{"T9", "R32"}, Stage: verdict.Connect, Level: Must, Revisions: modernOnly,
			Why:    "Each request names its revision and the client's capabilities; without them the server has to guess. The answer is the error -32602, over HTTP with status 400.",
			Source: "2026-07-28 basic/index, _meta", Wrong: "A result for a request without io.modelcontextprotocol/clientCapabilities", Right: `{"code":-32602,"message":"…"} and HTTP 400`, Run: runMetadata},
		{ID: "unknown-revision", Title: "A revision that does not exist is not refused properly", Covers: []string{"L4", "T6", "R32"}, Stage: verdict.Connect, Level: Must, Revisions: modernOnly,
			Why:    "The error -32022 lists what the server speaks (data.supported) and what was asked for (data.requested); a client picks from it. Over HTTP the status is 400, with the error as its body.",
			Source: "2026-07-28 basic/versioning; schema.ts, UnsupportedProtocolVersionError", Wrong: `{"code":-32022,"message":"Unsupported protocol version"}`, Right: `{"code":-32022,"message":"…","data":{"supported":["2026-07-28"],"requested":"2099-01-01"}}`, Run: runUnknownRevision},
		{ID: "initialize-refusal", Title: "A modern-only server doesn't say what it speaks when it refuses initialize", Covers: []string{"L5"}, Stage: verdict.Connect, Level: Should,
			Why:    "A legacy client has nothing but this error; with the revisions in it a person learns that the client is too old.",
			Source: "2026-07-28 basic/versioning, Backward Compatibility", Wrong: `{"code":-32601,"message":"Method not found"}`, Right: `{"code":-32022,"message":"…","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}`, Run: runInitializeRefusal},
		{ID: "stateless", Title: "A call depends on what came before on its connection", Covers: []string{"L6"}, Stage: verdict.Call, Level: Must, Revisions: modernOnly,
			Why:    "Any request may be the first on a connection, and over HTTP any may reach another instance. What works only after tools/list fails at random.",
			Source: "2026-07-28 basic/index, Statelessness", Wrong: "tools/call gives an error before the first tools/list", Right: "The same answer whatever came before", Run: runStateless},
		{ID: "subscription", Title: "subscriptions/listen is not acknowledged as it must be", Covers: []string{"L7"}, Stage: verdict.Connect, Level: Must, Revisions: modernOnly,
			Why:    "The first message of the stream is notifications/subscriptions/acknowledged, and each notification names its subscription in _meta: on stdio there is nothing else to tell whose it is.",
			Source: "2026-07-28 basic/patterns/subscriptions", Wrong: `{"method":"notifications/tools/list_changed"} as the first message`, Right: `{"method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":7}}}`, Run: runSubscription},
		{ID: "unrequested-notification", Title: "A notification comes that the request did not ask for", Covers: []string{"L7", "T11"}, Stage: verdict.Call, Level: Must, Revisions: modernOnly,
			Why:    "Log messages are sent only to a request that names a logLevel in its _meta, change notifications only on the stream of subscriptions/listen.",
			Source: "2026-07-28 server/utilities/logging; basic/patterns/subscriptions", Wrong: `{"method":"notifications/message"} to a request without logLevel`, Right: "Nothing but the answer",
			Run: func(p *Pass) (out []Finding, err error) {
				p.EachExchange(func(e *Exchange) {
					if e.Session.InitError != nil && !p.speaksModern() { // a legacy server may log to anyone
						return
					}
					for _, v := range e.Unasked {
						method, _ := v.Get("method").IsString()
						asked := e.Method == "subscriptions/listen" || method == "notifications/message" && e.Params.Get("_meta").Has(metaLogLevel)
						if v.Has("id") || asked || method == "notifications/progress" || method == "notifications/cancelled" {
							continue
						}
						out = append(out, Finding{Session: e.Session.ID, Message: quote(method) + " is sent although no request asked for it"})
					}
				})
				return out, nil
			}},
	}
}

// metaSubscription names the subscription of a notification.
const metaSubscription = "io.modelcontextprotocol/subscriptionId"

func runSubscription(p *Pass) (out []Finding, err error) {
	p.EachExchange(func(e *Exchange) {
		if e.Method != "subscriptions/listen" || deliberate(e) {
			return
		}
		report := func(severity verdict.Severity, format string, args ...any) {
			out = append(out, Finding{Session: e.Session.ID, Severity: severity, Message: fmt.Sprintf(format, args...)})
		}
		switch {
		case e.Error != nil:
			report(verdict.Warning, "listChanged is declared, and subscriptions/listen is answered with the error %d", e.Code())
			return
		case len(e.Unasked) == 0 && e.Result != nil:
			report("", "subscriptions/listen ends without an acknowledgement")
			return
		case len(e.Unasked) == 0:
			report(verdict.Warning, "subscriptions/listen is not acknowledged within a second")
			return
		}
		if method, _ := e.Unasked[0].Get("method").IsString(); method != "notifications/subscriptions/acknowledged" {
			report("", "The first message of subscriptions/listen is %s and no acknowledgement", quote(method))
		}
		for _, v := range e.Unasked {
			method, _ := v.Get("method").IsString()
			of := v.Get("params").Get("_meta").Get(metaSubscription)
			switch {
			case method == "notifications/progress" || method == "notifications/message":
			case of == nil:
				report("", "%s on the stream of subscriptions/listen has no subscriptionId in its _meta", quote(method))
				return
			case e.ID != nil && idKey(of) != idKey(e.ID):
				report("", "%s has the subscriptionId %s; the request has the id %s", quote(method), short(of.Compact()), short(e.ID.Compact()))
				return
			case !wanted(e.Params.Get("notifications"), method):
				report("", "%s comes on a stream that did not ask for it", quote(method))
			}
		}
	})
	return out, nil
}

// wanted reports whether a filter asks for a notification of a kind. Source:
// 2026-07-28 basic/patterns/subscriptions, Notification Filter.
func wanted(filter *schema.Value, method string) bool {
	parts := strings.Split(method, "/")
	switch {
	case strings.HasSuffix(method, "/list_changed") && len(parts) == 3:
		return filter.Get(parts[1] + "ListChanged").IsTrue()
	case method == "notifications/resources/updated":
		return filter.Has("resourceSubscriptions")
	}
	return true
}

// speaksModern reports whether any session in the modern era worked.
func (p *Pass) speaksModern() bool {
	return slices.ContainsFunc(p.Capture.Sessions, func(s *recording.Session) bool { return s.Modern() && s.InitError == nil && len(s.Pages) > 0 })
}

func runDiscover(p *Pass) (out []Finding, err error) {
	worked := p.speaksModern()
	p.EachExchange(func(e *Exchange) {
		if e.Method != "server/discover" || deliberate(e) && e.Session.Messages != nil {
			return
		}
		report := func(pointer, format string, args ...any) {
			out = append(out, Finding{Session: e.Session.ID, Pointer: pointer, Message: fmt.Sprintf(format, args...)})
		}
		if e.Result == nil {
			// Whoever refuses it and speaks no modern revision is a legacy server.
			if worked && e.Error != nil {
				report("", "server/discover is answered with the error %d, but the server speaks the modern era", e.Code())
			}
			return
		}
		supported := e.Result.Get("supportedVersions")
		switch {
		case kindOf(supported) != "array":
			report("/supportedVersions", "supportedVersions is %s and no array", kindOf(supported))
		case len(supported.Items) == 0:
			report("/supportedVersions", "supportedVersions is empty")
		case e.Version() != "" && !slices.ContainsFunc(supported.Items, func(v *schema.Value) bool { return v.Kind == schema.String && v.Text == e.Version() }):
			f := Finding{Session: e.Session.ID, Pointer: "/supportedVersions", Message: fmt.Sprintf("supportedVersions does not hold %s, in which the server answers", e.Version())}
			if !p.answeredIn(e.Version()) {
				// A server that answers server/discover and nothing else of the era: the
				// specification leaves open what that means, the Go SDK 1.8.0 does it.
				f.Severity, f.Message = verdict.Info, "server/discover is answered, but lists no revision of the modern era: a legacy server"
			}
			out = append(out, f)
		}
		for _, v := range items(supported) {
			if text, ok := v.IsString(); !ok || !revisionForm.MatchString(text) {
				report("/supportedVersions", "supportedVersions holds %s, which is no revision", short(v.Compact()))
			}
		}
		if c := e.Result.Get("capabilities"); kindOf(c) != "object" {
			report("/capabilities", "The result of server/discover has capabilities that are %s and no object", kindOf(c))
		}
	})
	return out, nil
}

// revisionForm is a date, or the name of a draft.
var revisionForm = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}([-.].+)?$|(?i)draft`)

// answeredIn reports whether a request of a modern revision, other than
// server/discover, got a result of that era.
func (p *Pass) answeredIn(version string) (found bool) {
	p.EachExchange(func(e *Exchange) {
		found = found || e.Method != "server/discover" && e.Version() == version && e.Result.Has("resultType")
	})
	return found
}

func runMetadata(p *Pass) (out []Finding, err error) {
	p.EachExchange(func(e *Exchange) {
		bare := e.Answer == nil && e.HTTP != nil && e.HTTP.Status >= 400
		if e.ID == nil || e.Request == nil || !e.Session.Modern() || e.Answer == nil && !bare || e.Method == "initialize" || e.Method == "ping" {
			return
		}
		meta := e.Params.Get("_meta")
		missing := ""
		switch _, named := meta.Get(metaVersion).IsString(); {
		case !named:
			// Without a revision a server of both eras may take the request for a
			// legacy one; a result that says resultType is modern.
			if e.HTTP == nil && (e.Result == nil || !e.Result.Has("resultType")) {
				return
			}
			missing = "protocolVersion"
		case kindOf(meta.Get(metaCapabilities)) != "object":
			missing = "clientCapabilities"
		default:
			return
		}
		if e.HTTP != nil && (e.HTTP.Mixed || e.HTTP.Headers.Get("Mcp-Protocol-Version") < v2026_07 || refusedEarlier(e)) {
			return
		}
		report := func(format string, args ...any) {
			out = append(out, Finding{Session: e.Session.ID, Message: fmt.Sprintf("A %s request whose _meta has no %s was ", e.Method, missing) + fmt.Sprintf(format, args...)})
		}
		switch {
		case bare:
			report("answered with HTTP %d, but without the JSON-RPC error -32602", e.HTTP.Status)
		case e.Error == nil:
			report("accepted")
		case e.Code() != codeInvalidParams && !(e.HTTP != nil && missing == "protocolVersion" && e.Code() == codeHeaderMismatch):
			report("answered with the error %d in place of -32602", e.Code())
		case e.HTTP != nil && e.HTTP.Status != 400:
			report("answered with HTTP %d in place of 400", e.HTTP.Status)
		}
	})
	return out, nil
}

func runUnknownRevision(p *Pass) (out []Finding, err error) {
	p.EachExchange(func(e *Exchange) {
		version := e.Version()
		if version == "" || known(version) || e.ID == nil || e.Request == nil {
			return
		}
		if e.HTTP != nil && (e.HTTP.Mixed || refusedEarlier(e) || e.HTTP.Headers.Get("Mcp-Protocol-Version") != version) {
			return
		}
		report := func(format string, args ...any) {
			out = append(out, Finding{Session: e.Session.ID, Message: fmt.Sprintf("A request of the invented revision %s is ", version) + fmt.Sprintf(format, args...)})
		}
		data := e.Error.Get("data")
		switch {
		case e.Result != nil:
			report("accepted")
		case e.Error == nil && e.HTTP != nil:
			report("answered with HTTP %d, but without the JSON-RPC error -32022", e.HTTP.Status)
		case e.Error == nil:
			return // no answer at all is another rule's
		case e.Code() != codeUnsupportedVersion:
			report("answered with the error %d in place of -32022", e.Code())
		case kindOf(data.Get("supported")) != "array" || len(data.Get("supported").Items) == 0:
			report("refused without data.supported, the list of what the server speaks")
		case kindOf(data.Get("requested")) != "string":
			report("refused without data.requested")
		case e.HTTP != nil && e.HTTP.Status != 400:
			report("answered with HTTP %d in place of 400", e.HTTP.Status)
		}
	})
	return out, nil
}

func runInitializeRefusal(p *Pass) (out []Finding, err error) {
	if !p.speaksModern() {
		return nil, nil
	}
	for _, s := range slices.Concat(p.Capture.Sessions, p.Capture.Probes) {
		for _, e := range p.Exchanges(s) {
			if e.Method != "initialize" || e.Error == nil || !p.wants(s) {
				continue
			}
			if names(e.Error, v2026_07) {
				continue
			}
			out = append(out, Finding{Session: s.ID, Message: fmt.Sprintf("initialize is refused with the error %d, which does not name the revisions that the server speaks", e.Code())})
		}
	}
	return out, nil
}

// names reports whether an error names a revision anywhere.
func names(failure *schema.Value, revision string) bool {
	found := false
	eachString(failure, 0, func(s string) {
		for i := 0; i+len(revision) <= len(s) && !found; i++ {
			found = s[i:i+len(revision)] == revision
		}
	})
	return found
}

// eachString visits every string of a value, to a bounded depth.
func eachString(v *schema.Value, depth int, visit func(string)) {
	if v == nil || depth > 64 {
		return
	}
	switch v.Kind {
	case schema.String:
		visit(v.Text)
	case schema.Array:
		for _, item := range v.Items {
			eachString(item, depth+1, visit)
		}
	case schema.Object:
		for _, m := range v.Members {
			eachString(m.Value, depth+1, visit)
		}
	}
}

// runStateless compares a call that was the first request on its connection with
// the same call later on another one.
func runStateless(p *Pass) (out []Finding, err error) {
	for _, s := range p.Capture.Probes {
		list := p.Exchanges(s)
		if !p.wants(s) || len(list) == 0 || list[0].Method != "tools/call" || list[0].Error == nil || deliberate(list[0]) {
			continue
		}
		first := list[0]
		name, _ := first.Params.Get("name").IsString()
		for _, other := range p.Conversations() {
			for i, e := range p.Exchanges(other) {
				called, _ := e.Params.Get("name").IsString()
				if i > 0 && e.Method == "tools/call" && called == name && e.Result != nil && schema.Equal(e.Params.Get("arguments"), first.Params.Get("arguments")) {
					out = append(out, Finding{Tool: name, Session: s.ID, Message: fmt.Sprintf("The call is refused (%d) as the first request of a connection and works later", first.Code())})
					return out, nil
				}
			}
		}
	}
	return out, nil
}
