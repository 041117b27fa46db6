package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/cases"
	"github.com/hostmatrix/conform/recording"
)

func (a *app) casesCommand() *cobra.Command {
	var only, format string
	cmd := &cobra.Command{
		Use: "cases [flags] FILE|DIR...",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("no case file; give files or folders, as in `conform cases cases/`")
			}
			if format != "text" && format != "json" {
				return unknownFormat(format)
			}
			report, err := a.compareCases(args, only)
			if err != nil {
				return err
			}
			if err := a.printCases(report, format); err != nil {
				return err
			}
			if report.Summary.Disagree > 0 {
				return &exitError{code: exitFindings}
			}
			return nil
		},
	}
	helpFor(cmd, "cases")
	cmd.Flags().StringVar(&only, "host", "", "only expectations about this host")
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

func (a *app) compareCases(args []string, only string) (*cases.Report, error) {
	table, err := a.table()
	if err != nil {
		return nil, err
	}
	set, err := shapes()
	if err != nil {
		return nil, err
	}
	files, err := caseFiles(args)
	if err != nil {
		return nil, err
	}
	if only != "" {
		if _, err := table.Resolve(only); err != nil {
			return nil, &exitError{exitUsage, err}
		}
	}
	runner := cases.Runner{Table: table, Shapes: set, Only: only}
	report := &cases.Report{Format: cases.Format, Results: []cases.Result{}}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, usage("%w", err)
		}
		c, err := recording.ReadCase(name, data)
		if err != nil {
			return nil, usage("%w", err)
		}
		report.Results = append(report.Results, runner.Compare(c)...)
	}
	report.Summary = cases.Sum(report.Results)
	return report, nil
}

// caseFiles lists the files given and the *.json files of the folders given, in
// order of their names.
func caseFiles(args []string) ([]string, error) {
	var out []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, usage("%s: no such file or folder%s", arg, nearFile(arg))
		}
		if !info.IsDir() {
			out = append(out, arg)
			continue
		}
		var inside []string
		err = filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".json") {
				inside = append(inside, path)
			}
			return err
		})
		if err != nil {
			return nil, usage("%s: %w", arg, err)
		}
		if len(inside) == 0 {
			return nil, usage("%s: no *.json file in it", arg)
		}
		sort.Strings(inside)
		out = append(out, inside...)
	}
	return out, nil
}

// nearFile suggests a file of the same folder.
func nearFile(name string) string {
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		return ""
	}
	var known []string
	for _, e := range entries {
		known = append(known, e.Name())
	}
	if near := capabilities.Nearest(filepath.Base(name), known); near != "" {
		return fmt.Sprintf("; did you mean %s?", filepath.Join(filepath.Dir(name), near))
	}
	return ""
}

func (a *app) printCases(r *cases.Report, format string) error {
	if format == "json" {
		e := json.NewEncoder(a.stdout)
		e.SetEscapeHTML(false)
		return e.Encode(r)
	}
	for _, result := range r.Results {
		if !result.Agrees || a.verbose {
			fmt.Fprintln(a.stdout, result)
		}
	}
	s := r.Summary
	percent := 0.0
	if s.Entries > 0 {
		percent = 100 * float64(s.Agree) / float64(s.Entries)
	}
	fmt.Fprintf(a.stdout, "%d of %d expectations agree (%.1f %%); %d disagree, %d of them because the table lacks the host, %d because the host has changed since\n",
		s.Agree, s.Entries, percent, s.Disagree, s.NoHost, s.Earlier)
	if a.quiet {
		return nil
	}
	printCounters(a, "basis", s.ByBasis)
	printCounters(a, "host", s.ByHost)
	return nil
}

func printCounters(a *app, what string, counters map[string]cases.Counter) {
	keys := make([]string, 0, len(counters))
	for k := range counters {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		fmt.Fprintf(a.stdout, "  %s %-24s %5d of %5d\n", what, k, counters[k].Agree, counters[k].Entries)
	}
}
