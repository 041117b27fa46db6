package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/reports"
	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/wire"
)

// runOptions are the flags of `conform run`.
type runOptions struct {
	target   targetOptions
	capture  captureOptions
	select_  selection
	policy   policy
	formats  []string
	protocol string
	offered  string
	demo     bool
	shard    string
	baseline string
	witness  int
	noFixes  bool
	manifest string
	// redactResults keeps what real results hold out of the report.
	redactResults bool
	asOf          string
	settings      string
	watch         []string
	dryRun        bool
	lint          *yaml.Node // section lint of the settings, nil without a file
}

func (a *app) runCommand() *cobra.Command {
	o := &runOptions{}
	cmd := &cobra.Command{
		Use: "run [flags] [-- command args...]",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.target.positional(cmd, args); err != nil {
				return err
			}
			if err := a.settle(cmd, o); err != nil {
				return err
			}
			if cmd.Flags().Changed("host") && len(splitList(o.select_.hosts)) == 0 {
				return usage("--host names no host; `conform hosts` lists them")
			}
			if o.baseline != "" && o.demo {
				return usage("--baseline: a demo judges nothing; leave out --baseline, or --demo")
			}
			if len(o.watch) > 0 && o.demo {
				return usage("--watch needs a server of your own, not --demo")
			}
			if len(o.watch) == 0 {
				return a.runTarget(cmd.Context(), o)
			}
			return a.rerun(cmd.Context(), o.watch, o.written(), func(ctx context.Context) error { return a.runTarget(ctx, o) }, a.listener(o))
		},
	}
	helpFor(cmd, "run")
	o.target.flags(cmd)
	o.capture.flags(cmd)
	f := cmd.Flags()
	f.BoolVar(&o.demo, "demo", false, "run against the built-in fixture server and explain what it shows")
	f.StringSliceVar(&o.select_.hosts, "host", nil, "host to evaluate: id[:mode][+api][@version], or all; repeatable")
	f.StringSliceVar(&o.select_.sets, "host-set", nil, "set of hosts: default, all, ide, cli, sdk, api, spec, ...; repeatable")
	f.StringVar(&o.protocol, "protocol", "", "protocol revision to speak in place of what the hosts speak, or all")
	f.StringArrayVar(&o.formats, "format", nil, "output format, or format=FILE; repeatable ('conform report --help' lists them)")
	manifestFlag(cmd, &o.manifest)
	redactFlag(cmd, &o.redactResults)
	f.StringSliceVar(&o.watch, "watch", nil, "run again whenever a file below this folder changes, or the server announces other tools; without a value the current folder")
	f.Lookup("watch").NoOptDefVal = "."
	f.StringVar(&o.settings, "settings", "", "settings file (default "+settingsFile+" where there is one)")
	f.StringVar(&o.asOf, "table-as-of", "", "use the table as it was known on this day, YYYY-MM-DD, so that what it learned since fails nothing")
	o.policy.flags(cmd, "breaks")
	f.BoolVar(&o.dryRun, "dry-run", false, "say what would be sent, and send nothing")
	f.StringVar(&o.shard, "shard", "", "call and report only part i of n of the tools: i/n, or auto from the variables of the CI system")
	f.StringVar(&o.baseline, "baseline", "", "file of known findings: only what it does not name fails, and what it names in vain")
	f.StringVar(&o.offered, "show-offered", "", "print the tool as the model of a host gets it, TOOL@HOST (SERVER/TOOL@HOST with several servers), and no report")
	f.IntVar(&o.witness, "witness-budget", witness.DefaultBudget, "instances tried per schema beside the real results, to find what a host would reject; 0: none")
	f.BoolVar(&o.noFixes, "no-fixes", false, "try no rewrites of what breaks: findings come without a verified fix, and sooner")
	a.completeHosts(cmd)
	completeFormats(cmd)
	return cmd
}

// written are the files that a run writes.
func (o *runOptions) written() []string {
	var out []string
	for _, f := range o.formats {
		if _, file, ok := strings.Cut(f, "="); ok {
			out = append(out, file)
		}
	}
	return out
}

