package reports_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/reports"
)

var _ = Describe("the catalogue of rules", func() {
	emitted := regexp.MustCompile(`(?:Rule:\s*|problem\(|lose\((?:true|false), |found\(|note\()"([a-z0-9]+(?:-[a-z0-9]+)+)"`)

	// sources finds the ids of rules in the packages that emit them.
	sources := func() map[string]string {
		out := map[string]string{}
		for _, dir := range []string{"../matrix", "../wire", "../recording"} {
			root := os.DirFS(dir)
			Expect(fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
					return err
				}
				text, err := fs.ReadFile(root, path)
				for _, m := range emitted.FindAllStringSubmatch(string(text), -1) {
					out[m[1]] = dir + "/" + path
				}
				return err
			})).To(Succeed())
		}
		return out
	}

	It("documents every rule that the pipeline and the recorder emit", func() {
		known := map[string]bool{}
		for _, r := range reports.Rules() {
			known[r.ID] = true
		}
		found := sources()
		Expect(len(found)).To(BeNumerically(">", 40), "the search for rule ids finds too few; it has lost its grip")
		var missing []string
		for id, file := range found {
			if !known[id] {
				missing = append(missing, id+" in "+file)
			}
		}
		Expect(missing).To(BeEmpty(), "rules that reports/rules/*.md does not document")
	})

	It("says where a rule is documented", func() {
		pages := map[string]string{}
		for _, r := range reports.Rules() {
			if r.Page == "" {
				continue
			}
			if pages[r.Page] == "" {
				text, err := os.ReadFile("../" + r.Page)
				Expect(err).NotTo(HaveOccurred())
				pages[r.Page] = string(text)
			}
			Expect(pages[r.Page]).To(MatchRegexp(`(?m)^#+ `+r.ID+`$`), r.Page)
		}
		Expect(len(pages)).To(BeNumerically(">=", 7))
	})

	It("gives each rule a title, a severity and a way out", func() {
		seen, lintIDs := map[string]bool{}, map[string]bool{}
		for _, r := range lint.Rules() {
			lintIDs[r.ID] = true
		}
		for _, r := range reports.Rules() {
			Expect(r.ID).To(MatchRegexp(`^[a-z0-9]+(-[a-z0-9]+)*$`))
			Expect(seen).NotTo(HaveKey(r.ID), "a rule has one meaning")
			seen[r.ID] = true
			Expect(r.Title).NotTo(BeEmpty(), r.ID)
			Expect(string(r.Severity)).To(BeElementOf("error", "warning", "info", "unknown"), r.ID)
			if !lintIDs[r.ID] && len(r.Claims) == 0 {
				Expect(r.Fix).NotTo(BeEmpty(), r.ID)
			}
		}
	})
})
