package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/upkeep"
	"github.com/hostmatrix/conform/validators"
)

// tableDir is where the capability files lie in a checkout of the project.
const tableDir = "capabilities"

func (a *app) capsCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "caps", Args: cobra.ArbitraryArgs, RunE: group}
	describe(cmd, "caps")
	show := a.hostsShowCommand()
	cmd.AddCommand(a.capsLintCommand(), a.capsFmtCommand(), show, a.capsStatsCommand(), a.capsStaleCommand(),
		a.capsDiffCommand(), a.capsNewCommand(), a.capsVerifyCommand(), a.capsWhyCommand())
	return cmd
}

// folder returns the folder of capability files that the arguments name.
func folder(args []string) (string, error) {
	dir := tableDir
	if len(args) > 0 {
		dir = args[0]
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", usage("no folder %s with capability files; name one", dir)
	}
	return dir, nil
}

// shapesOf loads the shapes of a folder, else those that are built in.
func shapesOf(dir string) (*shape.Set, error) {
	own := filepath.Join(dir, "shapes")
	if _, err := os.Stat(own); err != nil {
		return shapes()
	}
	set, err := shape.Load(os.DirFS(own))
	if err != nil {
		return nil, usage("%s: %w", own, err)
	}
	return set, nil
}

func (a *app) capsLintCommand() *cobra.Command {
	var strict bool
	var format string
	cmd := &cobra.Command{
		Use:  "lint [DIR]",
		Args: atMost(1, "one folder at most"),
		RunE: func(_ *cobra.Command, args []string) error {
			dir, err := folder(args)
			if err != nil {
				return err
			}
			set, err := shapesOf(dir)
			if err != nil {
				return err
			}
			var profiles []string
			for _, p := range validators.Profiles() {
				profiles = append(profiles, p.ID)
			}
			table, err := a.table()
			if err != nil {
				return err
			}
			var rows []string
			for _, h := range table.Hosts() {
				rows = append(rows, h.ID)
			}
			faults, err := upkeep.Lint(os.DirFS(dir), upkeep.Known{Shapes: set, Profiles: profiles, Rows: rows, Whole: filepath.Clean(dir) == tableDir})
			if err != nil {
				return err
			}
			return a.printFaults(faults, dir, format, strict)
		},
	}
	describe(cmd, "caps-lint")
	cmd.Flags().BoolVar(&strict, "strict", false, "warnings fail too")
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

func (a *app) printFaults(faults []upkeep.Fault, dir, format string, strict bool) error {
	errors := 0
	for _, f := range faults {
		if f.Level == upkeep.Error || strict {
			errors++
		}
	}
	switch format {
	case "json":
		if faults == nil {
			faults = []upkeep.Fault{}
		}
		if err := a.printJSON(faults); err != nil {
			return err
		}
	case "text":
		for _, f := range faults {
			if f.Level == upkeep.Error || !a.quiet {
				fmt.Fprintln(a.stdout, filepath.ToSlash(filepath.Join(dir, f.File))+strings.TrimPrefix(f.String(), f.File))
			}
		}
		fmt.Fprintf(a.stdout, "%s: %d faults, %d of them fail\n", dir, len(faults), errors)
	default:
		return unknownFormat(format)
	}
	if errors > 0 {
		return &exitError{code: exitFindings}
	}
	return nil
}

func (a *app) capsFmtCommand() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:  "fmt [DIR|FILE...]",
		RunE: func(_ *cobra.Command, args []string) error { return a.formatCaps(args, check) },
	}
	describe(cmd, "caps-fmt")
	cmd.Flags().BoolVar(&check, "check", false, "only say which files are not in the canonical form, and exit with 1 when there are any")
	return cmd
}

func (a *app) formatCaps(args []string, check bool) error {
	var files []string
	if len(args) == 0 {
		args = []string{tableDir}
	}
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err != nil:
			return usage("%w%s", err, nearFile(arg))
		case info.IsDir():
			inside, err := filepath.Glob(filepath.Join(arg, "*.json"))
			if err != nil {
				return err
			}
			files = append(files, inside...)
		default:
			files = append(files, arg)
		}
	}
	changed := 0
	for _, name := range files {
		if strings.HasSuffix(name, ".schema.json") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		canonical, err := upkeep.Format(filepath.Base(name), text)
		if err != nil {
			return usage("%s: %w", filepath.Dir(name), err)
		}
		if string(canonical) == string(text) {
			continue
		}
		changed++
		fmt.Fprintln(a.stdout, filepath.ToSlash(name))
		if !check {
			if err := os.WriteFile(name, canonical, 0o644); err != nil {
				return err
			}
		}
	}
	if check && changed > 0 {
		return &exitError{exitFindings, fmt.Errorf("%d files are not in the canonical form; `conform caps fmt` rewrites them", changed)}
	}
	return nil
}

func (a *app) capsNewCommand() *cobra.Command {
	var dir, kind string
	cmd := &cobra.Command{
		Use:  "new ID",
		Args: exactly(1, "the id of the new host"),
		RunE: func(_ *cobra.Command, args []string) error {
			id := args[0]
			if strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" || id == "" {
				return usage("%q is no id; use lower-case letters, digits, dots and hyphens", id)
			}
			name := filepath.Join(dir, id+".json")
			if _, err := os.Stat(name); err == nil {
				return usage("%s exists already", name)
			}
			text := fmt.Sprintf(`{"format":%q,"id":%q,"name":%q,"kind":%q,
 "claims":{"view.surface":[{"value":{"prefers":"content"},"evidence":["told"],"note":"replace this by what you know"}]},
 "evidence":{"told":{"basis":"inferred","text":"where this is known from"}}}`, capabilities.Format, id, id, kind)
			canonical, err := upkeep.Format(id+".json", []byte(text))
			if err != nil {
				return err
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(name, canonical, 0o644); err != nil {
				return err
			}
			a.warn("wrote %s; claims that may be made: %s", name, strings.Join(capabilities.ClaimKeys(), ", "))
			a.warn("look at the result with: conform hosts show %s --hosts-dir %s", id, dir)
			return nil
		},
	}
	describe(cmd, "caps-new")
	cmd.Flags().StringVar(&dir, "dir", tableDir, "folder to write to")
	cmd.Flags().StringVar(&kind, "kind", "host", "host, framework, sdk, api or spec")
	return cmd
}

func atMost(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return usage("`%s` takes %s", cmd.CommandPath(), what)
		}
		return nil
	}
}

// loadTable loads a table for comparison: a folder, or a git revision of the
// current checkout's capabilities folder.
func loadTable(spec string) (*capabilities.Table, error) {
	if info, err := os.Stat(spec); err == nil && info.IsDir() {
		t, err := capabilities.Load(os.DirFS(spec))
		if err != nil {
			return nil, usage("%s: %w", spec, err)
		}
		return t, nil
	}
	files, err := atRevision(spec, tableDir)
	if err != nil {
		return nil, usage("%s is neither a folder nor a git revision that holds %s/: %w", spec, tableDir, err)
	}
	t, err := capabilities.Load(files)
	if err != nil {
		return nil, usage("%s: %w", spec, err)
	}
	return t, nil
}
