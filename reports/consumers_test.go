package reports_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/reports"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	_ "github.com/hostmatrix/conform/validators/all"
)

// These specs read what the writers write as its consumers do.
var _ = Describe("what consumers read", func() {
	It("counts in JUnit XML what it holds", func() {
		var doc struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Suites   []struct {
				Tests    int `xml:"tests,attr"`
				Failures int `xml:"failures,attr"`
				Skipped  int `xml:"skipped,attr"`
				Cases    []struct {
					Class   string    `xml:"classname,attr"`
					Name    string    `xml:"name,attr"`
					Failure *struct{} `xml:"failure"`
					Skipped *struct {
						Message string `xml:"message,attr"`
					} `xml:"skipped"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		r := sample()
		Expect(xml.Unmarshal(write("junit", r, reports.Options{}), &doc)).To(Succeed())
		Expect(doc.Tests).To(Equal(len(r.Cells)))
		Expect(doc.Failures).To(Equal(r.Summary.Breaks))
		Expect(doc.Suites).To(HaveLen(len(r.Hosts)))
		skippedInAll := 0
		for _, s := range doc.Suites {
			skippedInAll += s.Skipped
			Expect(s.Cases).To(HaveLen(s.Tests))
			failures, skipped := 0, 0
			for _, c := range s.Cases {
				Expect(c.Name).NotTo(BeEmpty())
				if c.Failure != nil {
					failures++
				}
				if c.Skipped != nil {
					skipped++
					Expect(c.Skipped.Message).To(ContainSubstring("nesting beyond"), "a skipped test says why")
				}
			}
			Expect([]int{failures, skipped}).To(Equal([]int{s.Failures, s.Skipped}))
		}
		Expect(skippedInAll).To(Equal(r.Summary.Unknown))
	})

	It("tells tools of one name apart in JUnit XML", func() {
		r := sample()
		for _, c := range sample().Cells {
			if c.Tool == "hauler_status" {
				r.Cells = append(r.Cells, c)
			}
		}
		out := string(write("junit", r, reports.Options{}))
		Expect(out).To(ContainSubstring(`classname="conform.alpha-ide" name="hauler_status"`))
		Expect(out).To(ContainSubstring(`classname="conform.alpha-ide" name="hauler_status (2)"`))
		Expect(out).NotTo(ContainSubstring("(3)"))
	})

	It("tells two findings of one rule at one place apart in SARIF", func() {
		r := sample()
		for _, revision := range []string{"2025-03-26", "2024-11-05"} {
			r.Advice = append(r.Advice, verdict.Advice{Rule: "era-structured", Severity: verdict.Warning, Tool: "hauler_status", Message: "under " + revision})
		}
		prints := regexp.MustCompile(`"conformFinding/v1": "(\w{32})(:\d+)?"`).FindAllStringSubmatch(string(write("sarif", r, reports.Options{})), -1)
		last := prints[len(prints)-2:]
		Expect(last[0][1]).To(Equal(last[1][1]))
		Expect([]string{last[0][2], last[1][2]}).To(Equal([]string{"", ":2"}))
	})

	It("numbers TAP lines without a gap and as many as planned", func() {
		out := string(write("tap", sample(), reports.Options{}))
		Expect(out).To(HavePrefix("TAP version 13\n1..17\n"))
		point := regexp.MustCompile(`(?m)^(not )?ok (\d+) - (.*)$`).FindAllStringSubmatch(out, -1)
		Expect(point).To(HaveLen(17))
		for i, p := range point {
			Expect(p[2]).To(Equal(fmt.Sprint(i + 1)))
		}
		Expect(strings.Count(out, "\n  ---\n")).To(Equal(strings.Count(out, "\n  ...\n")))
		Expect(regexp.MustCompile(`[^\\]# SKIP `).FindAllString(out, -1)).To(HaveLen(1), "only the unknown cell is a directive")
	})

	It("declares in SARIF each rule it uses, and has a place and a stable fingerprint for each result", func() {
		var log struct {
			Version string
			Runs    []struct {
				Tool struct {
					Driver struct {
						Rules []struct{ ID, Name string }
					}
				}
				Results []struct {
					RuleID    string
					RuleIndex int
					Level     string
					Message   struct{ Text string }
					Locations []struct {
						PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
					}
					PartialFingerprints map[string]string
				}
			}
		}
		r := sample()
		Expect(json.Unmarshal(write("sarif", r, reports.Options{}), &log)).To(Succeed())
		Expect(log.Version).To(Equal("2.1.0"))
		Expect(log.Runs).To(HaveLen(1))
		run := log.Runs[0]
		Expect(len(run.Tool.Driver.Rules)).To(BeNumerically(">=", len(reports.Rules())))
		seen := map[string]bool{}
		for _, result := range run.Results {
			rule := run.Tool.Driver.Rules[result.RuleIndex]
			Expect(rule.ID).To(Equal(result.RuleID))
			Expect(rule.Name).NotTo(Equal(rule.ID), "viewers want a name that differs")
			Expect(result.Level).To(BeElementOf("error", "warning", "note"))
			Expect(result.Locations).To(HaveLen(1))
			Expect(result.Locations[0].PhysicalLocation.ArtifactLocation.URI).NotTo(BeEmpty())
			print := result.PartialFingerprints["conformFinding/v1"]
			Expect(print).To(HaveLen(32))
			Expect(seen).NotTo(HaveKey(print))
			seen[print] = true
		}

		// Another host with the same fault is the same alert.
		more := sample()
		for _, c := range r.Cells {
			if c.Tool == "hauler_status" && c.Host == "alpha-ide" {
				c.Host, c.HostVersion = "delta", "1"
				more.Cells = append(more.Cells, c)
			}
		}
		more.Hosts = append(more.Hosts, verdict.Host{ID: "delta", Version: "1"})
		Expect(regexp.MustCompile(`"conformFinding/v1": "\w+"`).FindAllString(string(write("sarif", more, reports.Options{})), -1)).
			To(ConsistOf(regexp.MustCompile(`"conformFinding/v1": "\w+"`).FindAllString(string(write("sarif", r, reports.Options{})), -1)))
	})

	It("stays within what GitHub takes of a SARIF file", func() {
		r := sample()
		for i := range 26_000 {
			r.Advice = append(r.Advice, verdict.Advice{Rule: "describe-tool", Severity: verdict.Warning, Tool: fmt.Sprint("tool_", i), Message: "it says too little"})
		}
		var log struct {
			Runs []struct {
				Results     []struct{ Level string }
				Invocations []struct {
					Notifications []struct{ Message struct{ Text string } } `json:"toolExecutionNotifications"`
				}
			}
		}
		Expect(json.Unmarshal(write("sarif", r, reports.Options{}), &log)).To(Succeed())
		Expect(log.Runs[0].Results).To(HaveLen(25_000))
		Expect(log.Runs[0].Results[0].Level).To(Equal("error"), "the worst are kept")
		Expect(log.Runs[0].Invocations[0].Notifications[0].Message.Text).To(MatchRegexp(`2600\d findings, of which the worst 25000`))
	})

	It("gives GitHub as many annotations as it shows, and says how many there are", func() {
		r := sample()
		for i := range 40 {
			c := sample().Cells[0]
			c.Tool, c.Verdict, c.Stage = fmt.Sprint("tool_", i), verdict.Breaks, verdict.Result
			c.Findings = []verdict.Finding{{Rule: "result-schema-mismatch", Severity: verdict.Error, Stage: verdict.Result, Message: "no."}}
			r.Cells = append(r.Cells, c)
		}
		out := string(write("github", r, reports.Options{}))
		Expect(strings.Count(out, "::error ")).To(Equal(10))
		Expect(out).To(MatchRegexp(`\nconform: \d+ more errors; the other formats have them all\n$`))
	})

	It("closes old alerts: a clean run has all rules and an empty list of results", func() {
		out := string(write("sarif", clean(), reports.Options{}))
		Expect(out).To(ContainSubstring(`"results": []`))
		Expect(out).To(ContainSubstring(`"id": "result-schema-mismatch"`))
	})

	It("writes SARIF that the official schema accepts", func() {
		file := os.Getenv("CONFORM_SARIF_SCHEMA")
		if file == "" {
			Skip("CONFORM_SARIF_SCHEMA names no copy of sarif-schema-2.1.0.json")
		}
		text, err := os.ReadFile(file)
		Expect(err).NotTo(HaveOccurred())
		official, err := validators.Compile("draft-07-formats", schema.MustParse(string(text)))
		Expect(err).NotTo(HaveOccurred())
		for _, r := range []*verdict.Report{sample(), clean()} {
			for _, verbose := range []bool{false, true} {
				result := official.Validate(schema.MustParse(string(write("sarif", r, reports.Options{Verbose: verbose}))))
				Expect(result.Outcome).To(Equal(validators.Valid), result.Text)
			}
		}
	})

	It("gives GitLab the members it needs, each fingerprint once", func() {
		var issues []struct {
			Description, Fingerprint, Severity string
			CheckName                          string `json:"check_name"`
			Location                           struct {
				Path  string
				Lines struct{ Begin int }
			}
		}
		Expect(json.Unmarshal(write("gitlab", sample(), reports.Options{}), &issues)).To(Succeed())
		Expect(issues).To(HaveLen(5), "four problems and a piece of advice")
		seen := map[string]bool{}
		for _, i := range issues {
			Expect(i.Severity).To(BeElementOf("info", "minor", "major", "critical", "blocker"))
			Expect(i.Description).NotTo(BeEmpty())
			Expect(i.CheckName).NotTo(BeEmpty())
			Expect(i.Location.Path).NotTo(BeEmpty())
			Expect(i.Location.Lines.Begin).To(BeNumerically(">", 0))
			Expect(seen).NotTo(HaveKey(i.Fingerprint))
			seen[i.Fingerprint] = true
		}
		Expect(issues[0].Severity).To(Equal("blocker"), "a fault that takes the server down comes first")
		Expect(json.Unmarshal(write("gitlab", clean(), reports.Options{}), &issues)).To(Succeed())
		Expect(issues).To(BeEmpty())
	})

	It("draws a badge that is well-formed XML", func() {
		d := xml.NewDecoder(strings.NewReader(string(write("badge", sample(), reports.Options{}))))
		for {
			_, err := d.Token()
			if err == io.EOF {
				break
			}
			Expect(err).NotTo(HaveOccurred())
		}
	})

	DescribeTable("colours the badge by how many hosts work", func(r func() *verdict.Report, o reports.Options, message, colour string) {
		Expect(string(write("shields", r(), o))).To(And(ContainSubstring(`"message":"`+message+`"`), ContainSubstring(`"color":"`+colour+`"`)))
	},
		Entry("some break", sample, reports.Options{}, "works in 2 of 4 hosts", "yellow"),
		Entry("degraded counts as failed when asked", sample, reports.Options{FailOn: verdict.Degraded}, "works in 1 of 4 hosts", "red"),
		Entry("all work", clean, reports.Options{}, "works in 1 of 1 hosts", "brightgreen"),
		Entry("nothing known", unknown, reports.Options{}, "unknown", "lightgrey"),
	)

	It("fits a pull-request comment, however hostile and large the server", func() {
		for name, r := range extreme() {
			for _, o := range []reports.Options{{}, {Verbose: true}} {
				out := string(write("markdown", r, o))
				Expect(len(out)).To(BeNumerically("<=", 60_000), name)
				Expect(strings.Count(out, "<details>")).To(Equal(strings.Count(out, "</details>")), name)
				Expect(markup(out)).To(BeEmpty(), name)
			}
		}
	})

	It("fits a pull-request comment, however much there is to say", func() {
		r := sample()
		for i := range 500 {
			for _, c := range sample().Cells {
				if len(c.Findings) > 0 && c.Tool != "" {
					c.Tool = fmt.Sprintf("%s_%d", c.Tool, i)
					c.Findings = append([]verdict.Finding{}, c.Findings...)
					c.Findings[0].Rule = fmt.Sprintf("rule-%d", i)
					r.Cells = append(r.Cells, c)
				}
			}
		}
		out := string(write("markdown", r, reports.Options{}))
		Expect(len([]rune(out))).To(BeNumerically("<", 65_536))
		Expect(out).To(ContainSubstring("more problems did not fit"))
	})

	It("cannot be talked into markup by a server", func() {
		out := string(write("markdown", sample(), reports.Options{}))
		for _, words := range []string{"<b>@team", "@team", "#1"} {
			Expect(regexp.MustCompile("(?m)^[^`\n]*"+regexp.QuoteMeta(words)).FindString(out)).To(BeEmpty(),
				"outside of code %s is markup, calls a person or links an issue", words)
		}
	})
})

// clean is a report without findings; unknown one without knowledge.
func clean() *verdict.Report {
	return &verdict.Report{Format: verdict.Format, Target: verdict.Target{Name: "hauler"},
		Hosts:  []verdict.Host{{ID: "alpha-ide", Version: "3.1.4", Modelled: []string{"list"}}},
		Tools:  []verdict.Tool{{Name: "depot_list", Samples: 1, How: "called"}},
		Cells:  []verdict.Cell{{Tool: "depot_list", Host: "alpha-ide", HostVersion: "3.1.4", Verdict: verdict.Works, Checked: true}},
		Advice: []verdict.Advice{}, Summary: verdict.Summary{Cells: 1, Works: 1}}
}

func unknown() *verdict.Report {
	r := clean()
	r.Cells[0].Verdict = verdict.Unknown
	return r
}
