package main

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/describe"
	"github.com/hostmatrix/conform/wire"
)

// claimLine is a claim as a column has it, its layers included.
type claimLine struct {
	Key      string          `json:"key"`
	Value    json.RawMessage `json:"value"`
	Basis    string          `json:"basis"`
	From     string          `json:"from"`
	Note     string          `json:"note,omitempty"`
	Evidence []string        `json:"evidence"`
	Conflict bool            `json:"conflict,omitempty"`
	Words    string          `json:"words"`
}

func claimsOf(c *capabilities.Resolved) []claimLine {
	out := []claimLine{}
	for _, key := range capabilities.ClaimKeys() {
		if f := c.Find(key); f != nil {
			out = append(out, claimLine{key, f.Claim.Value, string(f.Basis), f.From.ID, f.Note, f.EvidenceRefs(), f.Conflict != nil, wordsFor(c.Host, key, f)})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return stageRank(out[i].Key) < stageRank(out[j].Key) })
	return out
}

// wordsFor says a claim of a column. A library hands results to the program that
// calls it: where no model is in sight, the words of hosts would be wrong.
func wordsFor(h *capabilities.Host, key string, f *capabilities.Found) string {
	words := describe.Claim(key, f.Value())
	if h.Kind != "sdk" && h.Kind != "spec" {
		return words
	}
	return strings.NewReplacer("the model's API", "the model's API", "the model sees", "the caller gets", "the model gets", "the caller gets",
		"reaches the model", "reaches the caller", "the model calls", "the caller calls", "the model", "the caller").Replace(words)
}

// stageRank orders claim keys by the pipeline.
func stageRank(key string) int {
	for i, s := range []string{"", "connect", "list", "offer", "call", "result", "view"} {
		if capabilities.StageOf(key) == s {
			return i
		}
	}
	return 99
}

func (a *app) column(spec string) (*capabilities.Resolved, *capabilities.Table, error) {
	table, err := a.table()
	if err != nil {
		return nil, nil, err
	}
	c, err := table.Resolve(spec)
	if err != nil {
		return nil, nil, &exitError{exitUsage, err}
	}
	a.warnVersions([]*capabilities.Resolved{c})
	return c, table, nil
}

func (a *app) hostsShowCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:               "show ID[:MODE][+API][@VERSION]",
		ValidArgsFunction: a.completeHostArgs,
		Args:              exactly(1, "one host, e.g. `conform hosts show ID`; `conform hosts` lists them"),
		RunE: func(_ *cobra.Command, args []string) error {
			c, table, err := a.column(args[0])
			if err != nil {
				return err
			}
			switch format {
			case "json":
				return a.printJSON(struct {
					ID      string             `json:"id"`
					Version string             `json:"version,omitempty"`
					Claims  []claimLine        `json:"claims"`
					File    *capabilities.Host `json:"file"`
				}{c.ID, c.Version, claimsOf(c), c.Host})
			case "text":
				a.showHost(c, table)
				return nil
			}
			return unknownFormat(format)
		},
	}
	helpFor(cmd, "hosts-show")
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

// coarse are the claims that view.render says more exactly.
var coarse = map[string]bool{"view.surface": true, "view.blocks": true, "view.limit": true}

