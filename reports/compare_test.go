package reports_test

import (
	"bytes"
	"unicode"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/reports"
)

// fixed is the sample after its author repaired hauler_status and broke haul_note
// in one more host.
func fixed() *verdict.Report {
	r := sample()
	r.Target.Digest = "another"
	var broken verdict.Cell
	for i, c := range r.Cells {
		if c.Tool == "hauler_status" && c.Host == "alpha-ide" {
			broken = c
			r.Cells[i].Verdict, r.Cells[i].Findings, r.Cells[i].App = verdict.Works, nil, ""
		}
	}
	for i, c := range r.Cells {
		if c.Tool == "haul_note" && c.Host == "spec-x" {
			r.Cells[i].Verdict, r.Cells[i].Findings = verdict.Breaks, broken.Findings
		}
	}
	r.Summary = verdict.Count(r.Cells)
	return r
}

var _ = Describe("diff", func() {
	DescribeTable("reads as its golden", func(format, file string) {
		var b bytes.Buffer
		Expect(reports.WriteDiff(&b, reports.Compare(sample(), fixed()), format)).To(Succeed())
		golden(file, b.Bytes())
	},
		Entry(nil, "text", "diff.txt"),
		Entry(nil, "markdown", "diff.md"),
		Entry(nil, "json", "diff.json"),
	)

	It("finds nothing between a report and itself", func() {
		d := reports.Compare(sample(), sample())
		Expect(d.Changes).To(BeEmpty())
		Expect(d.Summary).To(Equal(reports.DiffSummary{}))
	})

	It("compares a host with its next version", func() {
		next := sample()
		for i := range next.Cells {
			if next.Cells[i].Host == "alpha-ide" {
				next.Cells[i].HostVersion = "3.2.0"
			}
		}
		Expect(reports.Compare(sample(), next).Changes).To(BeEmpty(), "the same verdicts in another version are no change")
	})

	It("refuses a format that it does not know", func() {
		Expect(reports.WriteDiff(&bytes.Buffer{}, reports.Compare(sample(), sample()), "jsn")).
			To(MatchError(ContainSubstring(`did you mean "json"?`)))
	})
})

var _ = Describe("merge", func() {
	shards := func(n int) ([]string, []*verdict.Report) {
		var names []string
		var out []*verdict.Report
		for i := n; i >= 1; i-- { // the order of the files does not matter
			names = append(names, string(rune('0'+i))+".json")
			out = append(out, reports.Cut(sample(), i, n))
		}
		return names, out
	}

	DescribeTable("gives the bytes of the run without shards", func(n int) {
		merged, err := reports.Merge(shards(n))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(write("json", merged, reports.Options{}))).To(Equal(string(write("json", sample(), reports.Options{}))))
	}, Entry(nil, 1), Entry(nil, 2), Entry(nil, 3), Entry(nil, 7))

	It("takes the fix of a tool that breaks others from the shard that called it", func() {
		const culprit = "haul_note" // in shard 4 of 4, hauler_status in shard 1
		whole, fault := sample(), verdict.Finding{Rule: "list-rejected", Severity: verdict.Error, Stage: verdict.List, Culprit: culprit, Fix: "tried on results"}
		for i, c := range whole.Cells {
			if c.Host == "alpha-ide" && (c.Tool == culprit || c.Tool == "hauler_status") {
				whole.Cells[i].Findings = []verdict.Finding{fault}
			}
		}
		var names []string
		var parts []*verdict.Report
		for i := range 4 {
			part := reports.Cut(whole, i+1, 4)
			if i == 0 { // it has no results of the culprit
				for k, c := range part.Cells {
					if c.Host == "alpha-ide" && c.Tool == "hauler_status" {
						other := fault
						other.Fix, other.FixText = "tried on schemas", "tried on schemas alone"
						part.Cells[k].Findings = []verdict.Finding{other}
					}
				}
			}
			names, parts = append(names, string(rune('1'+i))+".json"), append(parts, part)
		}
		merged, err := reports.Merge(names, parts)
		Expect(err).NotTo(HaveOccurred())
		Expect(merged.Cells).To(Equal(whole.Cells))
		Expect(parts[0].Cells).NotTo(Equal(reports.Cut(whole, 1, 4).Cells), "a shard's report stays as it is")
	})

	It("puts every tool into exactly one shard, always the same", func() {
		Expect(reports.ShardOf("hauler", "depot_list", 4)).To(Equal(reports.ShardOf("hauler", "depot_list", 4)))
		Expect([]int{reports.ShardOf("hauler", "depot_list", 4), reports.ShardOf("hauler", "haul_note", 4), reports.ShardOf("hauler", "hauler_status", 4)}).
			To(Equal([]int{4, 4, 1}), "the hash must never change: machines of different versions share a run")
	})

	DescribeTable("refuses what is not one run", func(spoil func([]*verdict.Report) []*verdict.Report, message string) {
		names, parts := shards(2)
		parts = spoil(parts)
		_, err := reports.Merge(names[:len(parts)], parts)
		Expect(err).To(MatchError(ContainSubstring(message)))
	},
		Entry("a shard is missing", func(r []*verdict.Report) []*verdict.Report { return r[:1] }, "shard 1 of 2 is missing"),
		Entry("twice the same", func(r []*verdict.Report) []*verdict.Report { r[1] = r[0]; return r }, "are both shard 2 of 2"),
		Entry("no shard", func(r []*verdict.Report) []*verdict.Report { r[1] = sample(); return r }, "is no shard of a run"),
		Entry("another server", func(r []*verdict.Report) []*verdict.Report { r[1].Target.Digest = "x"; return r }, "different servers"),
		Entry("another table", func(r []*verdict.Report) []*verdict.Report { r[1].Conform.Table = "x"; return r }, "different versions"),
		Entry("other hosts", func(r []*verdict.Report) []*verdict.Report { r[1].Hosts = r[1].Hosts[:1]; return r }, "different hosts"),
	)
})

