package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// removedRules are about what one revision has and others do not, and about what must
// be refused whatever the revision.
func removedRules() []*Rule {
	return []*Rule{
		{ID: "message-batch-refused", Title: "A batch is not answered", Covers: []string{"T3"}, Stage: verdict.Connect, Level: Must, Revisions: []string{v2025_03},
			Why:    "2025-03-26 alone has batches, and whoever speaks it must receive them: a client that sends two requests in one waits for ever. No host of the table is known to send one, the next revision took them away, and nearly every server does without. It is an error where 2025-03-26 is the revision that a server answers to newer ones too, or with portability: strict; else info: clients then agree on a newer one.",
			Source: "2025-03-26 basic/index, Batching", Wrong: `{"code":-32600,"message":"Batches are not supported"} to [{"method":"ping",…},{"method":"ping",…}]`, Right: `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]`, Run: runBatchRefused},
		{ID: "era-removed-method", Title: "A method that the modern era does not have is answered", Covers: []string{"T10"}, Stage: verdict.Connect, Level: Quality, Revisions: modernOnly,
			Why:    "ping, logging/setLevel, resources/subscribe and resources/unsubscribe were removed: a modern server keeps no session that they could concern. A client that gets a result believes that a level, or a subscription, holds.",
			Source: "2026-07-28 changelog, 1, 4 and 5; basic/transports/streamable-http, Protocol Version Header", Wrong: `{"result":{"resultType":"complete"}} to ping`, Right: `{"code":-32601,"message":"Method not found"}`, Run: runRemovedMethod},
		{ID: "era-server-info", Title: "The server names itself otherwise in another era", Covers: []string{"R30", "ERA"}, Stage: verdict.Connect, Level: Quality,
			Why:    "Name and version tell people, and bug reports, which server it was. With two of them the eras are two programs, or one of the two was forgotten at the last release.",
			Source: "schema.json, Implementation; 2026-07-28 basic/index, Per-response Metadata", Wrong: `"version":"1.1.0" from initialize, "version":"1.2.0" from server/discover`, Right: "One name, one version", Run: runEraServerInfo},
		{ID: "log-level", Title: "A log level that does not exist is accepted", Covers: []string{"L2"}, Stage: verdict.Connect, Level: Should,
			Why:    "A client that sends a level of its own library must learn that nothing will come of it; the answer should be the error -32602. The eight levels are those of RFC 5424, and each of them should be taken.",
			Source: "server/utilities/logging, Error Handling", Wrong: `{"result":{}} to {"level":"loud"}`, Right: `{"code":-32602,"message":"Unknown log level: loud"}`, Run: runLogLevel},
		{ID: "log-level-ignored", Title: "Log messages come below the level that was asked for", Covers: []string{"L2"}, Stage: verdict.Connect, Level: Should,
			Why:    "The level is the least that the client wants: whoever asked for warnings gets a flood of what does not concern him, and may have paid for the filter on the other side.",
			Source: "server/utilities/logging, Setting Log Level; 2026-07-28, Per-request log level (at or above the requested level)", Wrong: `{"method":"notifications/message","params":{"level":"debug"}} after {"level":"warning"} was set`, Right: "Messages of the level warning and above", Run: runLogLevelIgnored},
		{ID: "resource-traversal", Title: "A resource leads out of its directory", Covers: []string{"R28"}, Stage: verdict.Result, Level: Must,
			Why:    "An address that holds .. is joined to a path and read: whoever can make the model read a resource reads any file that the server can. Addresses must be checked, paths cleaned and held against the directory.",
			Source: "server/resources, Security Considerations", Wrong: "Contents for file:///../../etc/hosts", Right: `{"code":-32602,"message":"Resource not found"}`, Run: runTraversal},
	}
}

// runBatchRefused looks at what came back for the requests of each batch of the client.
// Of a server that speaks newer revisions as well it is information: of seventeen
// public servers none takes batches, and no host of the table sends them.
func runBatchRefused(p *Pass) (out []Finding, err error) {
	severity := verdict.Info
	if p.Config.Portability == PortabilityStrict || slices.ContainsFunc(p.Sessions(), func(s *recording.Session) bool {
		return s.Negotiated == v2025_03 && s.Requested > s.Negotiated && known(s.Requested)
	}) {
		severity = "" // that of the rule
	}
	for _, s := range p.Conversations() {
		open := map[string]bool{}
		refused := ""
		for _, m := range s.Messages {
			v := p.shared.parse(m.Bytes)
			if m.Kind != "message" || v == nil {
				continue
			}
			if m.From == "client" && v.Kind == schema.Array {
				for _, item := range v.Items {
					if id := item.Get("id"); id != nil && item.Has("method") {
						open[idKey(id)] = true
					}
				}
			}
			if m.From == "client" || len(open) == 0 {
				continue
			}
			for _, answer := range messagesIn(v) {
				if id := answer.Get("id"); id != nil && open[idKey(id)] && answer.Has("result") {
					delete(open, idKey(id))
				} else if failure := answer.Get("error"); failure != nil {
					refused = fmt.Sprintf(", but with the error %d", codeOf(failure))
				}
			}
		}
		if len(open) > 0 {
			out = append(out, Finding{Session: s.ID, Severity: severity, Message: fmt.Sprintf("%d requests of a batch are not answered%s", len(open), refused)})
		}
	}
	return out, nil
}

