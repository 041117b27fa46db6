package recording_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// sameValues compares JSON as it was written: order, literals, duplicate keys. Which
// messages somebody has decoded already is no difference.
var sameValues = cmp.Options{
	cmp.Comparer(func(a, b *schema.Value) bool {
		if a == nil || b == nil {
			return a == b
		}
		return a.Compact() == b.Compact()
	}),
	cmpopts.IgnoreFields(recording.Message{}, "Decoded"),
	cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "Recorded" }, cmp.Comparer(func(a, b string) bool { return a == b || a == "" || b == "" })),
}

func write(c *recording.Capture, secrets ...string) string {
	GinkgoHelper()
	var out bytes.Buffer
	Expect(recording.WriteCapture(&out, c, "1.2.3", "2026-11-30T12:00:00Z", recording.NewRedactor(secrets...))).To(Succeed())
	return out.String()
}

func read(text string) *recording.Capture {
	GinkgoHelper()
	c, err := recording.Read("test.jsonl", strings.NewReader(text), recording.Limits{})
	Expect(err).NotTo(HaveOccurred())
	return c
}

var _ = Describe("a recording", func() {
	It("gives back the capture that was written", func() {
		c := liveFixture("demo", "2025-06-18")
		c.Problems = []recording.Problem{{Rule: "stdout-noise", Message: "A line on stdout is no JSON-RPC message", Session: c.Sessions[0].ID, Raw: "hello"}}
		text := write(c)
		c.Recorded = "2026-11-30T12:00:00Z"
		Expect(cmp.Diff(c, read(text), sameValues)).To(BeEmpty())
		Expect(write(read(text))).To(Equal(text), "byte for byte")
	})

	It("keeps both eras of one server", func() {
		c := recording.Merge(liveFixture("demo", "2025-11-25"), liveFixture("demo", "2026-07-28"))
		back := read(write(c))
		Expect(cmp.Diff(c, back, sameValues)).To(BeEmpty())
		Expect(back.Sessions[1].Era).To(Equal(recording.Modern))
		Expect(back.SessionFor("2026-07-28").ID).To(Equal("discover-2026-07-28"))
	})

	It("keeps what the messages don't say", func() {
		c := liveFixture("good", "2025-11-25")
		s := c.Sessions[0]
		s.Pages = append(s.Pages, recording.Page{Cursor: "2", Failed: &recording.Failure{Kind: "timeout", Text: "tools/list: no answer within 30s"}})
		s.Calls[0], s.Calls[1] = s.Calls[1], s.Calls[0]
		s.Calls = append(s.Calls, &recording.Call{Tool: "slow", Arguments: schema.MustParse(`{"n":1.0}`), Origin: recording.Real,
			Failed: &recording.Failure{Kind: "http-status", Text: "x", Raw: "y", Status: 503, Error: schema.MustParse(`{"code":-1}`)}})
		s.Init = nil
		s.Plan = recording.Plan(s, nil, recording.PlanOptions{}).Tools
		refused := &recording.Session{ID: "initialize-2024-11-05", Requested: "2024-11-05", Era: recording.Legacy, Transport: "stdio",
			InitError: &recording.Failure{Kind: "exited", Text: "the server process ended: exit status 1"}}
		c.Sessions = append(c.Sessions, refused)
		Expect(cmp.Diff(c, read(write(c)), sameValues)).To(BeEmpty())
	})

	It("keeps what a limit left out of the messages", func() {
		c := liveFixture("good", "2025-11-25")
		s := c.Sessions[0]
		size := s.Pages[0].Bytes
		s.Pages, s.Tools = nil, nil
		s.AddPage(recording.Page{Result: schema.MustParse(`{"tools":[{"name":"left"}]}`), Bytes: size})
		s.Calls = []*recording.Call{{Tool: "left", Result: schema.MustParse(`{"content":[]}`), Origin: recording.Real}, {Tool: "left", Error: schema.MustParse(`{"code":1}`), Origin: recording.Real}}
		Expect(cmp.Diff(c, read(write(c)), sameValues)).To(BeEmpty())
	})

	It("needs nothing but the messages", func() {
		c := liveFixture("demo", "2025-06-18")
		var text bytes.Buffer
		w, err := recording.NewWriter(&text, recording.Header{Target: recording.Target{Transport: "stdio"}}, nil)
		Expect(err).NotTo(HaveOccurred())
		for _, m := range c.Sessions[0].Messages {
			Expect(w.Message(m)).To(Succeed())
		}
		back := read(text.String())
		Expect(cmp.Diff(c.Sessions, back.Sessions, sameValues)).To(BeEmpty())
		Expect(back.Target).To(Equal(recording.Target{Name: "server", Server: "conform-fixture", Version: "1.0.0", Transport: "stdio"}))
	})

	It("keeps bytes that are no text", func() {
		c := &recording.Capture{Target: recording.Target{Name: "server"}, Sessions: []*recording.Session{{ID: "a", Era: recording.Legacy, Messages: []recording.Message{
			{Session: "a", From: "server", Kind: "noise", At: 1500 * time.Nanosecond, Bytes: []byte("\xff\x00\x1b[31m")},
			{Session: "a", From: "server", Kind: "stderr", At: time.Hour, Bytes: []byte("caf\u00e9 \u2028 <b>")},
		}}}}
		text := write(c)
		Expect(text).To(ContainSubstring(`"at_ms":0.0015,"base64":`))
		Expect(cmp.Diff(c, read(text), sameValues)).To(BeEmpty())
	})

	It("keeps two proxies apart that write to one file at the same time", func() {
		header := `{"format":"conform-recording/1","target":{"name":"server","transport":"stdio"},"handshakes":[]}`
		line := func(session, from, text string) string {
			return fmt.Sprintf(`{"session":%q,"from":%q,"kind":"message","at_ms":1,"text":%s}`, session, from, schema.Quote(text))
		}
		c := read(strings.Join([]string{header,
			line("proxy-1a-6f", "client", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`),
			header,
			line("proxy-1b-6f", "client", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`),
			line("proxy-1a-6f", "server", `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{}}}`),
			line("proxy-1b-6f", "server", `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`)}, "\n"))
		Expect(c.Sessions).To(HaveLen(2))
		Expect(c.Sessions[0].Negotiated).To(Equal("2025-06-18"))
		Expect(c.Sessions[1].Negotiated).To(Equal("2025-11-25"))
	})

	It("can be put together from two", func() {
		one := write(liveFixture("good", "2025-11-25"))
		back := read(one + one)
		Expect(back.Sessions).To(HaveLen(2))
		Expect(back.Sessions[0].ID).To(Equal("initialize-2025-11-25"))
		Expect(back.Sessions[1].ID).To(Equal("initialize-2025-11-25-2"))
		Expect(back.Sessions[1].Messages[0].Session).To(Equal("initialize-2025-11-25-2"))
		Expect(back.Sessions[1].Calls).To(HaveLen(len(back.Sessions[0].Calls)))
	})

	It("that was cut off is read as far as it goes", func() {
		text := write(liveFixture("good", "2025-11-25"))
		back := read(text[:len(text)-20])
		Expect(back.Sessions[0].Tools).NotTo(BeEmpty())
		Expect(back.Problems).To(HaveLen(1))
		Expect(back.Problems[0].Rule).To(Equal("recording-cut"))
	})

	const head = `{"format":"conform-recording/1","target":{"name":"s"},"handshakes":[]}` + "\n"
	DescribeTable("says in which line what is wrong",
		func(text, message string) {
			_, err := recording.Read("r.jsonl", strings.NewReader(text), recording.Limits{LineBytes: 500})
			Expect(err).To(MatchError(message))
		},
		Entry("nothing", "", "r.jsonl: is empty; a recording begins with a header line"),
		Entry("no header", `{"session":"a","from":"server","kind":"message","text":""}`+"\n", `r.jsonl: line 1: is no header; a recording begins with {"format":"conform-recording/1", …}`),
		Entry("a later format", `{"format":"conform-recording/2"}`+"\n", `r.jsonl: line 1 /format: is "conform-recording/2", this version of conform reads "conform-recording/1"; a newer conform may read it`),
		Entry("an unknown key", head+"\n"+`{"session":"a","form":"server","kind":"message","text":""}`+"\n", `r.jsonl: line 3: unknown key "form" (did you mean "from"?)`),
		Entry("an unknown sender", head+`{"session":"a","from":"sever","kind":"message","text":""}`+"\n", `r.jsonl: line 2 /from: "sever" is not one of client, server, conform (did you mean "server"?)`),
		Entry("no JSON", head+"oops\n"+"{}\n", `r.jsonl: line 2: is no JSON: unexpected character 'o' at byte 0; it begins "oops"`),
		Entry("no bytes", head+`{"session":"a","from":"server","kind":"message"}`+"\n", `r.jsonl: line 2: needs either text or base64`),
		Entry("bad base64", head+`{"session":"a","from":"server","kind":"message","base64":"?"}`+"\n", `r.jsonl: line 2 /base64: is no base64: illegal base64 data at input byte 0`),
		Entry("a time that is none", head+`{"session":"a","from":"server","kind":"message","at_ms":"now","text":""}`+"\n", `r.jsonl: line 2 /at_ms: must be a number of milliseconds`),
		Entry("a line without end", head+`{"session":"`+strings.Repeat("a", 600), `r.jsonl: line 2: exceeds the limit of 500 bytes a line or 536870912 bytes a file`),
	)
})

