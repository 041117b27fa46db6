package wire

import (
	"fmt"

	"github.com/hostmatrix/conform/schema"
)

// keptUnasked is how many messages that answer nothing a session keeps, reads and
// answers: notifications, requests of the server, answers to no request of ours. A
// log of a chatty server is far below; 500,000 of them, decoded, are 500 MB.
const keptUnasked = 2_000

// surplusMessage reports whether raw is one message too many that answers nothing. Such a
// message is counted and dropped unread. The failure is that of a limit, which it
// counts towards like one that is kept.
func (p *peer) surplusMessage(raw []byte) (drop bool, failure *Error) {
	if p.unasked.Load() < keptUnasked || p.awaited(raw) {
		return false, nil
	}
	p.journal.problem("message-flood", nil, "The server sent more than %d messages that answer nothing; what came of them after those was neither kept nor read", keptUnasked)
	return true, p.journal.passed(len(raw))
}

// awaited reports whether a text may be the answer to a request that waits: all but
// what has a method, or an id that no such request has.
func (p *peer) awaited(raw []byte) bool {
	start := firstByte(raw)
	if start == len(raw) || raw[start] != '{' {
		return true
	}
	parts := split(raw, start)
	if _, found := find(parts, "method"); found {
		return false
	}
	at, found := find(parts, "id")
	if !found {
		return true
	}
	id, err := schema.Parse(raw[at.start:at.end], schema.Limits{Depth: 10})
	if err != nil {
		return true
	}
	n, ours := ourID(id)
	p.mu.Lock()
	defer p.mu.Unlock()
	return ours && p.pending[n] != nil
}

// passed counts a message that is not kept. It fails when a limit of the capture is
// passed.
func (j *journal) passed(size int) *Error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.written++
	j.bytes += int64(size)
	return j.overLimit()
}

// overLimit says which limit of the capture is passed, nil when none is. The caller
// holds the lock.
func (j *journal) overLimit() *Error {
	switch {
	case j.bytes > j.limits.TotalBytes:
		return &Error{Kind: KindLimit, Text: fmt.Sprintf("the server sent more than %d bytes", j.limits.TotalBytes), Hint: "Raise --max-bytes if that is honest"}
	case j.written > j.limits.Messages:
		return &Error{Kind: KindLimit, Text: fmt.Sprintf("the server sent more than %d messages", j.limits.Messages), Hint: "Answer what is asked, and send less besides"}
	}
	return nil
}