// removedMethods are those that 2026-07-28 took away and a client of before may send.
var removedMethods = []string{"ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"}

// removed reports whether a modern request names a method that its era does not have.
func removed(e *Exchange) bool {
	return e.Version() >= v2026_07 && slices.Contains(removedMethods, e.Method)
}

func runRemovedMethod(p *Pass) (out []Finding, err error) {
	p.EachExchange(func(e *Exchange) {
		if removed(e) && e.Result != nil {
			out = append(out, Finding{Session: e.Session.ID, Message: e.Method + ", which the modern era does not have, is answered with a result"})
		}
	})
	return out, nil
}

// runEraServerInfo compares what the server calls itself in each era.
func runEraServerInfo(p *Pass) (out []Finding, err error) {
	said := map[bool]*schema.Value{} // by whether the era is modern
	p.EachExchange(func(e *Exchange) {
		info := e.Result.Get("_meta").Get(metaServerInfo)
		if e.Method == "initialize" {
			info = e.Result.Get("serverInfo")
		} else if e.Version() == "" && e.Request != nil || !e.Session.Modern() {
			return
		}
		modern := e.Method != "initialize"
		if kindOf(info) != "object" || said[modern] != nil {
			return
		}
		said[modern] = info
		if said[!modern] == nil {
			return
		}
		for _, key := range []string{"name", "version"} {
			now, typed := info.Get(key).IsString()
			before, also := said[!modern].Get(key).IsString()
			if typed && also && now != before {
				out = append(out, Finding{Session: e.Session.ID, Pointer: "/serverInfo/" + key, Message: fmt.Sprintf("serverInfo.%s is %s in one era and %s in the other", key, quote(now), quote(before))})
			}
		}
	})
	return out, nil
}

func runLogLevel(p *Pass) (out []Finding, err error) {
	p.EachExchange(func(e *Exchange) {
		level, _ := e.Params.Get("level").IsString()
		set := e.Method == "logging/setLevel" && e.Version() == ""
		if !set {
			level, _ = e.Params.Get("_meta").Get(metaLogLevel).IsString()
		}
		if level == "" || e.Answer == nil && e.Request != nil || deliberate(e) || e.Code() == codeMethodNotFound {
			return
		}
		report := func(format string, args ...any) {
			out = append(out, Finding{Session: e.Session.ID, Message: fmt.Sprintf(format, args...)})
		}
		exists := slices.Contains(logLevels, level)
		switch {
		case !exists && e.Result != nil:
			report("%s with the log level %s, which does not exist, succeeds", e.Method, quote(level))
		case !exists && e.Code() != codeInvalidParams:
			report("%s with the log level %s, which does not exist, is answered with the error %d in place of -32602", e.Method, quote(level), e.Code())
		case exists && set && e.Error != nil:
			report("The log level %s is refused with the error %d", quote(level), e.Code())
		}
	})
	return out, nil
}

// runTraversal reports what is read by an address that leads upwards, unless the server
// gives something for every address, which is the rule unknown-resource's.
func runTraversal(p *Pass) (out []Finding, err error) {
	answersAll := map[string]bool{}
	p.EachExchange(func(e *Exchange) {
		if uri, _ := e.Params.Get("uri").IsString(); e.Method == "resources/read" && uri == inventedResource && e.Result != nil {
			answersAll[revisionOf(e.Session)] = true
		}
	})
	p.EachExchange(func(e *Exchange) {
		uri, _ := e.Params.Get("uri").IsString()
		if e.Method != "resources/read" || !strings.Contains(uri, "/../") || answersAll[revisionOf(e.Session)] {
			return
		}
		for _, c := range items(e.Result.Get("contents")) {
			text, _ := c.Get("text").IsString()
			blob, _ := c.Get("blob").IsString()
			if text+blob != "" {
				out = append(out, Finding{Session: e.Session.ID, Message: fmt.Sprintf("resources/read of %s gives contents", quote(uri))})
				return
			}
		}
	})
	return out, nil
}

// runLogLevelIgnored holds log messages against the level of their session, or in the
// modern era of their request.
func runLogLevelIgnored(p *Pass) (out []Finding, err error) {
	for _, s := range p.Conversations() {
		set, kept := -1, true
		for _, e := range p.Exchanges(s) {
			least, f := set, Finding{Session: s.ID, Tool: calledTool(e)}
			if !kept { // a server without sessions has nowhere to keep what was set
				f.Severity = verdict.Info
			}
			if e.Version() != "" {
				asked, _ := e.Params.Get("_meta").Get(metaLogLevel).IsString()
				least = slices.Index(logLevels, asked)
			}
			for _, v := range e.Unasked {
				level, _ := v.Get("params").Get("level").IsString()
				if at := slices.Index(logLevels, level); methodIs(v, "notifications/message") && at >= 0 && at < least {
					f.Message = fmt.Sprintf("A log message of the level %s comes where the level %s was asked for", level, logLevels[least])
					out = append(out, f)
				}
			}
			if e.Method == "logging/setLevel" && e.Version() == "" && e.Result != nil {
				kept = e.HTTP == nil || e.HTTP.Headers.Get(sessionHeader) != ""
				if asked, _ := e.Params.Get("level").IsString(); slices.Contains(logLevels, asked) {
					set = slices.Index(logLevels, asked)
				}
			}
		}
	}
	return out, nil
}

func methodIs(v *schema.Value, method string) bool {
	text, ok := v.Get("method").IsString()
	return ok && text == method
}
