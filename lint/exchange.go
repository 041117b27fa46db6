package lint

import (
	"net/textproto"
	"slices"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// Exchange is one request of the client, or one bare HTTP request, and what came
// back for it.
type Exchange struct {
	Session *recording.Session
	Request *schema.Value // nil for an HTTP request without a message
	Method  string        // JSON-RPC method, "" without a message
	ID      *schema.Value // nil for a notification
	Params  *schema.Value
	// Answer is the message that answered, the first when several did.
	Answer *schema.Value
	Result *schema.Value
	Error  *schema.Value
	HTTP   *HTTP // nil on stdio and where heads were not recorded
	// Unasked are messages with a method that came between request and answer, After
	// those that came in the same HTTP response behind the answer.
	Unasked []*schema.Value
	After   []*schema.Value
}

// sessionHeader names a session (2025-03-26 to 2025-11-25 basic/transports).
const sessionHeader = "Mcp-Session-Id"

// HTTP is the head of an HTTP request and of its response.
type HTTP struct {
	Verb    string
	Address string
	Headers textproto.MIMEHeader
	Status  int // 0: no response was recorded
	Answers textproto.MIMEHeader
	// Mixed: other requests were under way, so the response head may be another's.
	Mixed bool
	// Without: the server gave a session id before, and the request has none. Ended:
	// a DELETE of the session was accepted before.
	Without, Ended bool
}

// Version is the revision that the request's own metadata names, "" for a legacy
// request.
func (e *Exchange) Version() string {
	v, _ := e.Params.Get("_meta").Get(metaVersion).IsString()
	return v
}

// Code is the code of the error, 0 without one.
func (e *Exchange) Code() int64 { return codeOf(e.Error) }

func codeOf(failure *schema.Value) int64 {
	if r, ok := failure.Get("code").Exact(); ok && r.IsInt() && r.Num().IsInt64() {
		return r.Num().Int64()
	}
	return 0
}

// Keys of the metadata of a modern message (2026-07-28, basic/index, _meta).
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaServerInfo   = "io.modelcontextprotocol/serverInfo"
	metaLogLevel     = "io.modelcontextprotocol/logLevel"
)

// messageLimits bound what a recorded message may cost to read again.
var messageLimits = schema.Limits{Depth: 6000, Bytes: 64 << 20}

func (c *shared) parse(raw []byte) *schema.Value {
	if len(raw) == 0 {
		return nil
	}
	if done, ok := c.parsed[&raw[0]]; ok && done.length == len(raw) {
		return done.value
	}
	v, err := schema.Parse(raw, messageLimits)
	if err != nil {
		v = nil
	}
	c.parsed[&raw[0]] = parsedMessage{len(raw), v}
	return v
}

// exchangesOf pairs what passed in a session. A session without messages (a case
// file) gives the exchanges that its handshake, pages and calls stand for.
func (c *shared) exchangesOf(s *recording.Session) []*Exchange {
	if len(s.Messages) == 0 {
		return implied(s)
	}
	b := &pairing{session: s, open: map[string]*Exchange{}}
	for _, m := range s.Messages {
		switch {
		case m.Kind == "http-request" && m.From == "client":
			b.requestHead(string(m.Bytes))
		case m.Kind == "http-response" && m.From == "server":
			b.responseHead(string(m.Bytes))
		case m.Kind != "message":
		case m.From == "client":
			b.sent(c.parse(m.Bytes))
		default:
			b.received(c.parse(m.Bytes))
		}
	}
	if s.ID == bothErasProbe { // what it asks as a modern client is not its session's
		return slices.DeleteFunc(b.list, func(e *Exchange) bool { return e.Version() != "" })
	}
	return b.list
}

// bothErasProbe is the id of the probe that speaks as a modern client before it begins
// its legacy session; see wire.Probe.
const bothErasProbe = recording.ProbePrefix + "both-eras"

// implied are the exchanges of a session whose messages were not kept.
func implied(s *recording.Session) []*Exchange {
	var list []*Exchange
	add := func(method string, params, result, failure *schema.Value) {
		e := &Exchange{Session: s, Method: method, Params: params, Result: result, Error: failure, ID: schema.Num(int64(len(list) + 1))}
		list = append(list, e)
	}
	if s.Init != nil {
		method := "initialize"
		if s.Modern() {
			method = "server/discover"
		}
		add(method, nil, s.Init, nil)
	}
	for i, page := range s.Pages {
		var params *schema.Value
		if i > 0 {
			params = schema.Obj(schema.Member{Key: "cursor", Value: schema.Str(page.Cursor)})
		}
		var failure *schema.Value
		if page.Failed != nil {
			failure = page.Failed.Error
		}
		add("tools/list", params, page.Result, failure)
	}
	for _, call := range s.Calls {
		if call.Origin != recording.Real {
			continue
		}
		params := schema.Obj(schema.Member{Key: "name", Value: schema.Str(call.Tool)})
		if call.Arguments != nil {
			params = params.With("arguments", call.Arguments)
		}
		add("tools/call", params, call.Result, call.Error)
	}
	return list
}