// runTarget is the main job: capture, evaluate, report, judge.
func (a *app) runTarget(ctx context.Context, o *runOptions) error {
	outs, err := outputs(o.formats)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := o.policy.check(); err != nil {
		return err
	}
	if err := o.capture.check(); err != nil {
		return err
	}
	if err := budgeted(o.witness); err != nil {
		return err
	}
	if err := a.checkRules(o); err != nil {
		return err
	}
	table, err := a.table()
	if err != nil {
		return err
	}
	if o.asOf != "" {
		if _, err := time.Parse(time.DateOnly, o.asOf); err != nil {
			return usage("--table-as-of %s: is no day; write YYYY-MM-DD", o.asOf)
		}
		table = table.AsOf(o.asOf)
	}
	var configured []wire.Target
	if o.target.config.given() && o.target.count() == 1 {
		if configured, err = o.target.config.targets(a.warn); err != nil {
			return err
		}
		if len(configured) == 1 {
			o.target.live, o.target.name = &configured[0], configured[0].Name
		}
	}
	if o.offered != "" {
		return a.showOffered(ctx, o, table, configured)
	}
	columns, specRow, err := splitSelection(o.select_).resolve(table)
	if err != nil {
		return err
	}
	a.warnVersions(columns)
	if o.dryRun {
		return a.dryRun(o, columns, configured)
	}
	if len(configured) > 1 {
		return a.runServers(ctx, began, o, configured, outs, table, columns, specRow)
	}
	part, err := shardOf(o.shard)
	if err != nil {
		return err
	}
	o.capture.samples.part, o.capture.samples.name = part, o.target.name
	capture, err := a.obtain(ctx, o, columns)
	if err != nil && !interruptedWithSomething(err, capture) && !spoke(err, capture) {
		return err
	}
	if specRow {
		columns = append(columns, specRows(table, revisionsOf(negotiated(capture, o.protocol)))...)
	}
	if len(columns) == 0 {
		return usage("no host is left to evaluate; `conform hosts` lists them")
	}
	a.warnAllowed(o, capture)
	line := a.status()
	line.set("evaluating %s in %s", counted(len(capture.Sessions), "session"), counted(len(columns), "host"))
	within, cancel := evaluating(ctx, began, o.capture.timeouts.Total)
	defer cancel()
	report, evalErr := evaluate(within, o, table, columns, capture)
	cut := cutShort(ctx, within, o.capture.timeouts.Total)
	line.done()
	if evalErr != nil {
		return evalErr
	}
	if o.shard != "" {
		report = reports.Cut(report, part.index, part.of)
	}
	if o.demo {
		a.introduce()
	}
	if err := a.write(outs, report, reports.Options{Verbose: a.verbose, Quiet: a.quiet, Manifest: o.manifest, FailOn: o.policy.verdict()}); err != nil {
		return err
	}
	if cut != nil {
		return cut
	}
	if err != nil {
		return err
	}
	if o.demo {
		return a.conclude(report, o.policy)
	}
	if o.baseline != "" {
		return a.judgeBaseline(report, o)
	}
	return o.policy.judge(report)
}

// judgeBaseline judges by what the baseline does not know; stdout stays the
// report.
func (a *app) judgeBaseline(report *verdict.Report, o *runOptions) error {
	rest := *a
	rest.stdout = a.stderr
	return rest.checkBaseline(report, o.baseline, o.policy.verdict())
}

// interruptedWithSomething reports whether the capture was interrupted after the
// server had said anything; that much is then reported.
func interruptedWithSomething(err error, c *recording.Capture) bool {
	return codeOf(err) == exitInterrupted && heard(c)
}

// spoke reports whether the server said something although no session worked: the
// rules for messages then name what is wrong with it, which the error alone, the
// first failure of many, does not.
func spoke(err error, c *recording.Capture) bool {
	var failure *wire.Error
	return errors.As(err, &failure) && codeOf(err) != exitInterrupted && heard(c)
}

// heard reports whether a capture holds anything that the server sent.
func heard(c *recording.Capture) bool {
	if c == nil {
		return false
	}
	for _, s := range c.Sessions {
		if slices.ContainsFunc(s.Messages, func(m recording.Message) bool {
			return m.From == "server" && (m.Kind == "message" || m.Kind == "noise")
		}) {
			return true
		}
	}
	return false
}

// negotiated returns the revisions whose rows a report has by default: the newest
// legacy one that the server agreed to, and the modern one. Older ones, which only
// a few hosts ask for, come with --protocol all.
func negotiated(c *recording.Capture, protocol string) []string {
	newest, out := "", []string(nil)
	for _, s := range c.Sessions {
		switch {
		case s.InitError != nil:
		case s.Negotiated == "2024-11-05" && c.Target.Transport == "streamable-http":
			// That revision has no Streamable HTTP; a stateless server answers as 2025-03-26.
		case protocol == "all" || s.Modern():
			out = append(out, s.Negotiated)
		default:
			newest = max(newest, s.Negotiated)
		}
	}
	return append(out, newest)
}

func splitSelection(s selection) selection {
	return selection{hosts: splitList(s.hosts), sets: splitList(s.sets)}
}

var errNoTarget = errors.New("no target: give a server command after --, a --url, a --config FILE, a --replay FILE, or --demo")
