package describe_test

import (
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/describe"
	_ "github.com/hostmatrix/conform/validators/all"
)

func TestDescribe(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "describe")
}

var _ = Describe("words for claims", func() {
	It("say something of every claim of the table", func() {
		table, err := capabilities.Builtin()
		Expect(err).NotTo(HaveOccurred())
		for _, h := range table.Hosts() {
			column, err := table.Resolve(h.ID)
			Expect(err).NotTo(HaveOccurred())
			for _, key := range capabilities.ClaimKeys() {
				found := column.Find(key)
				if found == nil {
					continue
				}
				text := describe.Claim(key, found.Value())
				Expect(text).NotTo(BeEmpty(), "%s of %s", key, h.ID)
				Expect(strings.HasPrefix(text, "; ") || strings.HasSuffix(text, "; ")).To(BeFalse(), text)
			}
		}
	})

	It("name no parameter of an operation where its value belongs", func() {
		table, err := capabilities.Builtin()
		Expect(err).NotTo(HaveOccurred())
		for _, h := range table.Hosts() {
			h.EachClaim(func(_, key string, i int, c capabilities.Claim) {
				if key != "offer.schema" && key != "offer.precheck" && key != "offer.api.schema" && key != "list.drop" {
					return
				}
				value, err := capabilities.DecodeValue(key, c.Value)
				Expect(err).NotTo(HaveOccurred())
				text := describe.Claim(key, value)
				for _, name := range []string{"keywords", "schema", "nullable", "containing", "pattern", "names", "single", "any", "formats", "max", "scope", "keep"} {
					Expect(text).NotTo(ContainSubstring(`"`+name+`"`), "%s[%d] of %s", key, i, h.ID)
				}
				Expect(text).NotTo(ContainSubstring("rules that are set"), "%s[%d] of %s", key, i, h.ID)
			})
		}
	})

	DescribeTable("say it plainly", func(key, value, want string) {
		decoded, err := capabilities.DecodeValue(key, []byte(value))
		Expect(err).NotTo(HaveOccurred())
		Expect(describe.Claim(key, decoded)).To(Equal(want))
	},
		Entry(nil, "connect.handshake", `{"tries":[{"method":"server/discover","version":"2026-07-28"},{"method":"initialize","version":"2025-11-25"}]}`,
			"it opens with server/discover with 2026-07-28, then initialize with 2025-11-25"),
		Entry(nil, "list.pages", `{"follow":"first"}`, "it reads the first page of the list only"),
		Entry(nil, "list.duplicates", `{"keep":"last"}`, "of two tools with one name it keeps the last"),
		Entry(nil, "offer.name", `{"template":"{server}_{tool}","allow":"[a-z]","replace":"_","max":64,"overflow":"cut"}`,
			"the model calls a tool “{server}_{tool}”; characters other than [a-z] become “_”; names of more than 64 characters are cut off"),
		Entry(nil, "offer.schema", `[]`, "the inputSchema reaches the model as it is"),
		Entry(nil, "offer.schema", `[{"op":"keep-root-keywords","keywords":["type","properties"]}]`,
			"before the model gets the inputSchema, the host keeps only type, properties at the root"),
		Entry(nil, "offer.precheck", `[{"check":{"op":"array-without-items"},"on_failure":"request"},{"check":{"op":"type-rules","single":true},"on_failure":"request"},{"check":{"op":"metaschema","dialect":"2020-12"},"on_failure":"tool"}]`,
			"it refuses an array parameter that does not say what its items are; and a type that is a list: each time the whole request fails, every tool of every server with it; "+
				"it refuses an inputSchema that is no valid JSON Schema 2020-12: the tool is dropped"),
		Entry(nil, "offer.api.schema", `[{"check":{"op":"refuse-references","dangling":true,"of":"output"},"on_failure":"server"}]`,
			"the model's API refuses a $ref to something that is not in the schema in an outputSchema: all tools of the server are lost"),
		Entry(nil, "offer.schema", `[{"op":"set-root","missing":{"properties":{}}},{"op":"strip-keywords","keywords":["oneOf","not"],"scope":"root"}]`,
			"before the model gets the inputSchema, the host adds properties: {} at the root where it is missing; takes out oneOf, not at the root"),
		Entry("what a model sees is tried", "view.render", `[{"op":"say","when":["structured"],"text":"{structured}"},{"op":"blocks","text":"{text}","pictures":["image"]},{"op":"cut","over":100,"head":50,"tail":0,"marker":"…"}]`,
			"the model sees structuredContent in place of the text; images: shown as such; audio, the text of embedded resources, binary resources, resource links: lost; "+
				"images are lost when structuredContent is there too; nothing but the server's own words tells the model that a result is an error; texts of more than 100 characters are cut"),
		Entry(nil, "offer.limits", `{"tools":128,"on_tools":"request"}`, "more than 128 tools: the whole request fails, every tool of every server with it"),
		Entry(nil, "result.validator", `{"profile":"none"}`, "structuredContent is not validated"),
		Entry(nil, "view.surface", `{"prefers":"structured","error_mark":true}`,
			"the model sees structuredContent only, where there is some; it can tell that a result is an error"),
		Entry(nil, "view.blocks", `{"image":"lost","resource_link":"text"}`, "images are lost; resource links become text"),
		Entry(nil, "view.blocks", `{"audio":"text","image":"image"}`, "images are shown as images; audio becomes text"),
		Entry(nil, "view.limit", `{"max":25000,"unit":"tokens"}`, "results are cut at 25000 tokens"),
		Entry(nil, "view.apps", `{"shown":false}`, "MCP Apps are not shown"),
	)
})
