package reports

import (
	"bufio"
	"fmt"
	"io"
	"strings"

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
	return fmt.Errorf("no diff format %q%s there are %s", format, meant(format, DiffNames), strings.Join(DiffNames, ", "))
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
	out := fmt.Sprintf("%d new, %d fixed, %d changed, %d added, %d removed", s.New, s.Fixed, s.Changed, s.Added, s.Removed)
	switch s.NewBreaks {
	case 0:
		return out + "; no cell breaks that did not before"
	case 1:
		return out + "; 1 cell breaks that did not before"
	}
	return out + fmt.Sprintf("; %d cells break that did not before", s.NewBreaks)
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
	return inline(side(c.Old, c.OldVersion) + " → " + side(c.New, c.NewVersion))
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

// changeGroup is one change of one tool and the hosts that share it word for word.
type changeGroup struct {
	Change
	hosts []string
}

// groups gathers the changes of a kind: a fault that shows in forty hosts is one.
func (d *Diff) groups(kind string) []*changeGroup {
	type key struct{ tool, verdicts, rules, message string }
	at := map[key]*changeGroup{}
	var out []*changeGroup
	for _, c := range d.Changes {
		if c.Kind != kind {
			continue
		}
		k := key{c.Tool, c.verdicts(), c.rules(), c.Message}
		g := at[k]
		if g == nil {
			g = &changeGroup{Change: c}
			at[k] = g
			out = append(out, g)
		}
		g.hosts = append(g.hosts, inline(c.Host))
	}
	return out
}

func writeDiffText(w io.Writer, d *Diff) error {
	b := bufio.NewWriter(w)
	line := func(s string) { fmt.Fprintln(b, uncommand(strings.TrimRight(s, " "))) }
	hang := func(indent, text string) {
		for i, l := range wrap(text, defaultWidth-len(indent)-2*min(1, len(indent))) {
			if i > 0 {
				l = "  " + l
			}
			line(indent + l)
		}
	}
	line(d.cause())
	for _, k := range diffKinds {
		for i, g := range d.groups(k.kind) {
			if i == 0 {
				line("")
				line(k.head + ":")
			}
			hang("  ", fmt.Sprintf("%s in %s: %s %s", toolName(g.Tool), strings.Join(g.hosts, ", "), g.verdicts(), g.rules()))
			if g.Message != "" {
				for _, l := range wrap(cutText(inline(g.Message), hostTextMax), defaultWidth-6) {
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
	var b strings.Builder
	fmt.Fprintf(&b, "### conform: %s\n\n%s\n", d.counts(), d.cause())
	left := 0
	for _, k := range diffKinds {
		head := fmt.Sprintf("\n**%s**\n\n| tool | hosts | verdict | findings |\n|---|---|---|---|\n", k.head)
		for _, g := range d.groups(k.kind) {
			row := uncommanded(fmt.Sprintf("| %s | %s | %s | %s |\n", code(toolName(g.Tool)), markdownText(strings.Join(g.hosts, ", ")), markdownText(g.verdicts()), markdownText(g.rules())))
			if b.Len()+len(head)+len(row) > markdownMax {
				left++
				continue
			}
			b.WriteString(head + row)
			head = ""
		}
	}
	if left > 0 {
		fmt.Fprintf(&b, "\n%s did not fit; `--format json` has them.\n", plural(left, "more change"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
