package schema_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
)

// half is the first half of a surrogate pair alone, in WTF-8.
const half = "\xED\xA0\xBD"

var _ = DescribeTable("UTF-16 code units",
	func(text string, length int, prefix, suffix string) {
		Expect(schema.UTF16Len(text)).To(Equal(length))
		Expect(schema.UTF16Prefix(text, 2)).To(Equal(prefix), "prefix of two")
		Expect(schema.UTF16Suffix(text, 2)).To(Equal(suffix), "suffix of two")
	},
	Entry("nothing", "", 0, "", ""),
	Entry("as many as asked", "ab", 2, "ab", "ab"),
	Entry("letters of several bytes are one unit", "äöü", 3, "äö", "öü"),
	Entry("a pair is two units and is not split", "a🚚b", 4, "a", "b"),
	Entry("half a pair is one", half+"ab", 3, half+"a", "ab"),
)
