package operation_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/matrix/operation"
	"github.com/hostmatrix/conform/schema"
)

var _ = DescribeTable("what the model does not see, and what it sees instead",
	func(result string, shown []operation.Part, losses ...string) {
		sent, err := schema.ParseString(result)
		Expect(err).NotTo(HaveOccurred())
		var details []string
		for _, l := range operation.ViewLosses(&operation.View{Result: sent, Structured: sent.Get("structuredContent"), Parts: shown}) {
			details = append(details, l.Rule+" "+l.Detail)
		}
		Expect(details).To(HaveExactElements(losses))
	},
	Entry("everything is shown", `{"content":[{"type":"text","text":"berth 4"}]}`,
		[]operation.Part{{Kind: "text", Text: "berth 4"}}),
	Entry("structuredContent in place of the text", `{"content":[{"type":"text","text":"berth 4"}],"structuredContent":{"berth":"north"}}`,
		[]operation.Part{{Kind: "text", Text: `{"berth":"north"}`}},
		`text-hidden the text block berth 4 is not shown to the model: this host shows it only structuredContent`),
	Entry("the text in place of structuredContent", `{"content":[{"type":"text","text":"berth 4"}],"structuredContent":{"berth":"north"}}`,
		[]operation.Part{{Kind: "text", Text: "berth 4"}},
		`structured-hidden structuredContent holds "north", which the model does not see: this host shows it only the content blocks`),
	Entry("an image in place of the text", `{"content":[{"type":"text","text":"berth 4"},{"type":"image","data":"","mimeType":"image/png"}]}`,
		[]operation.Part{{Kind: "image"}},
		`text-hidden the text block berth 4 is not shown to the model: this host shows it the image in place of the text`),
	Entry("nothing at all", `{"content":[{"type":"text","text":"berth 4"}],"structuredContent":{"berth":"north"}}`, nil,
		`structured-hidden structuredContent holds "north", which the model does not see`,
		`text-hidden the text block berth 4 is not shown to the model`),
)
