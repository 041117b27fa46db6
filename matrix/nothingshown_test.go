package matrix_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/matrix/operation"
	"github.com/hostmatrix/conform/schema"
)

var _ = DescribeTable("A result of which the model sees nothing",
	func(result, seen string, want bool) {
		r, err := schema.ParseString(result)
		Expect(err).NotTo(HaveOccurred())
		v := &operation.View{Result: r, Structured: r.Get("structuredContent"), IsError: r.Get("isError").IsTrue()}
		if seen != "" {
			v.Parts = []operation.Part{{Kind: "text", Text: seen}}
		}
		Expect(operation.NothingShown(v)).To(Equal(want))
	},
	Entry("structuredContent alone, hidden", `{"content":[],"structuredContent":{"litres":310}}`, "", true),
	Entry("behind a placeholder", `{"content":[],"structuredContent":{"litres":310}}`, "(empty result)", true),
	Entry("shown", `{"content":[],"structuredContent":{"litres":310}}`, `{"litres":310}`, false),
	Entry("one of its values shown", `{"content":[],"structuredContent":{"litres":310,"at":"noon"}}`, "at noon", false),
	Entry("shown, with values too short to look for", `{"content":[{"type":"text","text":"full"}],"structuredContent":{"n":3}}`, `{"n":3}`, false),
	Entry("values too short to look for", `{"content":[],"structuredContent":{"n":3}}`, "", false),
	Entry("the text shown", `{"content":[{"type":"text","text":"a full tank"}],"structuredContent":{"litres":310}}`, "a full tank", false),
	Entry("a text alone, hidden", `{"content":[{"type":"text","text":"a full tank"}]}`, "", true),
	Entry("blank text", `{"content":[{"type":"text","text":" "}]}`, "", false),
	Entry("a picture alone, hidden", `{"content":[{"type":"image","data":"AAAA","mimeType":"image/png"}]}`, "", true),
	Entry("a picture, named", `{"content":[{"type":"image","data":"AAAA","mimeType":"image/png"}]}`, "[image]", false),
	Entry("an error", `{"content":[],"structuredContent":{"litres":310},"isError":true}`, "", false),
	Entry("nothing at all", `{"content":[]}`, "", false),
)
