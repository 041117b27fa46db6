package tablecheck_test

import (
	"os"
	"path/filepath"
	"strings"
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

	It("makes no claim that no stage reads", func() {
		files, err := filepath.Glob("../stage/*.go")
		Expect(err).NotTo(HaveOccurred())
		files = append(files, "../matrix.go") // sums up what becomes of MCP Apps
		var code strings.Builder
		for _, f := range files {
			text, err := os.ReadFile(f)
			Expect(err).NotTo(HaveOccurred())
			code.Write(text)
		}
		for _, key := range capabilities.ClaimKeys() {
			if key == "layers" { // read when a column is resolved
				continue
			}
			Expect(code.String()).To(ContainSubstring(`"`+key+`"`), "no stage reads it")
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
	Entry("an operation that does not exist", `"offer.schema":[{"value":[{"op":"strip-keyword"}],"evidence":["e"]}]`, `no rewrite operation "strip-keyword"; did you mean "strip-keywords"?`),
	Entry("a parameter that does not exist", `"offer.schema":[{"value":[{"op":"strip-keywords","keyword":["a"]}],"evidence":["e"]}]`, `no parameter "keyword"; did you mean "keywords"?`),
	Entry("a parameter of another kind", `"offer.schema":[{"value":[{"op":"strip-keywords","keywords":"a"}],"evidence":["e"]}]`, `parameter "keywords" must be []string, not string`),
	Entry("a parameter of another kind that several operations share", `"view.render":[{"value":[{"op":"line-cut","when":5}],"evidence":["e"]}]`, `parameter "when" must be []string, not number`),
	Entry("a parameter where none is", `"offer.schema":[{"value":[{"op":"definitions-to-defs","deep":true}],"evidence":["e"]}]`, `no parameter "deep"; there are none`),
	Entry("a word that is none", `"offer.schema":[{"value":[{"op":"strip-keywords","keywords":["a"],"scope":"rooot"}],"evidence":["e"]}]`, `parameter scope: "rooot"; did you mean "root"?`),
	Entry("a number below zero", `"view.render":[{"value":[{"op":"cut","over":5,"head":-9}],"evidence":["e"]}]`, `parameter "head": -9 is negative`),
	Entry("a condition that does not exist", `"view.render":[{"value":[{"op":"wrap","text":"x","when":["not structurd"]}],"evidence":["e"]}]`, `no condition "structurd"; did you mean "structured"?`),
	Entry("an expression that does not compile", `"list.drop":[{"value":[{"check":{"op":"property-keys","pattern":"(["},"on_failure":"tool"}],"evidence":["e"]}]`, `missing closing ]`),
	Entry("a profile that does not exist", `"result.validator":[{"value":{"profile":"ajv9"},"evidence":["e"]}]`, `no validator profile "ajv9"; did you mean "ajv6"?`),
	Entry("a shape that does not exist", `"list.shape":[{"value":{"shape":"nothing"},"evidence":["e"]}]`, `no shape "nothing"`),
	Entry("a consequence that does not exist", `"list.drop":[{"value":[{"check":{"op":"empty-description"},"on_failure":"drop"}],"evidence":["e"]}]`, `on_failure "drop"`),
)