// pairing builds the exchanges of one session in the order of its messages.
type pairing struct {
	session *recording.Session
	list    []*Exchange
	open    map[string]*Exchange // by id
	heads   []*Exchange          // HTTP requests without a response head
	bare    *Exchange            // HTTP request whose message has not come
	current *Exchange            // whose response head, or whose request on stdio, came last
	given   bool                 // the server gave a session id
	ended   bool                 // and it was ended since
}

func (b *pairing) requestHead(text string) {
	if strings.HasPrefix(b.session.ID, recording.ProbePrefix) {
		// Probes are sent one after the other: one before this that has no response head
		// lost its connection. Only the stream of GET stands beside them.
		b.heads = slices.DeleteFunc(b.heads, func(e *Exchange) bool { return e.HTTP.Verb != "GET" })
	}
	first, headers := head(text)
	verb, address, _ := strings.Cut(first, " ")
	e := &Exchange{Session: b.session, HTTP: &HTTP{Verb: verb, Address: address, Headers: headers, Mixed: len(b.heads) > 0}}
	has := headers.Get(sessionHeader) != ""
	e.HTTP.Without, e.HTTP.Ended = b.given && !has, b.ended && has
	for _, other := range b.heads {
		other.HTTP.Mixed = true
	}
	b.heads = append(b.heads, e)
	b.list = append(b.list, e)
	b.bare = e
}

func (b *pairing) responseHead(text string) {
	if len(b.heads) == 0 {
		return
	}
	e := b.heads[0]
	b.heads = b.heads[1:]
	first, headers := head(text)
	if fields := strings.Fields(first); len(fields) > 1 {
		e.HTTP.Status, _ = strconv.Atoi(fields[1])
	}
	e.HTTP.Answers = headers
	switch ok := e.HTTP.Status >= 200 && e.HTTP.Status < 300; {
	case e.Method == "initialize" && ok:
		b.given, b.ended = headers.Get(sessionHeader) != "", false
	case e.HTTP.Verb == "DELETE" && ok && e.HTTP.Headers.Get(sessionHeader) != "":
		b.ended = true
	}
	b.current, b.bare = e, nil
}

// head reads a request or status line and the headers below it.
func head(text string) (first string, headers textproto.MIMEHeader) {
	lines := strings.Split(text, "\r\n")
	headers = textproto.MIMEHeader{}
	for _, line := range lines[1:] {
		if name, value, ok := strings.Cut(line, ": "); ok {
			headers.Add(name, value)
		}
	}
	return lines[0], headers
}

func (b *pairing) sent(v *schema.Value) {
	method, isRequest := v.Get("method").IsString()
	if v == nil || !isRequest { // our answer to a request of the server
		return
	}
	e := b.bare
	if e == nil {
		e = &Exchange{Session: b.session}
		b.list = append(b.list, e)
		b.current = e
	}
	b.bare = nil
	e.Request, e.Method, e.ID, e.Params = v, method, v.Get("id"), v.Get("params")
	if e.ID != nil {
		b.open[idKey(e.ID)] = e
	}
}

func (b *pairing) received(v *schema.Value) {
	switch {
	case v == nil:
		return
	case v.Kind == schema.Array:
		for _, item := range v.Items {
			if item.Kind == schema.Object {
				b.received(item)
			}
		}
		return
	case v.Kind != schema.Object:
		return
	}
	if _, ok := v.Get("method").IsString(); ok {
		e := b.current
		if e != nil && e.Answer != nil {
			e = b.beside(e)
		}
		if e != nil && e.Answer != nil {
			e.After = append(e.After, v)
		} else if e != nil {
			e.Unasked = append(e.Unasked, v)
		}
		return
	}
	e := b.answered(v)
	if e == nil || e.Answer != nil {
		return
	}
	e.Answer = v
	if e.Error = v.Get("error"); e.Error == nil {
		e.Result = v.Get("result")
	}
}

// beside returns an exchange whose stream is open beside that of one that was answered:
// a message may be of either, so it is not said to come after an answer. Probes are
// sent one after the other.
func (b *pairing) beside(e *Exchange) *Exchange {
	if strings.HasPrefix(b.session.ID, recording.ProbePrefix) {
		return e
	}
	for _, other := range b.list {
		if other.ID != nil && other.Answer == nil && other.HTTP != nil && other.HTTP.Status/100 == 2 {
			return other
		}
	}
	return e
}

// answered returns the exchange that an answer belongs to: by its id, or, when
// the id is missing or wrong, the one in whose HTTP response it came.
func (b *pairing) answered(v *schema.Value) *Exchange {
	if id := v.Get("id"); id != nil {
		if e := b.open[idKey(id)]; e != nil {
			return e
		}
	}
	if b.current != nil && (b.current.HTTP != nil || len(b.open) == 1) {
		return b.current
	}
	return nil
}

// idKey makes ids comparable: 1 and 1.0 are one id, "1" is another.
func idKey(id *schema.Value) string {
	if r, ok := id.Exact(); ok {
		return r.RatString()
	}
	return id.Compact()
}
