package recording

import (
	"encoding/base64"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hostmatrix/conform/schema"
)

// RecordingFormat is the value of a recording's first "format" member.
const RecordingFormat = "conform-recording/1"

// Header is the first line of a recording.
type Header struct {
	Conform  string // version of conform that made it
	Recorded string // RFC 3339 time of the start, given by the caller
	Target   Target
	// Handshakes lists the sessions in order, as far as they are known when the
	// recording begins; others follow in the order of their first message.
	Handshakes []HandshakeInfo
}

// HandshakeInfo is what is known about a session before its first message.
type HandshakeInfo struct {
	Session   string // id
	Requested string // protocol version to be offered, "" when not known (a proxy)
	Transport string // stdio, streamable-http, sse; "" when not known
}

// Handshakes returns the header's list for sessions that have ended.
func Handshakes(sessions []*Session) []HandshakeInfo {
	out := make([]HandshakeInfo, len(sessions))
	for i, s := range sessions {
		out[i] = HandshakeInfo{s.ID, s.Requested, s.Transport}
	}
	return out
}

// The keys of the lines of a recording. Messages have text or base64; notes of
// conform itself ([fromConform]) have a value.
var (
	headerKeys    = []string{"format", "conform", "recorded", "target", "handshakes"}
	targetKeys    = []string{"name", "server", "version", "transport", "command", "url"}
	handshakeKeys = []string{"session", "requested", "transport"}
	lineKeys      = []string{"session", "from", "kind", "at_ms", "text", "base64", "value"}
)

const (
	fromClient  = "client"
	fromServer  = "server"
	fromConform = "conform"

	kindMessage = "message" // a JSON-RPC message

	noteSession = "session" // how a session ended up
	noteProblem = "problem" // a finding about the capture
	notePage    = "page"    // why a page of tools/list did not come
	notePlan    = "plan"    // why a tool was called or was not
	noteCall    = "call"    // the order of calls, and why one was not answered
)

func member(key string, v *schema.Value) schema.Member { return schema.Member{Key: key, Value: v} }

// given appends the members that have a text.
func given(members []schema.Member, pairs ...string) []schema.Member {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			members = append(members, member(pairs[i], schema.Str(pairs[i+1])))
		}
	}
	return members
}

func (h Header) value() *schema.Value {
	t := given(nil, "name", h.Target.Name, "server", h.Target.Server, "version", h.Target.Version, "transport", h.Target.Transport)
	if len(h.Target.Command) > 0 {
		words := make([]*schema.Value, len(h.Target.Command))
		for i, w := range h.Target.Command {
			words[i] = schema.Str(w)
		}
		t = append(t, member("command", schema.List(words...)))
	}
	t = given(t, "url", h.Target.URL)
	handshakes := make([]*schema.Value, len(h.Handshakes))
	for i, s := range h.Handshakes {
		handshakes[i] = schema.Obj(given(nil, "session", s.Session, "requested", s.Requested, "transport", s.Transport)...)
	}
	return schema.Obj(append(given(nil, "format", RecordingFormat, "conform", h.Conform, "recorded", h.Recorded),
		member("target", schema.Obj(t...)), member("handshakes", schema.List(handshakes...)))...)
}

func readHeader(file, at string, v *schema.Value) (h Header, err error) {
	o := newObject(file, at, v, &err, headerKeys...)
	format := o.text("format")
	if err == nil && format != RecordingFormat {
		o.fail("/format", "is %q, this version of conform reads %q; a newer conform may read it", format, RecordingFormat)
	}
	h.Conform, h.Recorded = o.text("conform"), o.text("recorded")
	if tv := v.Get("target"); tv != nil {
		t := o.child("/target", tv, targetKeys...)
		h.Target = Target{Name: t.text("name"), Server: t.text("server"), Version: t.text("version"), Transport: t.text("transport"), URL: t.text("url")}
		for _, w := range t.list("command") {
			word, _ := w.IsString()
			h.Target.Command = append(h.Target.Command, word)
		}
	}
	for i, item := range o.list("handshakes") {
		s := o.child("/handshakes/"+strconv.Itoa(i), item, handshakeKeys...)
		h.Handshakes = append(h.Handshakes, HandshakeInfo{s.need("session"), s.text("requested"), s.text("transport")})
	}
	return h, err
}

