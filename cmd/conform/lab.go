package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/lab"
	"github.com/hostmatrix/conform/lab/adapters"
	"github.com/hostmatrix/conform/lab/isolate"
	"github.com/hostmatrix/conform/lab/probe"
)

// observationsDir is where observation files lie in a checkout of the project.
const observationsDir = "capabilities/observations"

func (a *app) labCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "lab", Args: cobra.ArbitraryArgs, RunE: group}
	helpFor(cmd, "lab")
	cmd.AddCommand(a.labListCommand(), a.labInstallCommand(), a.labRunCommand(), a.labShowCommand(), a.labDiffCommand(), a.labProposeCommand(), a.labServeCommand(), labInnerCommand(), a.labProbeServerCommand())
	return cmd
}

// labOptions are flags that several lab commands share.
type labOptions struct {
	cache   string
	limit   time.Duration
	memory  int
	open    bool
	servers []string
}

func (o *labOptions) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.cache, "cache", "", "folder of installations and runs (default: conform/lab in the user's cache)")
	cmd.Flags().DurationVar(&o.limit, "limit", 0, "time that one start of a host may take (default: by host, 5m at least)")
	cmd.Flags().IntVar(&o.memory, "memory", lab.DefaultMemory>>20, "MiB of resident memory that a host and all it starts may take; 0: no limit")
	cmd.Flags().BoolVar(&o.open, "no-isolation", false, "run hosts without namespaces: they can reach the network and your files")
	cmd.Flags().StringSliceVar(&o.servers, "servers", nil, "only these probe servers (see conform lab list --probes)")
}

func (a *app) lab(o labOptions) (lab.Lab, error) {
	self, err := os.Executable()
	if err != nil {
		return lab.Lab{}, fmt.Errorf("finding this program: %w", err)
	}
	cache := o.cache
	if cache == "" {
		if cache, err = lab.DefaultCache(); err != nil {
			return lab.Lab{}, err
		}
	}
	if cache, err = filepath.Abs(cache); err != nil {
		return lab.Lab{}, err
	}
	if _, err := probeServers(o.servers); err != nil {
		return lab.Lab{}, err
	}
	return lab.Lab{Cache: cache, Self: self, Inner: []string{"lab", "inner"}, Limit: o.limit, Memory: int64(o.memory) << 20, Open: o.open,
		Servers: o.servers, Progress: func(line string) { a.warn("%s", line) }}, nil
}

func (a *app) labListCommand() *cobra.Command {
	var options labOptions
	var probes bool
	cmd := &cobra.Command{
		Use:  "list",
		Args: noArgs("--probes lists the probe servers"),
		RunE: func(*cobra.Command, []string) error {
			if probes {
				return a.listProbes()
			}
			l, err := a.lab(options)
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(a.stdout, 0, 8, 2, ' ', 0)
			fmt.Fprintln(w, "HOST\tVERSION\tINSTALLED\tMODES")
			for _, adapter := range adapters.All() {
				for _, version := range adapter.Versions {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", adapter.ID, version, installedWord(adapter, l.Cache, version), strings.Join(ownModes(adapter), " "))
				}
			}
			if err := w.Flush(); err != nil {
				return err
			}
			fmt.Fprintln(a.stdout, "\nModes that hosts have besides:")
			for _, mode := range adapters.Besides() {
				fmt.Fprintf(a.stdout, "  %-18s %s\n", mode.Name, mode.About)
			}
			return nil
		},
	}
	helpFor(cmd, "lab-list")
	options.bind(cmd)
	cmd.Flags().BoolVar(&probes, "probes", false, "list the probe servers, their probes and the claims that each decides")
	return cmd
}

// ownModes names the modes that are not those of every host.
func ownModes(a adapters.Adapter) []string {
	var out []string
	for _, mode := range a.Modes {
		if mode.About == "" {
			out = append(out, mode.Name)
		}
	}
	return out
}

