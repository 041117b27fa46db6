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
			"before the model gets the inputSchema, it keeps only type, properties at the root of the inputSchema"),
		Entry(nil, "offer.limits", `{"tools":128,"on_tools":"request"}`, "more than 128 tools: the whole request fails, every tool of every server with it"),
		Entry(nil, "result.validator", `{"profile":"none"}`, "structuredContent is not validated"),
		Entry(nil, "view.surface", `{"prefers":"structured","error_mark":true}`,
			"the model sees structuredContent only, where there is some; it can tell that a result is an error"),
		Entry(nil, "view.blocks", `{"image":"lost","resource_link":"text"}`, "images are lost; resource links become text"),
		Entry(nil, "view.limit", `{"max":25000,"unit":"tokens"}`, "results are cut at 25000 tokens"),
		Entry(nil, "view.apps", `{"shown":false}`, "MCP Apps are not shown"),
	)
})
