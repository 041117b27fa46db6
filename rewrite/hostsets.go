package rewrite

import (
	"slices"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
)

// HostSet is the best answer for some hosts where no rewrite serves all: no other
// set of rewrites that was tried makes these hosts work and one more.
type HostSet struct {
	// Hosts work with it, Breaks do not; of all chosen hosts.
	Hosts  []string `json:"hosts"`
	Breaks []string `json:"breaks"`
	// Steps are the rewrites; empty: the tool as it is.
	Steps []Step `json:"steps"`
}

const (
	// maxHostSets bounds the sets that are shown.
	maxHostSets = 6
	// maxWeighed bounds the sets of rewrites that are tried in all hosts for it.
	maxWeighed = 16
)

// hostSets lists the greatest sets of chosen hosts that one set of rewrites
// serves, the greatest first.
func (s *search) hostSets() []HostSet {
	candidates := []trial{s.start}
	for _, t := range s.serving {
		candidates = append(candidates, t)
	}
	slices.SortFunc(candidates[1:], func(a, b trial) int {
		if a.broken != b.broken {
			return a.broken - b.broken
		}
		if a.weight() != b.weight() {
			return a.weight() - b.weight()
		}
		return strings.Compare(Names(a.steps), Names(b.steps))
	})
	var sets []HostSet
	for _, t := range candidates[:min(len(candidates), maxWeighed)] {
		if len(t.faults) < len(s.options.Hosts) {
			t = s.try(t.steps, s.options.Hosts)
		}
		set := HostSet{Steps: t.steps, Hosts: []string{}, Breaks: []string{}}
		for _, h := range s.options.Hosts {
			if t.faults[columnKey(h)].Verdict == verdict.Breaks {
				set.Breaks = append(set.Breaks, h.ID)
			} else {
				set.Hosts = append(set.Hosts, h.ID)
			}
		}
		if set.Steps == nil {
			set.Steps = []Step{}
		}
		sets = append(sets, set)
	}
	return greatest(sets)
}

// greatest drops sets whose hosts another set serves too.
func greatest(sets []HostSet) []HostSet {
	var out []HostSet
	for i, a := range sets {
		covered := len(a.Hosts) == 0
		for k, b := range sets {
			if k != i && subset(a.Hosts, b.Hosts) && (len(a.Hosts) < len(b.Hosts) || k < i) {
				covered = true
			}
		}
		if !covered {
			out = append(out, a)
		}
	}
	slices.SortStableFunc(out, func(a, b HostSet) int { return len(b.Hosts) - len(a.Hosts) })
	return out[:min(len(out), maxHostSets)]
}

func subset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(x string) bool { return !slices.Contains(b, x) })
}

// conflicts groups the hosts that are served, but never all together: hosts of one
// group are served by the same sets, and no set serves every group.
func conflicts(hosts []*capabilities.Resolved, sets []HostSet) [][]string {
	var keys []string
	groups := map[string][]string{}
	for _, h := range hosts {
		key, served := "", false
		for _, set := range sets {
			if slices.Contains(set.Hosts, h.ID) {
				key, served = key+"1", true
			} else {
				key += "0"
			}
		}
		if !served || !strings.Contains(key, "0") {
			continue // nothing helps it, or everything does
		}
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], h.ID)
	}
	var out [][]string
	for _, key := range keys {
		out = append(out, groups[key])
	}
	if len(out) < 2 {
		return nil
	}
	return out
}
