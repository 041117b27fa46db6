package recording_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
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
		Expect(recording.NewRedactor(secret).Text("x " + text + " y")).To(And(ContainSubstring(recording.Redacted), Not(ContainSubstring("pass")), Not(ContainSubstring("aHVudGVy")), Not(MatchRegexp("68756e746572|h1bnRlc|odW50ZX"))))
	},
		Entry("plain text", secret),
		Entry("Go's JSON", string(quoted)),
		Entry("Go's JSON within JSON", string(twice)),
		Entry("Node's JSON", `"hunter\"2/Ä<&>😀-pass"`),
		Entry("Python's JSON", `"hunter\"2/\u00c4<&>\ud83d\ude00-pass"`),
		Entry("Python's JSON within JSON", `"{\"k\": \"hunter\\\"2/\\u00c4<&>\\ud83d\\ude00-pass\"}"`),
		Entry("PHP's JSON", `"hunter\"2\/Ä<&>😀-pass"`),
		Entry("PHP's default", `"hunter\"2\/\u00c4<&>\ud83d\ude00-pass"`),
		Entry("PHP within Go within Go", `"{\\\"k\\\":\\\"hunter\\\\\\\"2\\\\\/\\\\u00c4\\\\u003c\\\\u0026\\\\u003e\\\\ud83d\\\\ude00-pass\\\"}"`),
		Entry("a page", "<p>hunter&#34;2/&Auml;&lt;&amp;&gt;😀-pass</p>"),
		Entry("a page with numbers", "hunter&quot;2&#x2F;&#196;&lt;&amp;&gt;&#128512;-pass"),
		Entry("a page in Go's JSON", `"hunter\u0026#34;2/Ä\u0026lt;\u0026amp;\u0026gt;😀-pass"`),
		Entry("lower escapes of a URL", "?k=hunter%222%2f%c3%84%3c%26%3e%f0%9f%98%80-pass"),
		Entry("a half escaped URL", "?k=hunter%222/%C3%84<%26>%F0%9F%98%80-pass"),
		Entry("hexadecimal digits", hex.EncodeToString([]byte(secret))),
		Entry("base64 of a longer text", base64.StdEncoding.EncodeToString([]byte("u:"+secret+"!"))),
		Entry("base64 of another longer text", base64.URLEncoding.EncodeToString([]byte("me:"+secret+"!"))),
		Entry("base64 in a URL", url.QueryEscape(base64.StdEncoding.EncodeToString([]byte("me:"+secret+"!")))),
		Entry("capital escapes", `"hunter\"2/\u00C4<&>\uD83D\uDE00-pass"`),
		Entry("a query", "?k="+url.QueryEscape(secret)),
		Entry("a path", "/"+url.PathEscape(secret)),
		Entry("base64", base64.StdEncoding.EncodeToString([]byte(secret))),
		Entry("base64 of a token", base64.RawURLEncoding.EncodeToString([]byte(secret))),
	)
})

var _ = Describe("A piece of a generated secret", func() {
	const secret = "tok_9f8e7d6c5b4a39281706"
	DescribeTable("is taken out", func(text, clean string) {
		Expect(recording.NewRedactor(secret).Text(text)).To(Equal(clean))
	},
		Entry("its start", `"tok_9f8e7d6c5"`, `"[redacted]"`),
		Entry("its end", `"6c5b4a39281706"`, `"[redacted]"`),
		Entry("its middle", `"8e7d6c5b4a39"`, `"[redacted]"`),
		Entry("cut in two", `"tok_9f8e7d6c","5b4a39281706"`, `"[redacted]","[redacted]"`),
		Entry("hexadecimal digits cut", `"746f6b5f396638653764366335"`, `"[redacted]"`),
		Entry("too little to tell", `"tok_9f8e7"`, `"tok_9f8e7"`),
	)

	It("stays where the secret is a word or an address", func() {
		r := recording.NewRedactor("https://example.com/v1/accounts", "correct horse battery staple")
		Expect(r.Text("see https://example.com/v1/orders and battery staple")).To(Equal("see https://example.com/v1/orders and battery staple"))
	})

	It("costs one pass however many secrets there are", func() {
		var l recording.Literals
		for i := range 200 {
			l.Add(fmt.Sprintf("tok_%d_9f8e7d6c5b4a392817", i))
		}
		out, hit := l.Clean([]byte("nothing of that"))
		Expect(hit).To(BeFalse())
		Expect(string(out)).To(Equal("nothing of that"))
	})
})
