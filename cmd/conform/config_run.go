package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

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
func (a *app) runServers(ctx context.Context, began time.Time, o *runOptions, targets []wire.Target, outs []output, table *capabilities.Table, columns []*capabilities.Resolved, specRow bool) error {
	if o.capture.samples.file != "" {
		return usage("--samples names the tools of one server; take one of the %d with --server", len(targets))
	}
	part, err := shardOf(o.shard)
	if err != nil {
		return err
	}
	o.capture.samples.part = part
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
	captures := make([]*recording.Capture, len(all))
	for i, s := range all {
		captures[i] = s.capture
	}
	a.warnAllowed(o, captures...)
	var names, lookedAt []string
	var each, judged []*verdict.Report
	within, cancel := evaluating(ctx, began, o.capture.timeouts.Total)
	defer cancel()
	line, above := a.status(), *a
	above.stderr = line
	defer line.done()
	for i, s := range all {
		line.set("evaluating server %s in %s, %d of %d", wire.Printable([]byte(s.target.Name), 40), counted(len(columns), "host"), i+1, len(all))
		if s.capture == nil { // a mistake in the flags, the same for all
			return s.err
		}
		report, err := evaluate(within, o, table, columns, s.capture)
		if err != nil {
			return err
		}
		if o.shard != "" {
			report = reports.Cut(report, part.index, part.of)
		}
		if s.err != nil {
			above.warn("server %s: %v", s.target.Name, s.err)
		} else {
			lookedAt, judged = append(lookedAt, s.target.Name), append(judged, report)
		}
		names, each = append(names, s.target.Name), append(each, report)
	}
	report := reports.Combine(o.target.config.name(), names, each)
	cut := cutShort(ctx, within, o.capture.timeouts.Total)
	line.done()
	if err := a.write(outs, report, reports.Options{Verbose: a.verbose, Quiet: a.quiet, Manifest: o.manifest, FailOn: o.policy.verdict()}); err != nil {
		return err
	}
	if cut != nil {
		return cut
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
	line := a.status()
	defer line.done()
	together := &together{line: line, of: len(targets)}
	var all sync.WaitGroup
	for i, target := range targets {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			one, own := *a, *o
			name := wire.Printable([]byte(target.Name), 40)
			one.stderr = &prefixed{together: together, name: name}
			defer together.end()
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

// together is the status line of several servers.
type together struct {
	line *status
	of   int

	mu   sync.Mutex
	done int
}

func (t *together) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done++
	t.line.set("%d of %d servers done", t.done, t.of)
}

func (t *together) show(name, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.line.set("%d of %d servers done; %s: %s", t.done, t.of, name, text)
}

// prefixed writes whole lines of one server, each with the server's name before it.
type prefixed struct {
	*together
	name string
}

func (p *prefixed) show(text string) { p.together.show(p.name, text) }

func (p *prefixed) Write(b []byte) (int, error) {
	var out bytes.Buffer
	for line := range bytes.Lines(b) {
		fmt.Fprintf(&out, "[%s] %s", p.name, line)
	}
	if _, err := p.line.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(b), nil
}
