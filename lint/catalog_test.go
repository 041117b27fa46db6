package lint_test

import (
	"os"
	"path/filepath"
	"sort"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
)

// catalogs is where definitions and results of real servers lie, "" when they are
// not at hand.
func catalogs() string {
	shared := os.Getenv("CONFORM_SHARED")
	if shared == "" {
		shared = "../../shared"
	}
	folder := filepath.Join(shared, "corpus", "catalogs")
	if _, err := os.Stat(folder); err != nil {
		return ""
	}
	return folder
}

// quietest is the share of real tools that a rule may warn about when no host of
// the table stands behind it. Source: issue 6.
const quietest = 0.02

var _ = Describe("real servers", Ordered, func() {
	warned := map[string]map[string]bool{} // rule -> file and tool
	files, tools := 0, 0

	BeforeAll(func() {
		folder := catalogs()
		if folder == "" {
			Skip("CONFORM_SHARED names no catalogues of real servers")
		}
		paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
		Expect(err).NotTo(HaveOccurred())
		for _, path := range paths {
			opened, err := recording.Open(recording.Limits{}, path)
			Expect(err).NotTo(HaveOccurred())
			files++
			for _, s := range opened[0].Capture.Sessions {
				tools += len(s.Tools)
			}
			result := lint.Run(opened[0].Capture, lint.Input{})
			for _, not := range result.NotChecked {
				Expect(not.Reason).NotTo(ContainSubstring("failed"), "%s: %s", path, not.Rule)
			}
			for _, a := range result.Advice {
				if a.Severity == verdict.Info {
					continue
				}
				if warned[a.Rule] == nil {
					warned[a.Rule] = map[string]bool{}
				}
				warned[a.Rule][filepath.Base(path)+" "+a.Tool] = true
			}
		}
	})

	It("are not warned without a reason", func() {
		var ids []string
		for id := range warned {
			ids = append(ids, id)
		}
		sort.Strings(ids)
		for _, id := range ids {
			share := float64(len(warned[id])) / float64(tools)
			GinkgoWriter.Printf("%-28s %4d of %d tools, %.1f %%\n", id, len(warned[id]), tools, 100*share)
			if lint.Find(id).Stands == nil {
				Expect(share).To(BeNumerically("<=", quietest), id)
			}
		}
	})

	DescribeTable("are told what is wrong with them", func(rule, where string) {
		if files == 0 {
			Skip("CONFORM_SHARED names no catalogues of real servers")
		}
		Expect(warned[rule]).To(HaveKey(where))
	},
		Entry("structured output under 2025-03-26", "era-structured", "n8n.json validate_node"),
		Entry("error results that break the outputSchema", "structured-error-mismatch", "hevy.json search-routines"),
		Entry("names with spaces", "tool-name", "gosdk-toolschemas.json manual greeting"),
	)
})
