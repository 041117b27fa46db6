package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
)

func (a *app) capsWhyCommand() *cobra.Command {
	file := ""
	cmd := &cobra.Command{
		Use:  "why TOOL HOST",
		Args: exactly(2, "a tool and a host of the report"),
		RunE: func(_ *cobra.Command, args []string) error {
			if file == "" {
				return usage("no --report; name one that `conform run --format json=FILE` wrote")
			}
			r, err := a.readReport(file)
			if err != nil {
				return err
			}
			cell, err := findCell(r, args[0], args[1])
			if err != nil {
				return err
			}
			table, err := a.table()
			if err != nil {
				return err
			}
			if now := digest(table); now != r.Conform.Table {
				a.warn("the report was made with table %s, this is %s: claims may have changed", r.Conform.Table, now)
			}
			return a.why(cell, r, table)
		},
	}
	helpFor(cmd, "caps-why")
	cmd.Flags().StringVar(&file, "report", "", "report to look at")
	return cmd
}

func findCell(r *verdict.Report, tool, host string) (*verdict.Cell, error) {
	id, version, _ := strings.Cut(host, "@")
	var tools, hosts []string
	for i, c := range r.Cells {
		if c.Tool == tool && c.Host == id && (version == "" || c.HostVersion == version) {
			return &r.Cells[i], nil
		}
		tools = append(tools, c.Tool)
		hosts = append(hosts, c.Host)
	}
	for _, miss := range []struct {
		what, word string
		known      []string
	}{{"tool", tool, tools}, {"host", id, hosts}} {
		if !slices.Contains(miss.known, miss.word) {
			hint := ""
			if near := capabilities.Nearest(miss.word, miss.known); near != "" {
				hint = fmt.Sprintf("; did you mean %q?", near)
			}
			return nil, usage("the report has no %s %q%s", miss.what, miss.word, hint)
		}
	}
	return nil, usage("the report has no cell of %s in %s", tool, host)
}

// why prints a cell's findings with the claims and the evidence that decided them.
func (a *app) why(c *verdict.Cell, r *verdict.Report, table *capabilities.Table) error {
	head := fmt.Sprintf("%s in %s %s: %s", c.Tool, c.Host, c.HostVersion, c.Verdict)
	if c.Stage != "" {
		head += " at " + string(c.Stage)
	}
	if c.Verdict == verdict.Works && !c.Checked {
		head += ", not checked"
	}
	fmt.Fprintf(a.stdout, "%s, basis %s\n", head, orDash(c.Basis))
	spec := c.Host
	if c.HostVersion != "" {
		spec += "@" + c.HostVersion
	}
	column, err := table.Resolve(spec)
	if err != nil {
		return usage("%w", err)
	}
	for _, f := range c.Findings {
		fmt.Fprintf(a.stdout, "\n%s (%s, %s): %s\n", f.Rule, f.Severity, f.Stage, f.Message)
		for _, claim := range claimsOf(column) {
			if !slices.ContainsFunc(claim.Evidence, func(ref string) bool { return slices.Contains(f.Evidence, ref) }) ||
				capabilities.StageOf(claim.Key) != string(f.Stage) {
				continue
			}
			fmt.Fprintf(a.stdout, "  claim %s of %s: %s\n", claim.Key, claim.From, compactJSON(claim.Value))
		}
		for _, ref := range f.Evidence {
			fmt.Fprintf(a.stdout, "  %s\n", evidenceLine(table, ref))
		}
		if f.Note != "" {
			fmt.Fprintf(a.stdout, "  note: %s\n", f.Note)
		}
	}
	if len(c.Findings) == 0 {
		fmt.Fprintf(a.stdout, "\nNothing was found. The claims that were looked at:\n")
		for _, claim := range claimsOf(column) {
			if slices.Contains(c.Modelled, capabilities.StageOf(claim.Key)) {
				fmt.Fprintf(a.stdout, "  %s [%s, %s]\n", claim.Key, claim.Basis, claim.From)
			}
		}
	}
	return nil
}
