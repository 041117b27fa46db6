// Package stage is the pipeline: one file per stage, in the order in which the
// data flows (connect, list, offer, call, result, view). A stage reads the claims
// of one column and the session of one server and adds findings to the tools; it
// does no I/O, knows no clock and no host by name.
package stage

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/operation"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// Env is what a column is evaluated in.
type Env struct {
	Host       *capabilities.Resolved
	Target     recording.Target
	Session    *recording.Session
	Shapes     *shape.Set
	Validators *validators.Cache
	// Witness searches for instances that a schema's own dialect accepts and a
	// validator profile rejects; nil turns that off. See [Search].
	Witness Witness
	// TrustAPI leaves out the model API's own refusals: a lab's scripted model
	// takes whatever the host offers.
	TrustAPI bool
}

// State is one server on its way through one column.
type State struct {
	Env
	Tools []*Tool
	// Server are findings about the whole server (connect, a lost list).
	Server []verdict.Finding
	// Lost is set when the host gets no tools from this server at all.
	Lost bool
	// OutputIgnored is set when the host asked again without outputSchemas.
	OutputIgnored bool

	// consulted are the claims that the column was evaluated by, each once.
	consulted map[*capabilities.Found]bool
	// exhausted counts the tools for which a validator used its budget up.
	exhausted int
	// part are the tools that the current stage works on.
	part []*Tool
	// byID are the outputSchemas that a validator of the whole server has seen, by $id.
	byID map[string]*schema.Value
}

// Tool is one tool on its way through the column.
type Tool struct {
	*recording.Tool
	// Work is nil once the tool's cell was made of it, unless views are kept: of 20,000
	// tools in 50 hosts it is 140 MB.
	*Work
	// Gone: the host dropped the tool; later stages skip it.
	Gone    bool
	Offered Offer
}

// Work is what the stages establish about a tool.
type Work struct {
	Findings []verdict.Finding
	// Unvalidated: the host has no validator for the tool's results (compile
	// fault swallowed, later page forgot it).
	Unvalidated bool
	// Checked: a result was looked at by a validator of the host.
	Checked bool
	// Seen is what the model sees of each call, in the order of the session's calls.
	Seen []Seen
	// Search is what the search for a breaking result came to: "proven", "found",
	// "tried", or "" where none was made.
	Search string
	// Tried is the number of results made from the outputSchema on which it rests.
	Tried int
	// ArgumentSearch and ArgumentsTried are the same for arguments that the host's own
	// check refuses.
	ArgumentSearch string
	ArgumentsTried int

	refused []refusal
	// uncallable is what the host says to each call, "" when it makes the calls.
	uncallable string
}

// refusal is a call that the host answered itself, before the server saw it.
type refusal struct {
	call *recording.Call
	text string
}

// Offer is the tool as the model gets it.
type Offer struct {
	Present     bool
	Name        string
	Namespace   string
	Description string
	Schema      *schema.Value
	cut         bool   // the name exceeded the limit
	Rendered    string // a declaration in another language, when that is what the model gets
}

// Seen is what the model sees of one call.
type Seen struct {
	Call  *recording.Call
	Calls int // how often the host executed the call; 0 when it refused it
	View  *operation.View
}

// New prepares the state for one column.
func New(env Env) *State {
	s := &State{Env: env, consulted: map[*capabilities.Found]bool{}, byID: map[string]*schema.Value{}}
	if env.Session != nil {
		for _, t := range env.Session.Tools {
			s.Tools = append(s.Tools, &Tool{Tool: t, Work: new(Work)})
		}
	}
	return s
}

// Run takes the server through all stages.
func Run(env Env) *State {
	s := Begin(env)
	s.Finish(s.Tools)
	return s
}

// Begin takes the server through the stages that look at its list as a whole.
func Begin(env Env) *State {
	s := New(env)
	for _, stage := range []func(*State){Connect, List, OfferStage} {
		s.part = s.Tools
		stage(s)
		if s.Lost {
			break
		}
	}
	return s
}

