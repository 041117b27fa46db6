package all_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/internal/agreement"
)

var _ = Describe("What no profile decides", func() {
	It("is answered unknown, for the reason listed", func() {
		for _, u := range validators.Undecideds {
			if u.Schema == "" {
				continue
			}
			asked := 0
			for _, p := range validators.Profiles() {
				if !concerns(u, p.ID) {
					continue
				}
				outcome, why := replies{}.answer(p, schema.MustParse(u.Schema), schema.MustParse(u.Instance))
				if outcome == "unknown" {
					asked++
					got, ok := validators.WhyUndecided(why)
					Expect(ok).To(BeTrue(), why)
					Expect(got.Name).To(Equal(u.Name), "%s: %s", p.ID, why)
				}
			}
			Expect(asked).To(BeNumerically(">", 0), "%s: every profile decides the example", u.Name)
		}
	})

	It("is listed with every reason that an engine can give", func() {
		found := 0
		var missing []string
		calls := regexp.MustCompile(`(?:giveUp\(|\bunknown\(|UnknownError\{Reason: |unsupported\(|near[A-Z]\w+ = |tooManyDigits = )["` + "`" + `]([^"` + "`" + `]+)["` + "`" + `]`)
		err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, call := range calls.FindAllStringSubmatch(string(text), -1) {
				reason := strings.NewReplacer("%d", "9", "%q", `"x"`, "%s", "x").Replace(call[1])
				if call[1] == "%v" || strings.HasSuffix(call[1], " ") { // another reason follows
					continue
				}
				if strings.Contains(path, "regex") {
					reason += " is not modelled for Python re"
				}
				found++
				if _, ok := validators.WhyUndecided(reason); !ok {
					missing = append(missing, path+": "+call[1])
				}
			}
			return err
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(missing).To(BeEmpty(), "these are in no entry of validators.Undecideds")
		Expect(found).To(BeNumerically(">", 30))
	})

	It("is less than one answer in a thousand of all goldens", func() {
		answers, unknown := 0, map[string]int{}
		for _, p := range validators.Profiles() {
			cases, err := agreement.Goldens(p.ID)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			Expect(err).NotTo(HaveOccurred())
			f := agreement.Measure(p.ID, cases, agreement.FirstParagraph)
			answers += f.Answers
			unknown[p.ID] = f.Unknown
			AddReportEntry(p.ID, f.String())
		}
		total := 0
		for _, n := range unknown {
			total += n
		}
		Expect(answers).To(BeNumerically(">", 30_000))
		Expect(float64(total)/float64(answers)).To(BeNumerically("<", 0.001), "%v", unknown)
	})
})

func concerns(u validators.Undecided, profile string) bool {
	for _, p := range u.Profiles {
		if strings.HasPrefix(profile, p) {
			return true
		}
	}
	return false
}
