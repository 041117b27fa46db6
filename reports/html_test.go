package reports_test

import (
	"encoding/json"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/reports"
)

// What the page does in a browser is tested in browser_test.go (build tag browser).
var _ = Describe("the page", func() {
	It("fetches nothing: no address outside the data, and a policy that forbids it", func() {
		out := string(write("html", sample(), reports.Options{}))
		shell, _, _ := strings.Cut(out, `<script id="report"`)
		Expect(shell).To(ContainSubstring(`default-src &#39;none&#39;`))
		Expect(regexp.MustCompile(`(?i)(src|href)="(https?:)?//`).FindString(out)).To(BeEmpty())
		Expect(out).NotTo(ContainSubstring("@import"))
		Expect(out).NotTo(ContainSubstring("innerHTML"), "server text must never become markup")
	})

	It("keeps hostile text inside its data block", func() {
		r := sample()
		evil := `</script><script>alert(1)</script><!-- ]]> ` + "\u2028\x00\u202e"
		r.Target.Name = evil
		r.Tools[0].Definition = `{"name":"` + evil + `"}`
		for i := range r.Cells {
			for j := range r.Cells[i].Findings {
				r.Cells[i].Findings[j].HostText = evil
			}
		}
		out := string(write("html", r, reports.Options{}))
		Expect(strings.Count(out, "<script")).To(Equal(2), "the data and the page's own")
		Expect(strings.Count(out, "</script")).To(Equal(2))
		Expect(out).NotTo(ContainSubstring("<!-- ]]"))
		Expect(out).NotTo(ContainSubstring("\u202e"), "text that a reader would see reversed is written out")
		var data map[string]any
		Expect(json.Unmarshal([]byte(dataOf(out)), &data)).To(Succeed())
	})

	It("holds every cell once and each different text once", func() {
		var data struct {
			Hosts, Rows []any
			Cells       []int
			Kinds       [][]int
			Strings     []string
			Summary     []int
		}
		r := sample()
		Expect(json.Unmarshal([]byte(dataOf(string(write("html", r, reports.Options{})))), &data)).To(Succeed())
		Expect(data.Hosts).To(HaveLen(len(r.Hosts)))
		Expect(data.Cells).To(HaveLen(len(data.Hosts) * len(data.Rows)))
		count := map[int]int{}
		cells := 0
		for _, k := range data.Cells {
			if k >= 0 {
				cells++
				count[data.Kinds[k][0]]++
			}
		}
		Expect(cells).To(Equal(len(r.Cells)))
		Expect([]int{count[0], count[2], count[3], count[1]}).To(Equal(data.Summary))
		seen := map[string]bool{}
		for _, s := range data.Strings {
			Expect(seen[s]).To(BeFalse(), s)
			seen[s] = true
		}
	})

	It("packs a large report", func() {
		r := sample()
		r.Tools[0].Definition = `{"description":"` + strings.Repeat("long ", 200_000) + `"}`
		out := string(write("html", r, reports.Options{}))
		Expect(out).To(ContainSubstring(`data-encoding="gzip"`))
		Expect(len(out)).To(BeNumerically("<", 200_000))
	})

	It("opens on a report without anything", func() {
		Expect(write("html", &verdict.Report{Format: verdict.Format}, reports.Options{})).NotTo(BeEmpty())
	})
})

// dataOf is the text of the page's data block.
func dataOf(page string) string {
	_, rest, _ := strings.Cut(page, `data-encoding="json">`)
	data, _, _ := strings.Cut(rest, "</script>")
	return data
}