// Finish takes some of the tools through the stages that look at one tool at a
// time, so that what was compiled for a few tools can be dropped before the next
// ones come. Each tool is finished once, in the order of the list.
func (s *State) Finish(tools []*Tool) {
	if s.Lost {
		return
	}
	s.part = tools
	for _, stage := range []func(*State){CallStage, ResultStage, ViewStage} {
		stage(s)
	}
}

// claim looks a key up and remembers that it was consulted for the whole column.
func claim[T any](s *State, key string) (*T, *capabilities.Found) {
	v, f := capabilities.Get[T](s.Host, key)
	if f != nil && !s.consulted[f] {
		s.consulted[f] = true
	}
	return v, f
}

// Basis is the weakest basis of the claims that the column was evaluated by: a
// cell in which nothing was found rests on all of them.
func (s *State) Basis() capabilities.Basis {
	var basis capabilities.Basis
	for f := range s.consulted {
		basis = capabilities.Weaker(basis, f.Basis)
	}
	return basis
}

// finding fills in what a finding owes to the claim that it rests on. A claim
// that contradicts another one decides nothing: the finding becomes undecided.
func finding(f *capabilities.Found, v verdict.Finding) verdict.Finding {
	v.Message, v.HostText = bounded(v.Message), bounded(v.HostText)
	if f == nil {
		return v
	}
	v.Basis, v.Evidence, v.Note = string(f.Basis), f.EvidenceRefs(), f.Note
	if f.Conflict != nil && v.Severity != verdict.Info {
		v.Severity = verdict.Undecided
		refs := make([]string, len(f.Conflict.Evidence))
		for i, id := range f.Conflict.Evidence {
			refs[i] = f.From.ID + "/" + id
		}
		v.Note = strings.TrimPrefix(v.Note+"; the evidence contradicts itself: "+
			strings.Join(f.EvidenceRefs(), ", ")+" against "+strings.Join(refs, ", "), "; ")
		v.Evidence = append(v.Evidence, refs...)
	}
	return v
}

// add appends a finding that rests on claim f to a tool; a tool whose finding is
// an error at list, offer or call is out of the host's reach when drop is set.
func (t *Tool) add(f *capabilities.Found, v verdict.Finding) {
	t.Findings = append(t.Findings, finding(f, v))
}

// maxWords bounds what of a validator's or a parser's words goes into a text, in
// bytes. Some print the whole value: a string of 10 MB would stand in the finding
// and in the view of every column.
const maxWords = 128 << 10

// bounded cuts words that are longer than any that a person reads, and says so.
func bounded(words string) string {
	if len(words) <= maxWords {
		return words
	}
	end := maxWords
	for !utf8.RuneStart(words[end]) {
		end--
	}
	return fmt.Sprintf("%s… (%d bytes in all)", words[:end], len(words))
}

// fill replaces {key} pairs in a text template, each value [bounded]; an empty
// template gives "".
func fill(template string, pairs ...string) string {
	if template == "" {
		return ""
	}
	for i := range pairs {
		if i%2 == 0 {
			pairs[i] = "{" + pairs[i] + "}"
		} else {
			pairs[i] = bounded(pairs[i])
		}
	}
	return strings.NewReplacer(pairs...).Replace(template)
}

// loseServer records that the whole server is lost at a stage, who did it and
// what the host says, and marks every tool.
func (s *State) loseServer(f *capabilities.Found, v verdict.Finding) {
	if v.Blast == "" {
		v.Blast = verdict.BlastServer
	}
	v = finding(f, v)
	s.Server = append(s.Server, v)
	if v.Severity != verdict.Error {
		return // undecided: the server may be lost; later stages still tell the rest
	}
	s.Lost = true
	for _, t := range s.Tools {
		t.Gone = true
	}
}
