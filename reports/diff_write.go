package reports

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
)

// DiffNames are the formats of a diff.
var DiffNames = []string{"text", "markdown", "json"}

// WriteDiff renders a diff as text, markdown or json.
func WriteDiff(w io.Writer, d *Diff, format string) error {
	switch format {
	case "json":
		_, err := fmt.Fprintf(w, "%s\n", compact(d))
		return err
	case "text":
		return writeDiffText(w, d)
	case "markdown":
		return writeDiffMarkdown(w, d)
	}
	hint := ""
	if near := capabilities.Nearest(format, DiffNames); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	}
	return fmt.Errorf("no diff format %q%s; there are %s", format, hint, strings.Join(DiffNames, ", "))
}

// cause says in a sentence why the reports differ.
func (d *Diff) cause() string {
	switch {
	case d.Server && d.Table:
		return "The server's tools and the capability table both changed."
	case d.Server:
		return "The server's tools changed; the capability table is the same."
	case d.Table:
		return "The capability table changed; the server's tools are the same."
	case len(d.Changes) > 0:
		return "Neither the server's tools nor the capability table changed: results, hosts or sampling differ."
	}
	return "Nothing changed."
}

func (d *Diff) counts() string {
	s := d.Summary
	return fmt.Sprintf("%d new, %d fixed, %d changed, %d added, %d removed; %d cells break that did not before", s.New, s.Fixed, s.Changed, s.Added, s.Removed, s.NewBreaks)
}

var diffKinds = []struct{ kind, head string }{
	{"new", "Worse"}, {"fixed", "Better"}, {"changed", "Other findings"}, {"added", "Only in the new report"}, {"removed", "Only in the old report"},
}

func (c Change) verdicts() string {
	side := func(v verdict.Verdict, version string) string {
		if v == "" {
			return "–"
		}
		if version != "" && c.OldVersion != c.NewVersion {
			return string(v) + " (" + version + ")"
		}
		return string(v)
	}
	return side(c.Old, c.OldVersion) + " → " + side(c.New, c.NewVersion)
}

func (c Change) rules() string {
	var out []string
	for _, r := range c.Came {
		out = append(out, "+"+r)
	}
	for _, r := range c.Went {
		out = append(out, "-"+r)
	}
	return strings.Join(out, " ")
}

func writeDiffText(w io.Writer, d *Diff) error {
	b := bufio.NewWriter(w)
	line := func(s string) { fmt.Fprintln(b, uncommand(strings.TrimRight(s, " "))) }
	line(d.cause())
	for _, k := range diffKinds {
		head := false
		for _, c := range d.Changes {
			if c.Kind != k.kind {
				continue
			}
			if !head {
				head = true
				line("")
				line(k.head + ":")
			}
			line(fmt.Sprintf("  %s in %s: %s %s", toolName(c.Tool), inline(c.Host), c.verdicts(), c.rules()))
			if c.Message != "" {
				for _, l := range wrap(inline(c.Message), defaultWidth-6) {
					line("      " + l)
				}
			}
		}
	}
	if len(d.Changes) > 0 {
		line("")
		line(d.counts())
	}
	return b.Flush()
}

func writeDiffMarkdown(w io.Writer, d *Diff) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "### conform: %s\n\n%s\n", d.counts(), d.cause())
	for _, k := range diffKinds {
		head := false
		for _, c := range d.Changes {
			if c.Kind != k.kind {
				continue
			}
			if !head {
				head = true
				fmt.Fprintf(b, "\n**%s**\n\n| tool | host | verdict | findings |\n|---|---|---|---|\n", k.head)
			}
			fmt.Fprintf(b, "| %s | %s | %s | %s |\n", cellCode(toolName(c.Tool)), markdownText(c.Host), c.verdicts(), markdownText(c.rules()))
		}
	}
	return b.Flush()
}
