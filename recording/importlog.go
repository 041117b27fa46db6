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
type lineReader func(v *schema.Value, line []byte) (m Message, ok bool)

// readLog reads a log of another program. What it does not say is derived from
// the messages.
func readLog(name string, data []byte, limits Limits, read lineReader) (*Capture, error) {
	c := &Capture{Target: Target{Name: "server"}}
	sessions := map[string]*Session{}
	first := time.Duration(0) // times of a log are absolute, those of a capture are not
	err := eachLine(name, bytes.NewReader(data), limits.withDefaults(), func(n int, line []byte, complete bool) error {
		v, err := schema.Parse(line, caseLimits)
		if err != nil {
			if !complete {
				return nil
			}
			return &FormatError{name, fmt.Sprintf("line %d", n), fmt.Sprintf("is no JSON: %v; it begins %q", err, start(line))}
		}
		m, ok := read(v, line)
		if !ok {
			return nil
		}
		if m.Session == "" {
			m.Session = "log"
		}
		s := sessions[m.Session]
		if s == nil {
			s = &Session{ID: m.Session}
			sessions[m.Session] = s
			c.Sessions = append(c.Sessions, s)
		}
		if first == 0 {
			first = m.At
		}
		m.At = max(0, m.At-first)
		s.Messages = append(s.Messages, m)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, s := range c.Sessions {
		s.rebuild()
	}
	c.nameServer()
	return c, nil
}

// serverAsks are the requests that a server sends; all other requests are the
// client's. Source: ServerRequest in schema.ts, 2024-11-05 to 2025-11-25.
var serverAsks = []string{"sampling/createMessage", "roots/list", "elicitation/create"}

// plainMessage reads a line that is the JSON-RPC message itself. Who sent it
// follows from what it is; ping goes both ways and is taken for the client's.
func plainMessage(v *schema.Value, line []byte) (Message, bool) {
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
// Source: kerlenton/mcpsnoop, internal/proxy/frame.go at 10f5227 (2026-08).
func snoopMessage(v *schema.Value, line []byte) (Message, bool) {
	m := Message{From: fromServer, Kind: kindMessage}
	m.Session, _ = v.Get("session_id").IsString()
	if at, ok := v.Get("ts").IsString(); ok {
		if t, err := time.Parse(time.RFC3339Nano, at); err == nil {
			m.At = time.Duration(t.UnixNano())
		}
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
