package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/lab"
	"github.com/hostmatrix/conform/lab/adapters"
	"github.com/hostmatrix/conform/lab/isolate"
	"github.com/hostmatrix/conform/lab/probe"
)

func (a *app) labRunCommand() *cobra.Command {
	var options labOptions
	var all bool
	var out, program string
	var jobs int
	cmd := &cobra.Command{
		Use:  "run HOST[:MODE][@VERSION]...",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !all && len(args) == 0 {
				return usage("name hosts to run, or give --all; conform lab list shows them")
			}
			if all {
				var err error
				if args, err = everyVersion(args); err != nil {
					return err
				}
			}
			l, err := a.lab(options)
			if err != nil {
				return err
			}
			if l.Program = program; program != "" && (all || len(args) != 1) {
				return usage("--program is the program of one host: name that, with its version")
			}
			if jobs < 1 {
				return usage("--jobs %d: how many hosts run at once, from 1", jobs)
			}
			differs, failed := false, 0
			err = eachHost(cmd.Context(), args, jobs, func(ctx context.Context, spec string) (string, error) {
				return a.labRun(ctx, l, spec, out)
			}, func(spec, path string, err error) error {
				if err == nil {
					var d bool
					fmt.Fprintln(a.stdout, path)
					d, err = a.compare(path)
					differs = differs || d
				}
				if err == nil || !all || cmd.Context().Err() != nil {
					return err
				}
				failed++
				a.warn("%s: %v", spec, err)
				return nil
			})
			if err != nil {
				return err
			}
			return labExit(differs, failed)
		},
	}
	helpFor(cmd, "lab-run")
	options.bind(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "every version that the lab knows of the hosts that are named, or of all; one that fails is told and left out")
	cmd.Flags().IntVar(&jobs, "jobs", 1, "how many hosts run at once")
	cmd.Flags().StringVar(&program, "program", "", "path of the host's program, for hosts that no registry has")
	cmd.Flags().StringVar(&out, "out", observationsDir, "folder for the observation files")
	return cmd
}

// everyVersion lists all versions of hosts, or of every host.
func everyVersion(hosts []string) ([]string, error) {
	var out []string
	for _, host := range hosts {
		adapter, _, _, err := adapters.Find(host)
		if err != nil {
			return nil, usage("%w", err)
		}
		if adapter.ID != host {
			return nil, usage("--all runs every version and mode: name %s without them", adapter.ID)
		}
	}
	for _, adapter := range adapters.All() {
		if len(hosts) > 0 && !slices.Contains(hosts, adapter.ID) || adapter.Source.Program != "" {
			continue // not asked for, or not to be had without --program
		}
		for _, version := range adapter.Versions {
			out = append(out, adapter.ID+"@"+version)
		}
	}
	return out, nil
}

func labExit(differs bool, failed int) error {
	switch {
	case failed > 0:
		return &exitError{exitIncomplete, fmt.Errorf("%d hosts could not be observed", failed)}
	case differs:
		return &exitError{code: exitFindings}
	}
	return nil
}

// eachHost observes hosts, at most jobs at once, and tells of each as it is done, one
// at a time. The first error of told ends the others and is returned.
func eachHost(ctx context.Context, specs []string, jobs int, observe func(context.Context, string) (string, error), told func(spec, path string, err error) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	var telling sync.Mutex
	places := make(chan struct{}, jobs)
	for _, spec := range specs {
		places <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		all.Go(func() {
			defer func() { <-places }()
			path, err := observe(ctx, spec)
			telling.Lock()
			defer telling.Unlock()
			if ctx.Err() != nil && err != nil {
				return // ended by another one
			}
			if err := told(spec, path, err); err != nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// labRun observes one version, all its modes unless one is named, and writes the
// file, whose path it returns.
func (a *app) labRun(ctx context.Context, l lab.Lab, spec, out string) (string, error) {
	adapter, version, modes, err := adapters.Chosen(spec)
	if err != nil {
		return "", usage("%w", err)
	}
	catalogue, err := probe.Open(l.Probes)
	if err != nil {
		return "", usage("%w", err)
	}
	batches, err := l.Observe(ctx, adapter, version, modes...)
	if err != nil {
		return "", labError(err)
	}
	for _, b := range batches {
		a.warn("%s-%s-%s: ended by %s with %d after %.0f s, %d tools offered, %d calls answered, %d unanswered", adapter.ID, version, b.Run.Mode.Name, b.Outcome.Ended,
			b.Outcome.Exit, b.Outcome.Seconds, len(b.Run.Record.Tools), len(b.Run.Record.Answers), len(b.Run.Record.Unanswered))
	}
	if len(batches) == 0 {
		return "", usage("%s: no mode of it asks these probe servers", spec)
	}
	file := lab.Collect(adapter.ID, version, time.Now().UTC().Format(time.DateOnly), adapter.Without, catalogue, batches)
	file.Part = partOf(spec, l.Probes)
	if err := os.MkdirAll(out, 0o755); err != nil {
		return "", err
	}
	return file.Save(out)
}

// partOf names the file of a run that is a part of what is known of a host: all modes
// that every host has besides, or the probes of a catalogue of one's own.
func partOf(spec, catalogue string) string {
	if catalogue != "" {
		name := filepath.Base(catalogue)
		return strings.TrimSuffix(name, filepath.Ext(name))
	}
	if name, _, _ := strings.Cut(spec, "@"); strings.HasSuffix(name, ":"+adapters.Apart) {
		return adapters.Apart
	}
	return ""
}

// labError gives the errors of the lab their exit codes.
func labError(err error) error {
	var none *isolate.UnavailableError
	if errors.As(err, &none) {
		return &exitError{exitUsage, err}
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	return &exitError{exitIncomplete, err}
}
