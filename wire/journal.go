package wire

import (
	"bytes"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// Kinds of [recording.Message].
const (
	kindMessage  = "message"
	kindNoise    = "noise"
	kindStderr   = "stderr"
	kindRequest  = "http-request"
	kindResponse = "http-response"
)

const (
	// problemsPerRule bounds how often one session reports the same rule, so
	// that a server that floods us cannot flood the report.
	problemsPerRule = 10
	// sideBytes bounds what is kept of stderr and of stdout noise, each.
	sideBytes = 1 << 20
)

// ledger is what all sessions of a capture share: the clock, the secrets and the
// budget of bytes and values.
type ledger struct {
	start   time.Time
	now     func() time.Time
	secrets *redactor
	limits  Limits
	trace   func(recording.Message)
	shared  *shared
	agent   string // User-Agent of HTTP requests

	mu      sync.Mutex
	capture *recording.Capture
	bytes   int64
	written int // messages of servers
	values  int
}

// journal writes one session down. It may be used from several goroutines until
// it is sealed; what comes later is dropped.
type journal struct {
	*ledger
	session *recording.Session
	sealed  bool
	rules   map[string]int
	side    map[string]int
}

func (l *ledger) open(s *recording.Session) *journal {
	return &journal{ledger: l, session: s, rules: map[string]int{}, side: map[string]int{}}
}

// sent records what we wrote.
func (j *journal) sent(kind string, raw []byte) {
	raw, _ = j.secrets.clean(raw)
	j.write("client", kind, raw)
}

// received records what the server wrote and returns it without secrets. It
// fails when the capture's byte budget is used up.
func (j *journal) received(kind string, raw []byte) ([]byte, *Error) {
	clean, hit := j.secrets.clean(raw)
	if hit {
		j.problem("secret-echoed", clean, "The server sent back a secret it was given; it is replaced by %s", Redacted)
	}
	if kind == kindMessage || kind == kindNoise {
		j.inspect(clean)
	}
	if kind != kindMessage && j.overflows(kind, len(clean)) {
		if kind == kindNoise && j.flooded() {
			return clean, &Error{Kind: KindLimit, Text: fmt.Sprintf("the server wrote more than %d bytes that are no messages", j.limits.TotalBytes), Hint: "A stdio server writes nothing but messages to stdout"}
		}
		return clean, nil
	}
	return clean, j.write("server", kind, clean)
}

// inspect reports bytes that a message must not hold. Source: MCP transports,
// stdio: messages are UTF-8 (all revisions); RFC 8259 section 7 forbids raw NUL.
func (j *journal) inspect(raw []byte) {
	if !utf8.Valid(raw) {
		j.problem("invalid-utf8", firstInvalid(raw), "A message is not valid UTF-8; decoders replace the bytes by U+FFFD")
	}
	if bytes.IndexByte(raw, 0) >= 0 {
		j.problem("nul-byte", raw, "A message holds a NUL byte, which JSON does not allow")
	}
}

func firstInvalid(raw []byte) []byte {
	for i := 0; i < len(raw); {
		r, n := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && n <= 1 {
			return raw[max(0, i-40):min(len(raw), i+40)]
		}
		i += n
	}
	return nil
}

// overflows counts side output and reports once when its bound is passed.
func (j *journal) overflows(kind string, n int) bool {
	if kind != kindNoise && kind != kindStderr {
		return false
	}
	j.mu.Lock()
	before := j.side[kind]
	j.side[kind] += n + 1
	j.mu.Unlock()
	if before+n < sideBytes {
		return false
	}
	if before < sideBytes {
		j.problem("output-flood", nil, "The server wrote more than %d bytes of %s; the rest is not kept", sideBytes, kind)
	}
	return true
}

// flooded reports whether there is so much noise that nothing else can be meant.
func (j *journal) flooded() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return int64(j.side[kindNoise]) > j.limits.TotalBytes
}

// write keeps one message. It fails when a limit of the capture is passed.
func (j *journal) write(from, kind string, raw []byte) *Error {
	raw, known := j.shared.message(raw)
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.sealed {
		return nil
	}
	if !known {
		j.bytes += int64(len(raw))
	}
	if from == "server" {
		j.written++
	}
	if failure := j.overLimit(); failure != nil {
		return failure
	}
	m := recording.Message{Session: j.session.ID, From: from, Kind: kind, At: j.now().Sub(j.start), Bytes: raw}
	j.session.Messages = append(j.session.Messages, m)
	if j.trace != nil {
		j.trace(m)
	}
	return nil
}

// recent bounds how far back [journal.decoded] looks: as many messages as can come
// between the writing of one and its decoding.
const recent = 100

// decoded keeps with a message that was received what it says, so that nobody has
// to read it again.
func (j *journal) decoded(raw []byte, v *schema.Value) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i, n := len(j.session.Messages)-1, 0; i >= 0 && n < recent && !j.sealed; i, n = i-1, n+1 {
		m := &j.session.Messages[i]
		if m.From == "server" && m.Kind == kindMessage && m.Decoded == nil && bytes.Equal(m.Bytes, raw) {
			m.Decoded = v
			return
		}
	}
}

// spend takes n values from the capture's budget.
func (l *ledger) spend(n int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.values+n > l.limits.Values {
		return false
	}
	l.values += n
	return true
}

// problem reports a finding about the session, each rule a few times at most.
func (j *journal) problem(rule string, raw []byte, format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.sealed {
		return
	}
	j.rules[rule]++
	message := fmt.Sprintf(format, args...)
	switch n := j.rules[rule]; {
	case n > problemsPerRule:
		return
	case n == problemsPerRule:
		message += " (further ones are not listed)"
	}
	raw, _ = j.secrets.clean(raw[:min(len(raw), 4*rawMax)])
	j.capture.Problems = append(j.capture.Problems, recording.Problem{
		Rule: rule, Message: message, Session: j.session.ID, Raw: Printable(raw, rawMax)})
}

// seal ends the writing: the session now belongs to the caller.
func (j *journal) seal() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.sealed = true
}

// relabelNoise turns the message that came last into noise: it parsed,
// but was no JSON-RPC.
func (j *journal) relabelNoise() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i := len(j.session.Messages) - 1; i >= 0 && !j.sealed; i-- {
		if m := &j.session.Messages[i]; m.From == "server" && m.Kind == kindMessage {
			m.Kind = kindNoise
			return
		}
	}
}

// lastNoise returns the start of the last line that was no message, "" when
// there is none.
func (j *journal) lastNoise() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i := len(j.session.Messages) - 1; i >= 0; i-- {
		if m := j.session.Messages[i]; m.Kind == kindNoise && m.From == "server" {
			return Printable(bytes.TrimSpace(m.Bytes), rawMax)
		}
	}
	return ""
}

// stderrTail returns the last lines of stderr, at most n bytes.
func (j *journal) stderrTail(n int) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var tail []byte
	for i := len(j.session.Messages) - 1; i >= 0 && len(tail) < n; i-- {
		if m := j.session.Messages[i]; m.Kind == kindStderr && len(bytes.TrimSpace(m.Bytes)) > 0 {
			tail = append(append(bytes.Clone(m.Bytes), '\n'), tail...)
		}
	}
	tail = bytes.TrimSpace(tail)
	if len(tail) > n {
		tail = tail[len(tail)-n:]
		if _, rest, ok := bytes.Cut(tail, []byte("\n")); ok {
			tail = rest
		}
	}
	return Printable(tail, n+1)
}