func (a *app) showHost(c *capabilities.Resolved, table *capabilities.Table) {
	h := c.Host
	head := fmt.Sprintf("%s %s: %s", c.ID, c.Version, h.Name)
	if h.Vendor != "" {
		head += ", " + h.Vendor
	}
	fmt.Fprintf(a.stdout, "%s (%s)\n", printable(head), printable(strings.Trim(h.Kind+", "+h.Surface, ", ")))
	if len(h.Layers) > 0 {
		fmt.Fprintf(a.stdout, "stands on %s\n", strings.Join(h.Layers, ", "))
	}
	for _, m := range h.ModeIDs() {
		fmt.Fprintf(a.stdout, "mode %s:%s, %s\n", h.ID, printable(m), printable(h.Modes[m].Name))
	}
	for _, n := range h.Notes {
		a.hang("", "note: "+n)
	}
	stage := ""
	for _, l := range claimsOf(c) {
		if coarse[l.Key] && c.Find("view.render") != nil && !a.verbose {
			continue // what is shown exactly is said of view.render
		}
		if s := capabilities.StageOf(l.Key); s != stage && s != "" {
			stage = s
			fmt.Fprintf(a.stdout, "\n%s\n", strings.ToUpper(s))
		}
		from := ""
		if l.From != h.ID {
			from = " of " + l.From
		}
		a.hang("  ", upperFirst(l.Words)+".")
		if a.verbose {
			fmt.Fprintf(a.stdout, "    %s = %s\n", l.Key, printable(string(compactJSON(l.Value))))
		}
		a.hang("    ", fmt.Sprintf("(%s%s: %s)", l.Key, from, shortEvidence(table, l.Evidence)))
		if a.verbose {
			for _, ref := range l.Evidence {
				fmt.Fprintf(a.stdout, "    %s\n", printable(evidenceLine(table, ref)))
			}
		}
		if l.Note != "" {
			a.hang("    ", "note: "+l.Note)
		}
		if l.Conflict {
			fmt.Fprintln(a.stdout, "    the evidence contradicts itself: cells that depend on this are unknown")
		}
	}
	if missing := notModelled(c); len(missing) > 0 {
		fmt.Fprintf(a.stdout, "\nnot modelled: %s\n", strings.Join(missing, ", "))
	}
}

// strongest returns the reference to the best evidence, the newest of those.
func strongest(table *capabilities.Table, refs []string) string {
	best, rank, date := "", -1, ""
	for _, ref := range refs {
		id, key, _ := strings.Cut(ref, "/")
		if h, ok := table.Host(id); ok {
			e := h.Evidence[key]
			if r := e.Basis.Rank(); r > rank || r == rank && e.Date > date {
				best, rank, date = ref, r, e.Date
			}
		}
	}
	return best
}

// shortEvidence is the best piece in a few words, and how many more there are.
func shortEvidence(table *capabilities.Table, refs []string) string {
	id, key, _ := strings.Cut(strongest(table, refs), "/")
	h, ok := table.Host(id)
	if !ok {
		return strings.Join(refs, ", ")
	}
	e := h.Evidence[key]
	out := string(e.Basis)
	if e.Version != "" {
		out += " in " + e.Version
	}
	if e.Date != "" {
		out += " on " + e.Date
	}
	if e.URL != "" {
		out += ", " + e.URL
	}
	if len(refs) > 1 {
		out += fmt.Sprintf(", and %d more", len(refs)-1)
	}
	return out
}

// hang prints text wrapped at the width of the terminal behind an indent, what a
// terminal takes for commands escaped.
func (a *app) hang(indent, text string) {
	line := indent
	for _, word := range strings.Fields(printable(text)) {
		if utf8.RuneCountInString(line+word) > a.width()-4 && strings.TrimSpace(line) != "" {
			fmt.Fprintln(a.stdout, strings.TrimRight(line, " "))
			line = indent
		}
		line += word + " "
	}
	fmt.Fprintln(a.stdout, strings.TrimRight(line, " "))
}

// printable escapes control and format characters: a capability file may be
// anybody's.
func printable(text string) string { return wire.Printable([]byte(text), len(text)) }

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func notModelled(c *capabilities.Resolved) []string {
	var out []string
	modelled := strings.Join(c.Modelled(), " ")
	for _, s := range []string{"connect", "list", "offer", "call", "result", "view"} {
		if !strings.Contains(modelled, s) {
			out = append(out, s)
		}
	}
	return out
}

func evidenceLine(table *capabilities.Table, ref string) string {
	id, key, _ := strings.Cut(ref, "/")
	h, ok := table.Host(id)
	if !ok {
		return ref
	}
	e := h.Evidence[key]
	parts := []string{string(e.Basis)}
	for _, p := range []string{e.Version, e.Date, e.Record, e.Repo, e.Commit, e.Path, e.URL, e.Text} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return ref + ": " + strings.Join(parts, " · ")
}

func compactJSON(raw json.RawMessage) []byte {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return raw
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return raw
	}
	return []byte(strings.TrimSpace(b.String()))
}
