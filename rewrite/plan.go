package rewrite

import (
	"cmp"
	"fmt"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/schema"
)

// Options bound the search for a fix.
type Options struct {
	Hosts  []*capabilities.Resolved
	Shapes *shape.Set
	// Budget is the number of instances tried per schema; 0 means
	// witness.DefaultBudget, less than 0 none: real results alone.
	Budget int
	// Seed chooses the random instances, as that of witness.Options.
	Seed uint64
	// Runs is the number of matrix runs per tool; 0 means DefaultRuns.
	Runs int
	// MendRuns bounds those that look for what degraded hosts lose of the definition;
	// 0 means 60, less than 0 none.
	MendRuns int
	// brief leaves out what a line in a report does not show: losses and hints.
	brief bool
	// first are sets to try before any other: what helped other tools of the server.
	first [][]Step
	// Stop ends the search when it is closed; the plan is then of no use. nil: it goes
	// on to its bounds.
	Stop <-chan struct{}
	// LastResort also tries to give the whole outputSchema up.
	LastResort bool
}

// DefaultRuns is the number of rewritten tools that are tried for one broken tool.
const DefaultRuns = 300

// maxSteps bounds the rewrites of one plan.
const maxSteps = 4

// Plan is the best fix that was found for one tool.
type Plan struct {
	Tool string `json:"tool"`
	file string // of a patch, see fileOf
	// Broken are the hosts in which the tool breaks as it is.
	Broken []Fault `json:"broken"`
	// Degraded are the hosts whose model does not get the whole definition. What is
	// lost of results does not count here: no schema brings it back.
	Degraded []Fault `json:"degraded"`
	// Steps is the smallest set of rewrites that was found; empty when none helps.
	Steps []Step `json:"steps"`
	// Complete: no chosen host breaks with it, verified.
	Complete bool `json:"complete"`
	// Fixed are the hosts that work with it, Remaining those that still break.
	Fixed     []string `json:"fixed"`
	Remaining []Fault  `json:"remaining"`
	// Mended are the degraded hosts whose model gets the whole definition with it,
	// Lossy those in which something is lost still.
	Mended []string `json:"mended"`
	// Worsened are the hosts that lost nothing before and lose something with it: it
	// breaks in no other way that was found.
	Worsened []Fault `json:"worsened,omitempty"`
	Lossy    []Fault `json:"lossy"`
	// Alternatives are the best answers for sets of hosts when no rewrite makes all
	// work, Conflicts the groups of hosts that are served, but never all together.
	Alternatives []HostSet  `json:"alternatives,omitempty"`
	Conflicts    [][]string `json:"conflicts,omitempty"`
	// Reason says that the results are at fault rather than the schemas, where that is
	// known.
	Reason string `json:"reason,omitempty"`
	// Loss is what the new schemas allow and the old ones did not, or the reverse.
	Loss []Probe `json:"loss"`
	// Unread are the parts of which no dialect reads both the old and the new schema, so
	// that no instance can show what is lost.
	Unread []Part `json:"unread,omitempty"`
	// Reshapes: the server's code has to send or take other data.
	Reshapes bool `json:"reshapes,omitempty"`
	// Before and After are the tool definitions.
	Before *schema.Value `json:"-"`
	After  *schema.Value `json:"-"`
	// Verified says on what the promise rests.
	Verified Verification `json:"verified"`
	// Hints are changes in the author's own source, where it can be recognised.
	Hints []Hint `json:"hints,omitempty"`

	// essential are the steps without which a host breaks.
	essential []Step
}

// Idle reports whether there is nothing to say about the tool: it breaks in no
// chosen host, and the model of each gets its whole definition.
func (p Plan) Idle() bool { return len(p.Broken) == 0 && len(p.Degraded) == 0 }

// Verification says what the rewritten tool was tried on.
type Verification struct {
	Hosts     int `json:"hosts"`     // columns evaluated again
	Samples   int `json:"samples"`   // real results
	Instances int `json:"instances"` // instances of the old outputSchema, and of the old inputSchema where a host checks arguments
	Runs      int `json:"runs"`      // rewritten tools that were tried
}

