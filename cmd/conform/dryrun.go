package main

import (
	"fmt"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/wire"
)

// dryRun says what a run would send, without connecting to anything.
func (a *app) dryRun(o *runOptions, columns []*capabilities.Resolved) error {
	if o.target.count() == 0 {
		return &exitError{exitUsage, errNoTarget}
	}
	if len(o.target.replay) > 0 {
		fmt.Fprintln(a.stdout, "nothing would be sent: --replay evaluates files")
		return nil
	}
	target, err := o.target.wire()
	if err != nil {
		return err
	}
	shakes, err := handshakes(columns, o.protocol, target)
	if err != nil {
		return err
	}
	plan, err := o.capture.samples.plan(a.warn)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "target: %s\nhosts: %d\n\nsessions, each with all pages of tools/list:\n", target, len(columns))
	for _, h := range shakes {
		text := string(h.Mode) + " " + h.Version
		if h.Legacy != "" && h.Mode == wire.Auto {
			text += ", then initialize " + h.Legacy
		}
		fmt.Fprintf(a.stdout, "  %s\n", text)
	}
	fmt.Fprintf(a.stdout, "\ncalls in each session:\n  tools with readOnlyHint: true whose arguments follow from their schema\n")
	if len(plan.options.AllowCalls) > 0 {
		fmt.Fprintf(a.stdout, "  tools that match %v and are not marked destructiveHint: true\n", plan.options.AllowCalls)
	}
	if plan.file != nil {
		for _, s := range plan.file.Samples {
			fmt.Fprintf(a.stdout, "  %s with %s, as the samples file says\n", wire.Printable([]byte(s.Tool), 80), wire.Printable([]byte(s.Arguments.Compact()), 200))
		}
	}
	if o.protocol != "all" {
		fmt.Fprintln(a.stdout, "\nprobes: none; --protocol all sends them")
		return nil
	}
	fmt.Fprintln(a.stdout, "\nprobes, on connections of their own:")
	transport := "stdio"
	if target.URL != "" {
		transport = "http"
	}
	for _, p := range wire.ProbeKinds() {
		if p.Where == "both" || p.Where == transport {
			fmt.Fprintf(a.stdout, "  %-18s %-7s %s\n", p.Name, p.Eras, p.About)
		}
	}
	return nil
}