var _ = Describe("baseline", func() {
	const day = "2026-11-30"
	read := func(text string) *reports.Baseline {
		b, err := reports.ReadBaseline("b.yaml", []byte(text))
		Expect(err).NotTo(HaveOccurred())
		return b
	}
	all := func() *reports.Baseline {
		return read(string(reports.BaselineOf(sample(), verdict.Breaks, "known").Encode()))
	}

	It("expects what it was written from, and nothing else", func() {
		result := all().Check(sample(), verdict.Breaks, day)
		Expect(result.Unexpected).To(BeEmpty())
		Expect(result.Stale).To(BeEmpty())
		Expect(result.Expected).To(HaveLen(3), "one entry for each finding, not for each cell")
	})

	It("finds what is new and what is gone", func() {
		result := all().Check(fixed(), verdict.Breaks, day)
		Expect(result.Unexpected).To(HaveLen(1))
		Expect(result.Unexpected[0].Entry).To(And(HaveField("Tool", "haul_note"), HaveField("Host", "spec-x")))
		Expect(result.Stale).To(HaveLen(1))
		Expect(result.Stale[0]).To(And(HaveField("Tool", "hauler_status"), HaveField("Host", "alpha-ide")))
	})

	It("tells apart what only the table learned", func() {
		same := fixed()
		same.Target.Digest = sample().Target.Digest
		same.Conform.Table = "newer"
		result := all().Check(same, verdict.Breaks, day)
		Expect(result.Unexpected).To(BeEmpty())
		Expect(result.Learned).To(HaveLen(1))
	})

	It("lets an entry expire on its day, and prunes it", func() {
		b := all()
		b.Entries[0].Expires = day
		Expect(b.Check(sample(), verdict.Breaks, "2026-11-29").Unexpected).To(BeEmpty())
		result := b.Check(sample(), verdict.Breaks, day)
		Expect(result.Unexpected).To(HaveLen(1))
		Expect(result.Expired).To(HaveLen(1))
		Expect(b.Prune(result).Entries).To(HaveLen(len(b.Entries) - 1))
	})

	It("takes a star for every host, and leaves out the place", func() {
		b := read("format: conform-baseline/1\nentries:\n  - {tool: hauler_status, host: \"*\", rule: result-schema-mismatch, owner: the team}\n")
		result := b.Check(sample(), verdict.Breaks, day)
		Expect(result.Expected).To(HaveLen(1))
		Expect(result.Unexpected).To(HaveLen(2))
	})

	It("does not call an entry stale when its host was not looked at", func() {
		r := sample()
		r.Hosts = r.Hosts[1:]
		r.Cells = nil
		Expect(all().Check(r, verdict.Breaks, day).Stale).NotTo(ContainElement(HaveField("Host", "alpha-ide")))
	})

	DescribeTable("reads files strictly", func(text, message string) {
		_, err := reports.ReadBaseline("b.yaml", []byte(text))
		Expect(err).To(MatchError(ContainSubstring(message)))
	},
		Entry("no format", "entries: []", "conform baseline write"),
		Entry("unknown member", "format: conform-baseline/1\nentrys: []", "entrys"),
		Entry("no rule", "format: conform-baseline/1\nentries: [{tool: x, host: y}]", "entry 1 needs a rule"),
		Entry("no such month", "format: conform-baseline/1\nentries: [{tool: x, host: y, rule: z, expires: 2026-13-01}]", `"2026-13-01" is no day`),
		Entry("no such day", "format: conform-baseline/1\nentries: [{tool: x, host: y, rule: z, expires: 2026-02-30}]", `"2026-02-30" is no day`),
		Entry("no date", "format: conform-baseline/1\nentries: [{tool: x, host: y, rule: z, expires: soon}]", `"soon" is no day`),
		Entry("no YAML", "format: [", "not a baseline"),
	)
})

