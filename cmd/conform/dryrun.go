package main

import (
	"fmt"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/wire"
)

// dryRun says what a run would send, without connecting to anything; configured are
// the servers of a configuration.
func (a *app) dryRun(o *runOptions, columns []*capabilities.Resolved, configured []wire.Target) error {
	if o.target.count() == 0 {
		return &exitError{exitUsage, errNoTarget}
	}
	if len(o.target.replay) > 0 {
		fmt.Fprintln(a.stdout, "nothing would be sent: --replay evaluates files")
		return nil
	}
	targets := configured
	if len(targets) < 2 {
		target, err := o.target.wire()
		if err != nil {
			return err
		}
		targets = []wire.Target{target}
	}
	plan, err := o.capture.samples.plan(a.warn)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "hosts: %d\n", len(columns))
	transports := map[string]bool{}
	for _, target := range targets {
		transport, err := a.drySessions(o, columns, target)
		if err != nil {
			return err
		}
		transports[transport] = true
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
	for _, p := range wire.ProbeKinds() {
		if p.Where == "both" || transports[p.Where] {
			fmt.Fprintf(a.stdout, "  %-18s %-7s %s\n", p.Name, p.Eras, p.About)
		}
	}
	return nil
}

// drySessions says which sessions a run would open with one server, and returns its
// transport in the words of [wire.ProbeKinds].
func (a *app) drySessions(o *runOptions, columns []*capabilities.Resolved, target wire.Target) (transport string, err error) {
	shakes, err := handshakes(columns, o.protocol, target)
	if err != nil {
		return "", err
	}
	name := ""
	if target.Name != "" {
		name = wire.Printable([]byte(target.Name), 80) + ": "
	}
	fmt.Fprintf(a.stdout, "\ntarget: %s%s\nsessions, each with all pages of tools/list:\n", name, target)
	for _, h := range shakes {
		text := string(h.Mode) + " " + h.Version
		if h.Legacy != "" && h.Mode == wire.Auto {
			text += ", then initialize " + h.Legacy
		}
		fmt.Fprintf(a.stdout, "  %s\n", text)
	}
	if target.URL != "" {
		return "http", nil
	}
	return "stdio", nil
}
