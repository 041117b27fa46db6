package reports

import (
	"cmp"
	"slices"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// Problem is one fault of one tool (or of the whole server, Tool ""), over all
// hosts in which it shows. Reports for people are made of problems, because forty
// cells with one cause are one thing to fix.
type Problem struct {
	Tool     string
	Rule     string
	Stage    verdict.Stage
	Severity verdict.Severity
	Blast    verdict.Blast // the widest of all hosts
	// Voices are the different ways in which hosts show it, in report order.
	Voices []Voice
	// Hosts are all hosts of the voices, once each, in report order.
	Hosts []verdict.Host
	// Drags are the other tools that go down with it.
	Drags []string
	// App is set when an MCP App goes down with the tool.
	App bool
}

// Voice is one finding and the hosts that share it word for word.
type Voice struct {
	Finding verdict.Finding
	Hosts   []verdict.Host
	// Evidence is the union over the hosts; each host has its own.
	Evidence []string
}

type problemKey struct {
	tool, rule string
	stage      verdict.Stage
	severity   verdict.Severity
}

// Problems groups the findings of a report, worst and widest first. Findings of
// severity info are left out unless info is set.
func Problems(r *verdict.Report, info bool) []Problem {
	hosts := hostIndex(r)
	at := map[problemKey]int{}
	var out []Problem
	for _, c := range r.Cells {
		for _, f := range c.Findings {
			if f.Severity == verdict.Info && !info {
				continue
			}
			k := problemKey{culprit(c, f), f.Rule, f.Stage, f.Severity}
			i, seen := at[k]
			if !seen {
				i = len(out)
				at[k] = i
				out = append(out, Problem{Tool: k.tool, Rule: k.rule, Stage: k.stage, Severity: k.severity})
			}
			out[i].add(c, f, hosts[hostKey{c.Host, c.HostVersion}])
		}
	}
	order := toolOrder(r)
	slices.SortStableFunc(out, func(a, b Problem) int {
		return cmp.Or(
			-cmp.Compare(a.Severity.Effect().Rank(), b.Severity.Effect().Rank()),
			-cmp.Compare(blastRank(a.Blast), blastRank(b.Blast)),
			cmp.Compare(order[a.Tool], order[b.Tool]),
			cmp.Compare(slices.Index(verdict.Stages, a.Stage), slices.Index(verdict.Stages, b.Stage)),
			cmp.Compare(a.Rule, b.Rule),
		)
	})
	return out
}

// culprit is the tool that a finding is about: findings about a lost server stand
// in the cell of every tool.
func culprit(c verdict.Cell, f verdict.Finding) string {
	if f.Culprit != "" || blastRank(f.Blast) > blastRank(verdict.BlastTool) {
		return f.Culprit
	}
	return c.Tool
}

func (p *Problem) add(c verdict.Cell, f verdict.Finding, h verdict.Host) {
	if blastRank(f.Blast) > blastRank(p.Blast) {
		p.Blast = f.Blast
	}
	if c.Tool != p.Tool && c.Tool != "" && !slices.Contains(p.Drags, c.Tool) {
		p.Drags = append(p.Drags, c.Tool)
	}
	p.App = p.App || (c.App == "down" && c.Tool == p.Tool)
	p.Hosts = addHost(p.Hosts, h)
	i := slices.IndexFunc(p.Voices, func(v Voice) bool { return sameVoice(v.Finding, f) })
	if i < 0 {
		i = len(p.Voices)
		p.Voices = append(p.Voices, Voice{Finding: f})
	}
	v := &p.Voices[i]
	v.Hosts = addHost(v.Hosts, h)
	for _, ref := range f.Evidence {
		if !slices.Contains(v.Evidence, ref) {
			v.Evidence = append(v.Evidence, ref)
		}
	}
}

func sameVoice(a, b verdict.Finding) bool {
	return a.Message == b.Message && a.HostText == b.HostText && a.SchemaPointer == b.SchemaPointer &&
		a.DataPointer == b.DataPointer && a.Sample == b.Sample && a.Fix == b.Fix
}

func addHost(hosts []verdict.Host, h verdict.Host) []verdict.Host {
	for _, have := range hosts {
		if have.ID == h.ID && have.Version == h.Version {
			return hosts
		}
	}
	return append(hosts, h)
}

func blastRank(b verdict.Blast) int {
	return slices.Index([]verdict.Blast{verdict.BlastTool, verdict.BlastServer, verdict.BlastRequest}, b)
}

type hostKey struct{ id, version string }

func hostIndex(r *verdict.Report) map[hostKey]verdict.Host {
	out := make(map[hostKey]verdict.Host, len(r.Hosts))
	for _, h := range r.Hosts {
		out[hostKey{h.ID, h.Version}] = h
	}
	return out
}

func toolOrder(r *verdict.Report) map[string]int {
	out := map[string]int{"": -1}
	for i, t := range r.Tools {
		out[t.Name] = i
	}
	return out
}

// folded is a problem that stands for the same fault of other tools too.
type folded struct {
	Problem
	also []string
}

// foldProblems joins the same fault of more than three tools in the same hosts: a
// server that makes one mistake in every tool gets one block, not three hundred.
func foldProblems(problems []Problem, keepAll bool) []folded {
	key := func(p Problem) string {
		return p.Rule + "\x00" + string(p.Stage) + "\x00" + string(p.Severity) + "\x00" + string(p.Blast) + "\x00" + names(p.Hosts)
	}
	size := map[string]int{}
	for _, p := range problems {
		size[key(p)]++
	}
	var out []folded
	at := map[string]int{}
	for _, p := range problems {
		k := key(p)
		if size[k] <= 3 || keepAll {
			out = append(out, folded{Problem: p})
			continue
		}
		if i, seen := at[k]; seen {
			out[i].also = append(out[i].also, p.Tool)
			continue
		}
		at[k] = len(out)
		out = append(out, folded{Problem: p})
	}
	return out
}