// largeCapture is a session with 2,900 tools on 15 pages and a result for each.
func largeCapture() *recording.Capture {
	s := &recording.Session{ID: "initialize-2025-11-25", Requested: "2025-11-25", Negotiated: "2025-11-25", Era: recording.Legacy, Transport: "stdio"}
	at := time.Duration(0)
	say := func(from, text string) {
		at += time.Millisecond
		s.Messages = append(s.Messages, recording.Message{Session: s.ID, From: from, Kind: "message", At: at, Bytes: []byte(text)})
	}
	id := 0
	property := `"%s_%d":{"type":"string","description":"` + strings.Repeat("What it is about. ", 8) + `"}`
	for page := range 15 {
		id++
		say("client", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{"cursor":"%d"}}`, id, page))
		var tools []string
		for i := range 2900 / 15 {
			var properties []string
			for p := range 12 {
				properties = append(properties, fmt.Sprintf(property, "argument", p))
			}
			tools = append(tools, fmt.Sprintf(`{"name":"tool_%d_%d","description":"Does it.","inputSchema":{"type":"object","properties":{%s}}}`, page, i, strings.Join(properties, ",")))
		}
		say("server", fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"tools":[%s]}}`, id, strings.Join(tools, ",")))
	}
	return &recording.Capture{Target: recording.Target{Name: "large"}, Sessions: []*recording.Session{s}}
}

