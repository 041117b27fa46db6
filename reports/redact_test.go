package reports_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/reports"
	"github.com/hostmatrix/conform/schema"
)

var _ = Describe("a report without what results hold", func() {
	const result = `{"content":[{"type":"text","text":"{\"owner\":\"ada@example.com\",\"litres\":310}"}],"structuredContent":{"owner":"ada@example.com","litres":310,"secret-7731":"x","note":"Call me before nine, says Ada \"Lovelace\""}}`

	report := func() (*verdict.Report, *recording.Capture) {
		r := sample()
		r.Tools = []verdict.Tool{{Name: "fuel", Samples: 1, How: "called", Definition: `{"name":"fuel","outputSchema":{"properties":{"owner":{},"litres":{},"note":{}}}}`, Results: []string{result}}}
		f := verdict.Finding{Rule: "result-schema-mismatch", Severity: verdict.Error, Stage: verdict.Result, Sample: "real",
			Message:       "structuredContent holds 310, which the model does not see",
			HostText:      `Input should be 'x' [input_value='ada@examp...', litres=310.5, at secret-7731, says Ada \"Love…] code 3100`,
			SchemaPointer: "/outputSchema/properties/litres", DataPointer: "/structuredContent/secret-7731", Witness: `{"owner":"ada@example.com","litres":"!"}`}
		other := verdict.Finding{Rule: f.Rule, Severity: f.Severity, Stage: f.Stage, Message: "another tool has 310 of its own"}
		r.Cells = []verdict.Cell{{Tool: "fuel", Host: "alpha-ide", HostVersion: "3.1.4", Verdict: verdict.Breaks, Findings: []verdict.Finding{f}},
			{Tool: "depot_list", Host: "alpha-ide", HostVersion: "3.1.4", Verdict: verdict.Breaks, Findings: []verdict.Finding{other}}}
		r.Advice = []verdict.Advice{{Tool: "fuel", Rule: "structured-text", Message: `the text says "ada@example.com"`}}
		r.Summary = verdict.Count(r.Cells)
		parsed, err := schema.ParseString(result)
		Expect(err).NotTo(HaveOccurred())
		return r, &recording.Capture{Sessions: []*recording.Session{{Calls: []*recording.Call{{Tool: "fuel", Result: parsed, Origin: recording.Real}}}}}
	}

	DescribeTable("has no value, no piece of one and no key that the schema does not name", func(fromReport bool) {
		r, capture := report()
		if fromReport {
			capture = nil
		}
		reports.RedactResults(r, capture)
		for _, name := range []string{"json", "jsonl", "html", "text", "markdown", "sarif", "junit", "tap", "github", "gitlab"} {
			out := string(write(name, r, reports.Options{Verbose: true}))
			for _, secret := range []string{"ada@examp", "holds 310", "secret-7731", "Lovelace", "before nine", "the text says \"ada"} {
				Expect(out).NotTo(ContainSubstring(secret), name)
			}
		}
		f := r.Cells[0].Findings[0]
		Expect(f.Message).To(Equal("structuredContent holds …, which the model does not see"))
		Expect(f.HostText).To(ContainSubstring("code 3100"), "a number that only begins alike stays")
		Expect(f.SchemaPointer).To(Equal("/outputSchema/properties/litres"))
		Expect(f.DataPointer).To(Equal("/structuredContent/…"))
		Expect(r.Cells[0].Verdict).To(Equal(verdict.Breaks))
		Expect(r.Cells[1].Findings[0].Message).To(ContainSubstring("310"), "values of other tools say nothing here")
		Expect(r.Tools[0].Results).To(BeEmpty())
		Expect(r.Tools[0].Definition).NotTo(BeEmpty())
	}, Entry("known from the capture", false), Entry("known from the report", true))
})
