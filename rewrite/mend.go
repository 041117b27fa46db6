package rewrite

import (
	"cmp"
	"slices"

	"github.com/hostmatrix/conform/capabilities"
)

const (
	// mendRuns bounds the trials that look for the rest of the definition, once
	// nothing breaks any more.
	mendRuns = 60
	// mendCost is the greatest cost of a rewrite that is worth it: no host breaks
	// without it, so the data may not change and no keyword be given up.
	mendCost = 2
)

// mend adds the lightest steps after which more of the definition reaches the
// models of the chosen hosts, none worse off, and nothing left out to get there.
// It returns base when there are none. base was tried in all hosts.
func (s *search) mend(base trial) trial {
	limit := s.runs + cmp.Or(s.options.MendRuns, mendRuns)
	best := base
	seen := map[string]bool{}
	if len(base.steps) == 0 {
		for _, set := range s.options.first { // what helped other tools of the server
			if t, ok := s.mends(set, base); ok && t.lost() == 0 {
				return t
			}
		}
	}
	for len(best.steps) < len(base.steps)+maxSteps && best.lost() > 0 && s.runs < limit {
		next, ok := s.mendOnce(best, limit, seen)
		if !ok {
			break
		}
		best = next
	}
	if len(best.steps) == len(base.steps) {
		return best
	}
	// What mends may also do what an earlier step was for.
	lost := best.lost()
	return s.fewer(best, s.options.Hosts, func(u trial) bool { return u.broken <= base.broken && u.lost() <= lost && s.harmless(u, base) })
}

// mendOnce finds the step that helps most; of equals, the lightest.
func (s *search) mendOnce(from trial, limit int, seen map[string]bool) (best trial, found bool) {
	var losing []*capabilities.Resolved
	for _, h := range s.options.Hosts {
		if from.faults[columnKey(h)].lost > 0 {
			losing = append(losing, h)
		}
	}
	best = from
	steps := stepsFor(from.tools, false)
	slices.SortStableFunc(steps, func(a, b Step) int { return costOf(a) - costOf(b) })
	for _, step := range steps {
		if s.runs >= limit || best.lost() == 0 {
			break
		}
		if costOf(step) > mendCost || step.Part == Output || slices.Contains(from.steps, step) {
			continue
		}
		all := append(slices.Clone(from.steps), step)
		_, key, changed := applyAll(s.start.tools, all)
		if !changed || seen[key] {
			continue
		}
		seen[key] = true
		if t := s.try(all, losing); t.broken > 0 || t.lost() >= best.lost() {
			continue
		}
		if t, ok := s.mends(all, from); ok && t.lost() < best.lost() {
			best, found = t, true
		}
	}
	return best, found
}

// mends tries steps in all hosts: more reaches the models than in the trial before,
// no host is worse off, and nothing was left out.
func (s *search) mends(steps []Step, before trial) (trial, bool) {
	tool, changed := Apply(s.start.tool, steps)
	if !changed || sheds(s.start.tool, tool) || s.narrows(steps) {
		return trial{}, false
	}
	t := s.try(steps, s.options.Hosts)
	return t, t.broken <= before.broken && t.lost() < before.lost() && s.harmless(t, before)
}

func costOf(s Step) int {
	r, err := Find(s.Rewrite)
	if err != nil {
		return lastResort
	}
	return r.Cost
}
