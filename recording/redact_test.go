package recording_test

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

var _ = Describe("the redactor", func() {
	It("leaves no known secret anywhere in a recording", func() {
		const secret = `hunter"2/ä&é` // its JSON and URL spellings differ from it
		inJSON := schema.Quote(secret)
		failure := &recording.Failure{Kind: "http-status", Text: "text " + secret, Raw: "raw " + secret, Error: schema.Obj(schema.Member{Key: "message", Value: schema.List(schema.Str(secret))})}
		s := &recording.Session{ID: "a", Requested: "2025-06-18", Negotiated: "2025-06-18", Era: recording.Legacy, Transport: "stdio", InitError: failure,
			Pages: []recording.Page{{Failed: failure}},
			Calls: []*recording.Call{{Tool: "t " + secret, Arguments: schema.Obj(schema.Member{Key: "x", Value: schema.Str(secret)}), Failed: failure, Origin: recording.Real}},
		}
		for _, kind := range []string{"message", "stderr", "noise", "http-request", "http-response"} {
			for _, from := range []string{"client", "server"} {
				for _, text := range []string{secret, `{"text":` + inJSON + `}`, `{"text":` + schema.Quote(`{"nested":`+inJSON+`}`) + `}`, "GET /?q=" + url.QueryEscape(secret), "GET /" + url.PathEscape(secret) + "\xff"} {
					s.Messages = append(s.Messages, recording.Message{Session: "a", From: from, Kind: kind, Bytes: []byte(text)})
				}
			}
		}
		c := &recording.Capture{
			Target:   recording.Target{Name: "n " + secret, Server: "s " + secret, Version: "v " + secret, Command: []string{"run", "--x=" + secret, secret}, URL: "http://localhost/?q=" + url.QueryEscape(secret)},
			Sessions: []*recording.Session{s},
			Problems: []recording.Problem{{Rule: "r", Message: "m " + secret, Raw: "raw " + secret}},
		}
		text := write(c, secret)
		Expect(strings.Count(text, recording.Redacted)).To(BeNumerically(">=", 5*2*4+14))
		back := read(text)
		var everything bytes.Buffer
		everything.WriteString(text)
		for _, m := range back.Sessions[0].Messages { // base64 too
			everything.Write(m.Bytes)
		}
		for _, spelling := range []string{secret, inJSON[1 : len(inJSON)-1], url.QueryEscape(secret), url.PathEscape(secret), `hunter\\\"2`, "hunter"} {
			Expect(everything.String()).NotTo(ContainSubstring(spelling))
		}
	})

	DescribeTable("knows credentials by their look",
		func(text, clean string) {
			Expect((&recording.Redactor{}).Text(text)).To(Equal(clean))
			var none *recording.Redactor
			Expect(none.Text(text)).To(Equal(clean))
		},
		Entry(nil, "Authorization: Bearer abc123def456", "Authorization: Bearer [redacted]"),
		Entry(nil, `{"h":"bearer aaaaaaaaaaaaaaaaaaaaaaaa"}`, `{"h":"bearer [redacted]"}`),
		Entry(nil, "Basic dXNlcjpwYXNzd29yZDE=", "Basic [redacted]"),
		Entry(nil, "Authorization: s3cr3t-value", "Authorization: [redacted]"),
		Entry(nil, "postgres://app:hunter2@db/x", "postgres://app:[redacted]@db/x"),
		Entry(nil, "https://ghtoken1234567@github.com/a", "https://[redacted]@github.com/a"),
		Entry(nil, "https://x/mcp?api_key=abcdef123&page=2", "https://x/mcp?api_key=[redacted]&page=2"),
		Entry(nil, "https://x/mcp?page=2&X-Amz-Signature=abcdef123", "https://x/mcp?page=2&X-Amz-Signature=[redacted]"),
		Entry(nil, "Set-Cookie: sid=abc; Path=/\r\nX: y", "Set-Cookie: [redacted]\r\nX: y"),
		Entry(nil, "key sk-proj-0123456789abcdefABCD!", "key [redacted]!"),
		Entry(nil, "ghp_0123456789abcdefghijABCDEFGHIJ012345", "[redacted]"),
		Entry(nil, "xoxb-1234567890-abc", "[redacted]"),
		Entry(nil, "AKIAABCDEFGHIJKLMNOP", "[redacted]"),
		Entry(nil, "eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.abc-_", "[redacted]"),
	)

	DescribeTable("leaves alone what only speaks of credentials",
		func(text string) {
			Expect((&recording.Redactor{}).Text(text)).To(Equal(text))
		},
		Entry(nil, "Uses bearer authentication with OAuth."),
		Entry(nil, "Basic information about a project, and token counting."),
		Entry(nil, "postgres://user:password@localhost:5432/db"),
		Entry(nil, "postgres://<user>:<secret>@host/db"),
		Entry(nil, "https://example.com/?api_key=YOUR_API_KEY"),
		Entry(nil, "https://example.com/?page=abcdef"),
		Entry(nil, `{"properties":{"password":{"type":"string"},"cookie":{"type":"string"}}}`),
		Entry(nil, "git@github.com:a/b, see https://host:8080/path@2"),
		Entry(nil, "task-management, risk-assessment"),
	)

	It("drops the value of credential headers and arguments whatever it looks like", func() {
		r := recording.NewRedactor()
		clean := func(from, kind, text string) string {
			return string(r.Message(recording.Message{From: from, Kind: kind, Bytes: []byte(text)}).Bytes)
		}
		Expect(clean("client", "http-request", "POST /mcp\r\nX-Api-Key: dog\r\nMcp-Method: tools/list\r\nproxy-authorization: a b\r\n")).To(Equal(
			"POST /mcp\r\nX-Api-Key: [redacted]\r\nMcp-Method: tools/list\r\nproxy-authorization: [redacted]\r\n"))
		Expect(clean("client", "message", `{"arguments":{"password":"dog","user_api_key":"a\"b","name":"x"}}`)).To(Equal(
			`{"arguments":{"password":"[redacted]","user_api_key":"[redacted]","name":"x"}}`))
		Expect(clean("server", "message", `{"structuredContent":{"access_token":"dog"}}`)).To(Equal(
			`{"structuredContent":{"access_token":"dog"}}`), "what the server says of itself is the data under test")
	})

	It("cleans a command line", func() {
		t := recording.NewRedactor().Target(recording.Target{Command: []string{"server", "--token", "abc", "--api-key=abc", "DB_PASSWORD=abc", "--verbose"}})
		Expect(t.Command).To(Equal([]string{"server", "--token", "[redacted]", "--api-key=[redacted]", "DB_PASSWORD=[redacted]", "--verbose"}))
	})

	It("leaves words shorter than a secret alone", func() {
		Expect(recording.NewRedactor("1", "on").Text("1 turn on")).To(Equal("1 turn on"))
	})
})

// BenchmarkRedact shows what the patterns cost on a large tools/list answer.
func BenchmarkRedact(b *testing.B) {
	var text bytes.Buffer
	for i := range 3000 {
		fmt.Fprintf(&text, `{"name":"tool_%d","description":"Reads the key of a task; see https://example.com/docs?page=%d for basic usage.","inputSchema":{"type":"object","properties":{"password":{"type":"string"}}}},`, i, i)
	}
	r := recording.NewRedactor("a-secret-that-is-not-there")
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		r.Clean(text.Bytes())
	}
}
