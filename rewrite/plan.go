package rewrite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// Options bound the search for a fix.
type Options struct {
	Hosts  []*capabilities.Resolved
	Shapes *shape.Set
	// Budget is the number of instances tried per schema; 0 means
	// witness.DefaultBudget, less than 0 none: real results alone.
	Budget int
	// Runs is the number of matrix runs per tool; 0 means DefaultRuns.
	Runs int
	// first are sets to try before any other: what helped other tools of the server.
	first [][]Step
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
	// Broken are the hosts in which the tool breaks as it is.
	Broken []Fault `json:"broken"`
	// Steps is the smallest set of rewrites that was found; empty when none helps.
	Steps []Step `json:"steps"`
	// Complete: every chosen host works with it, verified.
	Complete bool `json:"complete"`
	// Fixed are the hosts that work with it, Remaining those that still break.
	Fixed     []string `json:"fixed"`
	Remaining []Fault  `json:"remaining"`
	// Alternatives are the best sets for hosts that Steps does not help, when other
	// rewrites help them: these hosts conflict with the fixed ones.
	Alternatives []Alternative `json:"alternatives,omitempty"`
	// Reason says that the results are at fault rather than the schemas, where that is
	// known.
	Reason string `json:"reason,omitempty"`
	// Loss is what the new schemas allow and the old ones did not, or the reverse.
	Loss []Probe `json:"loss"`
	// Reshapes: the server's code has to send or take other data.
	Reshapes bool `json:"reshapes,omitempty"`
	// Before and After are the tool definitions.
	Before *schema.Value `json:"-"`
	After  *schema.Value `json:"-"`
	// Verified says on what the promise rests.
	Verified Verification `json:"verified"`
	// Hints are changes in the author's own source, where it can be recognised.
	Hints []Hint `json:"hints,omitempty"`
}

// Alternative is the best set of rewrites for one host.
type Alternative struct {
	Host  string `json:"host"`
	Steps []Step `json:"steps"`
	// Breaks are hosts that break with it.
	Breaks []string `json:"breaks,omitempty"`
}

// Verification says what the rewritten tool was tried on.
type Verification struct {
	Hosts     int `json:"hosts"`     // columns evaluated again
	Samples   int `json:"samples"`   // real results
	Instances int `json:"instances"` // instances of the old outputSchema
	Runs      int `json:"runs"`      // rewritten tools that were tried
}

// Fix looks for the smallest set of rewrites that makes a tool work in every
// chosen host. The answer is the same for the same input.
func Fix(c *recording.Capture, name string, o Options) Plan {
	nodes, deepest := sizeOf(c, name)
	if nodes > oversizeNodes || deepest > oversizeDepth {
		o.Runs, o.Budget = min(cmp.Or(o.Runs, oversizeRuns), oversizeRuns), min(cmp.Or(o.Budget, oversizeBudget), oversizeBudget)
	}
	b := newBench(c, name, o)
	start := b.try(nil, o.Hosts)
	plan := Plan{Tool: name, Before: start.tool, After: start.tool, Steps: []Step{}, Fixed: []string{}, Remaining: []Fault{}, Loss: []Probe{}}
	var broken []*capabilities.Resolved
	for _, h := range o.Hosts {
		if f := start.faults[columnKey(h)]; f.Verdict == verdict.Breaks {
			broken = append(broken, h)
			plan.Broken = append(plan.Broken, f)
		}
	}
	if len(broken) == 0 || start.tool == nil {
		plan.Complete = len(broken) == 0
		return plan
	}
	if nodes > hugeNodes {
		plan.Remaining = plan.Broken
		plan.Reason = fmt.Sprintf("no rewrite was tried: the schemas hold more than %d subschemas", hugeNodes)
		return plan
	}
	s := search{bench: b, options: o, start: start, broken: broken, best: map[string]trial{}}
	best, complete := s.run()
	if len(best.steps) > 0 {
		final := b.try(best.steps, o.Hosts)
		plan.Steps, plan.After, plan.Complete = final.steps, final.tool, complete
		for _, h := range broken {
			if f := final.faults[columnKey(h)]; f.Verdict == verdict.Breaks {
				plan.Remaining = append(plan.Remaining, f)
			} else {
				plan.Fixed = append(plan.Fixed, h.ID)
			}
		}
		plan.Loss = probes(start.tool, final.tool, plan.Steps, s.bench.budget)
		plan.Reshapes = reshapes(plan.Steps)
		plan.Hints = hints(start.tool, plan.Steps)
	} else {
		plan.Remaining = plan.Broken
	}
	plan.Alternatives = s.alternatives(plan.Remaining)
	plan.Reason = reason(c, name, plan)
	plan.Verified = Verification{Hosts: len(o.Hosts), Samples: samplesOf(c, name), Instances: len(b.old), Runs: b.runs}
	return plan
}

