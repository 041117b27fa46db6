package recording

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// Limits bound what reading a file may cost. A zero field means its default.
type Limits struct {
	LineBytes int   // one line (default 128 MiB)
	Bytes     int64 // the whole file (default 512 MiB)
	Sessions  int   // default 1,000
}

func (l Limits) withDefaults() Limits {
	if l.LineBytes == 0 {
		l.LineBytes = 128 << 20
	}
	if l.Bytes == 0 {
		l.Bytes = 512 << 20
	}
	if l.Sessions == 0 {
		l.Sessions = 1000
	}
	return l
}

// Read reads a recording and rebuilds the capture from its messages. name is
// used in errors only. Recordings that were put together with cat are one
// capture; sessions of the same name then get a number. Errors are
// *[FormatError] with the number of the line. A last line that was cut off, as an
// interruption leaves it, is a problem of the capture and no error.
func Read(name string, r io.Reader, limits Limits) (*Capture, error) {
	reader := &reader{name: name, limits: limits.withDefaults(), capture: &Capture{}}
	if err := reader.lines(r); err != nil {
		return nil, err
	}
	if !reader.begun {
		return nil, &FormatError{name, "", "is empty; a recording begins with a header line"}
	}
	return reader.finish()
}

// reader collects a recording line by line.
type reader struct {
	name    string
	limits  Limits
	capture *Capture
	begun   bool
	ids     map[string]*Session // by the id in this part of the file
	notes   []sessionNote
}

type sessionNote struct {
	session *Session
	kind    string
	value   *schema.Value
	at      string
}

func (r *reader) lines(in io.Reader) error {
	return eachLine(r.name, in, r.limits, func(n int, line []byte, complete bool) error {
		at := fmt.Sprintf("line %d", n)
		v, err := schema.Parse(line, caseLimits)
		if err != nil {
			if !complete && r.begun {
				r.capture.Problems = append(r.capture.Problems, Problem{Rule: "recording-cut",
					Message: fmt.Sprintf("The recording ends in the middle of line %d; what came before was read", n), Raw: start(line)})
				return nil
			}
			return &FormatError{r.name, at, fmt.Sprintf("is no JSON: %v; it begins %q", err, start(line))}
		}
		return r.line(at, v)
	})
}

