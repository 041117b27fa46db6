package lint

import (
	"fmt"
	"strings"
)

// write writes the rule as a section of docs/rules.md.
func (r *Rule) write(b *strings.Builder) {
	fmt.Fprintf(b, "### %s\n\n%s.\n\n", r.ID, r.Title)
	facts := []string{"severity " + string(r.Severity), "level " + string(r.Level), "stage " + string(r.Stage)}
	if r.Revisions == nil {
		facts = append(facts, "all revisions")
	} else {
		facts = append(facts, "revisions "+join(r.Revisions))
	}
	if r.Strict {
		facts = append(facts, "strict mode only")
	}
	facts = append(facts, "since "+r.Since)
	if len(r.Covers) > 0 {
		facts = append(facts, "covers "+join(r.Covers))
	}
	fmt.Fprintf(b, "*%s.*\n\n%s\n\n", strings.Join(facts, "; "), r.Why)
	if r.Stands != nil {
		b.WriteString("Stands for the rows of the table that refuse the wrong example and take the right one, or lose part of it; silent in a run without such a row.\n\n")
	}
	for _, part := range []struct{ name, text string }{{"Wrong", r.Wrong}, {"Right", r.Right}} {
		fmt.Fprintf(b, "%s:\n\n```\n%s\n```\n\n", part.name, part.text)
	}
	fmt.Fprintf(b, "Source: %s.\n\n", r.Source)
}

// Unseen is a rule of the lists that this package does not check, and why.
type Unseen struct{ IDs, What, Why string }

// Docs returns the content of docs/rules.md.
func Docs() string {
	var b strings.Builder
	b.WriteString(docsHead)
	for _, f := range families {
		fmt.Fprintf(&b, "## %s\n\n| rule | level | what |\n|---|---|---|\n", f.title)
		for _, r := range f.rules() {
			fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", r.ID, r.ID, r.Level, r.Title)
		}
		b.WriteString("\n")
	}
	b.WriteString("## What is not checked here, and why\n\n| rule | what | why |\n|---|---|---|\n")
	for _, u := range unseen {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", u.IDs, u.What, u.Why)
	}
	writeRequirements(&b)
	b.WriteString(docsMeasured)
	for _, f := range families {
		fmt.Fprintf(&b, "\n## %s, one by one\n\n", f.title)
		for _, r := range f.rules() {
			complete(r).write(&b)
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
