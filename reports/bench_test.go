package reports_test

import (
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/reports"
)

// large is a report of 300 tools in 30 hosts, one in ten cells with a finding.
func large(b *testing.B) *verdict.Report {
	data, err := os.ReadFile("testdata/report.json")
	if err != nil {
		b.Fatal(err)
	}
	r, err := reports.Read("testdata/report.json", data)
	if err != nil {
		b.Fatal(err)
	}
	broken := r.Cells[5] // hauler_status in alpha-ide
	r.Hosts, r.Tools, r.Cells = nil, nil, nil
	for h := range 30 {
		r.Hosts = append(r.Hosts, verdict.Host{ID: fmt.Sprintf("host-%d", h), Version: "1.0", Kind: "host", Modelled: []string{"list", "result"}})
	}
	for t := range 300 {
		r.Tools = append(r.Tools, verdict.Tool{Name: fmt.Sprintf("tool_%d", t), Samples: 1, How: "called"})
		for h := range 30 {
			c := verdict.Cell{Verdict: verdict.Works, Modelled: []string{"list", "result"}}
			if (t+h)%10 == 0 {
				c = broken
			}
			c.Tool, c.Host, c.HostVersion = r.Tools[t].Name, r.Hosts[h].ID, r.Hosts[h].Version
			r.Cells = append(r.Cells, c)
		}
	}
	r.Summary = verdict.Count(r.Cells)
	return r
}

func BenchmarkWrite(b *testing.B) {
	r := large(b)
	for _, f := range reports.Formats() {
		b.Run(f.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := f.Write(io.Discard, r, reports.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
