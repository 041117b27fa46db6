package cases_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/validators"
)

var update = flag.Bool("update", false, "count the catalogues of real servers anew, and rewrite their page")

// catalogueFile holds the count and what a reader thinks of each kind of break;
// cataloguePage shows it.
const (
	catalogueFile = "catalogue-breaks.json"
	cataloguePage = "../docs/catalogues.md"
	tableStart    = "<!-- counted by go test ./cases -update -->\n"
	tableEnd      = "<!-- end of the count -->"
)

// catalogueCount is what all rows of the table say of the tools and results of real
// servers.
type catalogueCount struct {
	Servers  int                     `json:"servers"`
	Tools    int                     `json:"tools"`
	Rows     int                     `json:"rows"`
	Verdicts map[verdict.Verdict]int `json:"verdicts"`
	Kinds    []catalogueKind         `json:"kinds"`
}

// catalogueKind counts the cells of one row that end for one reason.
type catalogueKind struct {
	Row     string          `json:"row"`
	Verdict verdict.Verdict `json:"verdict"` // breaks or unknown
	Rule    string          `json:"rule"`    // of the first finding that decides
	Cells   int             `json:"cells"`
	Servers []string        `json:"servers"` // the catalogues, at most three
	// Judgement says whether the evidence carries it; written by whoever looked.
	Judgement string `json:"judgement"`
}

func (k catalogueKind) key() string { return k.Row + " " + string(k.Verdict) + " " + k.Rule }

var _ = Describe("The catalogues of real servers", func() {
	read := func() catalogueCount {
		GinkgoHelper()
		data, err := os.ReadFile(catalogueFile)
		Expect(err).NotTo(HaveOccurred())
		var count catalogueCount
		Expect(json.Unmarshal(data, &count)).To(Succeed())
		return count
	}

	It("break and stay unknown as often as was written down, each kind with a judgement", func() {
		if shared() == "" {
			Skip("no further corpus: CONFORM_SHARED is not set")
		}
		now := countCatalogues(filepath.Join(shared(), "corpus", "catalogs"))
		judged := map[string]string{}
		for _, k := range read().Kinds {
			judged[k.key()] = k.Judgement
		}
		for i := range now.Kinds {
			now.Kinds[i].Judgement = judged[now.Kinds[i].key()]
		}
		if *update {
			var out bytes.Buffer
			e := json.NewEncoder(&out)
			e.SetEscapeHTML(false)
			e.SetIndent("", " ")
			Expect(e.Encode(now)).To(Succeed())
			Expect(os.WriteFile(catalogueFile, out.Bytes(), 0o644)).To(Succeed())
		}
		for _, k := range now.Kinds {
			Expect(k.Judgement).NotTo(BeEmpty(), "nobody judged %s (%d cells, e.g. in %s): look at it and write the judgement into %s",
				k.key(), k.Cells, strings.Join(k.Servers, ", "), catalogueFile)
		}
		Expect(now.Kinds).To(Equal(read().Kinds), "count anew with `go test ./cases -update` and look at what changed")
	})

	It("stand on their page as they were counted", func() {
		page, err := os.ReadFile(cataloguePage)
		Expect(err).NotTo(HaveOccurred())
		head, rest, ok := strings.Cut(string(page), tableStart)
		Expect(ok).To(BeTrue(), "%s has no %q", cataloguePage, tableStart)
		_, tail, ok := strings.Cut(rest, tableEnd)
		Expect(ok).To(BeTrue())
		want := head + tableStart + read().markdown() + tableEnd + tail
		if *update {
			Expect(os.WriteFile(cataloguePage, []byte(want), 0o644)).To(Succeed())
			return
		}
		Expect(string(page)).To(Equal(want), "run `go test ./cases -update`")
	})
})

