package shape_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
)

// One bad tool among three, as it was sent to real clients: TypeScript SDK 1.32.2,
// the same parser in an agent, that agent's later own list parser, an rmcp client
// and a client that takes anything. A letter per column: x is a lost list, o
// accepted by the parser (a later stage may still rewrite or drop the tool), a dot
// is not observed.
var poisonColumns = []string{"ts-sdk-1.23", "ts-sdk-1.23", "claude-code-2.1.332", "rmcp", "copilot"}

var _ = DescribeTable("one bad tool among three",
	func(bad, want string) {
		set := load()
		list := schema.MustParse(`{"tools":[{"name":"plain","inputSchema":{"type":"object"}},` + bad + `,{"name":"after","inputSchema":{"type":"object"}}]}`)
		for i, id := range poisonColumns {
			if want[i] == '.' {
				continue
			}
			sh, ok := set.Lookup(id)
			Expect(ok).To(BeTrue(), id)
			issues := sh.Check("list", list)
			Expect(issues != nil).To(Equal(want[i] == 'x'), "%s: %s", id, sh.Text("list", issues))
			for _, issue := range issues {
				Expect(issue.Tool).To(Equal(1), id)
			}
		}
	},
	Entry("boolean property schema", `{"name":"b","inputSchema":{"type":"object","properties":{"any":true}}}`, "xxooo"),
	Entry("items true", `{"name":"b","inputSchema":{"type":"object","properties":{"a":{"type":"array","items":true}}}}`, "oo.oo"),
	Entry("boolean property in the output", `{"name":"b","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"any":true}}}`, "xxoo."),
	Entry("root oneOf beside type", `{"name":"b","inputSchema":{"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}]}}`, "ooooo"),
	Entry("inputSchema {}", `{"name":"b","inputSchema":{}}`, "xxxoo"),
	Entry("inputSchema type string", `{"name":"b","inputSchema":{"type":"string"}}`, "x..oo"),
	Entry("inputSchema missing", `{"name":"b"}`, "x.xxo"),
	Entry("inputSchema null", `{"name":"b","inputSchema":null}`, "x..x."),
	Entry("properties an array", `{"name":"b","inputSchema":{"type":"object","properties":[]}}`, "x..o."),
	Entry("required true inside a property", `{"name":"b","inputSchema":{"type":"object","properties":{"a":{"type":"string","required":true}}}}`, "o..o."),
	Entry("required null", `{"name":"b","inputSchema":{"type":"object","required":null}}`, "x..oo"),
	Entry("root type object or null", `{"name":"b","inputSchema":{"type":["object","null"]}}`, "x..o."),
	Entry("description null", `{"name":"b","description":null,"inputSchema":{"type":"object"}}`, "xxxoo"),
	Entry("output type array", `{"name":"b","inputSchema":{"type":"object"},"outputSchema":{"type":"array"}}`, "xxooo"),
	Entry("output oneOf without type", `{"name":"b","inputSchema":{"type":"object"},"outputSchema":{"oneOf":[{"type":"object"}]}}`, "x..o."),
	Entry("output with a bad pattern (compiled later)", `{"name":"b","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"a":{"type":"string","pattern":"("}}}}`, "ooooo"),
	Entry("readOnlyHint a word", `{"name":"b","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":"yes"}}`, "x.xx."),
	Entry("icons a word", `{"name":"b","inputSchema":{"type":"object"},"icons":"x"}`, "x..x."),
	Entry("same name twice", `{"name":"plain","inputSchema":{"type":"object"}}`, "ooooo"),
	Entry("name with slash, space and letters beyond ASCII", `{"name":"a/b c 工具","inputSchema":{"type":"object"}}`, "ooooo"),
	Entry("empty name", `{"name":"","inputSchema":{"type":"object"}}`, "oo.oo"),
)

var _ = Describe("a client that reads the entries one by one", func() {
	It("leaves out the entry that has no inputSchema and no other", func() {
		sh, _ := load().Lookup("cline")
		Expect(sh.Check("list", schema.MustParse(`{"tools":[{"name":"b"}]}`))).To(BeNil())
		Expect(sh.CheckTool(schema.MustParse(`{"name":"b"}`))).NotTo(BeNil())
		Expect(sh.CheckTool(schema.MustParse(`{"name":"b","inputSchema":{}}`))).To(BeNil())
		Expect(sh.CheckTool(schema.MustParse(`{"name":"b","inputSchema":{"type":"array"}}`))).To(BeNil())
	})
	It("may use the entries of a list parser", func() {
		sh, _ := load().Lookup("ts-client-2-legacy")
		issues := sh.CheckTool(schema.MustParse(`{"name":"b","inputSchema":{"type":"array"}}`))
		Expect(issues).To(HaveLen(1))
		Expect(issues[0].Path.String()).To(Equal("/inputSchema/type"))
		Expect(issues[0].Tool).To(Equal(-1))
	})
})

var _ = Describe("the words of the agent that prints path and message", func() {
	It("are what it printed", func() {
		sh, _ := load().Lookup("claude-code-2.1.332")
		list := schema.MustParse(`{"tools":[{"name":"plain","inputSchema":{"type":"object"}},{"name":"notype","inputSchema":{}}]}`)
		Expect(sh.Text("list", sh.Check("list", list))).To(Equal(`Invalid result for tools/list: tools.1.inputSchema.type: Invalid input: expected "object"`))
	})
})
