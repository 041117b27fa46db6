package reports_test

import (
	"bytes"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/reports"
)

var _ = Describe("Combine", func() {
	one := func(tool, protocol, transport string, whole verdict.Verdict) *verdict.Report {
		r := &verdict.Report{Format: verdict.Format,
			Target: verdict.Target{Name: "real-name", Transport: transport, Handshakes: []verdict.Handshake{{ID: "initialize-2025-11-25", Tools: 1}}},
			Hosts:  []verdict.Host{{ID: "h", Version: "1", Protocol: protocol}},
			Tools:  []verdict.Tool{{Name: tool}},
			Cells: []verdict.Cell{
				{Tool: "", Host: "h", HostVersion: "1", Verdict: whole, Findings: []verdict.Finding{{Rule: "x", Severity: verdict.Error, Message: "whole"}}},
				{Tool: tool, Host: "h", HostVersion: "1", Verdict: verdict.Works, Findings: []verdict.Finding{{Rule: "y", Severity: verdict.Info, Culprit: "other"}}}},
			Advice: []verdict.Advice{{Rule: "z", Severity: verdict.Warning, Message: "advice", Session: "initialize-2025-11-25"}}}
		r.Summary = verdict.Count(r.Cells)
		return r
	}

	It("keeps one cell per tool and host, and the targets of all", func() {
		a, b := one("ping", "2025-11-25", "stdio", verdict.Works), one("ping", "2026-07-28", "streamable-http", verdict.Breaks)
		r := reports.Combine("mcp.json", []string{"a", "b"}, []*verdict.Report{a, b})
		Expect(r.Target.Name).To(Equal("mcp.json"))
		Expect(r.Target.Transport).To(Equal("mixed"))
		Expect(r.Target.Handshakes).To(HaveExactElements(HaveField("ID", "a/initialize-2025-11-25"), HaveField("ID", "b/initialize-2025-11-25")))
		Expect(r.Servers).To(HaveExactElements(HaveField("Name", "a"), HaveField("Name", "b")))
		Expect(r.Hosts[0].Protocol).To(BeEmpty(), "the servers speak different revisions")
		Expect(r.Tools).To(HaveExactElements(HaveField("Name", "a/ping"), HaveField("Name", "b/ping")))
		Expect(r.Cells).To(HaveExactElements(HaveField("Tool", ""), HaveField("Tool", "a/ping"), HaveField("Tool", "b/ping")))
		Expect(r.Cells[0].Verdict).To(Equal(verdict.Breaks))
		Expect(r.Cells[0].Findings).To(HaveExactElements(HaveField("Message", "a: whole"), HaveField("Message", "b: whole")))
		Expect(r.Cells[1].Findings[0].Culprit).To(Equal("a/other"))
		Expect(r.Advice).To(HaveExactElements(HaveField("Message", "a: advice"), HaveField("Message", "b: advice")))
		Expect(r.Summary.Cells).To(Equal(3))
		Expect(a.Cells[1].Findings[0].Culprit).To(Equal("other"), "the reports themselves must not change")
	})

	It("is a canonical report that every format can write", func() {
		r := reports.Combine("mcp.json", []string{"a"}, []*verdict.Report{one("ping", "2025-11-25", "stdio", verdict.Breaks)})
		var text bytes.Buffer
		for _, f := range reports.Formats() {
			text.Reset()
			Expect(f.Write(&text, r, reports.Options{})).To(Succeed(), f.Name)
		}
		f, err := reports.Lookup("json")
		Expect(err).NotTo(HaveOccurred())
		text.Reset()
		Expect(f.Write(&text, r, reports.Options{})).To(Succeed())
		again, err := reports.Read("it", text.Bytes())
		Expect(err).NotTo(HaveOccurred())
		Expect(again.Servers).To(HaveLen(1))
	})
})
