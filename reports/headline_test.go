package reports_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/reports"
)

// grid is a report of tools (rows) in hosts a, b, c; each letter is a verdict:
// w(orks), d(egraded), b(reaks), u(nknown). The row "" is the server as a whole.
func grid(rows map[string]string) *verdict.Report {
	r := &verdict.Report{Format: verdict.Format, Target: verdict.Target{Name: "s", Version: "1"}, Evidence: map[string]verdict.Evidence{}}
	letters := map[byte]verdict.Verdict{'w': verdict.Works, 'd': verdict.Degraded, 'b': verdict.Breaks, 'u': verdict.Unknown}
	for tool, cells := range rows {
		if tool != "" {
			r.Tools = append(r.Tools, verdict.Tool{Name: tool, Samples: 1})
		}
		for i := range cells {
			host := string(rune('a' + i))
			if len(r.Hosts) <= i {
				r.Hosts = append(r.Hosts, verdict.Host{ID: host})
			}
			r.Cells = append(r.Cells, verdict.Cell{Tool: tool, Host: host, Verdict: letters[cells[i]], Checked: true})
		}
	}
	r.Summary = verdict.Count(r.Cells)
	return r
}

var _ = DescribeTable("the first sentence of a report says how bad it is", func(rows map[string]string, want string) {
	r := grid(rows)
	Expect(string(write("text", r, reports.Options{Width: 200}))).To(ContainSubstring("\n" + want + "\n"))
	Expect(string(write("markdown", r, reports.Options{}))).To(ContainSubstring(want[:len(want)-1]))
},
	Entry(nil, map[string]string{"x": "www", "y": "www"}, "Nothing breaks: 2 tools, 3 hosts."),
	Entry(nil, map[string]string{"x": "wbw", "y": "www"}, "1 of 2 tools breaks in 1 of 3 hosts."),
	Entry(nil, map[string]string{"x": "bbb", "y": "bww"}, "Both tools break in all 3 hosts."),
	Entry(nil, map[string]string{"x": "wbw", "y": "dww", "z": "wdw"}, "1 of 3 tools breaks in 1 of 3 hosts. 2 more lose something on the way."),
	Entry(nil, map[string]string{"x": "wdw", "y": "www"}, "Nothing breaks. 1 of 2 tools loses something on the way in 1 of 3 hosts."),
	Entry(nil, map[string]string{"x": "wuw"}, "Nothing breaks where it could be established; 1 cell could not."),
	Entry(nil, map[string]string{"": "wbw", "x": "wbw"}, "1 tool breaks in 1 of 3 hosts. The whole server breaks in 1 of them."),
	Entry(nil, map[string]string{"": "wbw", "x": "www"}, "The whole server breaks in 1 of 3 hosts."),
)

var _ = It("does not say of several servers that all break where one does", func() {
	r := grid(map[string]string{"": "wbw", "x": "www"})
	r.Servers = []verdict.Target{{Name: "one"}, {Name: "two"}}
	Expect(string(write("text", r, reports.Options{Width: 200}))).To(ContainSubstring("\nAt least one whole server of 2 breaks in 1 of 3 hosts.\n"))
})

var _ = It("shows the beginning of what a typed parser says, and all of it with --verbose", func() {
	r := grid(map[string]string{"x": "b"})
	r.Cells[0].Stage = verdict.Result
	r.Cells[0].Findings = []verdict.Finding{{Rule: "result-malformed", Severity: verdict.Error, Stage: verdict.Result, Message: "it refuses the result",
		HostText: "[\n" + strings.Repeat("  {\n  },\n", 30) + "last\n]"}}
	out := string(write("text", r, reports.Options{}))
	Expect(out).To(ContainSubstring("│ … 47 more lines; --verbose shows them"))
	Expect(out).NotTo(ContainSubstring("last"))
	Expect(string(write("text", r, reports.Options{Verbose: true}))).To(ContainSubstring("│ last"))
})
