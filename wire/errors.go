package wire

import (
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// Kind says in one word why a session did not come about or a request got no
// result. It is also the Kind of a [recording.Failure].
type Kind string

// Why something failed. The command's exit code is 2 for KindUsage, 5 for
// KindAuth, 130 for KindCanceled, 4 for the kinds that mean "never reached"
// (see [Kind.Unreachable]) and 3 for the others.
const (
	KindUsage     Kind = "usage"               // the target or an option makes no sense
	KindStart     Kind = "cannot-start"        // the command could not be executed
	KindExited    Kind = "exited"              // the process ended before it answered
	KindTimeout   Kind = "timeout"             // no answer in time
	KindMalformed Kind = "malformed"           // an answer that is no MCP message
	KindRPC       Kind = "protocol-error"      // a JSON-RPC error
	KindVersion   Kind = "unsupported-version" // the server speaks no revision that was offered
	KindHTTP      Kind = "http-status"         // an HTTP status that is no success
	KindAuth      Kind = "auth-required"       // HTTP 401, or 403 with a challenge
	KindRedirect  Kind = "redirect"            // a redirect that is not followed, or an endpoint on another origin
	KindTLS       Kind = "tls"                 // no trusted TLS connection
	KindNetwork   Kind = "network"             // no connection, or it broke
	KindClosed    Kind = "closed"              // the stream ended without the answer
	KindLimit     Kind = "limit"               // more than a limit of ours allows
	KindCanceled  Kind = recording.Interrupted // the caller's context ended
)

// Unreachable reports whether the kind means that the target could not be
// started or reached at all.
func (k Kind) Unreachable() bool {
	switch k {
	case KindStart, KindExited, KindTLS, KindNetwork, KindRedirect:
		return true
	}
	return false
}

// Error is why something did not happen. Everything in it is safe to print:
// control characters are escaped and secrets replaced.
type Error struct {
	Kind Kind
	// Doing is what was tried, e.g. "tools/list".
	Doing string
	// On is the target: the command line or the URL, secrets redacted.
	On string
	// Text is what happened, as a clause: "no answer within 30s".
	Text string
	// Raw is the start of what came back (at most 200 bytes), "" for nothing.
	Raw string
	// Hint is what to do next, "" when there is nothing general to say.
	Hint string
	// Status is the HTTP status, 0 when there was none.
	Status int
	// Challenge is the WWW-Authenticate header of a refusal.
	Challenge string
	// RPC is the JSON-RPC error object, nil when none came.
	RPC *schema.Value
	// Err is the cause, if it was a Go error.
	Err error
	// refusal is what an [Authorizer] needs to know of a [KindAuth].
	refusal *refusal
	// broken: the event stream that should have held the answer ended without it.
	broken bool
}

// Error says what was tried, on what, what came back and what to do.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Doing != "" {
		b.WriteString(e.Doing)
		b.WriteString(" on ")
	}
	fmt.Fprintf(&b, "%s: %s", e.On, e.Text)
	if e.Raw != "" {
		fmt.Fprintf(&b, "; it sent: %s", e.Raw)
	}
	if e.Hint != "" {
		b.WriteString(". ")
		b.WriteString(e.Hint)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// without returns the error without the known secrets of what it was told.
func (e *Error) without(secrets *redactor) *Error {
	if e == nil {
		return nil
	}
	clean := *e
	for _, text := range []*string{&clean.Doing, &clean.Text, &clean.Raw, &clean.Hint, &clean.Challenge} {
		*text = secrets.text(*text)
	}
	return &clean
}

// Failure is the error as a recording keeps it.
func (e *Error) Failure() *recording.Failure {
	if e == nil {
		return nil
	}
	text := e.Text
	if e.Doing != "" {
		text = e.Doing + ": " + text
	}
	return &recording.Failure{Kind: string(e.Kind), Text: text, Raw: e.Raw, Status: e.Status, Error: e.RPC}
}

// Code returns the JSON-RPC error code, 0 when no JSON-RPC error came.
func (e *Error) Code() int64 {
	if e == nil || e.RPC == nil {
		return 0
	}
	return code(e.RPC)
}

// code reads error.code; a code that is no integer counts as 0, which no
// specification uses.
func code(rpc *schema.Value) int64 {
	c := rpc.Get("code")
	if c == nil || c.Kind != schema.Number {
		return 0
	}
	n, ok := c.Exact()
	if !ok || !n.IsInt() || !n.Num().IsInt64() {
		return 0
	}
	return n.Num().Int64()
}
