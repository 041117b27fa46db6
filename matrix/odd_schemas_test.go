package matrix_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/operation"
	"github.com/hostmatrix/conform/schema"
)

// Some hosts let a tool without an inputSchema, or with one that is none, through
// to the checks of their model API.
var _ = Describe("the operations of every row", func() {
	DescribeTable("take an inputSchema that is", func(text string) {
		var input *schema.Value
		if text != "" {
			input = schema.MustParse(text)
		}
		subject := operation.Subject{Name: "t", Schema: input, Tool: schema.Obj(), Server: "s"}
		table, err := capabilities.Builtin()
		Expect(err).NotTo(HaveOccurred())
		for _, h := range table.Hosts() {
			row, err := table.Resolve(h.ID)
			Expect(err).NotTo(HaveOccurred())
			for _, key := range []string{"list.drop", "offer.precheck", "offer.api.schema"} {
				checks, _ := capabilities.Get[capabilities.Checks](row, key)
				if checks == nil {
					continue
				}
				for _, c := range *checks {
					run, err := operation.NewCheck(c.Op.Name, c.Op.Params)
					Expect(err).NotTo(HaveOccurred())
					Expect(func() { run(subject) }).NotTo(Panic(), "%s: %s", h.ID, c.Op.Name)
				}
			}
			ops, _ := capabilities.Get[[]capabilities.Op](row, "offer.schema")
			if ops == nil {
				continue
			}
			for _, op := range *ops {
				rewrite, err := operation.NewRewrite(op.Name, op.Params)
				Expect(err).NotTo(HaveOccurred())
				Expect(func() { _, _ = rewrite(subject) }).NotTo(Panic(), "%s: %s", h.ID, op.Name)
			}
		}
	},
		Entry("absent", ""), Entry("null", "null"), Entry("true", "true"), Entry("false", "false"), Entry("a list", "[]"),
		Entry("a string", `"object"`), Entry("a number", "1"), Entry("empty", "{}"), Entry("full of the wrong types", `{"type":1,"properties":[],"required":{},"items":5,"anyOf":{},"$ref":3,"$defs":[],"enum":1,"description":null}`))
})
