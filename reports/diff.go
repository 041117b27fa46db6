package reports

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// DiffFormat is the value of Diff.Format.
const DiffFormat = "conform-diff/1"

// Diff is what changed between two reports.
type Diff struct {
	Format string `json:"format"`
	// Server and Table say what changed: the server's tools, the capability table,
	// both or neither (then results or the sampling differ).
	Server bool `json:"server_changed"`
	Table  bool `json:"table_changed"`
	// Changes by tool and host, in the order of the new report.
	Changes []Change    `json:"changes"`
	Summary DiffSummary `json:"summary"`
}

// Change is one cell that differs.
type Change struct {
	Tool string `json:"tool"`
	Host string `json:"host"`
	Kind string `json:"kind"` // new, fixed, changed, added, removed
	// Old and New are verdicts; "" where the report has no such cell.
	Old        verdict.Verdict `json:"old,omitempty"`
	New        verdict.Verdict `json:"new,omitempty"`
	OldVersion string          `json:"old_version,omitempty"`
	NewVersion string          `json:"new_version,omitempty"`
	// Rules that came and went.
	Came []string `json:"came,omitempty"`
	Went []string `json:"went,omitempty"`
	// Message of the worst finding of the new cell, or of the old one when it is fixed.
	Message string `json:"message,omitempty"`
}

// DiffSummary counts changes by kind. NewBreaks are the cells that break and did
// not before: they decide the exit code.
type DiffSummary struct {
	New       int `json:"new"`
	Fixed     int `json:"fixed"`
	Changed   int `json:"changed"`
	Added     int `json:"added"`
	Removed   int `json:"removed"`
	NewBreaks int `json:"new_breaks"`
}

type cellKey struct {
	tool, host string
	nth        int
}

// Compare tells what changed from old to new. Hosts are compared by id whatever
// their version, so that an update of a host shows as a change.
func Compare(old, new *verdict.Report) *Diff {
	d := &Diff{Format: DiffFormat, Changes: []Change{},
		Server: old.Target.Digest != new.Target.Digest, Table: old.Conform.Table != new.Conform.Table}
	before, _ := cellsByKey(old)
	after, order := cellsByKey(new)
	for _, k := range order {
		n := after[k]
		o, had := before[k]
		if c, differs := change(k, o, had, n, true); differs {
			d.Changes = append(d.Changes, c)
		}
	}
	_, oldOrder := cellsByKey(old)
	for _, k := range oldOrder {
		if _, still := after[k]; !still {
			c, _ := change(k, before[k], true, verdict.Cell{}, false)
			d.Changes = append(d.Changes, c)
		}
	}
	for _, c := range d.Changes {
		switch c.Kind {
		case "new":
			d.Summary.New++
		case "fixed":
			d.Summary.Fixed++
		case "added":
			d.Summary.Added++
		case "removed":
			d.Summary.Removed++
		default:
			d.Summary.Changed++
		}
		if c.New == verdict.Breaks && c.Old != verdict.Breaks {
			d.Summary.NewBreaks++
		}
	}
	return d
}

func cellsByKey(r *verdict.Report) (map[cellKey]verdict.Cell, []cellKey) {
	cells := map[cellKey]verdict.Cell{}
	var order []cellKey
	for _, c := range r.Cells {
		k := cellKey{c.Tool, c.Host, 0}
		for _, taken := cells[k]; taken; _, taken = cells[k] {
			k.nth++
		}
		cells[k] = c
		order = append(order, k)
	}
	return cells, order
}

func change(k cellKey, o verdict.Cell, had bool, n verdict.Cell, has bool) (Change, bool) {
	c := Change{Tool: k.tool, Host: k.host, Old: o.Verdict, New: n.Verdict, OldVersion: o.HostVersion, NewVersion: n.HostVersion}
	c.Came, c.Went = missing(n, o), missing(o, n)
	worst := n
	switch {
	case !has:
		c.Kind, worst = "removed", o
	case !had:
		c.Kind = "added"
	case n.Verdict.Rank() > o.Verdict.Rank():
		c.Kind = "new"
	case n.Verdict.Rank() < o.Verdict.Rank():
		c.Kind, worst = "fixed", o
	case len(c.Came) > 0 || len(c.Went) > 0:
		c.Kind = "changed"
	default:
		return c, false
	}
	if len(worst.Findings) > 0 {
		c.Message = worst.Findings[0].Message
	}
	return c, true
}

// missing lists the findings of a that b does not have, info left out: by rule, and by
// place too where both have the rule.
func missing(a, b verdict.Cell) []string {
	var out []string
	for _, f := range a.Findings {
		if f.Severity == verdict.Info {
			continue
		}
		text, known := f.Rule, false
		for _, g := range b.Findings {
			if g.Rule != f.Rule || g.Severity != f.Severity {
				continue
			}
			known = known || g.SchemaPointer == f.SchemaPointer
			text = strings.TrimSpace(f.Rule + " " + f.SchemaPointer)
		}
		if !known && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	slices.SortFunc(out, cmp.Compare)
	return out
}
