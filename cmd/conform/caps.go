package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/tablecheck"
)

// tableDir is where the capability files lie in a checkout of the project.
const tableDir = "capabilities"

func (a *app) capsCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "caps", Args: cobra.ArbitraryArgs, RunE: group}
	helpFor(cmd, "caps")
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
	var format string
	cmd := &cobra.Command{
		Use:  "lint [DIR]",
		Args: atMost(1, "one folder at most"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && a.hostsDir != "" { // the files that a run would take
				args, a.hostsDir = []string{a.hostsDir}, ""
			}
			dir, err := folder(args)
			if err != nil {
				return err
			}
			faults, err := a.lintTable(dir)
			if err != nil {
				return err
			}
			return a.printFaults(faults, dir, format)
		},
	}
	helpFor(cmd, "caps-lint")
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

// lintTable checks the files of a folder. The project's own folder is a whole
// table; the files of any other join the built-in one.
func (a *app) lintTable(dir string) ([]capabilities.Fault, error) {
	set, err := shapesOf(dir)
	if err != nil {
		return nil, err
	}
	whole := filepath.Clean(dir) == tableDir
	var table *capabilities.Table
	if whole {
		table, err = capabilities.Load(os.DirFS(dir))
	} else {
		var builtin *capabilities.Table
		if builtin, err = a.table(); err != nil {
			return nil, err
		}
		table, err = builtin.OverlayFS(os.DirFS(dir))
	}
	if err != nil { // files that cannot be read at all; each line names one
		var faults []capabilities.Fault
		for _, line := range strings.Split(err.Error(), "\n") {
			file, message, _ := strings.Cut(line, ": ")
			if at := lineWord.FindStringSubmatch(message); at != nil { // "FILE: [claim …: ]line N: …"
				file, message = file+":"+at[2], at[1]+message[len(at[0]):]
			}
			faults = append(faults, capabilities.Fault{File: file, Message: message})
		}
		return faults, nil
	}
	faults := []capabilities.Fault{}
	for _, f := range append(table.Lint(), tablecheck.Check(table, set, whole)...) {
		if _, err := os.Stat(filepath.Join(dir, f.File)); err == nil || whole {
			faults = append(faults, f)
		}
	}
	seen, err := lintObservations(dir, table)
	return append(faults, seen...), err
}

func (a *app) printFaults(faults []capabilities.Fault, dir, format string) error {
	switch format {
	case "json":
		if err := a.printJSON(faults); err != nil {
			return err
		}
	case "text":
		for _, f := range faults {
			fmt.Fprintln(a.stdout, place(dir, f)+strings.TrimPrefix(f.String(), f.File))
		}
		fmt.Fprintf(a.stdout, "%s: %s\n", dir, countOf(len(faults), "fault"))
	default:
		return unknownFormat(format)
	}
	if len(faults) > 0 {
		return &exitError{code: exitFindings}
	}
	return nil
}

// lineWord is where a file that cannot be read says which line it is about.
var lineWord = regexp.MustCompile(`^((?:mode \S+: )?(?:claim \S+: )?)line (\d+): `)

// countOf is "1 fault", "2 faults".
func countOf(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

var evidenceObject = regexp.MustCompile(`"evidence"\s*:\s*\{`)

// place is "file:line" of a fault, as editors read it; the line is that of the
// claim's key, or of the evidence that the message names.
func place(dir string, f capabilities.Fault) string {
	name := filepath.ToSlash(filepath.Join(dir, f.File))
	text, err := os.ReadFile(name)
	if err != nil {
		return name
	}
	words := strings.FieldsFunc(f.Claim, func(r rune) bool { return r == '/' || r == '[' || r == ']' })
	if f.Claim == "" {
		if id, ok := strings.CutPrefix(f.Message, "evidence "); ok {
			id, _, _ = strings.Cut(id, ":")
			words = []string{id}
			if at := evidenceObject.FindIndex(text); at != nil { // the lists of the claims come before it
				text = append(bytes.Repeat([]byte("\n"), bytes.Count(text[:at[0]], []byte("\n"))), text[at[0]:]...)
			}
		}
	}
	from := 0
	for _, word := range words {
		if strings.Trim(word, "0123456789") == "" {
			continue // an index
		}
		i := bytes.Index(text[from:], []byte(`"`+word+`"`))
		if i < 0 {
			return name
		}
		from += i
	}
	if from == 0 {
		return name
	}
	return fmt.Sprintf("%s:%d", name, 1+bytes.Count(text[:from], []byte("\n")))
}

func (a *app) capsFmtCommand() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:  "fmt [DIR|FILE...]",
		RunE: func(_ *cobra.Command, args []string) error { return a.formatCaps(args, check) },
	}
	helpFor(cmd, "caps-fmt")
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
		canonical, err := capabilities.Canonical(filepath.Base(name), text)
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
	dir := ""
	cmd := &cobra.Command{
		Use:  "new ID",
		Args: exactly(1, "the id of the new host"),
		RunE: func(cmd *cobra.Command, args []string) error {
			id := args[0]
			if !cmd.Flags().Changed("dir") && a.hostsDir != "" {
				dir = a.hostsDir
			}
			text, err := capabilities.Scaffold(id, today())
			if err != nil {
				return usage("%w", err)
			}
			name := filepath.Join(dir, id+".json")
			if _, err := os.Stat(name); err == nil {
				return usage("%s exists already", name)
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(name, text, 0o644); err != nil {
				return err
			}
			a.warn("wrote %s; claims that may be made: %s", name, strings.Join(capabilities.ClaimKeys(), ", "))
			a.warn("look at the result with: conform hosts show %s --hosts-dir %s", id, dir)
			return nil
		},
	}
	helpFor(cmd, "caps-new")
	cmd.Flags().StringVar(&dir, "dir", tableDir, "folder to write to; --hosts-dir does as well")
	return cmd
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
