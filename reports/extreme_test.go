package reports_test

import (
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// extreme are reports that no format has a natural size for: rows that all differ, hosts
// that all differ, long texts, and texts of which each character is escaped.
func extreme() map[string]*verdict.Report {
	verdicts := []verdict.Verdict{verdict.Works, verdict.Unknown, verdict.Degraded, verdict.Breaks}
	severities := []verdict.Severity{verdict.Info, verdict.Undecided, verdict.Warning, verdict.Error}
	grid := func(tools, hosts int, name func(i int) string, text string) *verdict.Report {
		r := &verdict.Report{Format: verdict.Format, Target: verdict.Target{Name: name(0), Version: text, Transport: "stdio"}, Advice: []verdict.Advice{}}
		for h := range hosts {
			r.Hosts = append(r.Hosts, verdict.Host{ID: fmt.Sprintf("host-number-%d", h), Version: "1.2.3", Kind: "host", Modelled: []string{"list"}})
		}
		for i := range tools {
			r.Tools = append(r.Tools, verdict.Tool{Name: name(i), How: "not called: " + text})
			r.Advice = append(r.Advice, verdict.Advice{Tool: name(i), Rule: fmt.Sprintf("rule-%d", i%50), Severity: verdict.Warning, Message: text})
			for h := range hosts {
				k := (i/(h+1) + i*h + h) % 4
				c := verdict.Cell{Tool: name(i), Host: r.Hosts[h].ID, HostVersion: "1.2.3", Verdict: verdicts[k], Modelled: []string{"list"}}
				if k > 0 {
					c.Stage = verdict.Result
					c.Findings = []verdict.Finding{{Rule: fmt.Sprintf("rule-%d", (i+h)%50), Severity: severities[k], Stage: verdict.Result, Blast: verdict.BlastTool,
						Message: text, HostText: text, SchemaPointer: "/" + text, DataPointer: "/" + text, Fix: text}}
				}
				r.Cells = append(r.Cells, c)
			}
		}
		r.Summary = verdict.Count(r.Cells)
		return r
	}
	plain := func(i int) string { return fmt.Sprintf("tool_%d", i) }
	long := strings.Repeat("é|`", 1<<15)
	return map[string]*verdict.Report{
		"no tool":              grid(0, 3, plain, "short"),
		"rows that differ":     grid(2900, 9, plain, "short"),
		"hosts that differ":    grid(60, 300, plain, "short"),
		"long texts":           grid(6, 5, plain, long),
		"long names":           grid(6, 5, func(i int) string { return long + fmt.Sprint(i) }, "short"),
		"escapes":              grid(80, 20, func(i int) string { return strings.Repeat("@#1|$<", 30) + fmt.Sprint(i) }, strings.Repeat("@#1|$<##[", 200)),
		"commands of CI":       grid(80, 20, plain, strings.Repeat("##[", 2000)),
		"lines of a command":   grid(80, 20, plain, strings.Repeat("::error::\n", 200)),
		"one tool in one host": grid(1, 1, plain, "short"),
	}
}