func installedWord(a adapters.Adapter, cache, version string) string {
	switch {
	case a.Source.Program != "":
		return "by --program"
	case a.Ready(cache, version):
		return "yes"
	}
	return "no"
}

func (a *app) listProbes() error {
	c, err := probe.Builtin()
	if err != nil {
		return err
	}
	for _, s := range c.Servers {
		fmt.Fprintf(a.stdout, "%s: %s\n", s.Name, s.About)
		for _, p := range s.Probes {
			fmt.Fprintf(a.stdout, "  %-26s %v %s\n", p.ID, p.Claims, p.About)
		}
	}
	return nil
}

func (a *app) labInstallCommand() *cobra.Command {
	var options labOptions
	cmd := &cobra.Command{
		Use:  "install HOST[@VERSION]...",
		Args: atLeast(1, "hosts to install; conform lab list shows them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			l, err := a.lab(options)
			if err != nil {
				return err
			}
			for _, spec := range args {
				adapter, version, _, err := adapters.Find(spec)
				if err != nil {
					return usage("%w", err)
				}
				in, err := adapter.Install(cmd.Context(), l.Cache, version, l.Progress)
				if err != nil {
					return &exitError{exitIncomplete, err}
				}
				fmt.Fprintf(a.stdout, "%s@%s %s\n", adapter.ID, version, in.Dir)
			}
			return nil
		},
	}
	helpFor(cmd, "lab-install")
	options.bind(cmd)
	return cmd
}

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
	adapter, version, chosen, err := adapters.Find(spec)
	if err != nil {
		return false, usage("%w", err)
	}
	modes := adapter.Modes
	if adapters.NamesMode(spec) {
		modes = []adapters.Mode{chosen}
	}
	var batches []lab.Batch
	for _, mode := range modes {
		got, err := l.Observe(ctx, adapter, version, mode)
		if err != nil {
			return false, labError(err)
		}
		batches = append(batches, got...)
	}
	for _, b := range batches {
		a.warn("%s-%s-%s: ended by %s with %d after %.0f s, %d tools offered, %d calls answered, %d unanswered", adapter.ID, version, b.Run.Mode.Name, b.Outcome.Ended,
			b.Outcome.Exit, b.Outcome.Seconds, len(b.Run.Record.Tools), len(b.Run.Record.Answers), len(b.Run.Record.Unanswered))
	}
	file, err := lab.Collect(adapter.ID, version, time.Now().UTC().Format(time.DateOnly), adapter.Without, batches)
	if err != nil {
		return false, err
	}
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

// labInnerCommand is the process inside the room; `lab run` starts it.
func labInnerCommand() *cobra.Command {
	return &cobra.Command{Use: "inner JOB", Hidden: true, Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
		return lab.Inner(cmd.Context(), args[0], func(j lab.Job) (adapters.Adapter, error) {
			adapter, _, _, err := adapters.Find(j.Host)
			return adapter, err
		})
	}}
}

// labProbeServerCommand is a probe server over stdio; hosts start it.
func (a *app) labProbeServerCommand() *cobra.Command {
	var name, era, path string
	cmd := &cobra.Command{Use: "probe-server", Hidden: true, Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error {
		c, err := probe.Builtin()
		if err != nil {
			return err
		}
		server, ok := c.Server(name)
		if !ok {
			return usage("--server %s: no such probe server", name)
		}
		log, err := probe.OpenLog(path)
		if err != nil {
			return err
		}
		defer log.Close()
		return server.ServeStdio(probe.Era(cmp.Or(era, string(probe.Legacy))), a.stdin, a.stdout, log)
	}}
	cmd.Flags().StringVar(&name, "server", "", "probe server")
	cmd.Flags().StringVar(&era, "era", "", "legacy, modern or dual")
	cmd.Flags().StringVar(&path, "log", "", "file that gets a line per message")
	return cmd
}
