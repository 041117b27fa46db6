package recording

import (
	"bytes"
	"fmt"

	"github.com/hostmatrix/conform/schema"
)

// maxOpenings bounds how many places of a line are looked at for a message.
const maxOpenings = 8

// embedded returns the JSON-RPC message in a line of text, nil when there is none:
// behind a time and a direction as in the logs of hosts ("… Message from client: {…}",
// "[server -> editor] {…}"), behind "read: " and "write: " as the Go SDK's
// LoggingTransport has it, behind "data: " as in an event stream that was kept.
func embedded(line []byte) []byte {
	at := 0
	for range maxOpenings {
		i := bytes.IndexByte(line[at:], '{')
		if i < 0 {
			return nil
		}
		at += i
		if end := objectEnd(line[at:]); end > 0 {
			if v, err := schema.Parse(line[at:at+end], caseLimits); err == nil && isRPC(v) {
				return line[at : at+end]
			}
		}
		at++
	}
	return nil
}

// objectEnd is the length of the object at the start of raw, 0 when it does not end.
func objectEnd(raw []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// readText reads a log in whose lines messages stand among other text. A line without
// one says nothing; nil when none has one.
func readText(name string, data []byte, limits Limits) (*Capture, error) {
	b := newLogBuilder()
	err := eachLine(name, bytes.NewReader(data), limits, func(_ int, line []byte, _ bool) error {
		raw := embedded(line)
		if raw == nil {
			return nil
		}
		v, err := schema.Parse(raw, caseLimits)
		if err != nil {
			return nil
		}
		if m, ok := plainMessage(b, v, raw); ok {
			b.add(m)
		}
		return nil
	})
	if err != nil || len(b.capture.Sessions) == 0 {
		return nil, err
	}
	return b.finish(), nil
}

// readArray reads a document that is a list: of messages, or of the entries that MCP
// Inspector exports (clients/web, Protocol, Export, 2.12.0: direction, origin, message,
// and for a request its response). nil for another list.
func readArray(name string, data []byte, list *schema.Value) (*Capture, error) {
	b := newLogBuilder()
	for i, item := range list.Items {
		if isRPC(item) {
			if m, ok := plainMessage(b, item, data[item.Start:item.End]); ok {
				b.add(m)
			}
			continue
		}
		message, origin := item.Get("message"), item.Get("origin")
		if message == nil || origin == nil || !isRPC(message) {
			if i == 0 {
				return nil, nil
			}
			return nil, &FormatError{name, fmt.Sprintf("/%d", i), "is no message and holds none, as those before it"}
		}
		from, other := fromServer, fromClient
		if word, _ := origin.IsString(); word == fromClient {
			from, other = other, from
		}
		at := timeOf(item.Get("timestamp"))
		b.add(Message{From: from, Kind: kindMessage, At: at, Bytes: bytes.Clone(data[message.Start:message.End])})
		if response := item.Get("response"); response != nil && response.Kind == schema.Object {
			b.add(Message{From: other, Kind: kindMessage, At: at, Bytes: bytes.Clone(data[response.Start:response.End])})
		}
	}
	if len(b.capture.Sessions) == 0 {
		return nil, nil
	}
	return b.finish(), nil
}
