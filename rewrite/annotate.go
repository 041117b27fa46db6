package rewrite

import (
	"slices"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
)

const (
	// annotateRuns bounds the rewritten tools tried per broken tool of a run,
	// annotateTotal those of all its tools. Both count work, not time, so that two
	// runs give the same report.
	annotateRuns, annotateTotal = 40, 1500
	// annotateBudget is the number of instances per schema while annotating.
	annotateBudget = 60
)

// Annotate puts the names of verified rewrites into the findings that they mend:
// the smallest set that makes the tool work in all evaluated hosts, or, for hosts
// that this does not help, the set that helps them. Findings that nothing mends
// stay as they are. Of o, Shapes is needed; a Budget below 0 looks at real results
// alone.
func Annotate(c *recording.Capture, columns []matrix.Column, o Options) {
	o.Hosts = make([]*capabilities.Resolved, len(columns))
	for i, column := range columns {
		o.Hosts[i] = column.Host
	}
	left := annotateTotal
	var learned [][]Step
	for _, name := range brokenTools(columns) {
		if left <= 0 {
			return
		}
		o.Runs = min(annotateRuns, left)
		if o.Budget >= 0 {
			o.Budget = annotateBudget
		}
		o.first = learned
		plan := Fix(c, name, o)
		left -= plan.Verified.Runs
		if plan.Complete && !slices.ContainsFunc(learned, func(l []Step) bool { return slices.Equal(l, plan.Steps) }) {
			learned = append(learned, plan.Steps)
		}
		for i := range columns {
			annotate(&columns[i], name, plan)
		}
	}
}

// brokenTools lists the tools that break somewhere: first those that break others
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
				if f.Severity != verdict.Error || name == "" {
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

func annotate(column *matrix.Column, name string, plan Plan) {
	fix := fixFor(column.Host.ID, plan)
	if fix == "" {
		return
	}
	for i := range column.Cells {
		cell := &column.Cells[i]
		for k := range cell.Findings {
			f := &cell.Findings[k]
			if f.Severity == verdict.Error && f.Fix == "" && (f.Culprit == name || f.Culprit == "" && cell.Tool == name) {
				f.Fix = fix
			}
		}
	}
}

// fixFor returns the line for one host: the rewrites, and whom they leave broken.
func fixFor(host string, plan Plan) string {
	for _, fixed := range plan.Fixed {
		if fixed != host {
			continue
		}
		if plan.Reason != "" { // the server does not keep its own promise
			return "send what the schema promises, or promise less: " + Names(plan.Steps)
		}
		return Names(plan.Steps)
	}
	for _, a := range plan.Alternatives {
		if a.Host == host {
			text := Names(a.Steps)
			if len(a.Breaks) > 0 {
				text += " (breaks " + strings.Join(a.Breaks, ", ") + ")"
			}
			return text
		}
	}
	return ""
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