// eachLine calls f with each line that is not blank, within the limits.
func eachLine(name string, in io.Reader, limits Limits, f func(n int, line []byte, complete bool) error) error {
	buffered := bufio.NewReaderSize(in, 64<<10)
	var total int64
	for n := 1; ; n++ {
		var line []byte
		var err error
		for err = bufio.ErrBufferFull; errors.Is(err, bufio.ErrBufferFull); {
			var piece []byte
			piece, err = buffered.ReadSlice('\n')
			line = append(line, piece...)
			total += int64(len(piece))
			if len(line) > limits.LineBytes || total > limits.Bytes {
				return &FormatError{name, fmt.Sprintf("line %d", n), fmt.Sprintf("exceeds the limit of %d bytes a line or %d bytes a file", limits.LineBytes, limits.Bytes)}
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading %s: %w", name, err)
		}
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 {
			if problem := f(n, trimmed, err == nil); problem != nil {
				return problem
			}
		}
		if err != nil {
			return nil
		}
	}
}

// start returns the first 200 bytes of what came, for a message.
func start(raw []byte) string {
	return strings.ToValidUTF8(string(raw[:min(len(raw), 200)]), "\uFFFD")
}

func (r *reader) line(at string, v *schema.Value) error {
	if v.Has("format") {
		return r.header(at, v)
	}
	if !r.begun {
		return &FormatError{r.name, at, fmt.Sprintf("is no header; a recording begins with {\"format\":%q, …}", RecordingFormat)}
	}
	m, noted, err := readLine(r.name, at+" ", v)
	if err != nil {
		return err
	}
	if noted != nil && m.Kind == noteProblem {
		return r.problem(at, m.Session, noted)
	}
	s, err := r.session(at, m.Session)
	if err != nil {
		return err
	}
	if noted != nil {
		r.notes = append(r.notes, sessionNote{s, m.Kind, noted, at})
		return nil
	}
	m.Session = s.ID
	s.Messages = append(s.Messages, m)
	return nil
}

func (r *reader) header(at string, v *schema.Value) error {
	h, err := readHeader(r.name, at+" ", v)
	if err != nil {
		return err
	}
	if !r.begun {
		r.capture.Target, r.capture.Recorded = h.Target, h.Recorded
	}
	r.begun = true
	maps.DeleteFunc(r.ids, func(id string, _ *Session) bool { return !strings.HasPrefix(id, ProxyPrefix) })
	if r.ids == nil {
		r.ids = map[string]*Session{}
	}
	for _, info := range h.Handshakes {
		s, err := r.session(at, info.Session)
		if err != nil {
			return err
		}
		s.Requested, s.Transport = info.Requested, info.Transport
		if s.Transport == "" {
			s.Transport = h.Target.Transport
		}
	}
	return nil
}

// session returns the session that a name of this part of the file stands for.
func (r *reader) session(at, name string) (*Session, error) {
	if s, ok := r.ids[name]; ok {
		return s, nil
	}
	if len(r.capture.Sessions) >= r.limits.Sessions {
		return nil, &FormatError{r.name, at, fmt.Sprintf("is about session number %d, the limit is %d", len(r.capture.Sessions)+1, r.limits.Sessions)}
	}
	s := &Session{ID: r.capture.freeID(name), Era: Legacy, Transport: r.capture.Target.Transport}
	r.ids[name] = s
	r.capture.Sessions = append(r.capture.Sessions, s)
	return s, nil
}

func (c *Capture) find(id string) *Session {
	for _, s := range c.Sessions {
		if s.ID == id {
			return s
		}
	}
	return nil
}

// freeID returns id, numbered when a session has it already.
func (c *Capture) freeID(id string) string {
	free := id
	for n := 2; c.find(free) != nil; n++ {
		free = fmt.Sprintf("%s-%d", id, n)
	}
	return free
}

func (r *reader) problem(at, session string, v *schema.Value) (err error) {
	o := newObject(r.name, at+" /value", v, &err, "rule", "message", "raw")
	p := Problem{Rule: o.need("rule"), Message: o.text("message"), Raw: o.text("raw")}
	if session != "" {
		if s, sessionErr := r.session(at, session); sessionErr == nil {
			p.Session = s.ID
		}
	}
	r.capture.Problems = append(r.capture.Problems, p)
	return err
}

func (r *reader) finish() (*Capture, error) {
	for _, s := range r.capture.Sessions {
		s.rebuild()
	}
	ordered := map[*Session][]*Call{}
	for _, n := range r.notes {
		if err := r.apply(n, ordered); err != nil {
			return nil, err
		}
	}
	for s, calls := range ordered {
		s.Calls = calls
	}
	r.capture.separateProbes()
	r.capture.nameServer()
	return r.capture, nil
}

// separateProbes moves the sessions that were probes to where they belong, with
// nothing but their messages.
func (c *Capture) separateProbes() {
	var sessions []*Session
	for _, s := range c.Sessions {
		if !strings.HasPrefix(s.ID, ProbePrefix) {
			sessions = append(sessions, s)
			continue
		}
		s.Pages, s.Tools, s.Calls = nil, nil, nil
		c.Probes = append(c.Probes, s)
	}
	c.Sessions = sessions
}

func (r *reader) apply(n sessionNote, ordered map[*Session][]*Call) (err error) {
	s := n.session
	switch n.kind {
	case noteSession:
		o := newObject(r.name, n.at+" /value", n.value, &err, "requested", "negotiated", "era", "transport", "init_error", "init")
		s.Requested, s.Negotiated, s.Transport = o.text("requested"), o.text("negotiated"), o.text("transport")
		s.Era = Era(o.text("era"))
		o.oneOf("era", string(s.Era), string(Legacy), string(Modern))
		s.InitError = readFailure(o, "/init_error", n.value.Get("init_error"))
		if init := n.value.Get("init"); init != nil {
			s.Init = init
			if init.Kind == schema.Null {
				s.Init = nil
			}
		}
	case notePage:
		o := newObject(r.name, n.at+" /value", n.value, &err, "index", "cursor", "result", "failure")
		page := Page{Cursor: o.text("cursor"), Result: n.value.Get("result"), Failed: readFailure(o, "/failure", n.value.Get("failure"))}
		switch i := o.number("index"); {
		case i >= 0 && i < len(s.Pages):
			page.Bytes = s.Pages[i].Bytes
			s.Pages[i] = page
		case i == len(s.Pages):
			s.Pages = append(s.Pages, page)
		}
		pages := s.Pages
		s.Pages, s.Tools = nil, nil
		for _, page := range pages {
			s.AddPage(page)
		}
	case notePlan:
		o := newObject(r.name, n.at+" /value", n.value, &err, "tool", "called", "reason")
		s.Plan = append(s.Plan, ToolPlan{Tool: o.text("tool"), Called: n.value.Get("called").IsTrue(), Reason: o.text("reason")})
	case noteCall:
		o := newObject(r.name, n.at+" /value", n.value, &err, "request", "tool", "arguments", "result", "error", "failure")
		c := &Call{Tool: o.text("tool"), Arguments: n.value.Get("arguments"), Result: n.value.Get("result"), Error: n.value.Get("error"), Origin: Real}
		if i := o.number("request"); n.value.Has("request") && i >= 0 && i < len(s.Calls) {
			copied := *s.Calls[i]
			c = &copied
			c.Failed = nil
		}
		c.Failed = readFailure(o, "/failure", n.value.Get("failure"))
		ordered[s] = append(ordered[s], c)
	}
	return err
}

// nameServer fills in what the header could not know yet: serverInfo.
func (c *Capture) nameServer() {
	if c.Target.Name == "" {
		c.Target.Name = "server"
	}
	for _, s := range c.Sessions {
		if s.InitError == nil && (s.Transport == "sse" || c.Target.Transport == "") {
			c.Target.Transport = s.Transport
		}
		info := s.Init.Get("serverInfo")
		if info == nil {
			info = s.Init.Get("_meta").Get("io.modelcontextprotocol/serverInfo")
		}
		if c.Target.Server == "" {
			c.Target.Server, _ = info.Get("name").IsString()
			c.Target.Version, _ = info.Get("version").IsString()
		}
	}
}