// countCatalogues sends each catalogue of a folder through every row of the table.
func countCatalogues(dir string) catalogueCount {
	GinkgoHelper()
	runner, err := newRunner()
	Expect(err).NotTo(HaveOccurred())
	all, err := readCases(filepath.Join(dir, "*.json"))
	Expect(err).NotTo(HaveOccurred())
	var columns []*capabilities.Resolved
	for _, h := range runner.Table.Hosts() {
		c, err := runner.Table.Resolve(h.ID)
		Expect(err).NotTo(HaveOccurred())
		columns = append(columns, c)
	}
	count := catalogueCount{Servers: len(all), Rows: len(columns), Verdicts: map[verdict.Verdict]int{}}
	kinds := map[string]*catalogueKind{}
	for _, c := range all {
		capture := c.Capture()
		tools := map[string]bool{}
		for _, column := range matrix.Evaluate(matrix.Input{Capture: capture, Hosts: columns, Shapes: runner.Shapes, Validators: validators.NewCache()}) {
			for _, cell := range column.Cells {
				tools[cell.Tool] = true
				count.Verdicts[cell.Verdict]++
				if cell.Verdict != verdict.Breaks && cell.Verdict != verdict.Unknown {
					continue
				}
				k := catalogueKind{Row: column.Host.ID, Verdict: cell.Verdict, Rule: decider(cell)}
				if kinds[k.key()] == nil {
					kinds[k.key()] = &k
				}
				into := kinds[k.key()]
				into.Cells++
				if len(into.Servers) < 3 && !slices.Contains(into.Servers, c.ID) {
					into.Servers = append(into.Servers, c.ID)
				}
			}
		}
		delete(tools, "")
		count.Tools += len(tools)
	}
	for _, k := range kinds {
		count.Kinds = append(count.Kinds, *k)
	}
	slices.SortFunc(count.Kinds, func(a, b catalogueKind) int { return strings.Compare(a.key(), b.key()) })
	return count
}

// decider is the rule of the first finding that gives the cell its verdict.
func decider(cell verdict.Cell) string {
	for _, f := range cell.Findings {
		if f.Severity.Effect() == cell.Verdict {
			return f.Rule
		}
	}
	return "none"
}

// markdown is the totals and a table with one line for what ends alike.
func (c catalogueCount) markdown() string {
	cells := 0
	for _, n := range c.Verdicts {
		cells += n
	}
	out := fmt.Sprintf("%d servers with %s tools in %d rows: %s cells. %s work, %s are degraded, %s break, %s are unknown.\n\n",
		c.Servers, thousands(c.Tools), c.Rows, thousands(cells), thousands(c.Verdicts[verdict.Works]), thousands(c.Verdicts[verdict.Degraded]),
		thousands(c.Verdicts[verdict.Breaks]), thousands(c.Verdicts[verdict.Unknown]))
	type line struct {
		rows  []string
		kind  catalogueKind
		cells int
	}
	var lines []*line
	for _, k := range c.Kinds {
		i := slices.IndexFunc(lines, func(l *line) bool {
			return l.kind.Verdict == k.Verdict && l.kind.Rule == k.Rule && l.kind.Judgement == k.Judgement
		})
		if i < 0 {
			lines = append(lines, &line{kind: k})
			i = len(lines) - 1
		}
		lines[i].rows = append(lines[i].rows, fmt.Sprintf("%s %s", k.Row, thousands(k.Cells)))
		lines[i].cells += k.Cells
	}
	slices.SortStableFunc(lines, func(a, b *line) int {
		return cmp.Or(strings.Compare(string(a.kind.Verdict), string(b.kind.Verdict)), strings.Compare(a.kind.Rule, b.kind.Rule), cmp.Compare(b.cells, a.cells))
	})
	out += "| verdict | rule | cells | rows, with the cells of each | judgement |\n|---|---|---|---|---|\n"
	for _, l := range lines {
		out += fmt.Sprintf("| %s | %s | %s | %s | %s |\n", l.kind.Verdict, l.kind.Rule, thousands(l.cells), strings.Join(l.rows, ", "), l.kind.Judgement)
	}
	return out
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return thousands(n/1000) + fmt.Sprintf(",%03d", n%1000)
}
