package wire

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// Mode is the way a session begins.
type Mode string

// The three ways to begin.
const (
	// Initialize pins a legacy revision: never a probe.
	Initialize Mode = "initialize"
	// Discover pins a modern revision: never initialize.
	Discover Mode = "discover"
	// Auto probes with server/discover and falls back to initialize, as a
	// dual-era client does.
	Auto Mode = "auto"
)

// The revisions that sessions use when a handshake names none.
const (
	LatestLegacy = "2025-11-25"
	LatestModern = "2026-07-28"
)

// Handshake is one way to open a session.
type Handshake struct {
	// ID names the session; "" gives mode and version, e.g. "initialize-2025-06-18".
	ID string
	// Mode is how it begins.
	Mode Mode
	// Version is the revision that is offered: by initialize, or in _meta. In
	// Auto mode it is the modern one. "" means the latest of the mode's era.
	Version string
	// Legacy is what Auto offers after a fallback; "" means [LatestLegacy].
	Legacy string
	// ClientInfo is the object a host sends; nil means conform's own.
	ClientInfo *schema.Value
	// Capabilities is the object a host sends; nil means {}.
	Capabilities *schema.Value
}

// Opening is the handshake that begins with a method ("initialize", or another for
// the modern era) and a revision; fallback is the revision of the initialize that
// follows where the server does not answer, "" for none.
func Opening(method, version, fallback string) Handshake {
	switch {
	case method == "initialize":
		return Handshake{Mode: Initialize, Version: version}
	case fallback != "":
		return Handshake{Mode: Auto, Version: version, Legacy: fallback}
	}
	return Handshake{Mode: Discover, Version: version}
}

// Distinct keeps the first of the handshakes that agree in mode and revisions.
func Distinct(handshakes []Handshake) []Handshake {
	var out []Handshake
	for _, h := range handshakes {
		if !slices.ContainsFunc(out, func(o Handshake) bool {
			return o.Mode == h.Mode && o.Version == h.Version && o.Legacy == h.Legacy
		}) {
			out = append(out, h)
		}
	}
	return out
}

// Timeouts are the limits of every wait. A zero field means its default.
type Timeouts struct {
	// Start is the time from the start of a session to the answer to its
	// handshake (default 30 s: npx and uvx may download first). Once a session got
	// no answer at all, the following ones of the capture wait 5 s at most.
	Start time.Duration
	// Request is the time for every other answer (default 30 s).
	Request time.Duration
	// Call is the time for the answer to tools/call (default: that of Request).
	Call time.Duration
	// Probe is how long Auto waits for server/discover before it sends
	// initialize too (default 5 s, as mcp-go 1.2.1 does).
	Probe time.Duration
	// Stop is the time for each rung of the shutdown ladder of a process:
	// stdin closed, SIGTERM, SIGKILL (default 2 s).
	Stop time.Duration
	// Grace is how long a request still waits after something came that can
	// only be meant as its answer, but carries a wrong id (default 2 s).
	Grace time.Duration
	// Authorize bounds one authorization, in which a person may have to log in
	// (default 5 min).
	Authorize time.Duration
	// Total bounds the whole capture (default 15 min).
	Total time.Duration
}

// Limits bound what a server may cost. A zero field means its default.
type Limits struct {
	MessageBytes int   // one message, decoded (default 32 MiB)
	TotalBytes   int64 // all messages of the capture, equal ones once (default 64 MiB)
	Pages        int   // tools/list pages per session (default 12,000; 500 once one session had more)
	Tools        int   // tools per session (default 100,000)
	Calls        int   // tools/call per session (default 10,000)
	Depth        int   // nesting of a message (default 5,000)
	Messages     int   // messages of the server, all sessions (default 500,000)
	Values       int   // JSON values in all messages together (default 1,500,000: about 200 MB)
	Resumes      int   // reconnections of one SSE stream (default 5)
}

// Options say how to capture.
type Options struct {
	// Handshakes are performed in order, each on its own connection (and
	// process). None means one in Auto mode.
	Handshakes []Handshake
	// Parallel lets what follows on a handshake (tools/list, calls) run while the
	// next ones are made, so that a slow tool is waited for once. Over HTTP that is
	// always so; a stdio server is then started once per handshake at the same time.
	Parallel bool
	// Calls is asked once per session, after its tools are listed, which tools
	// to call; only Tool and Arguments of an entry are read. nil calls nothing.
	Calls func(*recording.Session) []recording.Call
	// Lists reads the lists of resources and prompts before the calls of a session, and
	// all lists once more after them.
	Lists bool
	// Concurrency is the number of calls in flight per session (default: number of
	// CPUs). A stdio server that answers out of order, or wrongly, gets one at a time
	// from then on.
	Concurrency int
	Timeouts    Timeouts
	Limits      Limits
	// Authorizer gets tokens for an HTTP target that wants them; nil means that a
	// refusal is an error of [KindAuth].
	Authorizer Authorizer
	// ClientVersion is the version in conform's own clientInfo.
	ClientVersion string
	// Progress is told what happens, from one goroutine at a time; nil is silence.
	Progress func(Event)
	// Trace sees every message as it passes, secrets redacted; nil is silence.
	Trace func(recording.Message)
	// Now is the clock for message times; nil means time.Now.
	Now func() time.Time
}

