package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
			differs, failed := false, 0
			for _, spec := range args {
				d, err := a.labRun(cmd.Context(), l, spec, out)
				differs = differs || d
				switch {
				case err == nil:
				case !all || cmd.Context().Err() != nil:
					return err
				default:
					failed++
					a.warn("%s: %v", spec, err)
				}
			}
			return labExit(differs, failed)
		},
	}
	helpFor(cmd, "lab-run")
	options.bind(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "every version that the lab knows of the hosts that are named, or of all; one that fails is told and left out")
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

// labRun observes one version, all its modes unless one is named, writes the file
// and prints what differs from the table.
func (a *app) labRun(ctx context.Context, l lab.Lab, spec, out string) (differs bool, err error) {
	adapter, version, modes, err := adapters.Chosen(spec)
	if err != nil {
		return false, usage("%w", err)
	}
	catalogue, err := probe.Open(l.Probes)
	if err != nil {
		return false, usage("%w", err)
	}
	batches, err := l.Observe(ctx, adapter, version, modes...)
	if err != nil {
		return false, labError(err)
	}
	for _, b := range batches {
		a.warn("%s-%s-%s: ended by %s with %d after %.0f s, %d tools offered, %d calls answered, %d unanswered", adapter.ID, version, b.Run.Mode.Name, b.Outcome.Ended,
			b.Outcome.Exit, b.Outcome.Seconds, len(b.Run.Record.Tools), len(b.Run.Record.Answers), len(b.Run.Record.Unanswered))
	}
	if len(batches) == 0 {
		return false, usage("%s: no mode of it asks these probe servers", spec)
	}
	file := lab.Collect(adapter.ID, version, time.Now().UTC().Format(time.DateOnly), adapter.Without, catalogue, batches)
	file.Part = partOf(spec, l.Probes)
	if err := os.MkdirAll(out, 0o755); err != nil {
		return false, err
	}
	path, err := file.Save(out)
	if err != nil {
		return false, err
	}
	fmt.Fprintln(a.stdout, path)
	return a.compare(path)
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
