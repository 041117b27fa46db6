package reports

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// WriteBaselineResult says for a person what a baseline does not expect and what it
// expects in vain. file is the baseline's name.
func WriteBaselineResult(w io.Writer, r BaselineResult, file string) error {
	b := bufio.NewWriter(w)
	line := func(s string) { fmt.Fprintln(b, uncommand(strings.TrimRight(s, " "))) }
	list := func(head string, known []Known) {
		if len(known) == 0 {
			return
		}
		line(head)
		for _, k := range known {
			line("  " + k.Entry.String())
			for _, l := range wrap(inline(k.Finding.Message), defaultWidth-6) {
				line("      " + l)
			}
		}
	}
	list("Not in the baseline:", r.Unexpected)
	list("New because the table learned; the server's tools are the same (--table-as-of DATE evaluates with what it knew on a day):", r.Learned)
	entries := func(head string, all []BaselineEntry) {
		if len(all) == 0 {
			return
		}
		line(head)
		for _, e := range all {
			line("  " + e.String())
		}
	}
	entries("Expired, so that they count again:", r.Expired)
	entries("Stale, nothing matches them any more (`conform baseline prune` removes them):", r.Stale)
	line(fmt.Sprintf("%s: %d known, %d not known, %d new because the table learned, %d stale, %d expired",
		file, len(r.Expected), len(r.Unexpected), len(r.Learned), len(r.Stale), len(r.Expired)))
	return b.Flush()
}

// String is one line for a person.
func (e BaselineEntry) String() string {
	out := toolName(e.Tool) + " in " + inline(e.Host) + ": " + inline(e.Rule)
	if e.Stage != "" {
		out += " at " + inline(e.Stage)
	}
	if e.Schema != "" {
		out += " " + inline(e.Schema)
	}
	var notes []string
	if e.Reason != "" {
		notes = append(notes, inline(e.Reason))
	}
	if e.Owner != "" {
		notes = append(notes, "owner "+inline(e.Owner))
	}
	if e.Expires != "" {
		notes = append(notes, "expires "+e.Expires)
	}
	if len(notes) > 0 {
		out += " (" + strings.Join(notes, ", ") + ")"
	}
	return out
}
