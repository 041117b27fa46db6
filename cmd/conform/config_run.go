package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/reports"
	"github.com/hostmatrix/conform/wire"
)

// serversAtOnce bounds how many servers of a configuration run at the same time.
const serversAtOnce = 8

// served is what became of one server of a configuration.
type served struct {
	target  wire.Target
	capture *recording.Capture
	err     error
}

// runServers captures all servers of a configuration in parallel and writes one
// report about them. A server that cannot be reached takes nothing from the
// others: it stands in the report, and the exit code tells.
func (a *app) runServers(ctx context.Context, o *runOptions, targets []wire.Target, outs []output, table *capabilities.Table, columns []*capabilities.Resolved, specRow bool) error {
	switch {
	case o.shard != "":
		return usage("--shard cuts the tools of one server; take one of the %d with --server", len(targets))
	case o.capture.samples.file != "":
		return usage("--samples names the tools of one server; take one of the %d with --server", len(targets))
	}
	all := a.captureAll(ctx, o, targets, columns)
	if specRow {
		var revisions []string
		for _, s := range all {
			if s.capture != nil {
				revisions = append(revisions, negotiated(s.capture, o.protocol)...)
			}
		}
		columns = append(columns, specRows(table, revisionsOf(revisions))...)
	}
	if len(columns) == 0 {
		return usage("no host is left to evaluate; `conform hosts` lists them")
	}
	var names, lookedAt []string
	var each, judged []*verdict.Report
	for _, s := range all {
		if s.capture == nil { // a mistake in the flags, the same for all
			return s.err
		}
		report, err := interruptible(ctx, func() (*verdict.Report, error) { return evaluate(o, table, columns, s.capture) })
		if err != nil {
			return err
		}
		if s.err != nil {
			a.warn("server %s: %v", s.target.Name, s.err)
		} else {
			lookedAt, judged = append(lookedAt, s.target.Name), append(judged, report)
		}
		names, each = append(names, s.target.Name), append(each, report)
	}
	report := reports.Combine(o.target.config.name(), names, each)
	if err := a.write(outs, report, reports.Options{Verbose: a.verbose, Quiet: a.quiet, Manifest: o.manifest, FailOn: o.policy.verdict()}); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return &exitError{exitInterrupted, fmt.Errorf("interrupted; what was established until then is reported")}
	}
	var result error
	if len(judged) > 0 {
		result = a.judgeServers(o, reports.Combine(o.target.config.name(), lookedAt, judged))
	}
	if codeOf(result) == exitFindings || codeOf(result) == exitStale {
		return result // certain, whatever became of the other servers
	}
	return failedServers(all, result)
}

// judgeServers judges the servers that could be looked at: that another one does
// not start is no finding about a host.
func (a *app) judgeServers(o *runOptions, r *verdict.Report) error {
	if o.baseline != "" {
		return a.judgeBaseline(r, o)
	}
	return o.policy.judge(r)
}

// failedServers is the error of a run in which servers could not be looked at;
// other is what there is to say else.
func failedServers(all []served, other error) error {
	failed := 0
	var first *served
	for i := range all {
		if all[i].err != nil {
			failed++
			if first == nil {
				first = &all[i]
			}
		}
	}
	if first == nil {
		return other
	}
	return &exitError{codeOf(first.err), fmt.Errorf("%d of %d servers could not be looked at; the first is %s: %w", failed, len(all), first.target.Name, first.err)}
}

// captureAll captures the servers, a bounded number at once; the results stand in
// the order of the targets.
func (a *app) captureAll(ctx context.Context, o *runOptions, targets []wire.Target, columns []*capabilities.Resolved) []served {
	out := make([]served, len(targets))
	slots := make(chan struct{}, serversAtOnce)
	lock := &sync.Mutex{}
	var all sync.WaitGroup
	for i, target := range targets {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			one, own := *a, *o
			one.stderr = &prefixed{to: a.stderr, lock: lock, prefix: "[" + wire.Printable([]byte(target.Name), 40) + "] "}
			own.target.live, own.target.name = &target, target.Name
			own.capture.samples.name = target.Name
			capture, err := one.obtain(ctx, &own, columns)
			var failure *wire.Error
			if capture == nil && errors.As(err, &failure) { // refused before anything was sent
				capture = &recording.Capture{Target: recording.Target{Name: target.Name}}
			}
			out[i] = served{target, capture, err}
		})
	}
	all.Wait()
	return out
}

// prefixed writes whole lines, each with the server's name before it.
type prefixed struct {
	to     io.Writer
	lock   *sync.Mutex // of to
	prefix string
}

func (p *prefixed) Write(b []byte) (int, error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	for line := range bytes.Lines(b) {
		if _, err := fmt.Fprintf(p.to, "%s%s", p.prefix, line); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}