func newBench(c *recording.Capture, name string, o Options) *bench {
	b := &bench{capture: c, name: name, shapes: o.Shapes, budget: cmp.Or(o.Budget, witness.DefaultBudget)}
	for _, s := range c.Sessions {
		for _, t := range s.Tools {
			if t.Name != name || t.Output == nil || b.old != nil || b.budget < 0 {
				continue
			}
			b.old = witness.New(nil, witness.Options{Budget: b.budget}).Instances(t.Output)
		}
	}
	return b
}

// search goes through sets of steps by weight, the lightest first.
type search struct {
	*bench
	options Options
	start   trial
	broken  []*capabilities.Resolved
	best    map[string]trial // the lightest trial that makes a host work
}

// run returns the lightest set that makes every broken host work and none worse,
// or the set that leaves the fewest broken.
func (s *search) run() (best trial, complete bool) {
	limit := cmp.Or(s.options.Runs, DefaultRuns)
	best = s.start
	steps := stepsFor(s.start.tool, s.options.LastResort)
	queue := []trial{}
	seen := map[string]bool{}
	push := func(from trial, next []Step) {
		for _, step := range next {
			if len(from.steps) >= maxSteps || slices.ContainsFunc(from.steps, func(o Step) bool { return o == step }) {
				continue
			}
			queue = append(queue, trial{steps: append(slices.Clone(from.steps), step), signature: from.signature})
		}
		slices.SortStableFunc(queue, func(a, b trial) int { return a.weight() - b.weight() })
	}
	for _, set := range s.options.first {
		if _, changed := Apply(s.start.tool, set); !changed {
			continue
		}
		if t, ok := s.enough(set); ok {
			return t, true
		}
	}
	push(s.start, steps)
	for len(queue) > 0 && s.runs < limit {
		next := queue[0]
		queue = queue[1:]
		tool, changed := Apply(s.start.tool, next.steps)
		if key := tool.Compact(); !changed || seen[key] {
			continue
		} else {
			seen[key] = true
		}
		if s.narrows(tool, next.steps) {
			continue
		}
		parent := next.signature
		t := s.try(next.steps, s.broken)
		for _, h := range s.broken {
			key := columnKey(h)
			if had, ok := s.best[key]; t.faults[key].Verdict != verdict.Breaks && (!ok || t.weight() < had.weight()) {
				s.best[key] = t
			}
		}
		if t.broken < best.broken || t.broken == best.broken && t.broken < s.start.broken && t.weight() < best.weight() {
			if s.harmless(t) {
				best = t
			}
		}
		if t.broken == 0 && best.broken == 0 {
			return s.lighter(best, queue, seen), true
		}
		if t.signature != parent && t.broken <= s.start.broken {
			push(t, stepsFor(tool, s.options.LastResort))
		}
	}
	return best, best.broken == 0
}

// enough tries a set that helped another tool; steps without which this tool
// works as well are left out.
func (s *search) enough(set []Step) (trial, bool) {
	t := s.try(set, s.broken)
	if t.broken > 0 || s.narrows(t.tool, set) || !s.harmless(t) {
		return t, false
	}
	for i := len(t.steps) - 1; i >= 0 && len(t.steps) > 1; i-- {
		fewer := slices.Delete(slices.Clone(t.steps), i, i+1)
		if u := s.try(fewer, s.broken); u.broken == 0 && !s.narrows(u.tool, fewer) && s.harmless(u) {
			t = u
		}
	}
	return t, true
}

// lighter looks among the sets of the same weight for one that degrades less.
func (s *search) lighter(best trial, queue []trial, seen map[string]bool) trial {
	lost := best.degraded()
	for _, q := range queue {
		if lost == 0 || q.weight() > best.weight() || len(q.steps) > 1 {
			break
		}
		tool, changed := Apply(s.start.tool, q.steps)
		if !changed || seen[tool.Compact()] || s.narrows(tool, q.steps) {
			continue
		}
		if t := s.try(q.steps, s.broken); t.broken == 0 && t.degraded() < lost && s.harmless(t) {
			best, lost = t, t.degraded()
		}
	}
	return best
}

// harmless reports whether no chosen host is worse off than with the old tool.
func (s *search) harmless(t trial) bool {
	if len(s.broken) == len(s.options.Hosts) {
		return true
	}
	all := s.try(t.steps, s.options.Hosts)
	for key, f := range all.faults {
		if f.Verdict.Rank() > s.start.faults[key].Verdict.Rank() {
			return false
		}
	}
	return true
}

