package recording_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
)

var _ = DescribeTable("a server's text within a line", func(text, keep, want string) {
	Expect(recording.Escape(text, keep)).To(Equal(want))
},
	Entry("stays as it is when it is plain", `naïve "検索" \n`, "", `naïve "検索" \n`),
	Entry("ends no line", "a\r\n::error::b", "", `a\r\n::error::b`),
	Entry("keeps what it may keep", "a\n\tb", "\n", "a\n\\tb"),
	Entry("moves no cursor", "\x1b[2J\x7f\u009b", "", `\x1b[2J\x7f\u009b`),
	Entry("hides and reorders nothing", "a\u202eb\u200bc\ufeff\u2028", "", `a\u202eb\u200bc\ufeff\u2028`),
	Entry("shows bytes that are no text", "a\xff\xc3", "", `a\xff\xc3`),
	Entry("shows a replacement character that was sent", "\ufffd", "", "\ufffd"),
)
