package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/wire"
)

// captureOptions are the limits and permissions of talking to a server.
type captureOptions struct {
	timeouts    wire.Timeouts
	limits      wire.Limits
	concurrency int
	parallel    bool
	samples     samplesOptions
	login       loginOptions
}

func (c *captureOptions) flags(cmd *cobra.Command) {
	c.connecting(cmd)
	f := cmd.Flags()
	f.DurationVar(&c.timeouts.Call, "call-timeout", 0, "wait for the result of each tool call (default that of --timeout)")
	f.IntVar(&c.concurrency, "concurrency", runtime.NumCPU(), "calls in flight at once")
	f.BoolVar(&c.parallel, "parallel", false, "make all handshakes at the same time with a stdio server too, each on a process of its own")
	c.samples.flags(cmd)
}

// connecting adds the flags of commands that list tools and call none.
func (c *captureOptions) connecting(cmd *cobra.Command) {
	c.concurrency, c.samples.perTool = 1, 1
	f := cmd.Flags()
	waits, limits := wire.DefaultTimeouts(), wire.DefaultLimits()
	f.DurationVar(&c.timeouts.Request, "timeout", waits.Request, "wait for each answer")
	f.DurationVar(&c.timeouts.Start, "start-timeout", waits.Start, "wait for the server to start and answer the handshake")
	f.DurationVar(&c.timeouts.Probe, "probe-timeout", waits.Probe, "wait for server/discover before initialize is sent too")
	f.DurationVar(&c.timeouts.Total, "total-timeout", waits.Total, "limit of the whole run; what was established by then is reported")
	f.IntVar(&c.limits.MessageBytes, "max-message", limits.MessageBytes, "limit of one message, in bytes")
	f.Int64Var(&c.limits.TotalBytes, "max-bytes", limits.TotalBytes, "limit of all messages together, in bytes")
	f.IntVar(&c.limits.Pages, "max-pages", limits.Pages, "limit of tools/list pages per session")
	f.IntVar(&c.limits.Tools, "max-tools", limits.Tools, "limit of tools per session")
	f.IntVar(&c.limits.Depth, "max-depth", limits.Depth, "limit of the nesting of a message")
	c.login.flags(cmd)
}

// check refuses limits that would let nothing through.
func (c *captureOptions) check() error {
	for _, limit := range []struct {
		flag  string
		value int64
	}{
		{"timeout", int64(c.timeouts.Request)}, {"start-timeout", int64(c.timeouts.Start)}, {"probe-timeout", int64(c.timeouts.Probe)},
		{"total-timeout", int64(c.timeouts.Total)}, {"max-message", int64(c.limits.MessageBytes)}, {"max-bytes", c.limits.TotalBytes},
		{"max-pages", int64(c.limits.Pages)}, {"max-tools", int64(c.limits.Tools)}, {"max-depth", int64(c.limits.Depth)},
		{"concurrency", int64(c.concurrency)}, {"samples-per-tool", int64(c.samples.perTool)},
	} {
		if limit.value <= 0 {
			return usage("--%s must be greater than 0", limit.flag)
		}
	}
	if c.timeouts.Call < 0 {
		return usage("--call-timeout must not be negative")
	}
	return nil
}

// obtain gets the capture that the flags ask for: replayed, or from a live server.
func (a *app) obtain(ctx context.Context, o *runOptions, columns []*capabilities.Resolved) (*recording.Capture, error) {
	if o.demo {
		if o.target.count() > 0 {
			return nil, usage("--demo brings its own server; leave out the other target")
		}
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("finding our own program to start the fixture: %w", err)
		}
		o.target.command, o.target.name = []string{self, "fixture", "--set", "demo"}, "demo"
	}
	switch n := o.target.count(); {
	case n == 0:
		return nil, &exitError{exitUsage, errNoTarget}
	case n > 1:
		return nil, usage("more than one target: give a server command, or --url, or --config, or --replay")
	}
	if len(o.target.replay) > 0 {
		capture, err := replay(o.target.replay)
		return capture, err
	}
	target, options, closing, err := a.live(o)
	if err != nil {
		return nil, err
	}
	defer closing()
	if options.Handshakes, err = handshakes(columns, o.protocol, target); err != nil {
		return nil, err
	}
	plan, err := o.capture.samples.plan(a.warn)
	if err != nil {
		return nil, err
	}
	plan.inTurn = target.URL == "" && !options.Parallel
	options.Calls = plan.calls
	options.Lists = o.protocol == "all"
	watch := a.watch(len(options.Handshakes), target)
	defer watch.done()
	options.Progress, options.Trace = watch.event, watch.trace
	capture, err := wire.Capture(ctx, target, options)
	if err != nil || o.protocol != "all" {
		return capture, err
	}
	second, err := o.target.second(target)
	if err != nil {
		return nil, err
	}
	variants, err := o.target.variantsOf(target)
	if err != nil {
		return nil, err
	}
	err = wire.Probe(ctx, target, wire.ProbeOptions{Options: options, Second: second, Variants: variants}, capture)
	if errors.Is(err, context.DeadlineExceeded) {
		a.warn("--total-timeout ended the probes early; some promises could not be checked")
		err = nil
	}
	return capture, err
}

