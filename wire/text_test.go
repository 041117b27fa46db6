package wire_test

import (
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/wire"
)

var _ = Describe("Text of a server", func() {
	DescribeTable("is made printable", func(raw, want string) {
		Expect(wire.Printable([]byte(raw), 20)).To(Equal(want))
	},
		Entry("plain", "plain ünï", "plain ünï"),
		Entry("terminal escape", "a\x1b[31mb", `a\x1b[31mb`),
		Entry("C1 control", "a\u009b31mb", `a\u009b31mb`),
		Entry("line breaks, as of a CI command", "x\n::error::\r\t", `x\n::error::\r\t`),
		Entry("invalid UTF-8", "a\xff\xfeb", `a\xff\xfeb`),
		Entry("bidirectional override", "a\u202eb", `a\u202eb`),
		Entry("zero width", "a\u200bb\ufeff", `a\u200bb\ufeff`),
		Entry("line separator", "a\u2028b", `a\u2028b`),
		Entry("long", strings.Repeat("x", 30), strings.Repeat("x", 20)+" … (30 bytes)"),
		Entry("cut within a character", strings.Repeat("x", 19)+"€uro", strings.Repeat("x", 19)+" … (25 bytes)"),
		Entry("empty", "", ""),
	)
})

var _ = Describe("Redaction", func() {
	DescribeTable("of a command line", func(want string, command ...string) {
		Expect(wire.Target{Command: command}.String()).To(Equal(want))
	},
		Entry("nothing secret", "node server.js --port 8080", "node", "server.js", "--port", "8080"),
		Entry("an option with =", "srv --api-key=[redacted]", "srv", "--api-key=abc"),
		Entry("an option with a value", "srv --token [redacted] --verbose", "srv", "--token", "hello", "--verbose"),
		Entry("an option without a value", "srv --auth --verbose", "srv", "--auth", "--verbose"),
		Entry("what looks like a key", "srv [redacted]", "srv", "sk_live_0123456789abcdefghij"),
		Entry("an escape", `srv \x1b[1m`, "srv", "\x1b[1m"),
	)

	DescribeTable("of a URL", func(url, want string) {
		Expect(wire.Target{URL: url}.String()).To(Equal(want))
	},
		Entry("plain", "https://example.com/mcp", "https://example.com/mcp"),
		Entry("credentials", "https://me:pw@example.com/mcp", "https://redacted@example.com/mcp"),
		Entry("query", "https://example.com/mcp?key=v&a=b", "https://example.com/mcp?a=redacted&key=redacted"),
		Entry("a key in the path", "https://example.com/s/a1b2c3d4e5f6g7h8i9j0k1/mcp", "https://example.com/s/redacted/mcp"),
		Entry("no URL at all", "://secret", wire.Redacted),
	)

	It("knows what is secret", func() {
		t := wire.Target{
			URL:     "https://u:password@h/?token=querytoken",
			Headers: http.Header{"Authorization": {"Bearer headertoken"}, "Accept": {"application/json"}},
			Env:     []string{"GITHUB_TOKEN=envtoken", "MODE=production", "ID=0123456789abcdef0123456789", "GITHUB_PAT=plainpat", "MYSQL_PWD=letmein", "PATTERN=[a-z]+", "OTPIONAL=no-secret"},
			Command: []string{"server", "--pat", "flagpat", "--pattern", "no-secret"},
		}
		Expect(t.Secrets()).To(ConsistOf("password", "querytoken", "Bearer headertoken", "headertoken", "envtoken", "0123456789abcdef0123456789", "plainpat", "letmein", "flagpat"))
	})
})

var _ = Describe("Headers of the modern era", func() {
	DescribeTable("encode values", func(value, want string) {
		Expect(wire.EncodeHeaderValue(value)).To(Equal(want))
	},
		Entry("plain", "us-west 1", "us-west 1"),
		Entry("empty", "", ""),
		Entry("not ASCII", "Zürich", "=?base64?WsO8cmljaA==?="),
		Entry("control character", "a\nb", "=?base64?YQpi?="),
		Entry("leading space", " a", "=?base64?IGE=?="),
		Entry("trailing tab", "a\t", "=?base64?YQk=?="),
		Entry("looks like the form itself", "=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="),
	)

	DescribeTable("mirror arguments", func(input, arguments string, want map[string]string) {
		Expect(wire.ParamHeaders(schema.MustParse(input), schema.MustParse(arguments))).To(Equal(want))
	},
		Entry("string, integer, boolean", `{"properties":{"a":{"x-mcp-header":"A"},"b":{"x-mcp-header":"B"},"c":{"x-mcp-header":"C"}}}`, `{"a":"x","b":12,"c":false}`,
			map[string]string{"Mcp-Param-A": "x", "Mcp-Param-B": "12", "Mcp-Param-C": "false"}),
		Entry("a union type", `{"properties":{"a":{"type":["string","null"],"x-mcp-header":"A"}}}`, `{"a":"x"}`, map[string]string{"Mcp-Param-A": "x"}),
		Entry("null, absent, array", `{"properties":{"a":{"x-mcp-header":"A"},"b":{"x-mcp-header":"B"},"c":{"x-mcp-header":"C"}}}`, `{"a":null,"c":[1]}`, map[string]string{}),
		Entry("a name that is no token", `{"properties":{"a":{"x-mcp-header":"A B"}}}`, `{"a":"x"}`, map[string]string{}),
		Entry("below items and anyOf", `{"properties":{"a":{"items":{"x-mcp-header":"A"}},"b":{"anyOf":[{"x-mcp-header":"B"}]}}}`, `{"a":["x"],"b":"y"}`, map[string]string{}),
		Entry("no schema", `true`, `{"a":1}`, map[string]string{}),
	)
})
