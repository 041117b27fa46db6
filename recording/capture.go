// Package recording holds what one server said: the exact bytes of every
// message ([Message]), the file formats that keep them ([Header],
// conform-recording/1 and conform-case/1), and the decoded view that the matrix
// evaluates ([Capture]). It does no I/O but reading and writing those formats.
package recording

import (
	"strings"
	"time"

	"github.com/hostmatrix/conform/schema"
)

// Era tells the two ways of the protocol apart.
// Source: MCP 2026-07-28, basic/versioning, Terminology.
type Era string

const (
	Legacy Era = "legacy" // 2025-11-25 and earlier, initialize
	Modern Era = "modern" // 2026-07-28 and later, per-request metadata
)

// EraOf returns the era of a protocol revision; an unknown later date is Modern.
func EraOf(protocolVersion string) Era {
	if protocolVersion >= "2026-07-28" {
		return Modern
	}
	return Legacy
}

// Capture is what is known about one server: one session per handshake. All
// values point into parsed documents and must not be changed.
type Capture struct {
	Target   Target
	Sessions []*Session
	// Probes are sessions in which the recorder asked what no client asks (wrong
	// headers, invented revisions), to see how the server takes it. Only their
	// messages count; their ids begin with [ProbePrefix].
	Probes []*Session
	// Recorded is the time of the start of a recording (RFC 3339), "" for a live
	// capture, a case and a log.
	Recorded string
	// Problems were met while capturing: noise on stdout, a page cap, a timeout.
	Problems []Problem
}

// ProbePrefix begins the id of every session in [Capture].Probes.
const ProbePrefix = "probe-"

// ProxyPrefix begins the id of every session that a proxy recorded. Such ids are
// unique: several proxies, as a host starts them for its windows, may write to one file
// at the same time.
const ProxyPrefix = "proxy-"

// Target names the server that was captured.
type Target struct {
	Name      string   `json:"name"`    // key in the host's configuration, "server" when unknown
	Server    string   `json:"server"`  // serverInfo.name
	Version   string   `json:"version"` // serverInfo.version
	Transport string   `json:"transport"`
	Command   []string `json:"command,omitempty"` // stdio, secrets redacted
	URL       string   `json:"url,omitempty"`     // HTTP, secrets redacted
}

// ObservedID is the id of a session that is rebuilt from an observation of a real
// host: the host did hold it.
const ObservedID = "observed"

// Session is one handshake and what followed on it.
type Session struct {
	ID         string // unique in the capture, e.g. "initialize-2025-11-25"
	Requested  string // protocol version that was offered
	Negotiated string // protocol version that the server answered; "" when it refused
	Era        Era
	Transport  string        // stdio, streamable-http, sse, or "" for a case
	Init       *schema.Value // result of initialize or server/discover; nil for a case
	InitError  *Failure      // why the handshake failed; nil when it worked
	Pages      []Page        // tools/list, in order
	Tools      []*Tool       // all pages, in order
	Calls      []*Call
	Plan       []ToolPlan // why each tool was called or was not; nil when nobody planned
	Messages   []Message  // everything that passed, in order; empty for a case
}

// Page is one answer to tools/list.
type Page struct {
	Cursor string        // cursor that was sent, "" for the first page
	Result *schema.Value // the result object; nil when Failure is set
	Failed *Failure
	Bytes  int // size of the answer on the wire
}

// Tool is one entry of tools/list. A malformed entry is a Tool too: only Value is
// then certain, so that one bad entry never hides the others.
type Tool struct {
	Name   string        // "" when absent or no string; its first [MaxName] bytes
	Value  *schema.Value // the entry as it was sent
	Input  *schema.Value // inputSchema, nil when absent
	Output *schema.Value // outputSchema, nil when absent
	Page   int           // index in Session.Pages
	Index  int           // index in that page's tools array
}

// NewTool decodes one entry of tools/list.
func NewTool(value *schema.Value, page, index int) *Tool {
	t := &Tool{Value: value, Page: page, Index: index}
	t.Name, _ = value.Get("name").IsString()
	if len(t.Name) > MaxName {
		t.Name = strings.ToValidUTF8(t.Name[:MaxName], "")
	}
	t.Input = value.Get("inputSchema")
	t.Output = value.Get("outputSchema")
	return t
}

// MaxName bounds the name of a tool, in bytes: it stands in every cell. Beyond it no host
// differs, the longest limit that one has is 128 characters. A tool whose name is cut is
// not called.
const MaxName = 1 << 10

// Origin says where a call came from.
type Origin string

const (
	Real        Origin = "real"        // the server answered it
	Synthesized Origin = "synthesized" // made from the outputSchema, never sent
)

// Call is one tools/call and its answer: Result, or Error for a JSON-RPC error,
// or Failed when no answer came.
type Call struct {
	Tool      string
	Arguments *schema.Value
	Result    *schema.Value
	Error     *schema.Value // the JSON-RPC error object
	Failed    *Failure
	Origin    Origin
	Bytes     int // size of the answer on the wire
}

// Interrupted is the kind of a [Failure] that the caller of a capture brought about:
// it says nothing about the server.
const Interrupted = "canceled"

// Failure says why something did not happen.
type Failure struct {
	Kind   string        // [Interrupted], timeout, closed, http-status, protocol-error, malformed, unsupported-version, ...
	Text   string        // one sentence for a person
	Raw    string        // first 200 bytes of what came back, if anything did
	Status int           // HTTP status, 0 when not HTTP
	Error  *schema.Value // the JSON-RPC error object, if that is what came back
}

// Problem is a finding about the capture itself.
type Problem struct {
	Rule    string // stable rule id, e.g. "stdout-noise"
	Message string
	Session string // session id, "" for the whole capture
	Raw     string // first 200 bytes of what was sent
}

// Message is one thing that passed on the wire, byte for byte.
type Message struct {
	Session string        // session id
	From    string        // "client" or "server"
	Kind    string        // "message", "stderr", "noise", "http-request", "http-response"
	At      time.Duration // since the start of the capture
	Bytes   []byte
	// Decoded is Bytes as JSON, where the recorder has read them; nil otherwise. Parts
	// of it may be shared with other messages, so its offsets mean nothing.
	Decoded *schema.Value
}

// Modern reports whether the session speaks 2026-07-28 or later.
func (s *Session) Modern() bool { return s.Era == Modern }

// CallsOf returns the calls of one tool, in order.
func (s *Session) CallsOf(tool string) []*Call {
	var out []*Call
	for _, c := range s.Calls {
		if c.Tool == tool {
			out = append(out, c)
		}
	}
	return out
}

// SessionFor returns the session whose negotiated version is the given one, else
// the one with the greatest version not above it, else the first that worked,
// else nil.
func (c *Capture) SessionFor(protocolVersion string) *Session {
	var best *Session
	for _, s := range c.Sessions {
		if s.InitError != nil {
			continue
		}
		switch {
		case s.Negotiated == protocolVersion:
			return s
		case best == nil,
			s.Negotiated <= protocolVersion && (best.Negotiated > protocolVersion || s.Negotiated > best.Negotiated):
			best = s
		}
	}
	return best
}
