package lint

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// httpRules are about Streamable HTTP as such. All of them look at heads that the
// recorder kept; without heads there is nothing to find.
func httpRules() []*Rule {
	return []*Rule{
		{ID: "http-content-type", Title: "An answer has a Content-Type that clients don't read", Covers: []string{"T4"}, Stage: verdict.Connect, Level: Must, Revisions: from2025_3,
			Why:    "A request is answered with application/json or text/event-stream. SDK clients decide by the header and refuse anything else.",
			Source: "basic/transports, Sending Messages to the Server", Wrong: "Content-Type: text/plain", Right: "Content-Type: application/json",
			Run: eachHTTP(func(e *Exchange) string {
				media := mediaType(e)
				if e.ID == nil || e.Answer == nil || media == "application/json" || media == "text/event-stream" {
					return ""
				}
				return fmt.Sprintf("The answer to %s has the Content-Type %s", e.Method, quote(media))
			})},
		{ID: "http-reply", Title: "A request succeeds over HTTP without an answer, or fails with one", Covers: []string{"T4"}, Stage: verdict.Call, Level: Must, Revisions: from2025_3,
			Why:    "What comes back for a request is one JSON-RPC message or an event stream with it. After a 2xx without either a client waits, or takes the page of a proxy for the answer. A result under a status of 400 and above is a warning: many clients look at the status and never read it.",
			Source: "basic/transports, Sending Messages to the Server", Wrong: "HTTP 202 and nothing to tools/list", Right: "HTTP 200 and the list", Run: runReply},
		{ID: "http-notification", Title: "A notification is not answered with 202 and nothing", Covers: []string{"T4"}, Stage: verdict.Connect, Level: Must, Revisions: from2025_3,
			Why:    "A notification that was accepted gets HTTP 202 without a body. A client may take a body for the answer to a request.",
			Source: "basic/transports, Sending Messages to the Server", Wrong: "HTTP 200 and {}", Right: "HTTP 202",
			Run: func(p *Pass) ([]Finding, error) {
				out, _ := fromProblems("http-notification")(p)
				more, err := eachHTTP(func(e *Exchange) string {
					if e.Request == nil || e.ID != nil || e.HTTP.Status < 200 || e.HTTP.Status > 299 || e.HTTP.Status == 202 {
						return ""
					}
					return fmt.Sprintf("The notification %s was answered with HTTP %d", e.Method, e.HTTP.Status)
				})(p)
				return append(out, more...), err
			}},
		{ID: "http-get", Title: "GET gives neither an event stream nor 405", Covers: []string{"T5"}, Stage: verdict.Connect, Level: Must, Revisions: from2025_3,
			Why:    "Clients of 2025-03-26 to 2025-11-25 open a stream with GET and read whatever comes as events; a modern server has no GET at all (SHOULD be 405).",
			Source: "basic/transports, Listening for Messages from the Server", Wrong: "HTTP 200, text/html", Right: "HTTP 405",
			Run: eachHTTP(func(e *Exchange) string {
				if e.HTTP.Verb != "GET" || e.Request != nil || mediaType(e) == "text/event-stream" {
					return ""
				}
				switch status := e.HTTP.Status; {
				case status >= 200 && status < 300, status == 404, status >= 500:
					return fmt.Sprintf("GET is answered with HTTP %d and %s", status, quote(mediaType(e)))
				}
				return "" // 405; 400, 401, 403 and 406 are about what the request lacks
			})},
		{ID: "http-delete", Title: "DELETE is accepted in the modern era", Covers: []string{"T5"}, Stage: verdict.Connect, Level: Should, Revisions: modernOnly,
			Why:    "DELETE ended a session in earlier revisions; the modern era has none to end, and the answer should be 405.",
			Source: "2026-07-28 basic/transports/streamable-http, Earlier revisions", Wrong: "HTTP 200 to DELETE", Right: "HTTP 405",
			Run: eachHTTP(func(e *Exchange) string {
				if e.HTTP.Verb != "DELETE" || e.HTTP.Status < 200 || e.HTTP.Status > 299 {
					return ""
				}
				return fmt.Sprintf("DELETE without a session is answered with HTTP %d", e.HTTP.Status)
			})},
		{ID: "http-stream-end", Title: "A stream goes on after its final answer", Covers: []string{"T12"}, Stage: verdict.Call, Level: Should, Revisions: modernOnly,
			Why:    "The final response ends the stream of its request. One that stays open keeps a connection busy for each call.",
			Source: "2026-07-28 basic/transports/streamable-http, Receiving Messages", Wrong: "The answer, then silence on an open connection", Right: "The answer, then the end of the body", Run: fromProblems("http-stream-end")},
		{ID: "http-version-header", Title: "An invented MCP-Protocol-Version is accepted", Covers: []string{"T6"}, Stage: verdict.Connect, Level: Must, Revisions: []string{v2025_06, v2025_11},
			Why:    "A server that can't speak the revision of the header must say so with HTTP 400; else both sides go on with different rules.",
			Source: "2025-06-18 and 2025-11-25 basic/transports, Protocol Version Header", Wrong: "HTTP 200 to MCP-Protocol-Version: 1999-01-01", Right: "HTTP 400",
			Run: eachHTTP(func(e *Exchange) string {
				named := e.HTTP.Headers.Get("Mcp-Protocol-Version")
				if named == "" || known(named) || e.Version() != "" || e.Method == "initialize" || e.HTTP.Status == 400 || refusedEarlier(e) {
					return ""
				}
				return fmt.Sprintf("A request with MCP-Protocol-Version: %s was answered with HTTP %d in place of 400", named, e.HTTP.Status)
			})},
		{ID: "http-stream-buffering", Title: "An event stream doesn't forbid buffering", Covers: []string{"T12"}, Stage: verdict.Connect, Level: Should, Revisions: modernOnly,
			Why:    "Reverse proxies hold a stream back until it ends unless X-Accel-Buffering: no forbids it; progress then comes with the answer, or a timeout before it.",
			Source: "2026-07-28 basic/transports/streamable-http, Receiving Messages", Wrong: "Content-Type: text/event-stream", Right: "Content-Type: text/event-stream\nX-Accel-Buffering: no",
			Run: eachHTTP(func(e *Exchange) string {
				if mediaType(e) != "text/event-stream" || e.HTTP.Verb != "POST" || strings.EqualFold(e.HTTP.Answers.Get("X-Accel-Buffering"), "no") {
					return ""
				}
				return "An event stream has no header X-Accel-Buffering: no"
			})},
		{ID: "http-origin", Title: "Requests from any web page are accepted", Covers: []string{"T13"}, Stage: verdict.Connect, Level: Must, Revisions: from2025_3,
			Why:    "A page in the user's browser can reach a server on the same machine by DNS rebinding, and call its tools. The Origin header tells such requests apart; an unknown one gets 403 (explicit since 2025-11-25). A server on another machine that takes any page is a warning: rebinding does not reach it.",
			Source: "basic/transports, Security Warning", Wrong: "HTTP 200 to Origin: https://attacker.example", Right: "HTTP 403",
			Run: func(p *Pass) ([]Finding, error) {
				out, err := eachHTTP(func(e *Exchange) string {
					origin := e.HTTP.Headers.Get("Origin")
					switch status := e.HTTP.Status; {
					case origin == "" || localOrigin(origin) || e.Code() == codeMethodNotFound:
						return ""
					case status < 400:
						return fmt.Sprintf("A request with Origin: %s was answered with HTTP %d", origin, status)
					case status != 403 && !refusedEarlier(e) && status < 500 && revisionOf(e.Session) >= v2025_11:
						return fmt.Sprintf("A request with Origin: %s was refused with HTTP %d in place of 403", origin, status)
					}
					return ""
				})(p)
				if address := p.Capture.Target.URL; address != "" && !localOrigin(address) {
					for i := range out {
						out[i].Severity = verdict.Warning
					}
				}
				return out, err
			}},
		{ID: "http-session-id", Title: "A session id holds characters that no header may hold", Covers: []string{"T15"}, Stage: verdict.Connect, Level: Must, Revisions: []string{v2025_03, v2025_06, v2025_11},
			Why:    "Mcp-Session-Id is visible ASCII, 0x21 to 0x7E. Clients send it back as they got it, and HTTP libraries refuse or change other characters.",
			Source: "basic/transports, Session Management", Wrong: "Mcp-Session-Id: my session", Right: "Mcp-Session-Id: 1868a90c", Run: fromProblems("http-session-id")},
		{ID: "http-session-unique", Title: "Two sessions have one id, or ids that can be guessed", Covers: []string{"T15"}, Stage: verdict.Connect, Level: Should, Revisions: []string{v2025_03, v2025_06, v2025_11},
			Why:    "A session id should be unique in the world and hard to guess. With one id for all, or with ids that count up, one client ends the session of another, and reads what was meant for it.",
			Source: "basic/transports, Session Management", Wrong: "Mcp-Session-Id: session, to every client", Right: "A UUID for each session", Run: fromProblems("http-session-unique")},
		{ID: "http-session-required", Title: "A request without its session id is answered", Covers: []string{"T15"}, Stage: verdict.Connect, Level: Should, Revisions: []string{v2025_03, v2025_06, v2025_11},
			Why:    "A server that gave a session id and takes requests without it mixes up its clients, or has no use for the id. The answer should be HTTP 400.",
			Source: "basic/transports, Session Management", Wrong: "HTTP 200 to a request without Mcp-Session-Id", Right: "HTTP 400",
			Run: eachHTTP(func(e *Exchange) string {
				if e.ID == nil || !e.HTTP.Without || e.Method == "initialize" || e.HTTP.Status == 400 || refusedEarlier(e) {
					return ""
				}
				if e.HTTP.Status > 400 {
					return fmt.Sprintf("A %s request without the session id is answered with HTTP %d in place of 400", e.Method, e.HTTP.Status)
				}
				return fmt.Sprintf("A %s request without the session id is answered with HTTP %d", e.Method, e.HTTP.Status)
			})},
		{ID: "http-session-ended", Title: "A session that was ended goes on", Covers: []string{"T15"}, Stage: verdict.Connect, Level: Must, Revisions: []string{v2025_03, v2025_06, v2025_11},
			Why:    "After a DELETE that was accepted the session's id gives HTTP 404, by which clients know that they must begin anew.",
			Source: "basic/transports, Session Management", Wrong: "HTTP 200 with the id of an ended session", Right: "HTTP 404",
			Run: eachHTTP(func(e *Exchange) string {
				if e.ID == nil || !e.HTTP.Ended || e.HTTP.Status == 404 || refusedEarlier(e) {
					return ""
				}
				return fmt.Sprintf("A %s request in a session that was ended is answered with HTTP %d in place of 404", e.Method, e.HTTP.Status)
			})},
		{ID: "http-stream-unanswered", Title: "A stream ends without the answer", Covers: []string{"T4"}, Stage: verdict.Call, Level: Should, Revisions: from2025_3,
			Why:    "The stream of a request holds its response at the end. A client that gets none waits until its time limit, or asks again.",
			Source: "basic/transports, Sending Messages to the Server", Wrong: "An event stream that closes after a notification", Right: "The answer, then the end of the body", Run: fromProblems("http-stream-unanswered")},
		{ID: "http-modern-session", Title: "A modern answer carries a session id", Covers: []string{"T15"}, Stage: verdict.Connect, Level: Must, Revisions: modernOnly,
			Why:    "The modern era is stateless: a server neither gives nor echoes session ids. One that does may expect them back, and no modern client sends them.",
			Source: "2026-07-28 basic/transports/streamable-http, Earlier revisions", Wrong: "Mcp-Session-Id: 1868a90c", Right: "No such header",
			Run: eachHTTP(func(e *Exchange) string {
				if e.Method == "initialize" || e.HTTP.Headers.Get("Mcp-Protocol-Version") < v2026_07 {
					return ""
				}
				if e.HTTP.Answers.Get(sessionHeader) != "" {
					return "A modern answer has the header Mcp-Session-Id"
				}
				if e.HTTP.Headers.Get(sessionHeader) != "" && e.HTTP.Verb == "POST" && e.HTTP.Status >= 400 && e.Code() != codeMethodNotFound && !refusedEarlier(e) && headerFault(e, nil) == "" {
					return fmt.Sprintf("A modern request with a session id, which is to be ignored, is answered with HTTP %d", e.HTTP.Status)
				}
				return ""
			})},
	}
}

