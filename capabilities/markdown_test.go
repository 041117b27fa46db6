package capabilities_test

import (
	"bytes"
	"flag"
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
)

var update = flag.Bool("update", false, "rewrite docs/hosts.md")

var _ = Describe("docs/hosts.md", func() {
	It("is in step with the table", func() {
		table, err := capabilities.Builtin()
		Expect(err).NotTo(HaveOccurred())
		var b bytes.Buffer
		Expect(table.WriteMarkdown(&b)).To(Succeed())
		if *update {
			Expect(os.WriteFile("../docs/hosts.md", b.Bytes(), 0o644)).To(Succeed())
		}
		page, err := os.ReadFile("../docs/hosts.md")
		Expect(err).NotTo(HaveOccurred())
		Expect(string(page)).To(Equal(b.String()), "run `go test ./capabilities -update`")
	})
})
