package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/lab"
	"github.com/hostmatrix/conform/lab/adapters"
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
	probes  string
}

func (o *labOptions) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.cache, "cache", "", "folder of installations and runs (default: conform/lab in the user's cache)")
	cmd.Flags().DurationVar(&o.limit, "limit", 0, "time that one start of a host may take (default: by host, 5m at least)")
	cmd.Flags().IntVar(&o.memory, "memory", lab.DefaultMemory>>20, "MiB of resident memory that a host and all it starts may take; 0: no limit")
	cmd.Flags().BoolVar(&o.open, "no-isolation", false, "run hosts without namespaces: they can reach the network and your files")
	cmd.Flags().StringVar(&o.probes, "catalogue", "", "file with probes of your own (conform-probes/1) in place of the lab's")
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
	probes := o.probes
	if probes != "" {
		if probes, err = filepath.Abs(probes); err != nil {
			return lab.Lab{}, err
		}
	}
	catalogue, err := probe.Open(probes)
	if err != nil {
		return lab.Lab{}, usage("%w", err)
	}
	if _, err := probeServers(catalogue, o.servers); err != nil {
		return lab.Lab{}, err
	}
	return lab.Lab{Cache: cache, Self: self, Inner: []string{"lab", "inner"}, Limit: o.limit, Memory: int64(o.memory) << 20, Open: o.open,
		Servers: o.servers, Probes: probes, Progress: func(line string) { a.warn("%s", line) }}, nil
}

func (a *app) labListCommand() *cobra.Command {
	var options labOptions
	var probes bool
	cmd := &cobra.Command{
		Use:  "list",
		Args: noArgs("--probes lists the probe servers"),
		RunE: func(*cobra.Command, []string) error {
			if probes {
				return a.listProbes(options.probes)
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

func (a *app) listProbes(catalogue string) error {
	c, err := probe.Open(catalogue)
	if err != nil {
		return usage("%w", err)
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
				in, err := l.Install(cmd.Context(), adapter, version)
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
