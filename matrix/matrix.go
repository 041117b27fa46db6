// Package matrix evaluates what a server said in every host: (capture, columns)
// to cells. It is pure: no I/O, no clock, no host names.
package matrix

import (
	"cmp"
	"runtime"
	"slices"
	"sync"

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
	// KeepViews keeps in the columns what the model sees of each result; without it
	// only the cells do, which is what a server with thousands of tools can afford.
	KeepViews bool
	// Workers bounds the columns evaluated at once; 0 means the number of CPUs.
	Workers int
}

// Column is one evaluated host, with everything the emulation knows.
type Column struct {
	Host  *capabilities.Resolved
	State *stage.State
	Cells []verdict.Cell
}

// Evaluate runs every column; the result is in the order of in.Hosts, cells in
// the order of the server's list, and does not depend on Workers.
func Evaluate(in Input) []Column {
	if in.Validators == nil {
		in.Validators = validators.NewCache()
	}
	workers := in.Workers
	if workers <= 0 {
		workers = runtime.NumCPU()
	}
	columns := make([]Column, len(in.Hosts))
	order, uses := byProfile(in.Hosts)
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(workers, len(in.Hosts)) {
		wg.Go(func() {
			for i := range next {
				columns[i] = evaluate(in, in.Hosts[i])
				uses.done(in.Hosts[i], in.Validators)
			}
		})
	}
	for _, i := range order {
		next <- i
	}
	close(next)
	wg.Wait()
	return columns
}

func evaluate(in Input, host *capabilities.Resolved) Column {
	state := stage.Run(stage.Env{
		Host: host, Target: in.Capture.Target, Session: stage.Choose(host, in.Capture),
		Shapes: in.Shapes, Validators: in.Validators, Witness: in.Witness,
	})
	c := Column{Host: host, State: state}
	modelled, basis := host.Modelled(), state.Basis()
	if state.Lost || len(state.Tools) == 0 {
		c.Cells = append(c.Cells, cell(state, nil, modelled, basis))
	}
	for _, t := range state.Tools {
		c.Cells = append(c.Cells, cell(state, t, modelled, basis))
		if !in.KeepViews {
			t.Seen, t.Findings = nil, nil
		}
	}
	if !in.KeepViews {
		// The column outlives the evaluation; what was compiled for it must not.
		state.Validators, state.Witness = nil, nil
	}
	return c
}

// cell sums up one tool; a nil tool is the server itself. works is the basis of a
// cell in which nothing was found.
func cell(s *stage.State, t *stage.Tool, modelled []string, works capabilities.Basis) verdict.Cell {
	out := verdict.Cell{Host: s.Host.ID, HostVersion: s.Host.Version, Modelled: modelled}
	var findings []verdict.Finding
	if len(s.Server) > 0 {
		findings = append(findings, s.Server...)
	}
	if t != nil {
		out.Tool = t.Name
		out.Checked, out.Search = t.Checked, t.Search
		findings = append(findings, t.Findings...)
	}
	if len(modelled) == 0 {
		findings = append(findings, verdict.Finding{Rule: "host-not-modelled", Severity: verdict.Undecided,
			Message: "the table holds no claim about this host at any stage"})
	}
	if len(findings) == 0 {
		out.Verdict = verdict.Works
		decide(&out, works)
		return out
	}
	out.Findings = unique(findings)
	sortFindings(out.Findings)
	out.Verdict = verdict.Works
	for _, f := range out.Findings {
		out.Verdict = verdict.Worse(out.Verdict, f.Severity.Effect())
	}
	decide(&out, works)
	if t != nil {
		app(&out, t)
	}
	return out
}

// decide fills in stage, blast and basis from what decided the verdict.
func decide(out *verdict.Cell, works capabilities.Basis) {
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
	if out.Verdict == verdict.Works {
		basis = works
	}
	out.Basis = string(basis)
}

// app tells what becomes of an MCP App that the tool carries.
func app(out *verdict.Cell, t *stage.Tool) {
	if _, ok := t.Value.Get("_meta").Get("ui").Get("resourceUri").IsString(); !ok {
		if _, ok := t.Value.Get("_meta").Get("ui/resourceUri").IsString(); !ok {
			return
		}
	}
	if out.Verdict == verdict.Breaks {
		out.App = "down"
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
