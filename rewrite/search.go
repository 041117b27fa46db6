package rewrite

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
)

// search goes through sets of steps by weight, the lightest first.
type search struct {
	*bench
	options Options
	start   trial
	broken  []*capabilities.Resolved
	// serving holds the lightest trial for each set of broken hosts that some trial
	// made work.
	serving map[string]trial
	// second makes the most hosts work of the trials that break nothing newly and take
	// something from a model that had it: better than a host that breaks.
	second trial
}

// secondRuns bounds the trials after a second best was found that mends everything.
const secondRuns = 30

// run returns the lightest set that makes every broken host work and none worse,
// or the set that leaves the fewest broken.
func (s *search) run() (best trial, complete bool) {
	limit := cmp.Or(s.options.Runs, DefaultRuns)
	best = s.start
	queue := []trial{}
	seen := map[string]bool{}
	push := func(from trial, next []Step) {
		for _, step := range next {
			if len(from.steps) >= maxSteps || slices.Contains(from.steps, step) {
				continue
			}
			queue = append(queue, trial{steps: append(slices.Clone(from.steps), step), signature: from.signature})
		}
		slices.SortStableFunc(queue, func(a, b trial) int { return a.weight() - b.weight() })
	}
	for _, set := range s.options.first {
		if t, ok := s.enough(set); ok {
			return t, true
		}
	}
	push(s.start, stepsFor(s.start.tools, s.options.LastResort))
	for len(queue) > 0 && s.runs < limit {
		next := queue[0]
		queue = queue[1:]
		tools, key, changed := applyAll(s.start.tools, next.steps)
		if !changed || seen[key] {
			continue
		}
		seen[key] = true
		if s.narrows(next.steps) {
			continue
		}
		parent := next.signature
		t := s.try(next.steps, s.broken)
		s.note(t)
		if t.broken < best.broken || t.broken == best.broken && t.broken < s.start.broken && t.weight() < best.weight() {
			whole := s.everywhere(t)
			t.signature = whole.signature // a further step may help those that it breaks
			switch breaks, degrades := harm(whole, s.start); {
			case breaks+degrades == 0:
				best = t
			case breaks == 0 && (len(s.second.steps) == 0 || t.broken < s.second.broken):
				if s.second = t; t.broken == 0 {
					limit = min(limit, s.runs+secondRuns)
				}
			}
		}
		if t.broken == 0 && best.broken == 0 {
			return s.lighter(best, queue, seen), true
		}
		if t.signature != parent && t.broken <= s.start.broken {
			push(t, stepsFor(tools, s.options.LastResort))
		}
	}
	if len(s.second.steps) > 0 && s.second.broken < best.broken {
		best = s.second
	}
	return best, best.broken == 0
}

// note keeps a trial that is the lightest for the hosts it makes work.
func (s *search) note(t trial) {
	var served []string
	for _, h := range s.broken {
		if t.faults[columnKey(h)].Verdict != verdict.Breaks {
			served = append(served, columnKey(h))
		}
	}
	key := strings.Join(served, " ")
	if had, ok := s.serving[key]; len(served) > 0 && (!ok || t.weight() < had.weight()) {
		s.serving[key] = t
	}
}

// enough tries a set that helped another tool; steps without which this tool
// works as well are left out.
func (s *search) enough(set []Step) (trial, bool) {
	if _, _, changed := applyAll(s.start.tools, set); !changed || s.narrows(set) {
		return trial{}, false
	}
	t := s.try(set, s.broken)
	if t.broken > 0 || !s.harmless(t, s.start) {
		return t, false
	}
	return s.fewer(t, s.broken, func(u trial) bool { return u.broken == 0 && s.harmless(u, s.start) }), true
}

// fewer leaves out steps, the last first, while good still holds in hosts.
func (s *search) fewer(t trial, hosts []*capabilities.Resolved, good func(trial) bool) trial {
	for i := len(t.steps) - 1; i >= 0 && len(t.steps) > 1; i-- {
		steps := slices.Delete(slices.Clone(t.steps), i, i+1)
		if s.narrows(steps) {
			continue
		}
		if u := s.try(steps, hosts); good(u) {
			t = u
		}
	}
	return t
}

// lighter looks among the sets of the same weight for one that degrades less.
func (s *search) lighter(best trial, queue []trial, seen map[string]bool) trial {
	lost := best.degraded()
	for _, q := range queue {
		if lost == 0 || q.weight() > best.weight() || len(q.steps) > 1 {
			break
		}
		_, key, changed := applyAll(s.start.tools, q.steps)
		if !changed || seen[key] || s.narrows(q.steps) {
			continue
		}
		if t := s.try(q.steps, s.broken); t.broken == 0 && t.degraded() < lost && s.harmless(t, s.start) {
			best, lost = t, t.degraded()
		}
	}
	return best
}
