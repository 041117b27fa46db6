package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/reports"
	"github.com/hostmatrix/conform/rewrite"
)

func (a *app) explainCommand() *cobra.Command {
	var list bool
	var format string
	cmd := &cobra.Command{
		Use: "explain RULE",
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case format != "text" && format != "json":
				return unknownFormat(format)
			case list || len(args) == 0:
				return a.listRules(format)
			case len(args) > 1:
				return usage("one rule at a time, got %d", len(args))
			}
			if text := rewrite.Explain(args[0]); text != "" && format == "text" {
				_, err := fmt.Fprint(a.stdout, text)
				return err
			}
			rule, err := reports.FindRule(args[0])
			if e, listed := lint.FindEntry(args[0]); err != nil && listed {
				return a.explainEntry(e, format)
			}
			if err != nil {
				return usage("%w", err)
			}
			if format == "json" {
				return a.printJSON(rule)
			}
			return a.explain(rule)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var ids []string
			for _, r := range reports.Rules() {
				ids = append(ids, r.ID+"\t"+r.Title)
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
	}
	helpFor(cmd, "explain")
	cmd.Flags().BoolVar(&list, "list", false, "print all rules with their titles")
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

func (a *app) listRules(format string) error {
	if format == "json" {
		return a.printJSON(reports.Rules())
	}
	stage := ""
	for _, r := range reports.Rules() {
		if r.Stage != stage {
			stage = r.Stage
			fmt.Fprintf(a.stdout, "%s\n", strings.ToUpper(stage))
		}
		fmt.Fprintf(a.stdout, "  %-28s %s\n", r.ID, r.Title)
	}
	return nil
}

// explainEntry prints which rules stand for an entry of the lists of what is to be
// checked, as TL7 or R38.
func (a *app) explainEntry(e lint.Entry, format string) error {
	if format == "json" {
		return a.printJSON(e)
	}
	fmt.Fprintf(a.stdout, "%s is no rule but an entry of the lists that the rules were made from", e.ID)
	if e.What != "" {
		fmt.Fprintf(a.stdout, ": %s", e.What)
	}
	fmt.Fprint(a.stdout, ".\n")
	if len(e.Rules) > 0 {
		fmt.Fprint(a.stdout, "\nThese rules stand for it; `conform explain RULE` has the whole of each:\n")
	}
	for _, id := range e.Rules {
		fmt.Fprintf(a.stdout, "  %-28s %s\n", id, lint.Find(id).Title)
	}
	if e.Elsewhere != "" {
		fmt.Fprint(a.stdout, "\nElsewhere:\n")
		a.hang("  ", e.Elsewhere)
	}
	if e.Unseen != "" {
		fmt.Fprint(a.stdout, "\nNot checked:\n")
		a.hang("  ", e.Unseen)
	}
	return nil
}

// explain prints one rule and the hosts about whose behaviour here the table
// holds a claim.
func (a *app) explain(r reports.Rule) error {
	fmt.Fprintf(a.stdout, "%s: %s\n", r.ID, r.Title)
	fmt.Fprintf(a.stdout, "stage %s, severity %s\n", r.Stage, r.Severity)
	if r.Text != "" {
		fmt.Fprintf(a.stdout, "\n%s\n", r.Text)
	}
	for _, part := range []struct{ name, text string }{{"Wrong", r.Wrong}, {"Right", r.Right}} {
		if part.text != "" {
			fmt.Fprintf(a.stdout, "\n%s:\n  %s\n", part.name, strings.ReplaceAll(part.text, "\n", "\n  "))
		}
	}
	if r.Fix != "" {
		fmt.Fprint(a.stdout, "\nFix:\n")
		a.hang("  ", r.Fix)
	}
	if len(r.Claims) == 0 {
		return nil
	}
	table, err := a.table()
	if err != nil {
		return err
	}
	var known []string
	for _, h := range table.Hosts() {
		column, err := table.Resolve(h.ID)
		if err != nil {
			continue
		}
		for _, key := range r.Claims {
			if f := column.Find(key); f != nil && mayReport(r.ID, f.Value()) {
				known = append(known, h.ID)
				break
			}
		}
	}
	fmt.Fprintf(a.stdout, "\nDecided by the claims %s.\n", strings.Join(r.Claims, ", "))
	if len(known) > 0 {
		a.hang("", fmt.Sprintf("The table holds them for: %s.", strings.Join(known, ", ")))
	}
	return nil
}

// mayReport reports whether a host with a claim of this value can come to a
// finding of a rule: one that validates no result rejects none.
func mayReport(rule string, value any) bool {
	v, ok := value.(*capabilities.Validator)
	if !ok {
		return true
	}
	if v.Modern != nil && mayReport(rule, v.Modern) {
		return true
	}
	validates := (v.Profile != "none" || len(v.ByTag) > 0) && !v.ListOnly
	if rule == "structured-missing" {
		return validates && v.Missing == "reject"
	}
	return validates
}
