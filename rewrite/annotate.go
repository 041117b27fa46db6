package rewrite

import (
	"slices"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/validators"
)

const (
	// annotateRuns bounds the rewritten tools tried per broken tool of a run. It counts
	// work, not time, so that two runs give the same report.
	annotateRuns = 40
	// On a server of more than manyTools tools, annotateTotal bounds those of all of them,
	// and what helped one tool is tried first on the next. On others the fix of a tool
	// depends on that tool alone, so that shards say what the whole run says.
	manyTools, annotateTotal = 400, 1500
	// annotateMend bounds those that look for what degraded hosts lose.
	annotateMend = 16
	// annotateBudget is the number of instances per schema while annotating.
	annotateBudget = 60
)

// Annotate puts the names of verified rewrites into the findings that they mend:
// the smallest set that makes the tool work in all evaluated hosts, or, for hosts
// that this does not help, the set that helps them, and for what a model does not
// get of a definition, the set that brings it there. Findings that nothing mends
// stay as they are. Of o, Shapes is needed; a Budget below 0 looks at real results
// alone.
func Annotate(c *recording.Capture, columns []matrix.Column, o Options) {
	o.Hosts = make([]*capabilities.Resolved, len(columns))
	for i, column := range columns {
		o.Hosts[i] = column.Host
	}
	o.brief = true
	left, many := annotateTotal, toolsOf(c) > manyTools
	var learned [][]Step
	broken := brokenTools(columns)
	dear := exhausting(columns)
	for _, name := range append(broken, lossyTools(columns, broken)...) {
		if left <= 0 {
			return
		}
		if dear[name] || heavy(c, name) { // each trial would cost as much again
			continue
		}
		o.Runs, o.MendRuns = annotateRuns, annotateMend
		if many {
			o.Runs, o.MendRuns = min(annotateRuns, left), min(annotateMend, left)
		}
		if o.Budget >= 0 {
			o.Budget = annotateBudget
		}
		o.first = learned
		plan := Fix(c, name, o)
		if stopped(o.Stop) { // the trials were cut short
			return
		}
		if many {
			left -= plan.Verified.Runs
		}
		if many && plan.Complete && len(plan.Steps) > 0 && !slices.ContainsFunc(learned, func(l []Step) bool { return slices.Equal(l, plan.Steps) }) {
			learned = append(learned, plan.Steps)
		}
		for i := range columns {
			annotate(&columns[i], name, plan)
		}
	}
}

// toolsOf is the number of tools in the longest list of a capture.
func toolsOf(c *recording.Capture) int {
	most := 0
	for _, s := range c.Sessions {
		most = max(most, len(s.Tools))
	}
	return most
}

// exhausting are the tools that some host's validator could not decide within its
// budget.
func exhausting(columns []matrix.Column) map[string]bool {
	out := map[string]bool{}
	for _, column := range columns {
		for _, cell := range column.Cells {
			for _, f := range cell.Findings {
				if f.Severity == verdict.Undecided && validators.Exhausting(f.Message) {
					out[cell.Tool] = true
				}
			}
		}
	}
	return out
}

// stopped reports whether a channel is closed; nil never is.
func stopped(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}

// brokenTools lists the tools that break somewhere by what they are: first those that break others
// too, then in the order of the cells.
func brokenTools(columns []matrix.Column) []string {
	var out, culprits []string
	seen := map[string]bool{}
	for _, column := range columns {
		for _, cell := range column.Cells {
			for _, f := range cell.Findings {
				name := cell.Tool
				if f.Culprit != "" {
					name = f.Culprit
				}
				if f.Severity != verdict.Error || name == "" || aboutAll(f) {
					continue
				}
				if f.Culprit != "" && !slices.Contains(culprits, name) {
					culprits = append(culprits, name)
				}
				if !seen[name] {
					seen[name] = true
					out = append(out, name)
				}
			}
		}
	}
	out = slices.DeleteFunc(out, func(name string) bool { return slices.Contains(culprits, name) })
	return append(culprits, out...)
}

// lossyTools lists the further tools of which a model does not get everything.
func lossyTools(columns []matrix.Column, known []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, name := range known {
		seen[name] = true
	}
	for _, column := range columns {
		for _, cell := range column.Cells {
			if cell.Tool != "" && !seen[cell.Tool] && slices.ContainsFunc(cell.Findings, partOfOffer) {
				seen[cell.Tool] = true
				out = append(out, cell.Tool)
			}
		}
	}
	return out
}

func annotate(column *matrix.Column, name string, plan Plan) {
	for i := range column.Cells {
		cell := &column.Cells[i]
		for k := range cell.Findings {
			f := &cell.Findings[k]
			switch {
			case f.Fix != "" || f.Culprit != name && (f.Culprit != "" || cell.Tool != name):
			case aboutAll(*f): // another definition of this tool does not make the list shorter
			case f.Severity == verdict.Error:
				f.Fix, f.FixText = fixFor(column.Host.ID, f.Stage, plan)
			case partOfOffer(*f):
				f.Fix, f.FixText = mendFor(column.Host.ID, plan)
			}
		}
	}
}

// aboutAll reports whether a finding stands in the cells of all tools for what none of
// them did alone: their number, or something about the server as a whole.
func aboutAll(f verdict.Finding) bool {
	return f.Rule == "too-many-tools" || f.Culprit == "" && (f.Blast == verdict.BlastServer || f.Blast == verdict.BlastRequest)
}

// fixFor returns the rewrites for one host in which the tool breaks at a stage, with
// whom they leave broken, and the line for people.
func fixFor(host string, stage verdict.Stage, plan Plan) (names, text string) {
	hosts := plan.Verified.Hosts
	if slices.Contains(plan.Fixed, host) && len(plan.essential) > 0 {
		names, text = Names(plan.essential), line(plan.essential, hosts-len(plan.Remaining), hosts)
		// The server does not keep its own promise; what a definition breaks before any
		// result is none of that.
		if plan.Reason != "" && (stage == verdict.Result || stage == verdict.View) {
			names, text = "send what the schema promises, or promise less: "+names, "send what the schema promises, or promise less: "+text
		}
		return names, text
	}
	for _, a := range plan.Alternatives {
		if !slices.Contains(a.Hosts, host) || len(a.Steps) == 0 {
			continue
		}
		names, text = Names(a.Steps), line(a.Steps, len(a.Hosts), hosts)
		if len(a.Breaks) > 0 {
			but := " (breaks " + strings.Join(a.Breaks, ", ") + ")"
			names, text = names+but, text+but
		}
		return names, text
	}
	return "", ""
}

// mendFor returns the same for one host whose model gets less than the definition.
func mendFor(host string, plan Plan) (names, text string) {
	if !slices.Contains(plan.Mended, host) {
		return "", ""
	}
	hosts := plan.Verified.Hosts
	return Names(plan.Steps), line(plan.Steps, hosts-len(plan.Remaining), hosts)
}

// Names lists the rewrites of steps, joined by " + ", with the part where one
// rewrite is applied to both.
func Names(steps []Step) string {
	var out []string
	for _, s := range steps {
		name := s.Rewrite
		for _, other := range steps {
			if other.Rewrite == s.Rewrite && other.Part != s.Part {
				name += " on " + string(s.Part)
				break
			}
		}
		out = append(out, name)
	}
	return strings.Join(out, " + ")
}
