package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

func (a *app) hostsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:  "hosts",
		Args: cobra.ArbitraryArgs,
	}
	helpFor(cmd, "hosts")
	list := a.hostsListCommand()
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return group(cmd, args)
		}
		return list.RunE(cmd, args)
	}
	cmd.Flags().AddFlagSet(list.Flags())
	cmd.AddCommand(list, a.hostsShowCommand(), a.hostsCompareCommand())
	return cmd
}

// hostLine is one row of `conform hosts`.
type hostLine struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Kind     string   `json:"kind"`
	Surface  string   `json:"surface,omitempty"`
	Version  string   `json:"version,omitempty"` // newest known
	Modes    []string `json:"modes,omitempty"`
	Layers   []string `json:"layers,omitempty"`
	Modelled []string `json:"modelled"`
	LastSeen string   `json:"last_seen,omitempty"`
}

func (a *app) hostsListCommand() *cobra.Command {
	var format string
	var sets []string
	cmd := &cobra.Command{
		Use:  "list",
		Args: noArgs("`conform hosts show ID` shows one host"),
		RunE: func(*cobra.Command, []string) error {
			table, err := a.table()
			if err != nil {
				return err
			}
			if len(sets) == 0 {
				sets = []string{"all"}
			}
			columns, _, err := selection{sets: splitList(sets)}.resolve(table)
			if err != nil {
				return err
			}
			lines := []hostLine{}
			for _, c := range columns {
				h := c.Host
				lines = append(lines, hostLine{h.ID, h.Name, h.Kind, h.Surface, c.Version, h.ModeIDs(), h.Layers, append([]string{}, c.Modelled()...), h.LastSeen()})
			}
			switch format {
			case "json":
				return a.printJSON(lines)
			case "text":
				return a.printHosts(lines)
			}
			return unknownFormat(format)
		},
	}
	helpFor(cmd, "hosts-list")
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	cmd.Flags().StringSliceVar(&sets, "host-set", nil, "only this set of hosts; repeatable")
	a.completeHosts(cmd)
	return cmd
}

func (a *app) printHosts(lines []hostLine) error {
	w := tabwriter.NewWriter(a.stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tKIND\tNEWEST\tSTAGES\tLAST SEEN\tSTANDS ON")
	for _, l := range lines {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d/6\t%s\t%s\n", l.ID, l.Kind, orDash(l.Version), len(l.Modelled), orDash(l.LastSeen), orDash(strings.Join(l.Layers, ", ")))
		for _, m := range l.Modes {
			fmt.Fprintf(w, "  %s:%s\t\t\t\t\t\n", l.ID, m)
		}
	}
	return w.Flush()
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}
