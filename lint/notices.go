package lint

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// noticeRules are about notifications of the server as such, and about requests that
// nobody answers.
func noticeRules() []*Rule {
	return []*Rule{
		{ID: "notification-params", Title: "A notification is malformed", Covers: []string{"T2", "L7"}, Stage: verdict.Call, Level: Must,
			Why:    "params is an object; a log message has one of the eight levels and data, a changed resource its uri, a cancellation the id of a request that the server made (in the modern era that of a subscription). Typed clients throw on the others, some of them outside of any request, where nothing catches it.",
			Source: "schema.json, ServerNotification; server/utilities/logging; basic/patterns/cancellation", Wrong: `{"method":"notifications/message","params":{"level":"warn","message":"low"}}`, Right: `{"method":"notifications/message","params":{"level":"warning","data":"low"}}`, Run: runNotices},
		{ID: "progress", Title: "Progress is reported wrongly", Covers: []string{"T11"}, Stage: verdict.Call, Level: Must,
			Why:    "A progress notification names the token of a request that is under way, and its number grows. Clients end the session, or reset their time limits, by what they read there.",
			Source: "basic/utilities/progress (up to 2025-11-25), 2026-07-28 basic/patterns/progress", Wrong: `{"progressToken":"a","progress":2}, then {"progressToken":"a","progress":1}`, Right: "1, then 2, and none after the answer", Run: runProgress},
		{ID: "request-answered", Title: "A request gets no answer", Covers: []string{"T2"}, Stage: verdict.Connect, Level: Must,
			Why:    "Every request has an answer, an error at least. A server that ends, or stays silent, on a request that it does not like takes all other calls of its users with it.",
			Source: "JSON-RPC 2.0, section 5", Wrong: "A process that ends when a tool is called that it does not have", Right: `{"code":-32602,"message":"Unknown tool: hual"}`, Run: runAnswered},
	}
}

// eachNotice calls f for every notification of a session, with what passed before.
func (p *Pass) eachNotice(s *recording.Session, f func(v *schema.Value), sent func(v *schema.Value), answer func(v *schema.Value)) {
	for _, m := range s.Messages {
		if m.Kind != "message" {
			continue
		}
		for _, v := range messagesIn(p.shared.parse(m.Bytes)) {
			switch _, named := v.Get("method").IsString(); {
			case m.From == "client":
				sent(v)
			case named && (!v.Has("id") || v.Get("id").Kind == schema.Null):
				f(v)
			default:
				answer(v)
			}
		}
	}
}

// logLevels are those of RFC 5424. Source: server/utilities/logging, Log Levels.
var logLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

func runNotices(p *Pass) (out []Finding, err error) {
	for _, s := range p.Conversations() {
		report := func(format string, args ...any) {
			out = append(out, Finding{Session: s.ID, Message: fmt.Sprintf(format, args...)})
		}
		mine, listening := map[string]bool{}, map[string]bool{} // ids of the server's requests, of subscriptions
		p.eachNotice(s, func(v *schema.Value) {
			method, _ := v.Get("method").IsString()
			if v.Has("id") {
				report("%s has the id null; a notification has none", quote(method))
			}
			if params := v.Get("params"); params != nil && params.Kind != schema.Object {
				report("params of %s is %s and no object", quote(method), params.Kind)
				return
			}
			checkNotice(s, method, v.Get("params"), mine, listening, report)
		}, func(v *schema.Value) {
			if method, _ := v.Get("method").IsString(); method == "subscriptions/listen" && v.Has("id") {
				listening[idKey(v.Get("id"))] = true
			}
		}, func(v *schema.Value) {
			if v.Has("method") && v.Has("id") {
				mine[idKey(v.Get("id"))] = true
			}
		})
	}
	return out, nil
}

func checkNotice(s *recording.Session, method string, params *schema.Value, mine, listening map[string]bool, report func(string, ...any)) {
	switch method {
	case "notifications/message":
		if level, ok := params.Get("level").IsString(); !ok || !slices.Contains(logLevels, level) {
			report("A log message has the level %s; there are %s", textOf(params.Get("level")), join(logLevels))
		}
		if !params.Has("data") {
			report("A log message has no data")
		}
	case "notifications/resources/updated":
		if _, ok := params.Get("uri").IsString(); !ok {
			report("A resource is said to have changed, and its uri is %s and no string", kindOf(params.Get("uri")))
		}
	case "notifications/cancelled":
		id := params.Get("requestId")
		switch {
		case id == nil:
			report("notifications/cancelled names no request")
		case s.Modern() && !listening[idKey(id)]:
			report("notifications/cancelled names %s, which is no subscription; a modern server cancels nothing else", short(id.Compact()))
		case !s.Modern() && !mine[idKey(id)]:
			report("notifications/cancelled names %s, which is no request of the server", short(id.Compact()))
		}
	}
}

// tracked is a request that asked for its progress.
type tracked struct {
	last *big.Rat
	over bool
	task bool // its token lives on after the answer
}

func runProgress(p *Pass) (out []Finding, err error) {
	for _, s := range p.Conversations() {
		byToken, byID := map[string]*tracked{}, map[string]*tracked{}
		p.eachNotice(s, func(v *schema.Value) {
			if method, _ := v.Get("method").IsString(); method != "notifications/progress" || kindOf(v.Get("params")) != "object" {
				return
			}
			if text := progressFault(v.Get("params"), byToken); text != "" {
				out = append(out, Finding{Session: s.ID, Message: text})
			}
		}, func(v *schema.Value) {
			params := v.Get("params")
			token := params.Get("_meta").Get("progressToken")
			if token == nil || v.Get("id") == nil {
				return
			}
			t := &tracked{task: params.Has("task")}
			byToken[idKey(token)], byID[idKey(v.Get("id"))] = t, t
		}, func(v *schema.Value) {
			if id := v.Get("id"); id != nil && byID[idKey(id)] != nil {
				byID[idKey(id)].over = true
			}
		})
	}
	return out, nil
}

func progressFault(params *schema.Value, known map[string]*tracked) string {
	token := params.Get("progressToken")
	if token == nil {
		return "A progress notification has no progressToken"
	}
	t := known[idKey(token)]
	now, ok := params.Get("progress").Exact()
	switch {
	case t == nil:
		return "A progress notification names the token " + short(token.Compact()) + ", which no request gave"
	case t.over && !t.task:
		return "Progress is reported after the answer"
	case !ok:
		return fmt.Sprintf("progress is %s and no number", kindOf(params.Get("progress")))
	case t.last != nil && now.Cmp(t.last) <= 0:
		return "progress does not grow: " + short(params.Get("progress").Compact()) + " follows " + t.last.RatString()
	}
	t.last = now
	return ""
}

// runAnswered reports what the recorder met on stdio, and over HTTP statuses that say
// that the server broke down.
func runAnswered(p *Pass) (out []Finding, err error) {
	out, err = fromProblems("request-answered")(p)
	for i := range out {
		out[i].Message = shorten(out[i].Message, 300)
	}
	p.EachExchange(func(e *Exchange) {
		if e.HTTP == nil || e.HTTP.Mixed || e.ID == nil || e.Answer != nil || e.HTTP.Status != 500 && e.HTTP.Status != 501 || deliberate(e) {
			return
		}
		out = append(out, Finding{Session: e.Session.ID, Message: fmt.Sprintf("%s is answered with HTTP %d and no JSON-RPC message", e.Method, e.HTTP.Status)})
	})
	return out, err
}