// narrows reports whether the new outputSchema forbids a result that the old one
// allows, by the schemas' own dialects: the server may send it. The inputSchema
// may be tightened, but not so that a real call is forbidden.
func (s *search) narrows(tool *schema.Value, steps []Step) bool {
	if s.forbidsCall(tool, steps) {
		return true
	}
	output := tool.Get(string(Output))
	if output == nil || len(s.old) == 0 || reshapes(steps) {
		return false
	}
	touched := slices.ContainsFunc(steps, func(st Step) bool { return st.Part == Output })
	if !touched {
		return false
	}
	_, own := witness.Dialect(validators.NewCache(), output)
	if own == nil {
		return false // still unreadable for its own dialect; another step may mend it
	}
	for _, v := range s.old {
		if own.Validate(v).Outcome == validators.Invalid {
			return true
		}
	}
	return false
}

// forbidsCall reports whether real arguments that the old inputSchema allows are
// forbidden by the new one.
func (s *search) forbidsCall(tool *schema.Value, steps []Step) bool {
	old, now := s.start.tool.Get(string(Input)), tool.Get(string(Input))
	if old == nil || now == nil || schema.Equal(old, now) || reshapes(steps) {
		return false
	}
	cache := validators.NewCache()
	_, before := witness.Dialect(cache, old)
	_, after := witness.Dialect(cache, now)
	if before == nil || after == nil {
		return false
	}
	for _, session := range s.capture.Sessions {
		for _, call := range session.CallsOf(s.name) {
			if call.Arguments != nil && before.Validate(call.Arguments).Outcome == validators.Valid && after.Validate(call.Arguments).Outcome == validators.Invalid {
				return true
			}
		}
	}
	return false
}

// alternatives lists for each host that still breaks the set that helps it, and
// whom that set breaks.
func (s *search) alternatives(remaining []Fault) []Alternative {
	var out []Alternative
	for _, f := range remaining {
		t, ok := s.best[f.Host+"@"+f.Version]
		if !ok {
			continue
		}
		a := Alternative{Host: f.Host, Steps: t.steps}
		for _, h := range s.options.Hosts {
			if g := s.try(t.steps, []*capabilities.Resolved{h}).faults[columnKey(h)]; g.Verdict == verdict.Breaks {
				a.Breaks = append(a.Breaks, h.ID)
			}
		}
		out = append(out, a)
	}
	return out
}

const (
	// A schema beyond these is hostile or a whole API description: few rewrites are
	// tried on it, with few instances.
	oversizeNodes, oversizeDepth = 3_000, 100
	oversizeRuns, oversizeBudget = 8, 10
	// Beyond this none is tried: each rewrite reads the whole schema, some per $ref.
	hugeNodes = 20_000
)

// sizeOf counts the subschemas of a tool, and how deep they nest, up to the bounds.
func sizeOf(c *recording.Capture, name string) (nodes, deepest int) {
	for _, s := range c.Sessions {
		for _, t := range s.Tools {
			if t.Name != name {
				continue
			}
			for _, root := range []*schema.Value{t.Input, t.Output} {
				schema.Walk(root, func(n schema.Node) bool {
					nodes++
					deepest = max(deepest, n.Depth)
					return nodes <= hugeNodes
				})
			}
		}
	}
	return nodes, deepest
}

// reason looks for faults that no schema can mend: the server's results.
func reason(c *recording.Capture, name string, plan Plan) string {
	for _, f := range plan.Remaining {
		switch f.Rule {
		case "structured-missing":
			return "the results are at fault, not the schemas: " + oneLine(f.Text) + "; send structuredContent, or do without the outputSchema (--last-resort)"
		case "result-malformed", "call-unanswered":
			return "the results are at fault, not the schemas: " + oneLine(f.Text)
		}
	}
	cache := validators.NewCache()
	for _, s := range c.Sessions {
		for _, t := range s.Tools {
			if t.Name != name || t.Output == nil {
				continue
			}
			_, own := witness.Dialect(cache, t.Output)
			if own == nil {
				continue
			}
			for _, call := range s.CallsOf(name) {
				structured := call.Result.Get("structuredContent")
				if structured == nil {
					continue
				}
				if r := own.Validate(structured); r.Outcome == validators.Invalid {
					return "the server's own result breaks its outputSchema by any reading: " + oneLine(r.Text) + "; change the result, or the schema where the result is right"
				}
			}
		}
	}
	return ""
}

// oneLine joins a text's lines and keeps its beginning.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 240 {
		text = strings.ToValidUTF8(text[:240], "") + "…"
	}
	return text
}

func samplesOf(c *recording.Capture, name string) int {
	n := 0
	for _, s := range c.Sessions {
		n += len(s.CallsOf(name))
	}
	return n
}