// Fix looks for the smallest set of rewrites that makes a tool work in every
// chosen host, and then for what brings its whole definition to the models. The
// answer is the same for the same input.
func Fix(c *recording.Capture, name string, o Options) Plan {
	nodes, deepest := sizeOf(c, name)
	if nodes > oversizeNodes || deepest > oversizeDepth {
		o.Runs, o.Budget = min(cmp.Or(o.Runs, oversizeRuns), oversizeRuns), min(cmp.Or(o.Budget, oversizeBudget), oversizeBudget)
		o.MendRuns = -1
	}
	b := newBench(c, name, o)
	start := b.try(nil, o.Hosts)
	plan := Plan{Tool: name, Before: start.tool, After: start.tool, Steps: []Step{}, Loss: []Probe{}, Broken: []Fault{}, Degraded: []Fault{},
		Fixed: []string{}, Mended: []string{}, Remaining: []Fault{}, Lossy: []Fault{}}
	s := search{bench: b, options: o, start: start, serving: map[string]trial{}}
	for _, h := range o.Hosts {
		switch f := start.faults[columnKey(h)]; {
		case f.Verdict == verdict.Breaks:
			s.broken = append(s.broken, h)
			plan.Broken = append(plan.Broken, f)
		case f.lost > 0:
			plan.Degraded = append(plan.Degraded, f.lossy())
		}
	}
	plan.Complete = len(plan.Broken) == 0
	if plan.Idle() || start.tool == nil {
		return plan
	}
	if nodes > hugeNodes {
		plan.Remaining, plan.Lossy = plan.Broken, plan.Degraded
		plan.Reason = fmt.Sprintf("no rewrite was tried: the schemas hold more than %d subschemas", hugeNodes)
		return plan
	}
	best := start
	if len(s.broken) > 0 {
		if best, plan.Complete = s.run(); len(best.steps) > 0 {
			best = s.try(best.steps, o.Hosts)
		}
		plan.essential = best.steps
	}
	if o.MendRuns >= 0 {
		best = s.mend(best)
	}
	s.report(&plan, best)
	plan.Reason = reason(c, name, plan)
	plan.Verified = Verification{Hosts: len(o.Hosts), Samples: samplesOf(c, name), Instances: len(b.old) + len(b.oldArguments), Runs: b.runs}
	return plan
}

// report puts the final trial into the plan.
func (s *search) report(plan *Plan, final trial) {
	for _, f := range plan.Broken {
		if now := final.faults[f.column()]; now.Verdict == verdict.Breaks {
			plan.Remaining = append(plan.Remaining, now)
		} else {
			plan.Fixed = append(plan.Fixed, f.Host)
		}
	}
	for _, f := range plan.Degraded {
		if now := final.faults[f.column()]; now.lost > 0 {
			plan.Lossy = append(plan.Lossy, now.lossy())
		} else {
			plan.Mended = append(plan.Mended, f.Host)
		}
	}
	for _, h := range s.options.Hosts {
		if had, now := s.start.faults[columnKey(h)], final.faults[columnKey(h)]; had.Verdict.Rank() < now.Verdict.Rank() && had.lost < now.lost {
			plan.Worsened = append(plan.Worsened, now.lossy())
		}
	}
	if len(final.steps) > 0 {
		plan.Steps, plan.After = final.steps, final.tool
		plan.Reshapes = reshapes(plan.Steps)
		if !s.options.brief {
			plan.file = fileOf(s.capture, s.name)
			plan.Loss, plan.Unread = probes(s.start.tool, final.tool, plan.Steps, s.witnesses())
			plan.Hints = hints(s.start.tool, plan.Steps)
		}
	}
	if len(plan.Remaining) == 0 {
		return
	}
	if sets := s.hostSets(); len(sets) > 1 {
		plan.Alternatives, plan.Conflicts = sets, conflicts(s.options.Hosts, sets)
	}
}

func newBench(c *recording.Capture, name string, o Options) *bench {
	b := &bench{capture: c, name: name, shapes: o.Shapes, stop: o.Stop, budget: cmp.Or(o.Budget, witness.DefaultBudget), seed: o.Seed}
	for _, s := range c.Sessions {
		for _, t := range s.Tools {
			if t.Name != name || t.Output == nil || b.old != nil || b.budget < 0 {
				continue
			}
			b.old = witness.New(nil, b.witnesses()).Instances(t.Output)
		}
	}
	return b
}