func BenchmarkWrite(b *testing.B) {
	c := largeCapture()
	var out bytes.Buffer
	b.ReportAllocs()
	for b.Loop() {
		out.Reset()
		if err := recording.WriteCapture(&out, c, "0", "2026-11-30T12:00:00Z", nil); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(out.Len()))
	}
}

func BenchmarkRead(b *testing.B) {
	var out bytes.Buffer
	if err := recording.WriteCapture(&out, largeCapture(), "0", "2026-11-30T12:00:00Z", nil); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(out.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := recording.Read("large", bytes.NewReader(out.Bytes()), recording.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

var _ = Describe("opening a file", func() {
	open := func(name, text string) (recording.Opened, error) {
		path := filepath.Join(GinkgoT().TempDir(), name)
		Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
		opened, err := recording.Open(recording.Limits{}, path)
		if err != nil {
			return recording.Opened{}, fmt.Errorf("%s", strings.ReplaceAll(err.Error(), path, name))
		}
		return opened[0], nil
	}

	It("knows a case", func() {
		o, err := open("c.json", smallCase)
		Expect(err).NotTo(HaveOccurred())
		Expect(o.Case.ID).To(Equal("exact-numbers"))
		Expect(o.Capture.Sessions[0].Tools).To(HaveLen(3))
	})

	It("knows a recording", func() {
		c := liveFixture("demo", "2025-06-18")
		o, err := open("r.jsonl", write(c))
		Expect(err).NotTo(HaveOccurred())
		Expect(o.Case).To(BeNil())
		Expect(cmp.Diff(c, o.Capture, sameValues)).To(BeEmpty())
	})

	It("knows a plain log of JSON-RPC messages", func() {
		live := liveFixture("demo", "2025-06-18")
		var log strings.Builder
		for _, m := range live.Sessions[0].Messages {
			log.Write(append(m.Bytes, '\n'))
		}
		o, err := open("log.jsonl", log.String())
		Expect(err).NotTo(HaveOccurred())
		s := o.Capture.Sessions[0]
		Expect(s.Negotiated).To(Equal("2025-06-18"))
		Expect(cmp.Diff(live.Sessions[0].Tools, s.Tools, sameValues)).To(BeEmpty())
		Expect(cmp.Diff(live.Sessions[0].Calls, s.Calls, sameValues)).To(BeEmpty())
		Expect(o.Capture.Target.Server).To(Equal("conform-fixture"))
	})

	It("knows a session log of mcpsnoop", func() {
		o, err := open("snoop.jsonl", `{"session_id":"s1","server_label":"x","seq":0,"ts":"2026-11-30T12:00:00Z","direction":"meta","transport":"stdio","raw":{"command":["x"]}}
{"session_id":"s1","seq":1,"ts":"2026-11-30T12:00:00Z","direction":"c2s","transport":"stdio","raw":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
{"session_id":"s1","seq":2,"ts":"2026-11-30T12:00:01Z","direction":"stderr","transport":"stdio","text":"hello"}
{"session_id":"s1","seq":3,"ts":"2026-11-30T12:00:01Z","direction":"s2c","transport":"stdio","raw":{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","n":1.0}]}}}
{"session_id":"s2","server_label":"x","seq":1,"ts":"2026-11-30T12:00:00Z","direction":"c2s","transport":"http","conn_id":"1","raw":{"jsonrpc":"2.0","id":1,"method":"tools/list"},"mcp_method":"tools/list"}
`)
		Expect(err).NotTo(HaveOccurred())
		s := o.Capture.Sessions[0]
		Expect(s.ID).To(Equal("s1"))
		Expect(s.Messages).To(HaveLen(3))
		Expect(s.Messages[2].At).To(Equal(time.Second))
		Expect(o.Capture.Target.Name).To(Equal("x"))
		Expect(s.Transport).To(Equal("stdio"))
		Expect(o.Capture.Sessions[1].Transport).To(Equal("streamable-http"))
		Expect(s.Tools[0].Value.Compact()).To(Equal(`{"name":"a","n":1.0}`))
	})

	It("knows what MCP Inspector exports", func() {
		o, err := open("protocol.json", `[
  {"id": "u1", "timestamp": "2026-11-30T12:00:00.000Z", "direction": "request", "origin": "client",
   "message": {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}},
   "response": {"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "inspected", "version": "1"}}}, "duration": 5},
  {"id": "u2", "timestamp": "2026-11-30T12:00:00.100Z", "direction": "notification", "origin": "client", "message": {"jsonrpc": "2.0", "method": "notifications/initialized"}},
  {"id": "u3", "timestamp": "2026-11-30T12:00:01.000Z", "direction": "request", "origin": "client", "message": {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
   "response": {"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "a", "n": 1.0}]}}},
  {"id": "u4", "timestamp": "2026-11-30T12:00:02.000Z", "direction": "request", "origin": "server", "message": {"jsonrpc": "2.0", "id": 1, "method": "roots/list"},
   "response": {"jsonrpc": "2.0", "id": 1, "result": {"roots": []}}},
  {"id": "u5", "timestamp": "2026-11-30T12:00:03.000Z", "direction": "request", "origin": "client", "message": {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "a", "arguments": {}}},
   "response": {"jsonrpc": "2.0", "id": 2, "result": {"content": []}}}
]`)
		Expect(err).NotTo(HaveOccurred())
		Expect(o.Capture.Target.Server).To(Equal("inspected"))
		s := o.Capture.Sessions[0]
		Expect(s.Negotiated).To(Equal("2025-11-25"))
		Expect(s.Tools[0].Value.Get("n").Text).To(Equal("1.0"))
		Expect(s.Calls).To(HaveLen(1))
		Expect(s.Messages[3].At).To(Equal(time.Second))
		Expect(s.Messages[6].From).To(Equal("client"))
	})

	It("knows a list of messages", func() {
		o, err := open("messages.json", `[{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"}]}}]`)
		Expect(err).NotTo(HaveOccurred())
		Expect(o.Capture.Sessions[0].Tools).To(HaveLen(1))
	})

	DescribeTable("knows a log in which messages stand among other text", func(before1, before2, after string) {
		o, err := open("host.log", strings.Join([]string{"2026-11-30T12:00:00Z [info] Initializing server { x: 1 }",
			before1 + `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","note":"a \"}\" b"}}` + after,
			before2 + `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}}}}` + after,
			"Server started { and is { not done",
			before1 + `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + after,
			before2 + `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","description":"{}"}]}}` + after,
			before1 + `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}` + after,
			before2 + `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}}` + after}, "\n"))
		Expect(err).NotTo(HaveOccurred())
		Expect(o.Capture.Sessions).To(HaveLen(2), "a host was started again")
		Expect(o.Capture.Sessions[0].Negotiated).To(Equal("2025-06-18"))
		Expect(o.Capture.Sessions[0].Tools).To(HaveLen(1))
		Expect(o.Capture.Sessions[1].Negotiated).To(Equal("2025-11-25"))
	},
		Entry("as desktop hosts write it", "2026-11-30T12:00:00.000Z [info] [hauler] Message from client: ", "2026-11-30T12:00:00.000Z [info] [hauler] Message from server: ", " { metadata: undefined }"),
		Entry("as editors write it", "2026-11-30 12:00:00.000 [debug] [editor -> server] ", "2026-11-30 12:00:00.000 [debug] [server -> editor] ", ""),
		Entry("as the Go SDK's LoggingTransport writes it", "write: ", "read: ", ""),
		Entry("behind what looks like JSON", `{"level":"debug"} > `, `{"level":"debug"} < `, ""),
	)

	It("knows an event stream and answers without their requests", func() {
		o, err := open("curl.txt", "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[{\"name\":\"a\"}]}}\n\n")
		Expect(err).NotTo(HaveOccurred())
		Expect(o.Capture.Sessions[0].Tools).To(HaveLen(1))
		Expect(o.Capture.Sessions[0].Negotiated).To(Equal("2025-11-25"))
	})

	DescribeTable("knows an answer to tools/list", func(text string) {
		o, err := open("answer.json", text)
		Expect(err).NotTo(HaveOccurred())
		Expect(o.Capture.Sessions[0].Tools).To(HaveLen(1))
		Expect(o.Capture.Sessions[0].InitError).To(BeNil())
	},
		Entry("over several lines", "{\n \"jsonrpc\": \"2.0\",\n \"id\": 1,\n \"result\": {\"tools\": [{\"name\": \"a\"}]}\n}\n"),
		Entry("in one line", `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"}]}}`),
		Entry("as MCP Inspector's CLI prints it with --format json", `{"result":{"tools":[{"name":"a"}]}}`),
	)

	It("knows a bare tools/list result", func() {
		o, err := open("list.json", `{"tools":[{"name":"a"}],"resultType":"complete"}`)
		Expect(err).NotTo(HaveOccurred())
		Expect(o.Capture.Sessions[0].Era).To(Equal(recording.Modern))
		Expect(o.Capture.Sessions[0].Tools[0].Name).To(Equal("a"))
	})

	DescribeTable("says what a file is not",
		func(text, message string) {
			_, err := open("f", text)
			Expect(err).To(MatchError(message))
		},
		Entry("text", "hello\nworld\n", "f: is neither a case (conform-case/1), nor a recording (conform-recording/1), nor a log of JSON-RPC messages, one a line"),
		Entry("a broken case", "{\n  \"format\": \"conform-case/1\",\n  oops", "f: not JSON: expected a member name at byte 34"),
		Entry("a broken line", `{"format":`, "f: not JSON: unexpected end of JSON at byte 10"),
		Entry("another object", `{"a":1}`, `f: unknown key "a" (known: format, id, family, title, cause, source, protocol_version, server, tools, pages, recording, results, expect, rules, manifest)`),
		Entry("a result", `{"content":[{"type":"text","text":"hi"}]}`, "f: is the result of a call and names no tool; record the session in place of it, or put it into a case (conform-case/1) with its tool"),
		Entry("another list", `[1,2]`, "f: is neither a case (conform-case/1), nor a recording (conform-recording/1), nor a log of JSON-RPC messages, one a line"),
		Entry("an empty list", `[]`, "f: is neither a case (conform-case/1), nor a recording (conform-recording/1), nor a log of JSON-RPC messages, one a line"),
		Entry("a list that ends otherwise", `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"a":1}]`, "f: /1: is no message and holds none, as those before it"),
		Entry("other lines", "{\"a\":1}\n{\"b\":2}\n", "f: is neither a case (conform-case/1), nor a recording (conform-recording/1), nor a log of JSON-RPC messages, one a line"),
	)

	It("says which file is not there", func() {
		_, err := recording.Open(recording.Limits{}, "/nonexistent/x.jsonl")
		Expect(err).To(MatchError(os.ErrNotExist))
	})
})