var _ = Describe("a baseline of a hostile or cut report", func() {
	It("shows what it names, and reads back the same", func() {
		r := fixed()
		name := "dr\u202eop\u200b \U000e0041 \x1b[1m::error::x\n- tool: y"
		for i := range r.Cells {
			r.Cells[i].Tool = name
		}
		r.Cells[0].Verdict = verdict.Breaks
		r.Cells[0].Findings = []verdict.Finding{{Rule: "list-rejected", Severity: verdict.Error, Stage: verdict.List, Message: "no", SchemaPointer: "/a\u202eb"}}
		text := reports.BaselineOf(r, verdict.Breaks, "because\u202e").Encode()
		Expect(string(text)).To(ContainSubstring(`\u202e`))
		for _, c := range string(text) {
			Expect(c == '\n' || unicode.IsPrint(c)).To(BeTrue(), "%U stands bare", c)
		}
		b, err := reports.ReadBaseline("it", text)
		Expect(err).NotTo(HaveOccurred())
		Expect(b.Check(r, verdict.Breaks, "2026-12-01").Unexpected).To(BeEmpty())
	})

	It("calls nothing stale that the report does not speak of", func() {
		r := sample()
		b := reports.BaselineOf(r, verdict.Breaks, "")
		Expect(b.Entries).NotTo(BeEmpty())
		cut := sample()
		for i := range cut.Cells {
			cut.Cells[i].Verdict, cut.Cells[i].Findings = verdict.Unknown, nil
		}
		Expect(b.Check(cut, verdict.Breaks, "2026-12-01").Stale).To(BeEmpty(), "interrupted: every cell is unknown")
		cut.Cells = nil
		Expect(b.Check(cut, verdict.Breaks, "2026-12-01").Stale).To(BeEmpty(), "the server did not start")
		for i := range r.Cells {
			r.Cells[i].Verdict, r.Cells[i].Findings = verdict.Works, nil
		}
		Expect(b.Check(r, verdict.Breaks, "2026-12-01").Stale).To(HaveLen(len(b.Entries)))
	})

	It("checks a large server at once", func() {
		r := extreme()["rows that differ"]
		b := reports.BaselineOf(r, verdict.Unknown, "")
		Expect(len(b.Entries)).To(BeNumerically(">", 15_000))
		Expect(b.Check(r, verdict.Unknown, "2026-12-01").Unexpected).To(BeEmpty())
		Expect(b.Prune(b.Check(r, verdict.Unknown, "2026-12-01")).Entries).To(HaveLen(len(b.Entries)))
	})
})
