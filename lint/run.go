package lint

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"sync"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// findingsPerRule bounds what one rule reports: a hostile or huge server must not
// flood a report.
const findingsPerRule = 500

// Input is what [Run] looks at besides the capture.
type Input struct {
	Config *Config // nil: the defaults
	// Hosts are the columns of the run; portability rules name those that they
	// stand for and are silent when they stand for none. nil: the whole table.
	Hosts []*capabilities.Resolved
	// Manifest is the content of a server.json, nil without one.
	Manifest *schema.Value
	Until
}

// Until ends a run when Stop is closed: rules that have no answer by then are not
// checked, for the reason Why. The zero value ends none.
type Until struct {
	Stop <-chan struct{}
	Why  string
}

// Stopped reports whether the run has come to that.
func (u Until) Stopped() bool {
	select {
	case <-u.Stop:
		return true
	default:
		return false
	}
}

// Result is what the rules established.
type Result struct {
	Advice     []verdict.Advice
	NotChecked []verdict.NotChecked
}

// Run evaluates all rules that the configuration leaves on. The result is the same
// for the same input; advice stands in the order of the rules.
func Run(capture *recording.Capture, in Input) Result {
	result := Result{Advice: []verdict.Advice{}}
	if in.Config == nil {
		in.Config = &Config{}
	}
	if in.Hosts == nil {
		in.Hosts = wholeTable()
	}
	cache := newShared("").know(capture)
	for _, r := range Rules() {
		severity, on := in.Config.severity(r)
		if !on {
			continue
		}
		p := &Pass{Rule: r, Capture: capture, Config: in.Config, Hosts: in.Hosts, Manifest: in.Manifest, shared: cache}
		findings, reason := in.unlessStopped(func() ([]Finding, string) { return evaluate(p) })
		if reason != "" {
			result.NotChecked = append(result.NotChecked, verdict.NotChecked{Rule: r.ID, Reason: reason})
		}
		result.Advice = append(result.Advice, p.advice(findings, severity)...)
	}
	result.Advice = withoutEchoes(result.Advice)
	return result
}

// unlessStopped is what rule returns, or nothing at a stop. A rule that is under way
// then is left behind; no further one begins, so nobody else uses what it uses.
func (u Until) unlessStopped(rule func() ([]Finding, string)) ([]Finding, string) {
	if u.Stop == nil {
		return rule()
	}
	if u.Stopped() {
		return nil, u.Why
	}
	done := make(chan struct{})
	var findings []Finding
	var reason string
	go func() {
		findings, reason = rule()
		close(done)
	}()
	select {
	case <-done:
		return findings, reason
	case <-u.Stop:
		return nil, u.Why
	}
}

// evaluate runs one rule; reason says why it has no answer.
func evaluate(p *Pass) (findings []Finding, reason string) {
	defer func() {
		if fault := recover(); fault != nil {
			findings, reason = nil, fmt.Sprintf("the rule failed on this capture: %v", fault)
		}
	}()
	if p.Rule.Stands != nil && len(p.standsFor()) == 0 {
		return nil, ""
	}
	findings, err := p.Rule.Run(p)
	var could CouldNotCheck
	switch {
	case errors.As(err, &could):
		reason = could.Reason
	case err != nil:
		reason = "the rule failed: " + err.Error()
	}
	return findings, reason
}

// standsFor returns the columns for which the pass's rule stands.
func (p *Pass) standsFor() []string {
	if known, done := p.shared.stands[p.Rule]; done {
		return known
	}
	var out []string
	for _, h := range p.Hosts {
		if p.Rule.Stands(h) {
			out = append(out, h.ID)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	p.shared.stands[p.Rule] = out
	return out
}

// advice merges the same finding of several sessions and drops what the
// configuration allows.
func (p *Pass) advice(findings []Finding, severity verdict.Severity) []verdict.Advice {
	hosts := ""
	if p.Rule.Stands != nil {
		hosts = naming(p.standsFor())
	}
	var out []verdict.Advice
	at := map[string]int{}
	dropped := 0
	for _, f := range findings {
		if p.Config.allowed(p.Rule.ID, f.Tool) {
			continue
		}
		a := verdict.Advice{Tool: f.Tool, Rule: p.Rule.ID, Severity: severity, Message: f.Message + hosts, Pointer: f.Pointer, Session: f.Session, Source: p.Rule.Source}
		if f.Severity != "" && !p.Config.overridden(p.Rule.ID) {
			a.Severity = f.Severity
		}
		key := f.Tool + "\x00" + f.Pointer + "\x00" + f.Message
		if i, seen := at[key]; seen {
			if out[i].Session != f.Session {
				out[i].Session = ""
			}
			continue
		}
		if len(out) == findingsPerRule {
			dropped++
			continue
		}
		at[key] = len(out)
		out = append(out, a)
	}
	if dropped > 0 {
		out[len(out)-1].Message += fmt.Sprintf(" (and %d more findings of this rule)", dropped)
	}
	return out
}

func naming(hosts []string) string {
	switch n := len(hosts); {
	case n == 0:
		return ""
	case n <= 4:
		return " (" + join(hosts) + ")"
	default:
		return fmt.Sprintf(" (%s and %d more)", join(hosts[:3]), n-3)
	}
}

func join(words []string) string {
	out := ""
	for i, w := range words {
		if i > 0 {
			out += ", "
		}
		out += w
	}
	return out
}

// SpecFindings returns what the rules of a protocol revision say about the
// sessions of that revision, by tool ("" for the whole server): the findings of the
// cells of that revision's row. What could not be checked is in the second result.
func SpecFindings(capture *recording.Capture, revision string, until Until) (map[string][]verdict.Finding, []verdict.NotChecked) {
	out := map[string][]verdict.Finding{}
	var not []verdict.NotChecked
	cache := newShared(revision).know(capture)
	config := &Config{}
	stages := map[string]verdict.Stage{}
	var all []verdict.Advice
	for _, r := range Rules() {
		if r.Level == Quality || r.Stands != nil || !r.Applies(revision) {
			continue
		}
		p := &Pass{Rule: r, Capture: capture, Config: config, shared: cache}
		findings, reason := until.unlessStopped(func() ([]Finding, string) { return evaluate(p) })
		if reason != "" {
			not = append(not, verdict.NotChecked{Rule: r.ID, Reason: reason})
		}
		stages[r.ID] = r.Stage
		all = append(all, p.advice(findings, r.Severity)...)
	}
	for _, a := range withoutEchoes(all) {
		out[a.Tool] = append(out[a.Tool], verdict.Finding{Rule: a.Rule, Severity: a.Severity, Stage: stages[a.Rule], Blast: blastOf(a.Tool),
			Message: a.Message, SchemaPointer: a.Pointer, Basis: string(capabilities.Documented), Note: a.Source})
	}
	return out, not
}

func blastOf(tool string) verdict.Blast {
	if tool == "" {
		return verdict.BlastServer
	}
	return verdict.BlastTool
}

// wholeTable is every row of the built-in table.
var wholeTable = sync.OnceValue(func() []*capabilities.Resolved {
	table, err := capabilities.Builtin()
	if err != nil {
		return nil
	}
	var out []*capabilities.Resolved
	for _, h := range table.Hosts() {
		if r, err := table.Resolve(h.ID); err == nil {
			out = append(out, r)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
})
