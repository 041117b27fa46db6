package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/lab"
	"github.com/hostmatrix/conform/lab/observe"
)

func (a *app) labShowCommand() *cobra.Command {
	var only string
	cmd := &cobra.Command{
		Use:  "show FILE",
		Args: exactly(1, "one observation file"),
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := lab.Open(args[0])
			if err != nil {
				return usage("%w", err)
			}
			h := f.Header
			fmt.Fprintf(a.stdout, "%s\n", printable(fmt.Sprintf("%s %s, %s, %s, probes %s", h.Host, h.Version, h.Date, h.Platform, h.Probes)))
			for _, mode := range f.Modes() {
				var steps []string
				for _, s := range h.Handshakes[mode] {
					steps = append(steps, strings.TrimSpace(s.Method+" "+s.Version))
				}
				fmt.Fprintf(a.stdout, "handshake %s\n", printable(mode+": "+strings.Join(steps, ", ")))
			}
			for _, l := range f.Lines {
				if only == "" || l.Probe == only {
					a.showLine(l)
				}
			}
			return nil
		},
	}
	helpFor(cmd, "lab-show")
	cmd.Flags().StringVar(&only, "probe", "", "only this probe")
	return cmd
}

// showLine prints an observation in one line: what was offered, how often it was
// called, what was seen.
func (a *app) showLine(l observe.Line) {
	offered := "not recorded"
	switch o := l.Offered; {
	case o == nil:
	case o.Lost:
		offered = "list lost"
	case !o.Present:
		offered = "dropped"
	default:
		offered = printable(strings.TrimPrefix(o.Namespace+"/"+o.Name, "/"))
	}
	seen := "–"
	if s := l.Seen; s != nil {
		switch {
		case s.Text != nil:
			seen = fmt.Sprintf("%q", *s.Text)
		case s.Value != nil:
			seen = printable(string(s.Value))
		default:
			seen = fmt.Sprintf("%q … %q", s.Head, s.Tail)
		}
		if len(seen) > 160 {
			seen = strings.ToValidUTF8(seen[:160], "") + "…"
		}
	}
	fmt.Fprintf(a.stdout, "%-14s %-26s %-40s %d  %s\n", printable(l.Mode), printable(l.Probe), offered, l.Called, seen)
}

func (a *app) labDiffCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:  "diff FILE...",
		Args: atLeast(1, "observation files"),
		RunE: func(_ *cobra.Command, args []string) error {
			differs := false
			for _, path := range args {
				d, err := a.compare(path)
				if err != nil {
					return err
				}
				differs = differs || d
			}
			if differs {
				return &exitError{code: exitFindings}
			}
			return nil
		},
	}
	helpFor(cmd, "lab-diff")
	return cmd
}

// compare prints what an observation file and the table say differently: line by
// line through the emulation, and claim by claim.
func (a *app) compare(path string) (differs bool, err error) {
	f, err := lab.Open(path)
	if err != nil {
		return false, usage("%w", err)
	}
	report, err := a.verify([]string{path}, f.Header.Host)
	if err != nil {
		return false, err
	}
	if err := a.printVerified(report, "text"); err != nil {
		if codeOf(err) != exitFindings {
			return false, err
		}
		differs = true
	}
	table, err := a.table()
	if err != nil {
		return false, err
	}
	changes, err := f.Differences(table)
	if err != nil {
		return false, err
	}
	var columns []string
	for column := range changes {
		columns = append(columns, column)
	}
	slices.Sort(columns)
	for _, column := range columns {
		for _, c := range changes[column] {
			differs = true
			fmt.Fprintf(a.stdout, "CLAIM %s %s: the table says %s, seen %s (%s)\n", column, c.Key, orDash(c.Table), printable(c.Seen), few(c.Probes))
		}
	}
	return differs, nil
}

// few names the first of a list and counts the rest.
func few(list []string) string {
	const most = 5
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}

func (a *app) labProposeCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:  "propose FILE...",
		Args: atLeast(1, "observation files"),
		RunE: func(_ *cobra.Command, args []string) error {
			table, err := a.table()
			if err != nil {
				return err
			}
			made, failed := map[string]*lab.Proposal{}, 0
			for _, path := range args {
				f, err := lab.Open(path)
				if err == nil {
					err = lab.Propose(table, dir, path, f, made)
				}
				if err != nil {
					failed++
					a.warn("%v", err)
				}
			}
			for _, host := range slices.Sorted(maps.Keys(made)) {
				fmt.Fprint(a.stdout, made[host].Diff())
			}
			if failed > 0 {
				return usage("nothing could be proposed from %d of %d files", failed, len(args))
			}
			return nil
		},
	}
	helpFor(cmd, "lab-propose")
	cmd.Flags().StringVar(&dir, "dir", tableDir, "folder of the capability files")
	return cmd
}