// live returns the target with the limits and the login that the flags ask for;
// the caller calls closing at the end.
func (a *app) live(o *runOptions) (target wire.Target, options wire.Options, closing func(), err error) {
	if err = o.capture.check(); err != nil {
		return target, options, nil, err
	}
	if target, err = o.target.wire(); err != nil {
		return target, options, nil, err
	}
	options = wire.Options{Concurrency: o.capture.concurrency, Parallel: o.capture.parallel, Timeouts: o.capture.timeouts, Limits: o.capture.limits, ClientVersion: version()}
	login, err := o.capture.login.authorizer(target, a.stderr)
	if err != nil || login == nil {
		return target, options, func() {}, err
	}
	options.Authorizer = login
	return target, options, func() { login.Close() }, nil
}

// handshakes are the distinct first handshakes of the columns, each once; with a
// pinned protocol that one, with "all" every revision as well.
func handshakes(columns []*capabilities.Resolved, protocol string, target wire.Target) ([]wire.Handshake, error) {
	transport := wire.Stdio
	if target.URL != "" {
		transport = wire.StreamableHTTP
	}
	var out []wire.Handshake
	add := func(h wire.Handshake) { out = wire.Distinct(append(out, h)) }
	switch {
	case protocol == "" || protocol == "all":
		for _, c := range columns {
			if h, ok := firstHandshake(c, transport); ok {
				add(h)
			}
		}
		if len(out) == 0 {
			add(wire.Handshake{Mode: wire.Initialize, Version: wire.LatestLegacy})
		}
		if protocol == "all" {
			for _, v := range revisions {
				add(pinned(v))
			}
		}
		// Last, when it is known from newer ones what may be called. With all revisions
		// the modern one comes first: its lists are held to not depend on what was called.
		late := map[string]int{unannotated: 1}
		if protocol == "all" {
			late[wire.LatestModern] = -1
		}
		slices.SortStableFunc(out, func(a, b wire.Handshake) int { return late[a.Version] - late[b.Version] })
	case protocol == legacyRevisions:
		for _, v := range slices.Backward(revisions) {
			if recording.EraOf(v) != recording.Modern {
				add(pinned(v))
			}
		}
	case slices.Contains(revisions, protocol):
		add(pinned(protocol))
	default:
		hint := ""
		if near := capabilities.Nearest(protocol, append(revisions, "all")); near != "" {
			hint = fmt.Sprintf("did you mean %s? ", near)
		}
		return nil, usage("--protocol %s: %sthere are %v and all", protocol, hint, revisions)
	}
	return out, nil
}

// revisions of the protocol, oldest first.
var revisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// legacyRevisions stands for every revision with initialize, newest first.
const legacyRevisions = "legacy"

func pinned(revision string) wire.Handshake {
	if recording.EraOf(revision) == recording.Modern {
		return wire.Handshake{Mode: wire.Discover, Version: revision}
	}
	return wire.Handshake{Mode: wire.Initialize, Version: revision}
}

// firstHandshake is what the column's host would send first over a transport: a
// probe that may fall back, or a pinned revision.
func firstHandshake(c *capabilities.Resolved, transport string) (wire.Handshake, bool) {
	claim, _ := capabilities.Get[capabilities.Handshake](c, "connect.handshake")
	if claim == nil {
		return wire.Handshake{}, false
	}
	first, fallback, ok := claim.First(transport)
	return wire.Opening(first.Method, first.Version, fallback), ok
}

// replay reads recordings, case files and logs; several are one capture of one
// server.
func replay(files []string) (*recording.Capture, error) {
	opened, err := recording.Open(recording.Limits{}, files...)
	if err != nil {
		hint := ""
		if errors.Is(err, fs.ErrNotExist) {
			hint = nearFile(files[0])
		}
		return nil, usage("--replay: %w%s", err, hint)
	}
	captures := make([]*recording.Capture, len(opened))
	for i, o := range opened {
		captures[i] = o.Capture
	}
	capture := recording.Merge(captures...)
	if !saidAnything(capture) {
		return nil, &exitError{exitIncomplete, fmt.Errorf("--replay %s: holds no handshake, list or call, so nothing is known about a server; a proxy records only while a host uses it", strings.Join(files, ", "))}
	}
	return capture, nil
}

// asOf is the time that a report states: now, or for a recording the time at which it
// was made, or that of the newest evidence in the table if that is later. So the same
// recording and the same table give the same report on any day.
func asOf(capture *recording.Capture, table *capabilities.Table) time.Time {
	recorded, err := time.Parse(time.RFC3339, capture.Recorded)
	if err != nil {
		return time.Now()
	}
	for _, h := range table.Hosts() {
		if seen, err := time.Parse(time.DateOnly, h.LastSeen()); err == nil && seen.After(recorded) {
			recorded = seen
		}
	}
	return recorded
}

// saidAnything reports whether a session of the capture came as far as a handshake,
// even one that failed.
func saidAnything(c *recording.Capture) bool {
	for _, s := range c.Sessions {
		if s.Init != nil || s.InitError != nil || len(s.Pages) > 0 || len(s.Calls) > 0 {
			return true
		}
	}
	return len(c.Probes) > 0
}
