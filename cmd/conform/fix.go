package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/rewrite"
	"github.com/hostmatrix/conform/rewrite/witness"
)

// fixOptions are the flags of `conform fix`; the target and the hosts are those of
// `conform run`.
type fixOptions struct {
	run        runOptions
	tools      []string
	format     string
	runs       int
	seed       uint64
	lastResort bool
	list       bool
}

var fixFormats = map[string]func(io.Writer, []rewrite.Plan) error{
	"text": rewrite.WriteText, "json": rewrite.WriteJSON, "markdown": rewrite.WriteMarkdown, "patch": rewrite.WritePatch,
}

func (a *app) fixCommand() *cobra.Command {
	o := &fixOptions{}
	cmd := &cobra.Command{
		Use: "fix [flags] [-- command args...]",
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.list {
				return a.listRewrites()
			}
			if fixFormats[o.format] == nil {
				return usage("--format %s: there are text, json, markdown and patch", o.format)
			}
			if err := budgeted(o.run.witness); err != nil {
				return err
			}
			if err := o.run.target.positional(cmd, args); err != nil {
				return err
			}
			return a.fix(cmd.Context(), o)
		},
	}
	helpFor(cmd, "fix")
	o.run.target.flags(cmd)
	o.run.capture.flags(cmd)
	f := cmd.Flags()
	f.StringSliceVar(&o.run.select_.hosts, "host", nil, "host to make the tools work in: id[:mode][+api][@version], or all; repeatable")
	f.StringSliceVar(&o.run.select_.sets, "host-set", nil, "set of hosts: default, all, ide, cli, sdk, api, spec, ...; repeatable")
	f.StringVar(&o.run.protocol, "protocol", "", "protocol revision to speak in place of what the hosts speak, or all")
	f.StringSliceVar(&o.tools, "tool", nil, "tool to look at; repeatable; without it every broken one")
	f.StringVar(&o.format, "format", "text", "text, json, markdown, or patch (a unified diff of the tool definitions)")
	f.IntVar(&o.run.witness, "witness-budget", witness.DefaultBudget, "instances tried per schema beside the real results; 0: none")
	f.Uint64Var(&o.seed, "seed", 0, "seed of the instances that are drawn once every branch and boundary was tried")
	f.IntVar(&o.runs, "max-runs", rewrite.DefaultRuns, "rewritten tools tried per broken tool")
	f.BoolVar(&o.lastResort, "last-resort", false, "also suggest to do without an outputSchema")
	f.BoolVar(&o.list, "list", false, "print all rewrites with their titles")
	a.completeHosts(cmd)
	return cmd
}

// fix looks for rewrites for every broken tool; it exits 1 while a tool is left
// that some chosen host breaks.
func (a *app) fix(ctx context.Context, o *fixOptions) error {
	if err := o.run.capture.check(); err != nil {
		return err
	}
	table, err := a.table()
	if err != nil {
		return err
	}
	hosts, _, err := splitSelection(o.run.select_).resolve(table)
	if err != nil {
		return err
	}
	began := time.Now()
	capture, err := a.obtain(ctx, &o.run, hosts)
	if err != nil {
		return err
	}
	names, err := toolNames(capture, o.tools)
	if err != nil {
		return err
	}
	set, err := shapes()
	if err != nil {
		return err
	}
	budget := o.run.witness
	if budget == 0 {
		budget = -1
	}
	var plans []rewrite.Plan
	var cut error
	left := 0
	within, cancel := evaluating(ctx, began, o.run.capture.timeouts.Total)
	defer cancel()
	for _, name := range names {
		if cut = cutShort(ctx, within, o.run.capture.timeouts.Total); cut != nil {
			break
		}
		plan := rewrite.Fix(capture, name, rewrite.Options{Hosts: hosts, Shapes: set, Budget: budget, Seed: o.seed, Runs: o.runs, LastResort: o.lastResort})
		if plan.Idle() {
			continue
		}
		plans = append(plans, plan)
		if !plan.Complete {
			left++
		}
	}
	if len(plans) == 0 && cut != nil {
		return cut
	}
	if len(plans) == 0 && o.format == "text" {
		fmt.Fprintf(a.stdout, "No tool breaks in %s.\n", hostList(hosts))
		return nil
	}
	if err := fixFormats[o.format](a.stdout, plans); err != nil {
		return err
	}
	if left > 0 && cut == nil {
		return &exitError{code: exitFindings}
	}
	return cut
}

// budgeted refuses a budget that nobody can have meant.
func budgeted(budget int) error {
	if budget < 0 {
		return usage("--witness-budget %d: is less than nothing; write 0 for no instances beside the real results", budget)
	}
	return nil
}

// toolNames lists the tools of a capture, each once, or those that were asked for.
func toolNames(c *recording.Capture, asked []string) ([]string, error) {
	var all []string
	for _, s := range c.Sessions {
		for _, t := range s.Tools {
			if t.Name != "" && !slices.Contains(all, t.Name) {
				all = append(all, t.Name)
			}
		}
	}
	for _, name := range asked {
		if slices.Contains(all, name) {
			continue
		}
		hint := ""
		if near := capabilities.Nearest(name, all); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		return nil, usage("--tool %s: the server has no such tool%s", name, hint)
	}
	if len(asked) > 0 {
		return asked, nil
	}
	return all, nil
}

func hostList(hosts []*capabilities.Resolved) string {
	if len(hosts) > 3 {
		return fmt.Sprintf("any of %d hosts", len(hosts))
	}
	var out []string
	for _, h := range hosts {
		out = append(out, h.ID)
	}
	return strings.Join(out, ", ")
}

func (a *app) listRewrites() error {
	for _, r := range rewrite.Rewrites() {
		fmt.Fprintf(a.stdout, "%-28s %s\n", r.Name, r.Title)
	}
	return nil
}
