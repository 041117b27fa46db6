package main

import (
	"context"
	"fmt"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/reports"
	"github.com/hostmatrix/conform/rewrite"
	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/validators"

	_ "github.com/hostmatrix/conform/validators/all" // profiles
)

// evaluate runs the matrix and the rules that no host decides, and builds the
// canonical report.
func evaluate(o *runOptions, table *capabilities.Table, columns []*capabilities.Resolved, capture *recording.Capture) (*verdict.Report, error) {
	rules, err := lintInput(o, columns)
	if err != nil {
		return nil, err
	}
	evaluated, err := columnsOf(columns, capture, o.witness)
	if err != nil {
		return nil, err
	}
	if !o.noFixes {
		if err := suggest(capture, evaluated, o.witness); err != nil {
			return nil, err
		}
	}
	report := reports.Build(reports.Input{
		Capture: capture, Columns: evaluated, Table: table, Digest: digest(table),
		Version: version(), Now: asOf(capture, table), Lint: &rules,
	})
	if o.redactResults {
		reports.RedactResults(report, capture)
	}
	return report, nil
}

// interruptible gives what do gives, or ends with 130 at an interrupt that comes
// meanwhile: the evaluation of a hostile schema may take minutes, and by then nothing
// is established that could be written. After an interrupted capture it waits: what
// was captured is worth a report, and the second interrupt kills.
func interruptible(ctx context.Context, do func() (*verdict.Report, error)) (*verdict.Report, error) {
	if ctx.Err() != nil {
		return do()
	}
	type outcome struct {
		report *verdict.Report
		err    error
	}
	done := make(chan outcome, 1) // the work is left behind: the process ends
	go func() {
		report, err := do()
		done <- outcome{report, err}
	}()
	select {
	case o := <-done:
		return o.report, o.err
	case <-ctx.Done():
		return nil, &exitError{exitInterrupted, fmt.Errorf("interrupted while the hosts were evaluated, nothing is reported; `conform record` keeps what the server said, fewer --host or a smaller --witness-budget take less time")}
	}
}

// columnsOf evaluates hosts. budget is the number of instances that are tried per
// schema beside the real samples; 0: none.
func columnsOf(columns []*capabilities.Resolved, capture *recording.Capture, budget int) ([]matrix.Column, error) {
	set, err := shapes()
	if err != nil {
		return nil, err
	}
	in := matrix.Input{Capture: capture, Hosts: columns, Shapes: set, Validators: validators.NewCache()}
	if budget > 0 {
		searcher := witness.New(in.Validators, witness.Options{Budget: budget})
		in.Witness, in.Forget = searcher.Stage, searcher.Forget
	}
	return matrix.Evaluate(in), nil
}

// suggest puts verified rewrites to what breaks.
func suggest(capture *recording.Capture, evaluated []matrix.Column, budget int) error {
	set, err := shapes()
	if err != nil {
		return err
	}
	if budget == 0 {
		budget = -1
	}
	rewrite.Annotate(capture, evaluated, rewrite.Options{Shapes: set, Budget: budget})
	return nil
}
