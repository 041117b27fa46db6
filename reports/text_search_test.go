package reports_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/reports"
)

var _ = It("says in text what the search beyond the real results came to", func() {
	cell := func(tool, search string) verdict.Cell {
		return verdict.Cell{Tool: tool, Host: "h", Verdict: verdict.Works, Search: search}
	}
	r := &verdict.Report{Format: verdict.Format, Hosts: []verdict.Host{{ID: "h", Name: "h"}}, Tools: []verdict.Tool{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}, {Name: "e"}},
		Cells: []verdict.Cell{cell("a", "proven"), cell("b", "proven"), cell("c", "tried"), cell("d", "tried"), cell("e", "")}}
	r.Cells[2].Tried, r.Cells[3].Tried = 41, 7
	text := string(write("text", r, reports.Options{Width: 400}))
	Expect(text).To(ContainSubstring("in 4 cells: in 2 none can exist (proven"))
	Expect(text).To(ContainSubstring("in 2 none of those tried was (7 to 41 in a cell, which proves nothing)"))
	Expect(text).NotTo(ContainSubstring("may send"))

	found := func(severity verdict.Severity) verdict.Cell {
		c := cell("a", "found")
		c.Findings = []verdict.Finding{{Rule: "result-schema-mismatch", Stage: verdict.Result, Severity: severity, Sample: "synthesized"}}
		return c
	}
	r.Cells = []verdict.Cell{found(verdict.Info), found(verdict.Error), found(verdict.Info)}
	text = string(write("text", r, reports.Options{Width: 400}))
	Expect(text).To(ContainSubstring("in 3 cells: in 2 one exists that a server is not likely to send (--verbose shows it), in 1 one was found that a server may send."))
})
