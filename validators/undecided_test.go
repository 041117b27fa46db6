package validators_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/validators"
)

var update = flag.Bool("update", false, "write ../docs/undecided.md")

var _ = Describe("The page of what no profile decides", func() {
	It("is the list", func() {
		name := filepath.Join("..", "docs", "undecided.md")
		page := undecidedPage()
		if *update {
			Expect(os.WriteFile(name, []byte(page), 0o644)).To(Succeed())
		}
		text, err := os.ReadFile(name)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(text)).To(Equal(page), "run go test ./validators -update")
	})

	It("names each entry once", func() {
		seen := map[string]bool{}
		for _, u := range validators.Undecideds {
			Expect(seen).NotTo(HaveKey(u.Name))
			seen[u.Name] = true
			Expect(u.Why).NotTo(BeEmpty(), u.Name)
			Expect(u.Says).NotTo(BeEmpty(), u.Name)
		}
		_, ok := validators.WhyUndecided("something else")
		Expect(ok).To(BeFalse())
	})
})

func undecidedPage() string {
	var b strings.Builder
	b.WriteString(`# What no validator profile decides

A profile answers what the real library answers, or says that it cannot tell: ` + "`unknown`" + `
in ` + "`conform validate`" + `, an undecided finding in a report, never a guess. This is the whole list,
generated from ` + "`validators.Undecideds`" + `; the tests fail on a reason that is not in it, and when
more than one answer in a thousand of the goldens is unknown. A *limit* bounds time, memory
or depth; the others are questions that the emulation knows it has no answer to.

| name | profiles | limit | the answer says | why |
|---|---|---|---|---|
`)
	for _, u := range validators.Undecideds {
		limit := ""
		if u.Limit {
			limit = "yes"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", u.Name, strings.Join(u.Profiles, ", "), limit, cell("…"+strings.Join(u.Says, "…; …")+"…"), cell(u.Why))
	}
	return b.String()
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