// Event is one step of a capture. Of is 0 while the number is not known.
type Event struct {
	Session string // session id
	Doing   string // "start", "handshake", "tools/list", "tools/call"
	Tool    string // for tools/call
	N, Of   int    // pages, or calls
}

// DefaultTimeouts returns the limits that zero fields of [Timeouts] mean.
func DefaultTimeouts() Timeouts { return Timeouts{}.orDefaults() }

func (t Timeouts) orDefaults() Timeouts {
	orDefault(&t.Start, 30*time.Second)
	orDefault(&t.Request, 30*time.Second)
	orDefault(&t.Probe, 5*time.Second)
	orDefault(&t.Stop, 2*time.Second)
	orDefault(&t.Grace, 2*time.Second)
	orDefault(&t.Call, t.Request)
	orDefault(&t.Authorize, 5*time.Minute)
	orDefault(&t.Total, 15*time.Minute)
	return t
}

// DefaultLimits returns the limits that zero fields of [Limits] mean.
func DefaultLimits() Limits { return Limits{}.orDefaults() }

func (l Limits) orDefaults() Limits {
	orDefault(&l.MessageBytes, 32<<20)
	orDefault(&l.TotalBytes, 64<<20)
	orDefault(&l.Pages, 12_000)
	orDefault(&l.Tools, 100_000)
	orDefault(&l.Calls, 10_000)
	orDefault(&l.Depth, 5_000)
	orDefault(&l.Messages, 500_000)
	orDefault(&l.Values, 1_500_000)
	orDefault(&l.Resumes, 5)
	return l
}

func (o Options) withDefaults() Options {
	o.Timeouts = o.Timeouts.orDefaults()
	o.Limits = o.Limits.orDefaults()
	orDefault(&o.Concurrency, runtime.NumCPU())
	orDefault(&o.ClientVersion, "0")
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Progress == nil {
		o.Progress = func(Event) {}
	}
	if len(o.Handshakes) == 0 {
		o.Handshakes = []Handshake{{Mode: Auto}}
	}
	used := map[string]bool{}
	handshakes := make([]Handshake, len(o.Handshakes))
	for i, h := range o.Handshakes {
		handshakes[i] = h.withDefaults(o.ClientVersion, used)
	}
	o.Handshakes = handshakes
	return o
}

func orDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

func (h Handshake) withDefaults(clientVersion string, used map[string]bool) Handshake {
	orDefault(&h.Mode, Auto)
	orDefault(&h.Legacy, LatestLegacy)
	if h.Mode == Initialize {
		orDefault(&h.Version, LatestLegacy)
	} else {
		orDefault(&h.Version, LatestModern)
	}
	orDefault(&h.ID, string(h.Mode)+"-"+h.Version)
	for id, n := h.ID, 2; used[h.ID]; n++ {
		h.ID = fmt.Sprintf("%s-%d", id, n)
	}
	used[h.ID] = true
	if h.ClientInfo == nil {
		h.ClientInfo = schema.Obj(
			schema.Member{Key: "name", Value: schema.Str("conform")},
			schema.Member{Key: "version", Value: schema.Str(clientVersion)})
	}
	if h.Capabilities == nil {
		h.Capabilities = schema.Obj()
	}
	return h
}

// check says what is wrong with a handshake, nil when nothing is.
func (h Handshake) check(on string) *Error {
	fail := func(format string, args ...any) *Error {
		return &Error{Kind: KindUsage, Doing: "handshake " + h.ID, On: on, Text: fmt.Sprintf(format, args...), Hint: "Use a revision of the mode's era, e.g. " + LatestLegacy + " or " + LatestModern}
	}
	switch h.Mode {
	case Initialize:
		// A modern version in initialize is allowed: it shows how a server
		// negotiates down.
		return nil
	case Discover, Auto:
		if recording.EraOf(h.Version) != recording.Modern {
			return fail("revision %s has no server/discover", h.Version)
		}
		return nil
	}
	return fail("no mode is called %q", h.Mode)
}
