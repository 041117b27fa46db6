package reports_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/text/width"

	"github.com/hostmatrix/conform/reports"
)

var _ = Describe("text in a terminal", func() {
	It("keeps its columns where names are wide or combine, or look like a CI system's commands", func() {
		r := sample()
		for i, name := range []string{"::error", "検索する", "e\u0301te\u0301", "naïve"} {
			old := r.Tools[i].Name
			r.Tools[i].Name = name
			for k := range r.Cells {
				if r.Cells[k].Tool == old {
					r.Cells[k].Tool = name
				}
			}
		}
		columns := func(s string) int {
			n := 0
			for _, c := range strings.ReplaceAll(s, "\u0301", "") {
				n++
				if width.LookupRune(c).Kind() == width.EastAsianWide {
					n++
				}
			}
			return n
		}
		var at []int
		for _, line := range strings.Split(string(write("text", r, reports.Options{})), "\n") {
			for _, name := range []string{`\::error `, "検索する ", "e\u0301te\u0301 ", "naïve "} {
				if strings.HasPrefix(line, name) {
					at = append(at, columns(line[:strings.IndexAny(line, "✓○~✗?·")]))
				}
			}
		}
		Expect(len(at)).To(BeNumerically(">=", 4))
		Expect(at).To(HaveEach(at[0]))
	})

	It("ends, whatever it has to wrap", func() {
		r := sample()
		r.Cells[0].Findings[0].Message = strings.Repeat("検", 500) + strings.Repeat("\u0301", 500)
		for _, limit := range []int{1, 60, 61, 200} {
			for _, line := range strings.Split(string(write("text", r, reports.Options{Width: limit})), "\n") {
				Expect(len([]rune(strings.ReplaceAll(line, "\u0301", "")))).To(BeNumerically("<=", max(60, limit)+1))
			}
		}
	})
})
