package matrix_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/matrix/operation"
	"github.com/hostmatrix/conform/schema"
)

var _ = DescribeTable("References in what the model gets",
	func(sent, offered, detail string) {
		a, err := schema.ParseString(sent)
		Expect(err).NotTo(HaveOccurred())
		b, err := schema.ParseString(offered)
		Expect(err).NotTo(HaveOccurred())
		var degrading []string
		for _, l := range operation.Losses(a, b) {
			if l.Degrades {
				degrading = append(degrading, l.Detail)
			}
		}
		if detail == "" {
			Expect(degrading).To(BeEmpty())
			return
		}
		Expect(degrading).To(ConsistOf(detail))
	},
	Entry("kept with what they name", `{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"string"}}}`,
		`{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"string"}}}`, ""),
	Entry("put in their place", `{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"string"}}}`,
		`{"properties":{"a":{"type":"string"}}}`, ""),
	Entry("kept without what they name", `{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"string"}}}`,
		`{"properties":{"a":{"$ref":"#/$defs/A"}}}`, `the reference "#/$defs/A" names nothing in what the model gets`),
	Entry("taken out", `{"properties":{"a":{"$ref":"#/$defs/A","description":"d"}},"$defs":{"A":{"type":"string"}}}`,
		`{"properties":{"a":{"description":"d"}}}`, `neither the reference "#/$defs/A" nor what it names is offered to the model`),
	Entry("dangling from the start", `{"properties":{"a":{"$ref":"#/$defs/A"}}}`, `{"properties":{"a":{"$ref":"#/$defs/A"}}}`, ""),
)
