package reports

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// ShardOf returns the shard (1 to n) that a tool of a server belongs to. The hash
// is stable: the same in every version, on every machine.
func ShardOf(server, tool string, n int) int {
	h := fnv.New64a()
	h.Write([]byte(server + "\x00" + tool))
	return int(h.Sum64()%uint64(n)) + 1
}

// Cut returns the part of a report that belongs to a shard. Every shard keeps the
// list of all tools, and what is about the whole server.
func Cut(r *verdict.Report, shard, of int) *verdict.Report {
	mine := func(tool string) bool { return tool == "" || ShardOf(r.Target.Name, tool, of) == shard }
	out := *r
	out.Shard = &verdict.Shard{Index: shard, Of: of}
	out.Cells = []verdict.Cell{}
	for _, c := range r.Cells {
		if mine(c.Tool) {
			out.Cells = append(out.Cells, c)
		}
	}
	out.Advice = []verdict.Advice{}
	for _, a := range r.Advice {
		if mine(a.Tool) {
			out.Advice = append(out.Advice, a)
		}
	}
	out.Evidence = used(out.Cells, r.Evidence)
	out.Summary = verdict.Count(out.Cells)
	return &out
}

// used keeps the evidence that cells name.
func used(cells []verdict.Cell, all map[string]verdict.Evidence) map[string]verdict.Evidence {
	out := map[string]verdict.Evidence{}
	for _, c := range cells {
		for _, f := range c.Findings {
			for _, ref := range f.Evidence {
				if e, ok := all[ref]; ok {
					out[ref] = e
				}
			}
		}
	}
	return out
}

// Merge makes one report of all shards of a run: the same bytes as the run without
// shards would have given, but for the time in the header, which is the first
// shard's. names are used in errors.
func Merge(names []string, shards []*verdict.Report) (*verdict.Report, error) {
	if err := fit(names, shards); err != nil {
		return nil, err
	}
	byIndex := map[int]*verdict.Report{}
	for _, r := range shards {
		byIndex[r.Shard.Index] = r
	}
	first := byIndex[1]
	owner := owners(first, byIndex)
	out := *first
	out.Shard = nil
	out.Tools = slices.Clone(first.Tools)
	for i, t := range out.Tools {
		for _, own := range owner(t.Name).Tools {
			if own.Name == t.Name {
				out.Tools[i] = own
			}
		}
	}
	out.Cells, out.Advice = []verdict.Cell{}, []verdict.Advice{}
	out.Evidence = map[string]verdict.Evidence{}
	whole := func(tool string) *verdict.Report {
		if tool == "" {
			return first
		}
		return owner(tool)
	}
	fixes := culpritsFindings(shards)
	cells := map[string][]verdict.Cell{}
	advice := map[string][]verdict.Advice{}
	for _, r := range shards {
		for _, c := range r.Cells {
			if whole(c.Tool) == r {
				cells[c.Tool] = append(cells[c.Tool], fixes.mend(c))
			}
		}
		for _, a := range r.Advice {
			if whole(a.Tool) == r {
				advice[a.Tool] = append(advice[a.Tool], a)
			}
		}
	}
	for _, tool := range toolNames(out.Tools) {
		out.Cells = append(out.Cells, cells[tool]...)
		out.Advice = append(out.Advice, advice[tool]...)
	}
	var unchecked []verdict.NotChecked
	for _, r := range shards {
		unchecked = append(unchecked, r.NotChecked...)
	}
	out.NotChecked = notChecked(unchecked)
	for _, r := range shards {
		for ref, e := range r.Evidence {
			out.Evidence[ref] = e
		}
	}
	out.Summary = verdict.Count(out.Cells)
	return &out, nil
}

// owners tells which shard evaluated a tool: the one with its cells. Names of several
// servers are not those that the tools were shared out by.
func owners(first *verdict.Report, byIndex map[int]*verdict.Report) func(tool string) *verdict.Report {
	at := map[string]*verdict.Report{}
	for i := range first.Shard.Of {
		for _, c := range byIndex[i+1].Cells {
			at[c.Tool] = byIndex[i+1]
		}
	}
	return func(tool string) *verdict.Report {
		if r := at[tool]; r != nil {
			return r
		}
		if len(first.Servers) > 0 {
			return first // no host lists it, so that none differs
		}
		return byIndex[ShardOf(first.Target.Name, tool, first.Shard.Of)]
	}
}

// toolNames lists "" (the whole server) and then each name once, in the order of
// the list.
func toolNames(tools []verdict.Tool) []string {
	out := []string{""}
	seen := map[string]bool{"": true}
	for _, t := range tools {
		if !seen[t.Name] {
			seen[t.Name] = true
			out = append(out, t.Name)
		}
	}
	return out
}

// fit checks that the reports are all shards of one run.
func fit(names []string, shards []*verdict.Report) error {
	if len(shards) == 0 {
		return fmt.Errorf("no report to merge")
	}
	seen := map[int]string{}
	for i, r := range shards {
		if r.Shard == nil {
			return fmt.Errorf("%s: is no shard of a run; `conform run --shard 1/2` makes one", names[i])
		}
		if other, twice := seen[r.Shard.Index]; twice {
			return fmt.Errorf("%s and %s are both shard %d of %d", other, names[i], r.Shard.Index, r.Shard.Of)
		}
		seen[r.Shard.Index] = names[i]
		a := shards[0]
		switch {
		case r.Shard.Of != a.Shard.Of:
			return fmt.Errorf("%s is one of %d shards, %s one of %d", names[0], a.Shard.Of, names[i], r.Shard.Of)
		case r.Target.Digest != a.Target.Digest || r.Target.Name != a.Target.Name:
			return fmt.Errorf("%s and %s are about different servers, or the server's tools changed in between", names[0], names[i])
		case r.Conform.Table != a.Conform.Table || r.Conform.Version != a.Conform.Version:
			return fmt.Errorf("%s and %s were made by different versions of the program or the table", names[0], names[i])
		case !reflect.DeepEqual(hostIDs(r), hostIDs(a)):
			return fmt.Errorf("%s and %s were made for different hosts", names[0], names[i])
		}
	}
	for i := 1; i <= shards[0].Shard.Of; i++ {
		if _, ok := seen[i]; !ok {
			return fmt.Errorf("shard %d of %d is missing", i, shards[0].Shard.Of)
		}
	}
	return nil
}

func hostIDs(r *verdict.Report) []string {
	out := make([]string, len(r.Hosts))
	for i, h := range r.Hosts {
		out[i] = name(h)
	}
	return out
}

// notChecked gathers what could not be checked: one entry for each rule, in the order
// of the rules, with all reasons, each once and in an order that does not depend on
// who met them first. The shards of a run then come to what the run comes to.
func notChecked(all []verdict.NotChecked) (out []verdict.NotChecked) {
	const between = "; "
	reasons := map[string][]string{}
	for _, n := range all {
		reasons[n.Rule] = append(reasons[n.Rule], strings.Split(n.Reason, between)...)
	}
	for _, rule := range Rules() {
		if list := reasons[rule.ID]; len(list) > 0 {
			slices.Sort(list)
			out = append(out, verdict.NotChecked{Rule: rule.ID, Reason: strings.Join(slices.Compact(list), between)})
		}
	}
	return out
}
