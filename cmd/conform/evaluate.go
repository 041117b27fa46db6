package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/reports"
	"github.com/hostmatrix/conform/rewrite"
	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/validators"

	_ "github.com/hostmatrix/conform/validators/all" // profiles
)

// endedBefore is the reason of a cell or rule that was not reached: the report cannot
// tell which of the two it will be when it begins, the exit code and stderr do.
const endedBefore = "the run ended before this was evaluated: it was interrupted, or --total-timeout ran out"

// evaluate runs the matrix and the rules that no host decides, and builds the
// canonical report. When ctx ends the report holds what was established by then, the
// rest is unknown.
func evaluate(ctx context.Context, o *runOptions, table *capabilities.Table, columns []*capabilities.Resolved, capture *recording.Capture) (*verdict.Report, error) {
	rules, err := lintInput(o, columns)
	if err != nil {
		return nil, err
	}
	capture = within(capture, len(columns), maxCells)
	evaluated, err := columnsOf(ctx, columns, capture, o.witness)
	if err != nil {
		return nil, err
	}
	if !o.noFixes {
		if err := suggest(ctx, capture, evaluated, o.witness); err != nil {
			return nil, err
		}
	}
	ruled, cancel := grace(ctx, graceForRules)
	defer cancel()
	rules.Until = lint.Until{Stop: ruled.Done(), Why: endedBefore}
	report := reports.Build(reports.Input{
		Capture: capture, Columns: evaluated, Table: table, Digest: digest(table),
		Version: version(), Now: asOf(capture, table), Lint: &rules,
	})
	if o.redactResults {
		reports.RedactResults(report, capture)
	}
	return report, nil
}

// maxCells bounds the cells of a run: one takes 240 bytes and its tool in that host as much
// again, so that half a million stay below 512 MB.
const maxCells = 500_000

// within is the capture with as many tools in each session as there is room for in that
// many hosts, and a problem where that is not all of them.
func within(capture *recording.Capture, hosts, cells int) *recording.Capture {
	room := cells / max(hosts, 1)
	out := *capture
	out.Sessions, out.Problems = slices.Clone(capture.Sessions), slices.Clone(capture.Problems)
	for i, s := range out.Sessions {
		if len(s.Tools) <= room {
			continue
		}
		some := *s
		some.Tools = s.Tools[:room]
		out.Sessions[i] = &some
		out.Problems = append(out.Problems, recording.Problem{Rule: "cell-limit", Session: s.ID,
			Message: fmt.Sprintf("Of %d tools the first %d were looked at: in %d hosts more are over %d cells. Name fewer hosts (--host, --host-set) to look at all", len(s.Tools), room, hosts, cells)})
	}
	return &out
}

const (
	// graceAfterCapture is how long what an interrupted capture holds is evaluated: it
	// is worth a report, and a person is waiting.
	graceAfterCapture = 10 * time.Second
	// graceForRules is the same for the rules that no host decides, once the columns
	// were cut short; they take a tenth of a second on an ordinary server.
	graceForRules = 2 * time.Second
)

// grace is a context that ends with ctx, or a time from now if that has ended: what
// is worth having in the report is begun all the same. A second interrupt kills.
func grace(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if ctx.Err() == nil {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(context.WithoutCancel(ctx), d)
}

// evaluating is the context of the evaluation in a run that began then: it ends with
// ctx and when the whole run has taken total, but always leaves what was captured some
// time, at most as much as the capture had.
func evaluating(ctx context.Context, began time.Time, total time.Duration) (context.Context, context.CancelFunc) {
	ctx, ended := grace(ctx, graceAfterCapture)
	ctx, late := context.WithTimeoutCause(ctx, max(time.Until(began.Add(total)), min(total, graceAfterCapture)), errTotal)
	return ctx, func() { late(); ended() }
}

// errTotal is why an evaluation ended that took too long.
var errTotal = errors.New("--total-timeout ran out")

// cutShort is the error of a run whose evaluation did not come to its end; nil when it did.
func cutShort(ctx, evaluating context.Context, total time.Duration) error {
	switch {
	case ctx.Err() != nil:
		return &exitError{exitInterrupted, errors.New("interrupted; what was established until then is reported")}
	case context.Cause(evaluating) == errTotal:
		return &exitError{exitIncomplete, fmt.Errorf("--total-timeout %s ran out; what was established until then is reported. Raise it, or look at fewer hosts or tools", total)}
	}
	return nil
}

// columnsOf evaluates hosts until ctx ends. budget is the number of instances that
// are tried per schema beside the real samples; 0: none.
func columnsOf(ctx context.Context, columns []*capabilities.Resolved, capture *recording.Capture, budget int) ([]matrix.Column, error) {
	set, err := shapes()
	if err != nil {
		return nil, err
	}
	in := matrix.Input{Capture: capture, Hosts: columns, Shapes: set, Validators: validators.NewCache(), Stop: ctx.Done(), Why: endedBefore}
	if budget > 0 {
		searcher := witness.New(in.Validators, witness.Options{Budget: budget})
		in.Witness, in.Forget = searcher.Stage, searcher.Forget
	}
	return matrix.Evaluate(in), nil
}

// suggest puts verified rewrites to what breaks, until ctx ends.
func suggest(ctx context.Context, capture *recording.Capture, evaluated []matrix.Column, budget int) error {
	set, err := shapes()
	if err != nil {
		return err
	}
	if budget == 0 {
		budget = -1
	}
	rewrite.Annotate(capture, evaluated, rewrite.Options{Shapes: set, Budget: budget, Stop: ctx.Done()})
	return nil
}
