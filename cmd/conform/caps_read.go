package main

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/describe"
)

func (a *app) capsStatsCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:  "stats",
		Args: noArgs("it counts the built-in table, with --hosts-dir on top"),
		RunE: func(*cobra.Command, []string) error {
			table, err := a.table()
			if err != nil {
				return err
			}
			s := table.Stats()
			switch format {
			case "json":
				return a.printJSON(s)
			case "text":
				return a.printStats(s)
			}
			return unknownFormat(format)
		},
	}
	helpFor(cmd, "caps-stats")
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

func (a *app) printStats(s capabilities.Stats) error {
	fmt.Fprintf(a.stdout, "%d rows, %d claims\n\n", s.Hosts, s.Claims)
	share := func(n int) string { return fmt.Sprintf("%d %%", (100*n+s.Claims/2)/max(1, s.Claims)) }
	w := tabwriter.NewWriter(a.stdout, 0, 8, 2, ' ', 0)
	for _, b := range []string{"observed", "source", "documented", "reported", "inferred"} {
		fmt.Fprintf(w, "%s\t%d\t%s\n", b, s.ByBasis[capabilities.Basis(b)], share(s.ByBasis[capabilities.Basis(b)]))
	}
	fmt.Fprintln(w)
	for _, stage := range []string{"connect", "list", "offer", "call", "result", "view"} {
		fmt.Fprintf(w, "%s\t%d\t%s\n", stage, s.ByStage[stage], share(s.ByStage[stage]))
	}
	fmt.Fprintln(w, "\nROW\tCLAIMS\tOBSERVED\tSTAGES")
	for _, h := range s.ByHost {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d/6\n", h.ID, h.Claims, h.Observed, h.Modelled)
	}
	return w.Flush()
}

func (a *app) capsStaleCommand() *cobra.Command {
	var format, age string
	cmd := &cobra.Command{
		Use:  "stale",
		Args: noArgs("set the age with --older-than"),
		RunE: func(*cobra.Command, []string) error {
			days, err := daysOf(age)
			if err != nil {
				return err
			}
			table, err := a.table()
			if err != nil {
				return err
			}
			stale := table.Stale(time.Now().UTC(), days)
			switch format {
			case "json":
				if stale == nil {
					stale = []capabilities.Stale{}
				}
				return a.printJSON(stale)
			case "text":
				for _, s := range stale {
					seen := "never observed, its source never read"
					if s.Days >= 0 {
						seen = fmt.Sprintf("last seen %s, %d days ago", s.LastSeen, s.Days)
					}
					fmt.Fprintf(a.stdout, "%-24s %s\n", s.ID, seen)
				}
				fmt.Fprintf(a.stdout, "%d of %d rows were last looked at more than %d days ago, or never\n", len(stale), len(table.Hosts()), days)
				return nil
			}
			return unknownFormat(format)
		},
	}
	helpFor(cmd, "caps-stale")
	cmd.Flags().StringVar(&age, "older-than", "90d", "age in days, e.g. 90d")
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

func daysOf(age string) (int, error) {
	days, err := strconv.Atoi(strings.TrimSuffix(age, "d"))
	if err != nil || days < 0 {
		return 0, usage("--older-than %s: needs a number of days, e.g. 90d", age)
	}
	return days, nil
}

func (a *app) capsDiffCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:  "diff TABLE_A TABLE_B",
		Args: exactly(2, "two tables, each a folder or a git revision"),
		RunE: func(_ *cobra.Command, args []string) error {
			old, err := loadTable(args[0])
			if err != nil {
				return err
			}
			new, err := loadTable(args[1])
			if err != nil {
				return err
			}
			changes := capabilities.Diff(old, new)
			switch format {
			case "json":
				if changes == nil {
					changes = []capabilities.Change{}
				}
				return a.printJSON(changes)
			case "text":
				for _, c := range changes {
					a.printChange(c)
				}
				fmt.Fprintln(a.stdout, countOf(len(changes), "change"))
				return nil
			}
			return unknownFormat(format)
		},
	}
	helpFor(cmd, "caps-diff")
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

// printChange says in words what a table says of a host and said before; with
// --verbose, and where the words do not tell the two apart, as JSON too.
func (a *app) printChange(c capabilities.Change) {
	fmt.Fprintln(a.stdout, strings.TrimRight(c.What+" "+printable(c.Host)+" "+printable(c.Claim), " "))
	said := map[string]bool{}
	for _, old := range c.Before {
		said[claimWords(c.Claim, old)] = true
	}
	same := false
	for _, now := range c.After {
		same = same || said[claimWords(c.Claim, now)]
	}
	for _, side := range []struct {
		mark   string
		claims []capabilities.Claim
	}{{"-", c.Before}, {"+", c.After}} {
		for _, claim := range side.claims {
			a.hang("  "+side.mark+" ", claimWords(c.Claim, claim))
			if same || a.verbose {
				fmt.Fprintf(a.stdout, "  %s   %s\n", side.mark, printable(string(compactJSON(claim.Value))))
			}
		}
	}
}

func claimWords(key string, c capabilities.Claim) string {
	_, bare, inMode := strings.Cut(key, "/")
	if !inMode {
		bare = key
	}
	return c.Range() + ": " + describe.Claim(bare, c.Decoded(bare))
}
