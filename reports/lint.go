package reports

import (
	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
)

// lintRules are the rules of package lint in the form in which reports document
// rules.
func lintRules() []Rule {
	var out []Rule
	for _, r := range lint.Rules() {
		rule := Rule{ID: r.ID, Title: r.Title, Stage: string(r.Stage), Severity: r.Severity, Text: r.Why, Wrong: r.Wrong, Right: r.Right, Page: "docs/rules.md"}
		if r.Source != "" {
			rule.Text += "\n\nSource: " + r.Source
		}
		out = append(out, rule)
	}
	return out
}

// withSpec adds to the columns of protocol revisions what the rules say about the
// sessions of that revision. A finding about the server as a whole stands in the
// server's own cell: a fault of its handshake is no fault of its tools.
func withSpec(columns []matrix.Column, capture *recording.Capture, until lint.Until) []matrix.Column {
	out := append([]matrix.Column(nil), columns...)
	for i, c := range out {
		if c.Host.Host.Kind != "spec" {
			continue
		}
		shake, _ := capabilities.Get[capabilities.Handshake](c.Host, "connect.handshake")
		if shake == nil || len(shake.Tries) == 0 {
			continue
		}
		findings, _ := lint.SpecFindings(capture, shake.Tries[0].Version, until)
		if len(findings) > 0 {
			out[i].Cells = merge(c, findings)
		}
		if until.Stopped() { // not all rules of the revision spoke
			out[i].Cells = undecided(out[i].Cells, until.Why)
		}
	}
	return out
}

// undecided takes the cells that nothing speaks against back.
func undecided(cells []verdict.Cell, why string) []verdict.Cell {
	out := make([]verdict.Cell, len(cells))
	for i, c := range cells {
		out[i] = worsen(c, []verdict.Finding{{Rule: "not-evaluated", Severity: verdict.Undecided, Message: why}})
	}
	return out
}

func merge(c matrix.Column, findings map[string][]verdict.Finding) []verdict.Cell {
	cells := append([]verdict.Cell(nil), c.Cells...)
	if len(findings[""]) > 0 && (len(cells) == 0 || cells[0].Tool != "") {
		cells = append([]verdict.Cell{{Host: c.Host.ID, HostVersion: c.Host.Version, Verdict: verdict.Works, Modelled: c.Host.Modelled()}}, cells...)
	}
	done := map[string]bool{} // of two tools with one name the first one gets them
	for i := range cells {
		if tool := cells[i].Tool; !done[tool] {
			done[tool] = true
			cells[i] = worsen(cells[i], findings[tool])
		}
	}
	return cells
}

// sameAs maps a rule of package lint to the rule of the pipeline that says the same
// in the column of a protocol revision; the pipeline's has the words and the pointers.
var sameAs = map[string]string{
	"structured-absent":   "structured-missing",
	"structured-mismatch": "result-schema-mismatch",
	"result-block":        "result-malformed",
	"result-content":      "result-malformed",
}

// worsen adds findings to a cell; stage, blast and basis follow what decides.
func worsen(c verdict.Cell, findings []verdict.Finding) verdict.Cell {
	c.Findings = append([]verdict.Finding(nil), c.Findings...)
	for _, f := range findings {
		known := false
		for _, have := range c.Findings {
			known = known || have.Rule == f.Rule && have.SchemaPointer == f.SchemaPointer || have.Rule == sameAs[f.Rule]
		}
		if known {
			continue
		}
		if effect := f.Severity.Effect(); effect.Rank() > c.Verdict.Rank() {
			c.Verdict, c.Stage, c.Blast, c.Basis = effect, f.Stage, f.Blast, f.Basis
			c.Findings = append([]verdict.Finding{f}, c.Findings...) // the decisive finding comes first
			continue
		}
		c.Findings = append(c.Findings, f)
	}
	return c
}
