package wire

import (
	"bytes"
	"fmt"

	"github.com/hostmatrix/conform/wire/eventstream"
)

// maxSkipped bounds the events of one stream that are skipped, in number: a heartbeat
// each second makes 3,600 an hour.
const maxSkipped = 100_000

// skippedEvents counts the events of one stream that are no message.
type skippedEvents struct {
	journal *journal
	n       int
}

// skip reports whether an event is no message: clients skip those without data and those
// with another name. A stream of nothing else has an end with us.
func (s *skippedEvents) skip(e eventstream.Event) (bool, *Error) {
	empty := len(bytes.TrimSpace(e.Data)) == 0
	if !empty && e.Name == "message" {
		return false, nil
	}
	if !empty {
		s.journal.problem("sse-event-name", []byte(e.Name), "The event stream holds an event that is no \"message\"; clients skip it")
	}
	if s.n++; s.n > maxSkipped {
		return true, &Error{Kind: KindLimit, Text: fmt.Sprintf("the event stream holds more than %d events that are no message", maxSkipped), Hint: "Send messages, and a heartbeat now and then"}
	}
	return true, nil
}
