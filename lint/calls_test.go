package lint_test

import (
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// above returns the rules that report above info about a capture.
func above(c *recording.Capture) (out []string) {
	for _, a := range lint.Run(c, lint.Input{}).Advice {
		if a.Severity != verdict.Info {
			out = append(out, a.Rule)
		}
	}
	return out
}

var _ = Describe("a result", func() {
	failed := `{"content":[{"type":"text","text":"Error: Operation failed"}]}`
	call := func(tool, arguments, result string, members string) *recording.Capture {
		return capture(session(d, `{"name":"`+tool+`","description":"T.","inputSchema":{"type":"object"}`+members+`}`, called(tool, arguments, result)))
	}

	DescribeTable("that begins Error: is a failure without its mark, unless errors were asked for:", func(tool, arguments string, reports bool) {
		found := above(call(tool, arguments, failed, ""))
		if reports {
			Expect(found).To(ContainElement("error-unflagged"))
		} else {
			Expect(found).NotTo(ContainElement("error-unflagged"))
		}
	},
		Entry("a tool of any name", "haul_list", `{}`, true),
		Entry("an argument that has nothing to do with it", "haul_list", `{"site":"terror"}`, true),
		Entry("a message that was to be an error", "annotated_message", `{"messageType":"error"}`, false),
		Entry("a log", "read_logs", `{}`, false),
		Entry("a log, in another spelling", "getErrorTrace", `{}`, false),
	)

	DescribeTable("that is an object is a failure where it holds an error alone:", func(text string, reports bool) {
		found := above(call("haul_list", `{}`, `{"content":[{"type":"text","text":`+schema.Quote(text)+`}]}`, ""))
		if reports {
			Expect(found).To(ContainElement("error-unflagged"))
		} else {
			Expect(found).NotTo(ContainElement("error-unflagged"))
		}
	},
		Entry("an error", `{"error":"upstream timed out"}`, true),
		Entry("an error with a code", `{"success":false,"error":{"code":503},"message":"No answer"}`, true),
		Entry("no error", `{"error":null,"message":"done"}`, false),
		Entry("an error beside what was asked for", `{"error":"one site did not answer","sites":["kiel"]}`, false),
	)

	DescribeTable("is not cut in structuredContent:", func(text string, reports bool) {
		structured := `{"log":` + schema.Quote(text) + `}`
		found := above(gives(d, `{"content":[{"type":"text","text":`+schema.Quote(structured)+`}],"structuredContent":`+structured+`}`, `"outputSchema":{"type":"object"}`))
		if reports {
			Expect(found).To(ContainElement("structured-truncated"))
		} else {
			Expect(found).NotTo(ContainElement("structured-truncated"))
		}
	},
		Entry("a line in the middle", "line 1\n--- TRUNCATED ---\nline 900", true),
		Entry("names that are only counted", "Kiel, Bremen and 4 more", true),
		Entry("words about it", "The truncated cone has a volume of 4.", false),
		Entry("a comparison", "It needs 4 more", false),
	)

	DescribeTable("that is an error says what went wrong, in words:", func(text string, reports bool) {
		found := above(call("t", `{}`, `{"isError":true,"content":[{"type":"text","text":`+text+`}]}`, ""))
		if reports {
			Expect(found).To(ContainElement("error-text"))
		} else {
			Expect(found).NotTo(ContainElement("error-text"))
		}
	},
		Entry("a dumped response", `"{\"status\":502,\"headers\":{\"server\":\"yard\"}}"`, true),
		Entry("a dumped list", `"[1,2]"`, true),
		Entry("an object with a sentence", `"{\"status\":502,\"message\":\"The yard did not answer.\"}"`, false),
		Entry("an object with a code in words", `"{\"status\":404,\"error\":\"NotFound\"}"`, false),
		Entry("an object with a sentence under another key", `"{\"upstream\":\"no such site\"}"`, false),
	)

	readOnly := `,"annotations":{"readOnlyHint":true}`
	DescribeTable("without anything in it is reported for a read-only tool alone:", func(result, members string, reports bool) {
		found := above(call("t", `{}`, result, members))
		if reports {
			Expect(found).To(ContainElement("result-empty"))
		} else {
			Expect(found).NotTo(ContainElement("result-empty"))
		}
	},
		Entry("no block", `{"content":[]}`, readOnly, true),
		Entry("a block of white space", `{"content":[{"type":"text","text":" \n"}]}`, readOnly, true),
		Entry("a tool that does something", `{"content":[]}`, "", false),
		Entry("an image", `{"content":[{"type":"image","data":"aGk=","mimeType":"image/png"}]}`, readOnly, false),
		Entry("structuredContent", `{"content":[],"structuredContent":{"total":0}}`, readOnly, false),
		Entry("an error", `{"isError":true,"content":[]}`, readOnly, false),
	)

	paged := `,"outputSchema":{"type":"object"}`
	DescribeTable("that says that nothing was left out is held to it:", func(arguments, structured string, reports bool) {
		found := above(capture(session(d, `{"name":"t","description":"T.","inputSchema":{"type":"object","properties":{"limit":{"type":"integer","description":"Most."},"offset":{"type":"integer","description":"First."}}}`+paged+`}`,
			called("t", arguments, `{"content":[{"type":"text","text":`+schema.Quote(structured)+`}],"structuredContent":`+structured+`}`))))
		if reports {
			Expect(found).To(ContainElement("structured-truncated"))
		} else {
			Expect(found).NotTo(ContainElement("structured-truncated"))
		}
	},
		Entry("a shorter list", `{"limit":10}`, `{"sites":["kiel"],"total":3,"truncated":false}`, true),
		Entry("a shorter list with has_more", `{}`, `{"sites":["kiel"],"total":3,"has_more":false}`, true),
		Entry("a list that goes on", `{}`, `{"sites":["kiel"],"total":3,"truncated":true}`, false),
		Entry("the last page", `{"offset":2}`, `{"sites":["kiel"],"total":3,"has_more":false}`, false),
		Entry("the whole list", `{}`, `{"sites":["kiel"],"total":1,"truncated":false}`, false),
	)
})

var _ = Describe("initialize", func() {
	ask := func(asked, answered string) string {
		return `>{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + asked + `","capabilities":{}}}` + "\n" +
			`<{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"` + answered + `","capabilities":{},"serverInfo":{"name":"depot","version":"1.2.0"}}}`
	}
	discovered := said(e, asked("server/discover", meta, `"result":{"resultType":"complete","supportedVersions":["2026-07-28","2025-11-25","2025-03-26"],"capabilities":{},"ttlMs":0,"cacheScope":"public"}`)...)

	It("gives the revision that was asked for where the server lists it", func() {
		Expect(above(capture(discovered, said(d, strings.Split(ask(d, b), "\n")...)))).To(ContainElement("initialize-revision"))
		Expect(above(capture(discovered, said(d, strings.Split(ask(d, d), "\n")...)))).NotTo(ContainElement("initialize-revision"))
		unlisted := said(c, strings.Split(ask(c, b), "\n")...)
		unlisted.Negotiated = b
		Expect(above(capture(discovered, unlisted))).NotTo(ContainElement("initialize-revision"))
	})
})

var _ = Describe("a probe", func() {
	It("whose connection broke takes no answer of the next one", func() {
		probe := said(e,
			">DELETE http://h/\r\nMcp-Protocol-Version: 2026-07-28",
			">POST http://h/\r\nMcp-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen",
			`>{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},`+meta+`}}`,
			"<HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nX-Accel-Buffering: no",
			`<{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true}}}`)
		probe.ID = recording.ProbePrefix + "modern"
		c := list(e, tool(`"description":"T."`))
		c.Probes = append(c.Probes, probe)
		Expect(above(c)).NotTo(ContainElements("unrequested-notification"))
		Expect(above(c)).NotTo(ContainElement("subscription"))
	})
})

var _ = Describe("the entries from which the rules were made", func() {
	It("lead to their rules, in any case of letters", func() {
		e, ok := lint.FindEntry("tl7")
		Expect(ok).To(BeTrue())
		Expect(e.ID).To(Equal("TL7"))
		Expect(e.Rules).To(ContainElements("tool-name", "tool-name-unique"))
	})

	It("are all known", func() {
		for id, n := range map[string]int{"T": 19, "L": 7, "TL": 19, "TC": 13, "R": 52} {
			for i := 1; i <= n; i++ {
				_, ok := lint.FindEntry(id + strconv.Itoa(i))
				Expect(ok).To(BeTrue(), id+strconv.Itoa(i))
			}
		}
		_, ok := lint.FindEntry("TL20")
		Expect(ok).To(BeFalse())
		_, ok = lint.FindEntry("tool-name")
		Expect(ok).To(BeFalse())
	})
})
