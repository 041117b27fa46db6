// Package proxy stands between a real host and a server and records what really
// passes: [Stdio] is the command in the host's configuration, [HTTP] is a reverse
// proxy on loopback. What passes is not changed: bytes are handed on as they
// come, the recording is made from a copy, and a recording that cannot be
// written never stops the traffic.
package proxy

import (
	"bytes"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/hostmatrix/conform/recording"
)

// Sink takes what passes, in order; [recording.Writer] is one and removes
// secrets. It may be used from several goroutines.
type Sink interface {
	Message(recording.Message) error
	Problem(recording.Problem) error
}

// Options bound a proxy. A zero field means its default.
type Options struct {
	// MessageBytes is the longest message that is recorded (default 32 MiB);
	// longer ones pass too.
	MessageBytes int
	// Stop is the time for each rung of ending the server process (default 2 s).
	Stop time.Duration
	// Mark is part of the ids of the sessions, so that several proxies can write to one
	// file; "" makes one of process and time.
	Mark string
	// Now is the clock for message times; nil means time.Now.
	Now func() time.Time
	// Secret is told each credential that the host or a login sends, so that the
	// sink knows it where it is sent back; nil: nobody is.
	Secret func(text string)
	// Warn is told once when the recording cannot be written; nil is silence.
	Warn func(error)
}

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.MessageBytes == 0 {
		o.MessageBytes = 32 << 20
	}
	if o.Stop == 0 {
		o.Stop = 2 * time.Second
	}
	if o.Mark == "" {
		o.Mark = fmt.Sprintf("%x-%x", os.Getpid(), o.Now().Unix())
	}
	if o.Secret == nil {
		o.Secret = func(string) {}
	}
	if o.Warn == nil {
		o.Warn = func(error) {}
	}
	return o
}

// recorder writes to the sink; a failure is reported once and ends nothing.
type recorder struct {
	sink  Sink
	now   func() time.Time
	start time.Time
	warn  func(error)
	once  sync.Once
}

func newRecorder(sink Sink, o Options) *recorder {
	return &recorder{sink: sink, now: o.Now, start: o.Now(), warn: o.Warn}
}

func (r *recorder) message(session, from, kind string, raw []byte) {
	r.check(r.sink.Message(recording.Message{Session: session, From: from, Kind: kind, At: r.now().Sub(r.start), Bytes: raw}))
}

func (r *recorder) problem(session, rule, format string, args ...any) {
	r.check(r.sink.Problem(recording.Problem{Rule: rule, Message: fmt.Sprintf(format, args...), Session: session}))
}

func (r *recorder) check(err error) {
	if err != nil {
		r.once.Do(func() { r.warn(fmt.Errorf("the recording is incomplete: %w", err)) })
	}
}

// kindOf tells a message from noise by its first character; whether it is
// JSON-RPC is for the reader of the recording to say.
func kindOf(line []byte) string {
	trimmed := bytes.TrimSpace(line)
	if len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') {
		return "message"
	}
	return "noise"
}
