package lint

import (
	"slices"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	_ "github.com/hostmatrix/conform/validators/spec" // the profiles of the specifications
)

// Pass is what a rule gets: the capture and what several rules would otherwise
// compute again. A pass serves one goroutine.
type Pass struct {
	Rule    *Rule
	Capture *recording.Capture
	Config  *Config
	// Hosts are the columns of the run; nil when it has none to speak of, and rules
	// that stand for hosts then report for the whole table.
	Hosts []*capabilities.Resolved
	// Manifest is the server.json of the run, nil without one.
	Manifest *schema.Value

	shared *shared
}

// shared is what the passes of all rules of one run have in common.
type shared struct {
	exchanges  map[*recording.Session][]*Exchange
	parsed     map[*byte]parsedMessage
	validators map[*schema.Value]compiled
	tools      map[*recording.Session]map[string]*recording.Tool
	stands     map[*Rule][]string // columns of the run that a rule stands for
	only       string             // revision to look at, "" for all
}

type parsedMessage struct {
	length int
	value  *schema.Value
}

type compiled struct {
	validator validators.Validator
	err       error
}

func newShared(only string) *shared {
	return &shared{only: only, exchanges: map[*recording.Session][]*Exchange{}, parsed: map[*byte]parsedMessage{},
		validators: map[*schema.Value]compiled{}, stands: map[*Rule][]string{}, tools: map[*recording.Session]map[string]*recording.Tool{}}
}

// revisionOf is the revision by which a session is judged: the one that was
// negotiated, else the one that was asked for. One that does not exist is judged by
// the newest that existed before it. Streamable HTTP came with 2025-03-26, and a
// server without sessions takes a request without MCP-Protocol-Version for one of
// that revision (2025-06-18 basic/transports, Protocol Version Header).
func revisionOf(s *recording.Session) string {
	revision := s.Negotiated
	if revision == "" {
		revision = s.Requested
	}
	best := Revisions[0]
	for _, known := range Revisions {
		if known <= revision {
			best = known
		}
	}
	if best == v2024_11 && s.Transport == "streamable-http" {
		return v2025_03
	}
	return best
}

func (p *Pass) wants(s *recording.Session) bool {
	revision := revisionOf(s)
	return p.Rule.Applies(revision) && (p.shared.only == "" || p.shared.only == revision)
}

// Sessions returns the sessions that worked and in whose revision the rule exists.
func (p *Pass) Sessions() []*recording.Session {
	var out []*recording.Session
	for _, s := range p.Capture.Sessions {
		if s.InitError == nil && p.wants(s) {
			out = append(out, s)
		}
	}
	return out
}

// variantProbe begins the ids of probes of the same server at another address, whose
// answers are meant to differ; see wire.Probe.
const variantProbe = recording.ProbePrefix + "variant-"

// Conversations returns every session in whose revision the rule exists, failed
// ones and probes included: what passed on the wire counts whatever came of it.
// Those of other addresses are left out.
func (p *Pass) Conversations() []*recording.Session {
	var out []*recording.Session
	for _, s := range slices.Concat(p.Capture.Sessions, p.Capture.Probes) {
		if p.wants(s) && !strings.HasPrefix(s.ID, variantProbe) {
			out = append(out, s)
		}
	}
	return out
}

// Exchanges returns all requests of all conversations of one session.
func (p *Pass) Exchanges(s *recording.Session) []*Exchange {
	if list, done := p.shared.exchanges[s]; done {
		return list
	}
	list := p.shared.exchangesOf(s)
	p.shared.exchanges[s] = list
	return list
}

// EachExchange calls f for every request in whose revision the rule exists.
func (p *Pass) EachExchange(f func(*Exchange)) {
	for _, s := range p.Conversations() {
		for _, e := range p.Exchanges(s) {
			f(e)
		}
	}
}

// EachTool calls f for every tool of every session that worked.
func (p *Pass) EachTool(f func(*recording.Session, *recording.Tool)) {
	for _, s := range p.Sessions() {
		for _, t := range s.Tools {
			f(s, t)
		}
	}
}

// EachResult calls f for every real result of a tool, wrong calls included; a task that
// is made of a call is none. tool is nil when the call names a tool that the session
// did not list.
func (p *Pass) EachResult(f func(s *recording.Session, tool *recording.Tool, name string, result *schema.Value)) {
	for _, s := range p.Conversations() {
		listed := p.toolsFor(s)
		for _, e := range p.Exchanges(s) {
			if e.Method != "tools/call" || e.Result == nil || e.Params.Has("task") && e.Result.Has("task") {
				continue
			}
			name, _ := e.Params.Get("name").IsString()
			f(s, listed[name], name, e.Result)
		}
	}
}

// toolsFor returns the tools that a session listed by name; a probe has those of
// the session in the same revision.
func (p *Pass) toolsFor(s *recording.Session) map[string]*recording.Tool {
	if known, done := p.shared.tools[s]; done {
		return known
	}
	tools := s.Tools
	if len(tools) == 0 {
		for _, other := range p.Capture.Sessions {
			if revisionOf(other) == revisionOf(s) && len(other.Tools) > 0 {
				tools = other.Tools
				break
			}
		}
	}
	out := make(map[string]*recording.Tool, len(tools))
	for _, t := range tools {
		if out[t.Name] == nil {
			out[t.Name] = t
		}
	}
	p.shared.tools[s] = out
	return out
}

// Validator compiles a schema by the dialect that it declares, once.
func (p *Pass) Validator(document *schema.Value) (validators.Validator, error) {
	if c, done := p.shared.validators[document]; done {
		return c.validator, c.err
	}
	v, err := validators.Compile("spec-dispatch", document)
	p.shared.validators[document] = compiled{v, err}
	return v, err
}
