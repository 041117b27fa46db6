package recording_test

import (
	"encoding/base64"
	"encoding/json"
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
)

var _ = Describe("A secret that a server sends back", func() {
	const secret = "hunter\"2/Ä<&>😀-pass"
	quoted, _ := json.Marshal(secret)
	twice, _ := json.Marshal(string(quoted))
	DescribeTable("is known in the spelling of", func(text string) {
		Expect(recording.NewRedactor(secret).Text("x " + text + " y")).To(And(ContainSubstring(recording.Redacted), Not(ContainSubstring("pass")), Not(ContainSubstring("aHVudGVy"))))
	},
		Entry("plain text", secret),
		Entry("Go's JSON", string(quoted)),
		Entry("Go's JSON within JSON", string(twice)),
		Entry("Node's JSON", `"hunter\"2/Ä<&>😀-pass"`),
		Entry("Python's JSON", `"hunter\"2/\u00c4<&>\ud83d\ude00-pass"`),
		Entry("Python's JSON within JSON", `"{\"k\": \"hunter\\\"2/\\u00c4<&>\\ud83d\\ude00-pass\"}"`),
		Entry("PHP's JSON", `"hunter\"2\/Ä<&>😀-pass"`),
		Entry("capital escapes", `"hunter\"2/\u00C4<&>\uD83D\uDE00-pass"`),
		Entry("a query", "?k="+url.QueryEscape(secret)),
		Entry("a path", "/"+url.PathEscape(secret)),
		Entry("base64", base64.StdEncoding.EncodeToString([]byte(secret))),
		Entry("base64 of a token", base64.RawURLEncoding.EncodeToString([]byte(secret))),
	)
})
