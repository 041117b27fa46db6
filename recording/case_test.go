package recording_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

const smallCase = `{
  "format": "conform-case/1", "id": "exact-numbers", "family": "numbers", "title": "numbers as written",
  "protocol_version": "2025-11-25", "server": {"name": "meter", "version": "1.2.3", "title": "Meter"},
  "tools": [
    {"name": "read", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object", "properties": {"n": {"const": 1.0, "const": 1e400}}}},
    null,
    {"inputSchema": 5}
  ],
  "results": [
    {"tool": "read", "arguments": {"b": 1, "a": 2}, "result": {"content": [], "structuredContent": {"n": 9007199254740993}}},
    {"tool": "read", "result_error": {"code": -32602, "message": "no"}}
  ],
  "expect": [{"host": "some-host", "version": "1.0", "verdict": "breaks", "stage": "result", "blast": "tool", "checked": true, "text": "x", "basis": "observed", "how": "ran it"}]
}`

var _ = Describe("a case file", func() {
	It("keeps the text of schemas and results", func() {
		c, err := recording.ReadCase("small.json", []byte(smallCase))
		Expect(err).NotTo(HaveOccurred())
		capture := c.Capture()
		Expect(capture.Target).To(Equal(recording.Target{Name: "meter", Server: "meter", Version: "1.2.3"}))
		Expect(capture.Sessions).To(HaveLen(1))
		s := capture.Sessions[0]
		Expect(s.Negotiated).To(Equal("2025-11-25"))
		Expect(s.Era).To(Equal(recording.Legacy))
		Expect(s.Init).To(BeNil())
		Expect(s.Pages).To(HaveLen(1))
		Expect(s.Pages[0].Result.Members).To(HaveLen(1), "a legacy page has tools and nothing else")

		By("decoding every entry on its own")
		Expect(s.Tools).To(HaveLen(3))
		Expect(s.Tools[0].Name).To(Equal("read"))
		Expect(s.Tools[0].Output.Compact()).To(Equal(`{"type":"object","properties":{"n":{"const":1.0,"const":1e400}}}`))
		Expect(s.Tools[1].Value.Kind).To(Equal(schema.Null))
		Expect(s.Tools[1].Name).To(BeEmpty())
		Expect(s.Tools[2].Input.Compact()).To(Equal("5"))
		Expect(s.Tools[2].Index).To(Equal(2))

		By("reading results and protocol errors")
		Expect(s.Calls).To(HaveLen(2))
		Expect(s.Calls[0].Arguments.Compact()).To(Equal(`{"b":1,"a":2}`))
		Expect(s.Calls[0].Result.Get("structuredContent").Compact()).To(Equal(`{"n":9007199254740993}`))
		Expect(s.Calls[0].Bytes).To(Equal(len(`{"content": [], "structuredContent": {"n": 9007199254740993}}`)))
		Expect(s.Calls[0].Origin).To(Equal(recording.Real))
		Expect(s.Calls[1].Result).To(BeNil())
		Expect(s.Calls[1].Error.Get("code").Text).To(Equal("-32602"))

		Expect(c.Expect).To(HaveLen(1))
		Expect(*c.Expect[0].Checked).To(BeTrue())
		Expect(c.Expect[0].Stage).To(Equal("result"))
	})

	It("reads pages as results or as arrays of tools, and fills in what the modern era requires", func() {
		c, err := recording.ReadCase("pages.json", []byte(`{"format":"conform-case/1","id":"p","protocol_version":"2026-07-28",
			"pages":[{"resultType":"complete","tools":[{"name":"a"}],"nextCursor":"two","ttlMs":5,"cacheScope":"public"},[{"name":"b"}]]}`))
		Expect(err).NotTo(HaveOccurred())
		s := c.Capture().Sessions[0]
		Expect(s.Era).To(Equal(recording.Modern))
		Expect(s.Pages).To(HaveLen(2))
		Expect(s.Pages[0].Result.Get("ttlMs").Text).To(Equal("5"))
		Expect(s.Pages[1].Cursor).To(Equal("two"))
		Expect(s.Pages[1].Result.Compact()).To(Equal(`{"resultType":"complete","tools":[{"name":"b"}],"ttlMs":0,"cacheScope":"private"}`))
		Expect(s.Tools[1].Page).To(Equal(1))
	})

	DescribeTable("says what is wrong, where, and what was probably meant",
		func(change, to, message string) {
			Expect(smallCase).To(ContainSubstring(change))
			_, err := recording.ReadCase("small.json", []byte(strings.Replace(smallCase, change, to, 1)))
			Expect(err).To(MatchError(message))
			var format *recording.FormatError
			Expect(errors.As(err, &format)).To(BeTrue())
		},
		Entry("an unknown key", `"family"`, `"famly"`, `small.json: unknown key "famly" (did you mean "family"?)`),
		Entry("a key far from any", `"family"`, `"zzzzzzzz"`, `small.json: unknown key "zzzzzzzz" (known: format, id, family, title, cause, source, protocol_version, server, tools, pages, recording, results, expect, rules, manifest)`),
		Entry("an unknown key in a result", `"arguments"`, `"argument"`, `small.json: /results/0: unknown key "argument" (did you mean "arguments"?)`),
		Entry("an unknown key in an expectation", `"blast"`, `"blst"`, `small.json: /expect/0: unknown key "blst" (did you mean "blast"?)`),
		Entry("another format", `conform-case/1`, `conform-case/2`, `small.json: /format: is "conform-case/2", this version of conform reads "conform-case/1"`),
		Entry("no id", `"id": "exact-numbers", `, ``, `small.json: /id: is required and must not be empty`),
		Entry("a verdict that is none", `"breaks"`, `"brakes"`, `small.json: /expect/0/verdict: "brakes" is not one of works, unknown, degraded, breaks (did you mean "breaks"?)`),
		Entry("a wrong type", `"title": "numbers as written"`, `"title": 5`, `small.json: /title: must be a string, is number`),
		Entry("checked that is no boolean", `"checked": true`, `"checked": "yes"`, `small.json: /expect/0/checked: must be true or false, is string`),
		Entry("neither result nor error", `, "result_error": {"code": -32602, "message": "no"}`, ``, `small.json: /results/1: needs either result or result_error`),
		Entry("tools and pages", `"results": [`, `"pages": [], "results": [`, `small.json: /pages: a case has either tools or pages`),
		Entry("tools that are no array", `"tools": [`, `"tools": {}, "results": [`, `small.json: /tools: must be an array, is object`),
	)

	It("names the byte at which a file stops being JSON", func() {
		_, err := recording.ReadCase("cut.json", []byte(`{"format":`))
		Expect(err).To(MatchError("cut.json: not JSON: unexpected end of JSON at byte 10"))
		var syntax *schema.SyntaxError
		Expect(errors.As(err, &syntax)).To(BeTrue())
	})

	DescribeTable("bounds schemas of any depth",
		func(depth int, works bool) {
			deep := strings.Repeat(`{"properties":{"a":`, depth) + `{}` + strings.Repeat(`}}`, depth)
			c, err := recording.ReadCase("deep.json", []byte(`{"format":"conform-case/1","id":"deep","protocol_version":"2025-11-25","tools":[{"name":"t","inputSchema":`+deep+`}]}`))
			if !works {
				var limit *schema.LimitError
				Expect(errors.As(err, &limit)).To(BeTrue())
				return
			}
			Expect(err).NotTo(HaveOccurred())
			Expect(c.Capture().Sessions[0].Tools[0].Input.Compact()).To(Equal(deep))
		},
		Entry("5,000 schemas deep", 5_000, true),
		Entry("200,000 schemas deep", 200_000, false),
	)

	It("reads every file of the shared corpus, when present", func() {
		root := sharedCorpus()
		files := 0
		for _, dir := range []string{"cases", "sdk-cases", "catalogs"} {
			names, err := filepath.Glob(filepath.Join(root, dir, "*.json"))
			Expect(err).NotTo(HaveOccurred())
			for _, name := range names {
				data, err := os.ReadFile(name)
				Expect(err).NotTo(HaveOccurred())
				c, err := recording.ReadCase(filepath.Base(name), data)
				Expect(err).NotTo(HaveOccurred())
				Expect(c.Capture().Sessions[0].Tools).NotTo(BeEmpty(), name)
				files++
			}
		}
		Expect(files).To(BeNumerically(">", 400))
	})
})

// sharedCorpus returns the folder of the shared corpus, or skips the spec.
func sharedCorpus() string {
	root := os.Getenv("CONFORM_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	root = filepath.Join(root, "corpus")
	if _, err := os.Stat(root); err != nil {
		Skip("no shared corpus: set CONFORM_SHARED to compare with it")
	}
	return root
}
