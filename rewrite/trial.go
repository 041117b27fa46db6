package rewrite

import (
	"sort"
	"strings"
	"sync"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/stage"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// Fault is why a tool does not work in one host.
type Fault struct {
	Host    string          `json:"host"`
	Version string          `json:"version"`
	Verdict verdict.Verdict `json:"verdict"`
	Stage   verdict.Stage   `json:"stage,omitempty"`
	Rule    string          `json:"rule,omitempty"`
	Text    string          `json:"text,omitempty"`
	// lost counts what of the definition does not reach the model; loss is the first.
	lost int
	loss verdict.Finding
	// errors tells the set of errors from others: a step that takes one of several away
	// is a step further, though the host still breaks with the same words.
	errors string
}

// column is the key of the fault's host, as [columnKey] makes it.
func (f Fault) column() string { return f.Host + "@" + f.Version }

// lossy is the fault as one of what the model gets.
func (f Fault) lossy() Fault {
	f.Verdict, f.Stage, f.Rule, f.Text = verdict.Degraded, f.loss.Stage, f.loss.Rule, f.loss.Message
	return f
}

// trial is the tool after some steps, in every host that was asked.
type trial struct {
	steps []Step
	// tool is the fullest definition among those of the sessions, tools are all
	// distinct ones: a server may show an older revision less.
	tool   *schema.Value
	tools  []*schema.Value
	faults map[string]Fault // by host column; every host asked has an entry
	broken int
	// signature tells two trials apart by what breaks in them.
	signature string
}

func (t trial) weight() int {
	sum := 0
	for _, s := range t.steps {
		if r, err := Find(s.Rewrite); err == nil {
			sum += 1 + r.Cost
		}
	}
	return sum
}

// degraded counts hosts in which something is lost.
func (t trial) degraded() int {
	n := 0
	for _, f := range t.faults {
		if f.Verdict == verdict.Degraded {
			n++
		}
	}
	return n
}

// lost counts what of the definition does not reach the models of all hosts.
func (t trial) lost() int {
	n := 0
	for _, f := range t.faults {
		n += f.lost
	}
	return n
}

// bench runs trials of one tool.
type bench struct {
	stop    <-chan struct{} // see Options.Stop
	capture *recording.Capture
	name    string
	shapes  *shape.Set
	budget  int
	seed    uint64
	old     []*schema.Value // instances that the old outputSchema's dialect accepts
	runs    int             // matrix runs so far

	asked        sync.Once
	oldArguments []*schema.Value // the same of the old inputSchema, made when a host checks arguments
}

func (b *bench) witnesses() witness.Options {
	return witness.Options{Budget: b.budget, Seed: b.seed}
}

// arguments returns instances that the old inputSchema's dialect accepts. Columns ask
// for them side by side.
func (b *bench) arguments() []*schema.Value {
	b.asked.Do(func() {
		for _, s := range b.capture.Sessions {
			for _, t := range s.Tools {
				if t.Name == b.name && t.Input != nil && b.oldArguments == nil {
					b.oldArguments = witness.New(nil, b.witnesses()).Instances(t.Input)
				}
			}
		}
	})
	return b.oldArguments
}

func columnKey(h *capabilities.Resolved) string { return h.ID + "@" + h.Version }

// try evaluates the tool after the steps in the hosts.
func (b *bench) try(steps []Step, hosts []*capabilities.Resolved) trial {
	b.runs++
	capture := alone(b.capture, b.name, steps)
	cache := validators.NewCache()
	in := matrix.Input{Capture: capture, Hosts: hosts, Shapes: b.shapes, Validators: cache, Stop: b.stop}
	if b.budget > 0 {
		search := witness.New(cache, b.witnesses())
		outputs, inputs := map[*schema.Value]bool{}, map[*schema.Value]bool{}
		for _, s := range capture.Sessions {
			for _, tool := range s.Tools {
				outputs[tool.Output], inputs[tool.Input] = true, true
			}
		}
		in.Witness = func(declared, document *schema.Value, profile string) stage.Search {
			found := search.Stage(declared, document, profile)
			switch {
			case reshapes(steps):
				return found
			case outputs[declared]:
				return withOld(b.old, found, cache, declared, document, profile)
			case inputs[declared]:
				return withOld(b.arguments(), found, cache, declared, document, profile)
			}
			return found
		}
	}
	t := trial{steps: steps, faults: map[string]Fault{}}
	t.tool, t.tools = definitions(capture)
	if stopped(b.stop) {
		return t
	}
	var parts []string
	for _, c := range matrix.Evaluate(in) {
		fault := worst(c)
		t.faults[columnKey(c.Host)] = fault
		if fault.Verdict == verdict.Breaks {
			t.broken++
			parts = append(parts, fault.Host+"\x00"+fault.errors)
		}
	}
	sort.Strings(parts)
	t.signature = strings.Join(parts, "\x01")
	return t
}

// definitions are the distinct definitions of a capture of one tool, and the
// fullest of them: the first one with an outputSchema, else the first.
func definitions(c *recording.Capture) (fullest *schema.Value, all []*schema.Value) {
	for _, s := range c.Sessions {
		for _, tool := range s.Tools {
			if fullest == nil || !fullest.Has(string(Output)) && tool.Output != nil {
				fullest = tool.Value
			}
			all = append(all, tool.Value)
		}
	}
	return fullest, distinct(all)
}

// withOld adds what the old schema allowed: a host that rejects it by the new
// schema would break what worked.
func withOld(old []*schema.Value, found stage.Search, cache *validators.Cache, declared, document *schema.Value, profile string) stage.Search {
	if len(old) == 0 {
		return found
	}
	_, own := witness.Dialect(cache, declared)
	host, err := cache.Compile(profile, document)
	if own == nil || err != nil || len(found.Instances) > 0 {
		return found
	}
	for _, v := range old {
		r := host.Validate(v)
		if (r.Outcome == validators.Invalid || r.Outcome == validators.Thrown) && own.Validate(v).Outcome == validators.Valid && !formatOnly(r) {
			found.Proven = false
			found.Instances = append(found.Instances, stage.Instance{Value: v, Ordinary: true})
			return found
		}
	}
	return found
}

func formatOnly(r validators.Result) bool {
	for _, v := range r.Violations {
		if v.Keyword == "format" {
			return true
		}
	}
	return false
}

// worst sums up a column.
func worst(c matrix.Column) Fault {
	out := Fault{Host: c.Host.ID, Version: c.Host.Version, Verdict: verdict.Works}
	for _, cell := range c.Cells {
		for _, f := range cell.Findings {
			if f.Severity == verdict.Error {
				out.errors += f.Rule + "\x00" + f.HostText + "\x00" + f.SchemaPointer + "\x00"
			}
			if partOfOffer(f) {
				if out.lost++; out.lost == 1 {
					out.loss = f
				}
			}
		}
		if cell.Verdict.Rank() < out.Verdict.Rank() || cell.Verdict == verdict.Works {
			continue
		}
		out.Verdict, out.Stage = cell.Verdict, cell.Stage
		for _, f := range cell.Findings {
			if f.Severity.Effect() == cell.Verdict {
				out.Rule, out.Text = f.Rule, f.HostText
				if out.Text == "" {
					out.Text = f.Message
				}
				break
			}
		}
	}
	return out
}

// partOfOffer reports whether a finding is about a part of the definition that does
// not reach the model, or not as it was, or for which the host refuses some calls:
// what another definition may mend. What is lost of a result is not.
func partOfOffer(f verdict.Finding) bool {
	return f.Severity == verdict.Warning && (f.Stage == verdict.List || f.Stage == verdict.Offer || f.Stage == verdict.Call)
}
