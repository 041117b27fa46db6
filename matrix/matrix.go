// Package matrix evaluates what a server said in every host: (capture, columns)
// to cells. It is pure: no I/O, no clock, no host names.
package matrix

import (
	"cmp"
	"slices"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/stage"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/validators"
)

// Input is what an evaluation works on.
type Input struct {
	Capture *recording.Capture
	Hosts   []*capabilities.Resolved
	Shapes  *shape.Set
	// Validators keeps compiled schemas; nil makes a new cache for this call.
	Validators *validators.Cache
	// Witness searches for instances on which a host and the schema's own dialect
	// differ; nil: only real samples are judged.
	Witness stage.Witness
	// Forget is called when some of the tools are done in all columns: what was
	// remembered about their schemas beside Validators is not asked for again. May be nil.
	Forget func()
	// KeepViews keeps in the columns what the model sees of each result; without it
	// only the cells do, which is what a server with thousands of tools can afford.
	KeepViews bool
	// Workers bounds the columns evaluated at once; 0 means the number of CPUs.
	Workers int
	// Together bounds the cells of the columns that are evaluated at a time: what a tool
	// was offered as is kept for all of them, what was compiled for its schemas is shared
	// among them. 0 means 300,000.
	Together int
	// Stop ends the evaluation when it is closed: what is not evaluated by then is
	// unknown, for the reason Why. nil: it runs to its end.
	Stop <-chan struct{}
	// Why is told of what is left out after Stop.
	Why string
}

// Column is one evaluated host, with everything the emulation knows.
type Column struct {
	Host  *capabilities.Resolved
	State *stage.State
	Cells []verdict.Cell
}

// partSize is the number of tools that go through the last stages at a time. What is
// compiled and searched for them is dropped before the next ones come: of 2,900 tools
// it would be 150 MB.
const partSize = 250

func begin(in Input, host *capabilities.Resolved) Column {
	state := stage.Begin(stage.Env{
		Host: host, Target: in.Capture.Target, Session: stage.Choose(host, in.Capture),
		Shapes: in.Shapes, Validators: in.Validators, Witness: in.Witness,
	})
	return Column{Host: host, State: state, Cells: make([]verdict.Cell, 0, len(state.Tools)+1)}
}

// togetherCells is the default of [Input.Together].
const togetherCells = 300_000

// finish takes the tools of one part through the last stages and sums them up, as
// long as tell, which gets the column after each of them, says to go on.
func (c *Column) finish(from int, keepViews bool, tell func(Column) bool) {
	tools := c.State.Tools[min(from, len(c.State.Tools)):min(from+partSize, len(c.State.Tools))]
	modelled := c.Host.Modelled()
	if from == 0 && aboutServer(c.State) {
		c.Cells = append(c.Cells, cell(c.State, nil, modelled))
	}
	for i, t := range tools {
		c.State.Finish(tools[i : i+1])
		c.Cells = append(c.Cells, cell(c.State, t, modelled))
		if !keepViews {
			t.Work = nil
		}
		if !tell(*c) {
			return
		}
	}
}

// aboutServer reports whether a column has a cell about the whole server.
func aboutServer(s *stage.State) bool { return s.Lost || len(s.Tools) == 0 }

// found gives the cells in which nothing was found their basis: all the claims
// that the column was evaluated by.
func (c *Column) found(basis string) {
	for i := range c.Cells {
		if c.Cells[i].Verdict == verdict.Works {
			c.Cells[i].Basis = basis
		}
	}
}

// cell sums up one tool; a nil tool is the server itself.
func cell(s *stage.State, t *stage.Tool, modelled []string) verdict.Cell {
	out := verdict.Cell{Host: s.Host.ID, HostVersion: s.Host.Version, Modelled: modelled}
	var findings []verdict.Finding
	if len(s.Server) > 0 {
		findings = append(findings, s.Server...)
	}
	if t != nil {
		out.Tool = t.Name
		out.Checked, out.Search, out.Tried = t.Checked, t.Search, t.Tried
		out.ArgumentSearch, out.ArgumentsTried = t.ArgumentSearch, t.ArgumentsTried
		findings = append(findings, t.Findings...)
	}
	if len(modelled) == 0 {
		findings = append(findings, verdict.Finding{Rule: "host-not-modelled", Severity: verdict.Undecided,
			Message: "the table holds no claim about this host at any stage"})
	}
	if len(findings) == 0 {
		out.Verdict = verdict.Works
		if t != nil {
			app(&out, s.Host, t)
		}
		return out
	}
	out.Findings = unique(findings)
	sortFindings(out.Findings)
	out.Verdict = verdict.Works
	for _, f := range out.Findings {
		out.Verdict = verdict.Worse(out.Verdict, f.Severity.Effect())
	}
	decide(&out)
	if t != nil {
		app(&out, s.Host, t)
	}
	return out
}

// decide fills in stage, blast and basis from what decided the verdict; see
// [Column.found] for a cell that works.
func decide(out *verdict.Cell) {
	var basis capabilities.Basis
	for _, f := range out.Findings {
		if f.Severity.Effect() != out.Verdict || out.Verdict == verdict.Works {
			continue
		}
		if out.Stage == "" {
			out.Stage, out.Blast = f.Stage, f.Blast
		}
		// Any one of several equally bad findings is enough: the best founded one counts.
		if b := capabilities.Basis(f.Basis); b.Rank() > basis.Rank() {
			basis = b
		}
	}
	out.Basis = string(basis)
}

// app tells what becomes of an MCP App that the tool carries.
func app(out *verdict.Cell, host *capabilities.Resolved, t *stage.Tool) {
	if _, ok := t.Value.Get("_meta").Get("ui").Get("resourceUri").IsString(); !ok {
		if _, ok := t.Value.Get("_meta").Get("ui/resourceUri").IsString(); !ok {
			return
		}
	}
	apps, _ := capabilities.Get[capabilities.Apps](host, "view.apps")
	switch {
	case out.Verdict == verdict.Breaks:
		out.App = "down"
	case apps != nil && apps.Shown:
		out.App = "shown"
	case apps != nil:
		out.App = "lost"
	}
}

func sortFindings(findings []verdict.Finding) {
	slices.SortStableFunc(findings, func(a, b verdict.Finding) int {
		return cmp.Or(
			-cmp.Compare(a.Severity.Effect().Rank(), b.Severity.Effect().Rank()),
			cmp.Compare(slices.Index(verdict.Stages, a.Stage), slices.Index(verdict.Stages, b.Stage)),
		)
	})
}

// unique drops findings that say the same of the same place; the first sample of
// a fault is as good as the tenth.
func unique(findings []verdict.Finding) []verdict.Finding {
	type key struct {
		rule, message, host, schema, data string
	}
	seen := make(map[key]bool, len(findings))
	out := findings[:0]
	for _, f := range findings {
		k := key{f.Rule, f.Message, f.HostText, f.SchemaPointer, f.DataPointer}
		if !seen[k] {
			seen[k] = true
			out = append(out, f)
		}
	}
	return out
}
