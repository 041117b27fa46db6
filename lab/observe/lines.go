package observe

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/lab/adapters"
	"github.com/hostmatrix/conform/lab/model"
	"github.com/hostmatrix/conform/lab/probe"
	"github.com/hostmatrix/conform/matrix/verify"
	"github.com/hostmatrix/conform/schema"
)

// Run is everything that one run left behind.
type Run struct {
	Host, Version string
	Mode          adapters.Mode
	Transport     string
	Servers       []probe.Server
	Traffic       map[string]*Traffic
	Record        model.Record
	Lost          map[string]string // server -> what the client said when it lost it
	Dropped       map[string]string // probe -> what the host said when it dropped the tool
	Volatile      []adapters.Volatile
	Noise         *regexp.Regexp // what the host adds to results of its own
	Stuck         []string       // probes whose call the host did not get over: it was ended and started again without them
	Reported      bool           // the model said what it saw; what it does not say is unknown
	Listing       bool           // the client's own list is the offer, there is no model
}

// Line is one observation. Members are in the order in which they are written.
type Line struct {
	ID        string          `json:"id"`
	Host      string          `json:"host"`
	Version   string          `json:"version"`
	Mode      string          `json:"mode"`
	Model     string          `json:"model,omitempty"`
	Transport string          `json:"transport"`
	Protocol  string          `json:"protocol_version,omitempty"`
	Server    string          `json:"server_name"`
	Siblings  []string        `json:"siblings,omitempty"`
	Reached   map[string]bool `json:"sibling_offered,omitempty"`
	Position  *int            `json:"position,omitempty"`        // the tool's index in the list, where there are siblings
	Before    *probe.Range    `json:"siblings_before,omitempty"` // a list that is filled up: what stands before the tool
	After     *probe.Range    `json:"siblings_after,omitempty"`
	Handshake []Step          `json:"handshake,omitempty"` // with a server that answers oddly or not at all
	Silent    string          `json:"silent,omitempty"`    // the request that this server never answers
	Probe     string          `json:"probe"`
	Tool      json.RawMessage `json:"tool"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Received  json.RawMessage `json:"received,omitempty"` // arguments that the server got, where they are not those of the model
	Result    json.RawMessage `json:"result"`
	Offered   *Offered        `json:"offered"`
	Called    int             `json:"called"`
	Seen      *Seen           `json:"seen"`
	Note      string          `json:"note,omitempty"`
}

// Offered is the tool as the model got it.
type Offered struct {
	Present     bool            `json:"present"`
	Lost        bool            `json:"list_lost"`
	Name        string          `json:"name,omitempty"`
	Namespace   string          `json:"namespace,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"`
	Description string          `json:"description,omitempty"` // how it changed: cut, extended, rewritten or absent
	Text        string          `json:"description_text,omitempty"`
	Length      int             `json:"description_length,omitempty"`
	SHA256      string          `json:"description_sha256,omitempty"` // of one that is not written whole
	Rendered    string          `json:"rendered,omitempty"`
	SameOutput  *bool           `json:"output_schema_same,omitempty"`
	Strict      *bool           `json:"strict,omitempty"`
	Deferred    bool            `json:"defer_loading,omitempty"`
	Copies      int             `json:"copies,omitempty"`
	Reason      string          `json:"reason,omitempty"`
}

// Lines returns the observations of a run, server by server in catalogue order.
func (r Run) Lines() []Line {
	var out []Line
	for _, s := range r.Servers {
		t := r.Traffic[s.Name]
		if t == nil {
			t = &Traffic{}
		}
		for _, p := range s.Probes {
			out = append(out, r.line(s, p, t))
		}
	}
	return out
}

func (r Run) line(s probe.Server, p probe.Probe, t *Traffic) Line {
	wire := text(p.Tool, "name")
	l := Line{ID: strings.Join([]string{r.Host, r.Version, r.Mode.Name, p.ID}, "-"), Host: r.Host, Version: r.Version, Mode: r.Mode.Name,
		Model: r.Mode.Model, Transport: r.Transport, Protocol: t.Protocol, Server: s.Name, Probe: p.ID,
		Tool: rawOf(p.Tool), Result: json.RawMessage("null"), Called: t.Calls[wire]}
	l.Before, l.After = s.Around(p)
	if s.Fill == 0 && (s.Control || s.PageSize > 0) {
		l.Siblings = s.Siblings(p.ID)
		if at := slices.IndexFunc(s.Probes, func(o probe.Probe) bool { return o.ID == p.ID }); at >= 0 {
			if s.Control {
				at++
			}
			l.Position = &at
		}
		l.Reached = map[string]bool{}
		for _, name := range l.Siblings {
			// What a model does not report may have been offered all the same.
			if reached := r.reached(s, name); reached || !r.Reported {
				l.Reached[name] = reached
			}
		}
	}
	l.Offered = r.offered(s, p, t)
	if l.Called > 0 && s.Silent != "tools/call" {
		l.Result = answered(s, p, t)
	}
	if i := slices.IndexFunc(r.Record.Answers, func(a model.Answer) bool { return a.Probe == p.ID }); i >= 0 {
		a := r.Record.Answers[i]
		// A driver makes the call that the catalogue names, and does not say so again.
		if l.Arguments = a.Arguments; len(a.Arguments) == 0 || string(a.Arguments) == "null" {
			l.Arguments = rawOf(p.Arguments)
		}
		l.Received = changed(l.Arguments, t.Received[wire])
		l.Seen = r.seen(a, p)
		if l.Called == 0 {
			l.Note = "answered by the host without any tools/call on the server"
		}
	}
	if slices.Contains(r.Record.Again, p.ID) && l.Called%2 == 0 {
		// One call of the model is what the line is about. That it asked again, because
		// the first answer was late, differs from run to run and is not recorded.
		l.Called /= 2
	}
	if s.Odd() {
		l.Handshake, l.Silent = t.Handshake, s.Silent
	}
	l.annotate(s, p, t, r)
	return l
}

// annotate says what a reader of the line can't see.
func (l *Line) annotate(s probe.Server, p probe.Probe, t *Traffic, r Run) {
	add := func(note string) {
		if l.Note != "" {
			l.Note += "; "
		}
		l.Note += note
	}
	if s.PageSize > 0 {
		add("tools/list is paginated, one tool a page")
	}
	if s.Control && text(p.Tool, "name") == s.ControlName() {
		add("same name as its sibling; told apart by description; called counts both; the server always answers as the first of the two")
	}
	if s.Odd() {
		add(s.About)
	}
	said, _ := r.steady(r.Lost[s.Name])
	switch {
	case t.Started == 0:
		add("the host never started this server")
	case !t.Listed && said != "":
		add("the host never asked this server for its tools: " + said)
	case !t.Listed:
		add("the host never asked this server for its tools")
	case r.silent():
		add("the host ended before it offered any tool to the model")
	case slices.Contains(r.Record.Named, p.ID) && r.find(p.ID) == nil:
		add("a prompt names the tool; the host did not show its declaration when it was searched for")
	case slices.Contains(r.Stuck, p.ID):
		add("called by the model; the host never came back from it and was ended")
	case slices.Contains(r.Record.Unanswered, p.ID):
		add("called twice by the model, never answered")
	}
}

// reached says whether a tool of a server, known by wire name, got to the model.
func (r Run) reached(s probe.Server, name string) bool {
	id := name
	for _, p := range s.Probes {
		if text(p.Tool, "name") == name {
			id = p.ID
			break
		}
	}
	if s.Control && name == s.ControlName() {
		id = s.ControlName()
	}
	return r.find(id) != nil
}

func (r Run) find(id string) *model.Tool {
	for i := range r.Record.Tools {
		if r.Record.Tools[i].Probe == id {
			return &r.Record.Tools[i]
		}
	}
	return nil
}

// offered compares the offer with what was sent; nil where the server was never
// asked, because then nothing can be said.
func (r Run) offered(s probe.Server, p probe.Probe, t *Traffic) *Offered {
	if !t.Listed || r.silent() {
		return nil
	}
	got := r.find(p.ID)
	if r.Reported {
		if got == nil {
			return nil
		}
		return &Offered{Present: true, Name: got.Name}
	}
	if got == nil && slices.Contains(r.Record.Named, p.ID) {
		return nil // offered by name; its declaration was never shown
	}
	if got == nil {
		o := &Offered{Lost: r.nothing(s), Reason: r.Dropped[p.ID]}
		if o.Lost {
			o.Reason = r.Lost[s.Name]
		}
		o.Reason, _ = r.steady(o.Reason)
		return o
	}
	o := &Offered{Present: true, Name: got.Name, Namespace: got.Namespace, Rendered: got.Rendered, Strict: got.Strict, Deferred: got.Deferred, Copies: got.Copies}
	if v, err := schema.Parse(got.Schema, schema.Limits{}); err == nil && got.Schema != nil {
		o.Schema = rawOf(fold(v, p))
	}
	o.describe(text(verify.Expand(p.Tool), "description"), got.Description, got.Rendered)
	if r.Listing && p.Tool.Has("outputSchema") {
		v, err := schema.Parse(got.Output, schema.Limits{})
		same := err == nil && schema.Equal(v, verify.Expand(p.Tool.Get("outputSchema")))
		o.SameOutput = &same
	}
	return o
}

// silent says that the host never got to offer anything at all: it ended before it
// asked the model. Then no tool can be said to be lost.
func (r Run) silent() bool { return len(r.Record.Tools) == 0 && !r.Listing && !r.Reported }

// nothing says that the whole list of a server was lost.
func (r Run) nothing(s probe.Server) bool {
	if s.Control && r.find(s.ControlName()) != nil {
		return false
	}
	if s.Fill > 0 && r.filled(s) > 0 {
		return false
	}
	return !slices.ContainsFunc(s.Probes, func(p probe.Probe) bool { return r.find(p.ID) != nil })
}

// describe says how a description changed on its way.
func (o *Offered) describe(sent, got, rendered string) {
	if got == sent {
		return
	}
	o.Length = schema.UTF16Len(got)
	switch {
	case got == "":
		o.Description = "absent"
		return
	case strings.HasPrefix(got, sent):
		o.Description = "extended"
	case strings.HasPrefix(sent, firstHalf(got)):
		o.Description = "cut"
	default:
		o.Description = "rewritten"
	}
	if rendered != "" {
		got = strings.Replace(got, rendered, "{{rendered}}", 1)
	}
	if schema.UTF16Len(got) > longText {
		o.SHA256 = sum(got)
		got = schema.UTF16Prefix(got, keptText) + "…" + schema.UTF16Suffix(got, keptText)
	}
	o.Text = got
}

func firstHalf(s string) string { return s[:len(s)/2] }

// answered is what the server said: the answer of the first tool of that name.
func answered(s probe.Server, p probe.Probe, t *Traffic) json.RawMessage {
	result, failure := s.Answer(text(p.Tool, "name"), t.Protocol)
	if failure != nil {
		return rawOf(schema.Obj(schema.Member{Key: "error", Value: failure}))
	}
	return rawOf(result)
}
