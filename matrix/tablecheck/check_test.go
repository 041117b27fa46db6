package tablecheck_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/tablecheck"
	_ "github.com/hostmatrix/conform/validators/all"
)

func TestTablecheck(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "tablecheck")
}

func builtin() (*capabilities.Table, *shape.Set) {
	GinkgoHelper()
	table, err := capabilities.Builtin()
	Expect(err).NotTo(HaveOccurred())
	shapes, err := shape.Load(capabilities.Shapes())
	Expect(err).NotTo(HaveOccurred())
	return table, shapes
}

var _ = Describe("The built-in table", func() {
	It("names only operations, profiles and shapes that exist, and uses every operation", func() {
		table, shapes := builtin()
		Expect(tablecheck.Check(table, shapes, true)).To(BeEmpty())
	})

	It("has no fault that lint knows", func() {
		table, _ := builtin()
		Expect(table.Lint()).To(BeEmpty())
	})

	It("stands in its canonical form", func() {
		files, err := filepath.Glob("../../capabilities/*.json")
		Expect(err).NotTo(HaveOccurred())
		for _, f := range files {
			if filepath.Base(f) == "host.schema.json" {
				continue
			}
			data, err := os.ReadFile(f)
			Expect(err).NotTo(HaveOccurred())
			want, err := capabilities.Canonical(filepath.Base(f), data)
			Expect(err).NotTo(HaveOccurred())
			Expect(string(data)).To(Equal(string(want)), "%s: run `conform caps fmt`", f)
		}
	})

	It("points at records that exist", func() {
		table, _ := builtin()
		for _, h := range table.Hosts() {
			for id, e := range h.Evidence {
				if e.Record != "" {
					Expect(filepath.Join("../../capabilities", e.Record)).To(BeARegularFile(), "%s/%s", h.ID, id)
				}
			}
		}
	})
})

var _ = DescribeTable("faults that are found",
	func(claims, message string) {
		_, shapes := builtin()
		table, err := capabilities.Load(fstest.MapFS{"a.json": {Data: []byte(`{"format":"conform-host/1","id":"a","name":"A","kind":"host","claims":{` + claims + `},
			"evidence":{"e":{"basis":"reported","url":"https://example.com/1","date":"2026-01-01"}}}`)}})
		Expect(err).NotTo(HaveOccurred())
		var texts []string
		for _, f := range tablecheck.Check(table, shapes, false) {
			texts = append(texts, f.String())
		}
		Expect(texts).To(ContainElement(ContainSubstring(message)))
	},
	Entry("an operation that does not exist", `"offer.schema":[{"value":[{"op":"strip-keyword"}],"evidence":["e"]}]`, `no rewrite operation "strip-keyword"`),
	Entry("a parameter that does not exist", `"offer.schema":[{"value":[{"op":"strip-keywords","keyword":["a"]}],"evidence":["e"]}]`, `unknown field "keyword"`),
	Entry("a profile that does not exist", `"result.validator":[{"value":{"profile":"ajv9"},"evidence":["e"]}]`, `no validator profile "ajv9"`),
	Entry("a shape that does not exist", `"list.shape":[{"value":{"shape":"nothing"},"evidence":["e"]}]`, `no shape "nothing"`),
	Entry("a consequence that does not exist", `"list.drop":[{"value":[{"check":{"op":"empty-description"},"on_failure":"drop"}],"evidence":["e"]}]`, `on_failure "drop"`),
)
