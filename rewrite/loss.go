package rewrite

import (
	"slices"

	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// Probe is an instance about which the old and the new schema differ in one
// dialect: the proof of what a plan loses.
type Probe struct {
	Part     Part   `json:"part"`
	Dialect  string `json:"dialect"`
	Instance string `json:"instance"` // compact JSON
	// Loosened: the old schema rejects it and the new one accepts it; else the reverse.
	Loosened bool `json:"loosened"`
	// Text is why the one that rejects it does.
	Text string `json:"text"`
}

// dialects are the readings for which a loss is shown. Of the last one, as most
// TypeScript hosts read, only what a format says counts: the other two hold the rest.
var dialects = []string{"2020-12", "draft-07", formatsAsserted}

const formatsAsserted = "draft-07-formats"

// maxProbes bounds the probes per part, dialect and direction.
const maxProbes = 2

// probes compares the schemas of two tool definitions; unread are the parts of which
// no dialect reads both, so that nothing can be shown.
func probes(before, after *schema.Value, steps []Step, made witness.Options) (out []Probe, unread []Part) {
	out = []Probe{}
	for _, part := range []Part{Output, Input} {
		old, now := before.Get(string(part)), after.Get(string(part))
		if old == nil || now == nil || schema.Equal(old, now) || reshapes(steps) {
			continue
		}
		instances := append(witness.Generate(old, made), witness.Generate(now, made)...)
		read := false
		for _, dialect := range dialects {
			a, errA := validators.Compile(dialect, old)
			b, errB := validators.Compile(dialect, now)
			if errA != nil || errB != nil {
				continue
			}
			read = true
			near := nearby(a, b, instances, made.Budget)
			for _, loosened := range []bool{true, false} {
				no, yes := a, b
				if !loosened {
					no, yes = b, a
				}
				like := Probe{Part: part, Dialect: dialect, Loosened: loosened}
				out = append(out, between(no, yes, append(slices.Clone(instances), near...), like)...)
			}
		}
		if !read {
			unread = append(unread, part)
		}
	}
	return out, unread
}

// nearby are the neighbours of the first instances that both accept, within
// maxNearby values in all, so that large schemas cost no more than small ones.
func nearby(a, b validators.Validator, instances []*schema.Value, budget int) []*schema.Value {
	instancesLeft, valuesLeft := maxNeighboured, maxNearby
	if budget > 0 && budget < witness.DefaultBudget { // a large schema: each question takes long
		instancesLeft = max(1, instancesLeft*budget/witness.DefaultBudget)
	}
	var out []*schema.Value
	for _, v := range instances {
		size := valuesIn(v, maxNearby)
		if cost := size * min(maxNeighbours, 12*size); instancesLeft == 0 || cost > valuesLeft {
			continue
		} else if a.Validate(v).Outcome == validators.Valid && b.Validate(v).Outcome == validators.Valid {
			instancesLeft, valuesLeft = instancesLeft-1, valuesLeft-cost
			out = append(out, neighbours(v)...)
		}
	}
	return out
}

// between finds instances that one validator rejects and the other accepts, each
// for another reason.
func between(no, yes validators.Validator, instances []*schema.Value, like Probe) []Probe {
	var out []Probe
	reasons := map[string]bool{}
	differs := func(v *schema.Value) bool {
		r := no.Validate(v)
		return r.Outcome == validators.Invalid && (like.Dialect != formatsAsserted || formatOnly(r)) && yes.Validate(v).Outcome == validators.Valid
	}
	reason := func(v *schema.Value) string {
		if r := no.Validate(v); len(r.Violations) > 0 {
			return r.Violations[0].Keyword + r.Violations[0].Schema.String()
		}
		return ""
	}
	for _, v := range instances {
		if len(out) >= maxProbes {
			break
		}
		if !differs(v) || reasons[reason(v)] {
			continue
		}
		small := witness.Shrink(v, differs)
		if reasons[reason(small)] {
			continue
		}
		reasons[reason(v)], reasons[reason(small)] = true, true
		p := like
		p.Instance, p.Text = small.Compact(), no.Validate(small).Text
		out = append(out, p)
	}
	return out
}