func (m Message) value() *schema.Value {
	members := given(nil, "session", m.Session, "from", m.From, "kind", m.Kind)
	members = append(members, member("at_ms", &schema.Value{Kind: schema.Number, Text: milliseconds(m.At)}))
	if utf8.Valid(m.Bytes) {
		return schema.Obj(append(members, member("text", schema.Str(string(m.Bytes))))...)
	}
	return schema.Obj(append(members, member("base64", schema.Str(base64.StdEncoding.EncodeToString(m.Bytes))))...)
}

// note is a line of conform itself.
func note(session, kind string, value *schema.Value) *schema.Value {
	return schema.Obj(append(given(nil, "session", session, "from", fromConform, "kind", kind), member("value", value))...)
}

// readLine reads a message, or a note as its kind and value.
func readLine(file, at string, v *schema.Value) (m Message, noted *schema.Value, err error) {
	o := newObject(file, at, v, &err, lineKeys...)
	m = Message{Session: o.text("session"), From: o.need("from"), Kind: o.need("kind")}
	o.oneOf("from", m.From, fromClient, fromServer, fromConform)
	if m.From == fromConform {
		if noted = v.Get("value"); noted == nil || noted.Kind != schema.Object {
			o.fail("/value", "must be an object, is %s", kindOf(noted))
		}
		if m.Kind != noteProblem { // a problem may be about the whole run
			o.need("session")
		}
		return m, noted, err
	}
	o.need("session")
	if t := v.Get("at_ms"); t != nil {
		var ok bool
		if m.At, ok = duration(t); !ok {
			o.fail("/at_ms", "must be a number of milliseconds")
		}
	}
	if v.Has("text") == v.Has("base64") {
		o.fail("", "needs either text or base64")
	}
	m.Bytes = []byte(o.text("text"))
	if v.Has("base64") {
		raw, decodeErr := base64.StdEncoding.DecodeString(o.text("base64"))
		if decodeErr != nil {
			o.fail("/base64", "is no base64: %v", decodeErr)
		}
		m.Bytes = raw
	}
	return m, nil, err
}

// milliseconds writes d exactly, down to the nanosecond.
func milliseconds(d time.Duration) string {
	if d < 0 {
		d = 0
	}
	whole, rest := int64(d/time.Millisecond), int64(d%time.Millisecond)
	text := strconv.FormatInt(whole, 10)
	if rest == 0 {
		return text
	}
	fraction := strconv.FormatInt(1_000_000+rest, 10)[1:]
	return text + "." + strings.TrimRight(fraction, "0")
}

func duration(v *schema.Value) (time.Duration, bool) {
	r, ok := v.Exact()
	if !ok {
		return 0, false
	}
	r.Mul(r, big.NewRat(int64(time.Millisecond), 1))
	n := new(big.Int).Quo(r.Num(), r.Denom())
	return time.Duration(n.Int64()), n.IsInt64() && n.Sign() >= 0
}

var failureKeys = []string{"kind", "text", "raw", "status", "error"}

func (f *Failure) value() *schema.Value {
	members := given(nil, "kind", f.Kind, "text", f.Text, "raw", f.Raw)
	if f.Status != 0 {
		members = append(members, member("status", schema.Num(int64(f.Status))))
	}
	if f.Error != nil {
		members = append(members, member("error", f.Error))
	}
	return schema.Obj(members...)
}

func readFailure(o object, step string, v *schema.Value) *Failure {
	if v == nil {
		return nil
	}
	f := o.child(step, v, failureKeys...)
	return &Failure{Kind: f.text("kind"), Text: f.text("text"), Raw: f.text("raw"), Status: f.number("status"), Error: v.Get("error")}
}
