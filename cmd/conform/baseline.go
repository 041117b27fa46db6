package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/reports"
)

// defaultBaseline is where a baseline is looked for.
const defaultBaseline = "conform.baseline.yaml"

func (a *app) baselineCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:  "baseline",
		Args: cobra.ArbitraryArgs,
		RunE: group,
	}
	helpFor(cmd, "baseline")
	cmd.AddCommand(a.baselineWriteCommand(), a.baselineCheckCommand(), a.baselinePruneCommand(), a.baselineWireCommand())
	return cmd
}

func (a *app) baselineWriteCommand() *cobra.Command {
	var file, reason, failOn string
	cmd := &cobra.Command{
		Use:  "write RUN.json",
		Args: exactly(1, "one report"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := countable(failOn); err != nil {
				return err
			}
			r, err := a.readReport(args[0])
			if err != nil {
				return err
			}
			b := reports.BaselineOf(r, verdict.Verdict(failOn), reason)
			if err := writeFile(file, false, func(w io.Writer) error { _, err := w.Write(b.Encode()); return err }); err != nil {
				return fmt.Errorf("writing the baseline: %w", err)
			}
			a.warn("wrote %s to %s", counted(len(b.Entries), "known finding"), file)
			return nil
		},
	}
	helpFor(cmd, "baseline-write")
	cmd.Flags().StringVarP(&file, "output", "o", defaultBaseline, "file to write")
	cmd.Flags().StringVar(&reason, "reason", "", "reason to note for every entry")
	cmd.Flags().StringVar(&failOn, "fail-on", "breaks", "least verdict to note: breaks, degraded, unknown")
	return cmd
}

func (a *app) baselineCheckCommand() *cobra.Command {
	var file, failOn string
	cmd := &cobra.Command{
		Use:  "check RUN.json",
		Args: exactly(1, "one report"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := countable(failOn); err != nil {
				return err
			}
			r, err := a.readReport(args[0])
			if err != nil {
				return err
			}
			return a.checkBaseline(r, file, verdict.Verdict(failOn))
		},
	}
	helpFor(cmd, "baseline-check")
	baselineFlags(cmd, &file, &failOn)
	return cmd
}

func baselineFlags(cmd *cobra.Command, file, failOn *string) {
	cmd.Flags().StringVar(file, "baseline", defaultBaseline, "baseline file")
	cmd.Flags().StringVar(failOn, "fail-on", "breaks", "least verdict that counts: breaks, degraded, unknown")
}

func (a *app) baselinePruneCommand() *cobra.Command {
	var file, failOn string
	cmd := &cobra.Command{
		Use:  "prune RUN.json",
		Args: exactly(1, "one report"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := countable(failOn); err != nil {
				return err
			}
			r, err := a.readReport(args[0])
			if err != nil {
				return err
			}
			b, err := readBaseline(file)
			if err != nil {
				return err
			}
			pruned := b.Prune(b.Check(r, verdict.Verdict(failOn), today()))
			if err := writeFile(file, false, func(w io.Writer) error { _, err := w.Write(pruned.Encode()); return err }); err != nil {
				return fmt.Errorf("writing the baseline: %w", err)
			}
			a.warn("removed %d of %s from %s", len(b.Entries)-len(pruned.Entries), counted(len(b.Entries), "known finding"), file)
			return nil
		},
	}
	helpFor(cmd, "baseline-prune")
	baselineFlags(cmd, &file, &failOn)
	return cmd
}

// countable checks a --fail-on for findings: each has one of these verdicts.
func countable(failOn string) error {
	switch verdict.Verdict(failOn) {
	case verdict.Breaks, verdict.Degraded, verdict.Unknown:
		return nil
	}
	return oneOf("fail-on", failOn, "breaks", "degraded", "unknown")
}

func today() string { return time.Now().UTC().Format(time.DateOnly) }

func readBaseline(file string) (*reports.Baseline, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, usage("--baseline: %w%s; `conform baseline write` makes one", err, nearFile(file))
	}
	b, err := reports.ReadBaseline(file, data)
	if err != nil {
		return nil, usage("--baseline: %w", err)
	}
	return b, nil
}

// checkBaseline prints what the baseline does not expect and what it expects in
// vain. Unexpected findings are exit code 1, else stale entries 6.
func (a *app) checkBaseline(r *verdict.Report, file string, failOn verdict.Verdict) error {
	b, err := readBaseline(file)
	if err != nil {
		return err
	}
	if r.Shard != nil && r.Shard.Of > 1 {
		return usage("%s: the report is shard %d of %d; merge the shards first", file, r.Shard.Index, r.Shard.Of)
	}
	result := b.Check(r, failOn, today())
	if err := reports.WriteBaselineResult(a.stdout, result, file); err != nil {
		return err
	}
	switch {
	case len(result.Unexpected) > 0 || len(result.Learned) > 0:
		return &exitError{code: exitFindings}
	case len(result.Stale) > 0:
		return &exitError{code: exitStale}
	}
	return nil
}
