package lint_test

import (
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/recording"
)

var _ = Describe("the rules", func() {
	It("have ids of their own and say all that a reader needs", func() {
		seen := map[string]bool{}
		for _, r := range lint.Rules() {
			Expect(seen[r.ID]).To(BeFalse(), r.ID)
			seen[r.ID] = true
			Expect(r.ID).To(MatchRegexp(`^[a-z0-9]+(-[a-z0-9]+)*$`))
			Expect(r.Run).NotTo(BeNil(), r.ID)
			for _, text := range []string{r.Title, r.Why, r.Source, r.Wrong, r.Right, string(r.Stage), string(r.Level), string(r.Severity), r.Since} {
				Expect(text).NotTo(BeEmpty(), r.ID)
			}
			Expect(r.Title).NotTo(HaveSuffix("."), r.ID)
			Expect(r.Why).To(Or(HaveSuffix("."), HaveSuffix(".)")), r.ID)
			text, ok := lint.Explain(r.ID)
			Expect(ok).To(BeTrue())
			Expect(text).To(ContainSubstring(r.Why))
		}
	})

	It("find nothing in an empty capture", func() {
		Expect(lint.Run(&recording.Capture{}, lint.Input{}).Advice).To(BeEmpty())
	})
})

var _ = Describe("a notification on one of two streams", func() {
	call := func(id, answer string) (request, result string) {
		return `>{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"t",` + meta + `}}`, `<{"jsonrpc":"2.0","id":` + id + `,"result":` + answer + `}`
	}
	const (
		post   = ">POST /mcp HTTP/1.1\r\nMcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: t"
		stream = "<HTTP/1.1 200 OK\r\nContent-Type: text/event-stream"
		notice = `<{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`
	)
	first, one := call("1", `{"resultType":"complete","content":[]}`)
	second, two := call("2", `{"resultType":"complete","content":[]}`)

	DescribeTable("follows an answer", func(reports bool, lines ...string) {
		found := reported(capture(said(e, lines...)), lint.Input{})
		Expect(slices.Contains(found, "message-after-final")).To(Equal(reports), "%v", found)
	},
		Entry("where no other stream is open", true, post, first, stream, one, notice),
		Entry("where all are answered", true, post, first, post, second, stream, stream, two, one, notice),
		Entry("not for certain where the other stream waits for its answer", false, post, first, post, second, stream, stream, two, notice, one),
	)
})
