package capabilities

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"
)

// WriteMarkdown writes the whole table as a page for people: every row with its
// claims, their version ranges and their evidence. docs/hosts.md is this page.
func (t *Table) WriteMarkdown(w io.Writer) error {
	p := &page{w: w}
	p.line("# The table")
	p.line("")
	p.line("Every row of the capability table and every claim that it makes, with the evidence. Generated from")
	p.line("`capabilities/*.json`; re-make it with `go test ./capabilities -update`. `conform hosts show ID` says the")
	p.line("same about one row in words, `conform caps show ID` with everything that its layers add.")
	p.line("")
	p.line("| row | kind | newest | stands on | claims | observed |")
	p.line("|---|---|---|---|---|---|")
	for _, s := range t.Stats().ByHost {
		h := t.hosts[s.ID]
		p.line("| [%s](#%s) | %s | %s | %s | %d | %d |", h.ID, h.ID, h.Kind, dash(h.Newest()), dash(strings.Join(h.Layers, ", ")), s.Claims, s.Observed)
	}
	for _, h := range t.Hosts() {
		p.host(h)
	}
	return p.err
}

type page struct {
	w   io.Writer
	err error
}

func (p *page) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

func (p *page) host(h *Host) {
	p.line("")
	p.line("## %s", h.ID)
	p.line("")
	p.line("%s, %s, %s. Newest version known: %s.", h.Name, h.Vendor, h.Kind, dash(h.Newest()))
	for _, n := range h.Notes {
		p.line("")
		p.line("%s", n)
	}
	p.line("")
	p.line("| claim | versions | value | evidence |")
	p.line("|---|---|---|---|")
	h.EachClaim(func(mode, key string, _ int, c Claim) {
		if mode != "" {
			key = mode + ": " + key
		}
		value := compact(c.Value)
		const most = 400
		if r := []rune(value); len(r) > most {
			value = string(r[:most]) + "…"
		}
		var why []string
		for _, id := range c.Evidence {
			why = append(why, string(h.Evidence[id].Basis)+" ("+id+")")
		}
		note := ""
		if c.Note != "" {
			note = "; " + c.Note
		}
		p.line("| %s | %s | `%s` | %s |", key, rangeText(c), cell(value), cell(strings.Join(why, ", ")+note))
	})
	p.line("")
	ids := make([]string, 0, len(h.Evidence))
	for id := range h.Evidence {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	for _, id := range ids {
		p.line("- %s: %s", id, h.Evidence[id])
	}
}

// String says what a piece of evidence is in one line.
func (e Evidence) String() string {
	parts := []string{string(e.Basis)}
	if e.Version != "" {
		parts = append(parts, "version "+e.Version)
	}
	if e.Date != "" {
		parts = append(parts, e.Date)
	}
	switch {
	case e.Record != "":
		parts = append(parts, e.Record)
	case e.Repo != "":
		parts = append(parts, e.Repo+"@"+e.Commit+":"+e.Path)
	case e.Path != "":
		parts = append(parts, e.Path)
	case e.URL != "":
		parts = append(parts, e.URL)
	}
	if e.Text != "" {
		parts = append(parts, e.Text)
	}
	return strings.Join(parts, ", ")
}

// compact is JSON without the file's indentation.
func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return string(raw)
	}
	return b.String()
}

// cell keeps a text from ending its table cell.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "`", "'").Replace(s)
}

func dash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}
