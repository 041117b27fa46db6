package recording

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/hostmatrix/conform/schema"
)

// lineReader reads one line of a foreign log: a message, or ok = false for a
// line that holds none. At is since any fixed moment.
type lineReader func(b *logBuilder, v *schema.Value, line []byte) (m Message, ok bool)

// logBuilder collects the messages of a log.
type logBuilder struct {
	capture  *Capture
	sessions map[string]*Session
	begun    map[string]int // handshakes by the name of a session
	// transport by the name of a session, where the log says it
	transport map[string]string
	first     time.Duration // times of a log are absolute, those of a capture are not
}

func newLogBuilder() *logBuilder {
	return &logBuilder{capture: &Capture{Target: Target{Name: "server"}}, sessions: map[string]*Session{}, begun: map[string]int{}, transport: map[string]string{}}
}

// add takes a message. A second initialize begins another session: a log holds what
// was said since it was last emptied.
func (b *logBuilder) add(m Message) {
	name := m.Session
	if name == "" {
		name = "log"
	}
	if m.From == fromClient && bytes.Contains(m.Bytes, []byte(`"initialize"`)) {
		if v, err := schema.Parse(m.Bytes, caseLimits); err == nil && v.Has("id") {
			if method, _ := v.Get("method").IsString(); method == "initialize" {
				b.begun[name]++
			}
		}
	}
	m.Session = name
	if n := b.begun[name]; n > 1 {
		m.Session = fmt.Sprintf("%s-%d", name, n)
	}
	s := b.sessions[m.Session]
	if s == nil {
		s = &Session{ID: m.Session, Transport: b.transport[name]}
		b.sessions[m.Session] = s
		b.capture.Sessions = append(b.capture.Sessions, s)
	}
	if b.first == 0 {
		b.first = m.At
	}
	m.At = max(0, m.At-b.first)
	s.Messages = append(s.Messages, m)
}

// finish derives from the messages what a log does not say.
func (b *logBuilder) finish() *Capture {
	for _, s := range b.capture.Sessions {
		s.rebuild()
		s.takeAnswers()
	}
	b.capture.nameServer()
	return b.capture
}

// takeAnswers takes lists of tools that answer no request of the log, as when somebody
// kept what curl printed.
func (s *Session) takeAnswers() {
	if len(s.Pages) > 0 {
		return
	}
	for _, m := range s.Messages {
		result := m.Decoded.Get("result")
		if tools := result.Get("tools"); m.From == fromServer && tools != nil && tools.Kind == schema.Array {
			s.AddPage(Page{Result: result, Bytes: len(m.Bytes)})
		}
	}
	if len(s.Pages) > 0 && s.Negotiated == "" && s.InitError == nil {
		s.Negotiated, s.Era = revisionOf(s.Pages[0].Result)
		s.Requested = s.Negotiated
	}
}

// revisionOf guesses the revision of a tools/list result that names none: one with
// resultType is modern, any other is taken for the newest legacy one.
func revisionOf(result *schema.Value) (string, Era) {
	if result.Has("resultType") {
		return "2026-07-28", Modern
	}
	return "2025-11-25", Legacy
}

// readLog reads a log of another program.
func readLog(name string, data []byte, limits Limits, read lineReader) (*Capture, error) {
	b := newLogBuilder()
	err := eachLine(name, bytes.NewReader(data), limits.withDefaults(), func(n int, line []byte, complete bool) error {
		v, err := schema.Parse(line, caseLimits)
		if err != nil {
			if raw := embedded(line); raw != nil {
				v, err = schema.Parse(raw, caseLimits)
				line = raw
			}
		}
		if err != nil {
			if !complete {
				return nil
			}
			return &FormatError{name, fmt.Sprintf("line %d", n), fmt.Sprintf("is no JSON: %v; it begins %q", err, start(line))}
		}
		if m, ok := read(b, v, line); ok {
			b.add(m)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.finish(), nil
}

// serverAsks are the requests that a server sends; all other requests are the
// client's. Source: ServerRequest in schema.ts, 2024-11-05 to 2025-11-25.
var serverAsks = []string{"sampling/createMessage", "roots/list", "elicitation/create"}

// plainMessage reads a line that is the JSON-RPC message itself. Who sent it
// follows from what it is; ping goes both ways and is taken for the client's.
func plainMessage(_ *logBuilder, v *schema.Value, line []byte) (Message, bool) {
	if !isRPC(v) && v.Kind != schema.Array {
		return Message{}, false
	}
	m := Message{From: fromServer, Kind: kindMessage, Bytes: bytes.Clone(line)}
	method, isRequest := v.Get("method").IsString()
	if isRequest && v.Has("id") && !slices.Contains(serverAsks, method) || method == "notifications/initialized" || method == "notifications/cancelled" {
		m.From = fromClient
	}
	return m, true
}

// snoopMessage reads an envelope of mcpsnoop's session log: direction c2s, s2c or
// stderr, and the message in raw. Its JSON encoder compacts white space, so the
// bytes are not the wire's; the JSON is.
// Source: kerlenton/mcpsnoop, internal/proxy/frame.go at 10f5227.
func snoopMessage(b *logBuilder, v *schema.Value, line []byte) (Message, bool) {
	m := Message{From: fromServer, Kind: kindMessage}
	m.Session, _ = v.Get("session_id").IsString()
	m.At = timeOf(v.Get("ts"))
	if label, _ := v.Get("server_label").IsString(); label != "" {
		b.capture.Target.Name = label
	}
	if word, _ := v.Get("transport").IsString(); word != "" {
		b.transport[m.Session] = map[string]string{"stdio": "stdio", "http": "streamable-http"}[word]
	}
	raw, text := v.Get("raw"), v.Get("text")
	direction, _ := v.Get("direction").IsString()
	switch direction {
	case "c2s":
		m.From = fromClient
	case "s2c":
	case "stderr":
		m.Kind = "stderr"
	default:
		return Message{}, false
	}
	switch {
	case raw != nil && raw.Kind != schema.Null:
		m.Bytes = bytes.Clone(line[raw.Start:raw.End])
	case text != nil:
		if m.Kind == kindMessage {
			m.Kind = "noise"
		}
		m.Bytes = []byte(text.Text)
	default:
		return Message{}, false
	}
	return m, true
}

// timeOf reads a time of a log (RFC 3339), 0 for none.
func timeOf(v *schema.Value) time.Duration {
	text, _ := v.IsString()
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0
	}
	return time.Duration(t.UnixNano())
}