// eachHTTP makes a rule of a look at one exchange over HTTP whose response head is
// surely its own.
func eachHTTP(look func(*Exchange) string) func(*Pass) ([]Finding, error) {
	return func(p *Pass) (out []Finding, err error) {
		p.EachExchange(func(e *Exchange) {
			if e.HTTP == nil || e.HTTP.Mixed || e.HTTP.Status == 0 {
				return
			}
			if text := look(e); text != "" {
				out = append(out, Finding{Session: e.Session.ID, Message: text})
			}
		})
		return out, nil
	}
}

func mediaType(e *Exchange) string {
	media, _, _ := strings.Cut(e.HTTP.Answers.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(media))
}

// known reports whether a revision exists.
func known(revision string) bool { return contains(Revisions, revision) }

// refusedEarlier reports whether something in front of the protocol refused the
// request: a login, a rate limit, a gateway.
func refusedEarlier(e *Exchange) bool {
	switch e.HTTP.Status {
	case 0, 401, 403, 407, 429, 502, 503, 504:
		return true
	}
	return false
}

func localOrigin(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

func runReply(p *Pass) (out []Finding, err error) {
	p.EachExchange(func(e *Exchange) {
		if e.HTTP == nil || e.HTTP.Mixed || e.ID == nil || e.HTTP.Status == 0 || e.Session.Modern() && !p.answersModern(e.Session) {
			return
		}
		status, succeeded := e.HTTP.Status, e.HTTP.Status >= 200 && e.HTTP.Status < 300
		switch {
		case succeeded && e.Answer == nil && mediaType(e) != "text/event-stream":
			out = append(out, Finding{Session: e.Session.ID, Message: fmt.Sprintf("%s is answered with HTTP %d and no JSON-RPC message", e.Method, status)})
		case status >= 400 && e.Result != nil:
			out = append(out, Finding{Session: e.Session.ID, Tool: calledTool(e), Severity: verdict.Warning, Message: fmt.Sprintf("The result of %s comes with HTTP %d", e.Method, status)})
		}
	})
	return out, nil
}
