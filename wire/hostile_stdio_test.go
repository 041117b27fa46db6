package wire_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/wire"
)

// shot is a capture with its error, as *wire.Error.
type shot struct {
	*recording.Capture
	err *wire.Error
}

// take captures with short limits, and asserts what holds for every server: it
// ends, and the error is one of ours, printable and without a line break.
func take(ctx context.Context, target wire.Target, options wire.Options) shot {
	if options.Timeouts == (wire.Timeouts{}) {
		options.Timeouts = short()
	}
	if options.Handshakes == nil {
		options.Handshakes = []wire.Handshake{{Mode: wire.Initialize}}
	}
	began := time.Now()
	c, err := wire.Capture(ctx, target, options)
	Expect(time.Since(began)).To(BeNumerically("<", 20*time.Second))
	Expect(c).NotTo(BeNil())
	s := shot{Capture: c}
	if err != nil {
		Expect(errors.As(err, &s.err)).To(BeTrue(), "%T", err)
		Expect(err.Error()).NotTo(ContainSubstring("\x1b"))
		Expect(err.Error()).NotTo(ContainSubstring("\n"))
	}
	return s
}

func (s shot) rules() []string {
	var rules []string
	for _, p := range s.Problems {
		rules = append(rules, p.Rule)
	}
	return rules
}

func (s shot) toolNames() []string {
	names := []string{}
	for _, session := range s.Sessions {
		for _, t := range session.Tools {
			names = append(names, t.Name)
		}
	}
	return names
}

// said joins all messages of one kind.
func (s shot) said(kind string) string {
	var b strings.Builder
	for _, session := range s.Sessions {
		for _, m := range session.Messages {
			if m.Kind == kind {
				b.WriteString(m.From + ": " + string(m.Bytes) + "\n")
			}
		}
	}
	return b.String()
}

var _ = Describe("A stdio server that", func() {
	DescribeTable("works although it is odd",
		func(ctx SpecContext, server string, tools []string, problems ...string) {
			s := take(ctx, stdioTarget(server), wire.Options{Calls: callFirst})
			Expect(s.err).To(BeNil())
			Expect(s.toolNames()).To(Equal(tools))
			Expect(s.rules()).To(ConsistOf(problems))
		},
		Entry("is honest", "honest", []string{"good"}),
		Entry("ends lines in CRLF", "crlf", []string{"good"}),
		Entry("answers late, but in time", "late", []string{"good"}),
		Entry("sends malformed tools among good ones", "malformed-tools", []string{"", "good", "", "", "good", ""}),
		Entry("sends invalid UTF-8", "invalid-utf8", []string{"bad\ufffd\ufffd", "good"}, "invalid-utf8"),
		Entry("nests one tool 100,000 deep", "deep-tool", []string{"good"}, "tool-too-deep"),
		Entry("answers everything twice", "duplicates", []string{"good"}, "duplicate-answer", "duplicate-answer", "duplicate-answer"),
		Entry("asks the client for roots", "unsolicited", []string{"good"}, "server-request"),
		Entry("leaves out jsonrpc", "no-jsonrpc", []string{"good"}, "jsonrpc-version", "jsonrpc-version", "jsonrpc-version"),
		Entry("answers in batches", "batch", []string{"good"}, "batch", "batch", "batch"),
		Entry("loops its cursors", "cursor-loop", []string{"tool_0", "tool_1", "tool_2", "tool_0"}, "cursor-loop"),
		Entry("floods stderr", "stderr-flood", []string{"good"}, "output-flood"),
		Entry("starts a child", "forks", []string{"good"}),
		Entry("starts a daemon", "daemon", []string{"good"}),
		Entry("does not stop when asked", "stubborn", []string{"good"}),
	)

	DescribeTable("ends with a clear error",
		func(ctx SpecContext, server string, kind wire.Kind, text string) {
			options := wire.Options{Limits: wire.Limits{MessageBytes: 4 << 20, TotalBytes: 16 << 20, Messages: 50_000, Values: 500_000}}
			if kind == wire.KindTimeout {
				options.Timeouts = waiting()
			}
			s := take(ctx, stdioTarget(server), options)
			Expect(s.err).NotTo(BeNil())
			Expect(s.err.Kind).To(Equal(kind), s.err.Error())
			Expect(s.err.Error()).To(MatchRegexp(text))
			Expect(s.err.Error()).To(ContainSubstring("wire.test"))
			Expect(s.err.Hint).NotTo(BeEmpty())
		},
		Entry("never answers", "silent", wire.KindTimeout, "initialize on .*no answer within"),
		Entry("exits at once", "exits", wire.KindExited, `exit status 3; its stderr ends: fatal: no licence\\x1b\[31m`),
		Entry("dies of a signal", "segfault", wire.KindExited, `SIGSEGV \(segmentation fault\)`),
		Entry("dies in the middle of an answer", "dies-mid-answer", wire.KindExited, "exit status 9; it sent: ..jsonrpc"),
		Entry("closes its stdout", "closes-stdout", wire.KindClosed, "closed its stdout but runs on"),
		Entry("closes its stdin", "closes-stdin", wire.KindClosed, "tools/list on .*closed its stdin"),
		Entry("stops reading", "deaf", wire.KindTimeout, "tools/list on .*no answer"),
		Entry("leaves a child on the pipe and exits", "fork-and-exit", wire.KindExited, "exit status 0"),
		Entry("sends an endless line", "flood", wire.KindLimit, "longer than 4194304 bytes"),
		Entry("floods stdout with noise", "noise-flood", wire.KindLimit, "more than 16777216 bytes that are no messages"),
		Entry("floods us with notifications", "notice-flood", wire.KindLimit, "more than"),
		Entry("floods us with requests and takes no answer", "ping-flood", wire.KindLimit, "more than"),
		Entry("sends very many values", "dense", wire.KindLimit, "more than 500000 JSON values"),
		Entry("nests the message too deep", "deep-message", wire.KindLimit, "nests deeper than 5000 levels"),
		Entry("sends a NUL byte", "nul", wire.KindMalformed, "no JSON .*control character"),
		Entry("sends cut JSON", "truncated-json", wire.KindMalformed, "no JSON"),
		Entry("answers with a wrong id", "wrong-id", wire.KindMalformed, "carries the id 4711"),
		Entry("answers with the id as a string", "string-id", wire.KindMalformed, `carries the id "1"`),
		Entry("answers without an id", "no-id", wire.KindMalformed, "has no id"),
		Entry("answers an error with a null id", "null-id-error", wire.KindRPC, "error -32700: Parse error"),
		Entry("pretty-prints", "pretty", wire.KindMalformed, "spread over several lines"),
		Entry("gives null as the result", "result-null", wire.KindMalformed, "the result is null, no object"),
		Entry("gives null as the tools", "tools-null", wire.KindMalformed, "tools is null, no array"),
		Entry("answers the list with an error full of escapes", "list-error", wire.KindRPC, `error -32603: boom \\x1b\]0;x\\x07\\n::error::x`),
		Entry("answers with an unknown revision", "up", wire.KindVersion, "revision 2099-01-01"),
	)

	It("makes noise on stdout and is heard all the same", func(ctx SpecContext) {
		s := take(ctx, stdioTarget("noise"), wire.Options{Calls: callFirst})
		Expect(s.err).To(BeNil())
		Expect(s.toolNames()).To(Equal([]string{"good"}))
		Expect(s.rules()).To(HaveEach("stdout-noise"))
		Expect(s.Problems).To(HaveLen(6))
		Expect(s.Problems[1].Raw).To(Equal(`\x1b[32mINFO\x1b[0m ready`))
		Expect(s.said("noise")).To(ContainSubstring("server: \x1b[32mINFO"))
	})

	It("asks the client for things, gets ping answered and the rest refused", func(ctx SpecContext) {
		s := take(ctx, stdioTarget("unsolicited"), wire.Options{})
		Expect(s.said("stderr")).To(ContainSubstring(`got {"jsonrpc":"2.0","id":"p1","result":{}}`))
		Expect(s.said("stderr")).To(ContainSubstring(`"id":"r1","error":{"code":-32601`))
	})

	It("has endless pages and is read up to the limit", func(ctx SpecContext) {
		s := take(ctx, stdioTarget("endless-pages"), wire.Options{Limits: wire.Limits{Pages: 50}})
		Expect(s.err).To(BeNil())
		Expect(s.toolNames()).To(HaveLen(50))
		Expect(s.rules()).To(ConsistOf("list-limit"))
	})

	It("has more tools on one page than the limit, which are not looked at", func(ctx SpecContext) {
		s := take(ctx, stdioTarget("honest-20000"), wire.Options{Limits: wire.Limits{Tools: 50}})
		Expect(s.err).To(BeNil())
		Expect(s.toolNames()).To(HaveLen(50))
		Expect(s.rules()).To(ConsistOf("tool-limit"))
	})

	It("has as many tools as the limit, and no finding", func(ctx SpecContext) {
		s := take(ctx, stdioTarget("honest-10000"), wire.Options{Limits: wire.Limits{Tools: 10_000}})
		Expect(s.toolNames()).To(HaveLen(10_000))
		Expect(s.Problems).To(BeEmpty())
	})

	It("says thousands of things that nobody asked for, most of which are dropped, and is heard all the same", func(ctx SpecContext) {
		s := take(ctx, stdioTarget("chatty"), wire.Options{})
		Expect(s.err).To(BeNil())
		Expect(s.toolNames()).To(Equal([]string{"good"}))
		Expect(s.rules()).To(ContainElement("message-flood"))
		Expect(len(s.Sessions[0].Messages)).To(BeNumerically("~", 2_000, 50))
	})

	It("is deaf in every handshake, and not waited for as long each time", func(ctx SpecContext) {
		began := time.Now()
		t := short()
		t.Request = 6 * time.Second
		s := take(ctx, stdioTarget("deaf"), wire.Options{Timeouts: t, Handshakes: allEras()[:2]})
		Expect(s.err.Kind).To(Equal(wire.KindTimeout))
		Expect(s.Sessions[1].Pages[0].Failed.Text).To(ContainSubstring("no answer within 5s"))
		Expect(time.Since(began)).To(BeNumerically("<", 15*time.Second))
	})

	It("has 10,000 honest pages and is read to the end", func(ctx SpecContext) {
		s := take(ctx, stdioTarget("honest-10000"), wire.Options{})
		Expect(s.err).To(BeNil())
		Expect(s.toolNames()).To(HaveLen(10_000))
		Expect(s.Problems).To(BeEmpty())
	})

	It("has more tools than anybody can hold and is read up to the limit", func(ctx SpecContext) {
		s := take(ctx, stdioTarget("huge-pages"), wire.Options{Limits: wire.Limits{TotalBytes: 16 << 20}})
		Expect(s.err).To(BeNil())
		pages := s.Sessions[0].Pages
		Expect(len(pages)).To(BeNumerically(">", 2), "what came before the limit stays")
		Expect(pages[len(pages)-1].Failed.Text).To(ContainSubstring("sent more than 16777216 bytes"))
	})

	It("has 20,000 honest tools in one answer and is read to the end", func(ctx SpecContext) {
		s := take(ctx, stdioTarget("honest-20000"), wire.Options{})
		Expect(s.err).To(BeNil())
		Expect(s.toolNames()).To(HaveLen(20_000))
	})

	It("sends 5 MB of result twice, as structure and as text, and is read", func(ctx SpecContext) {
		s := take(ctx, stdioTarget("big-result"), wire.Options{Calls: callFirst})
		Expect(s.err).To(BeNil())
		text, _ := s.Sessions[0].Calls[0].Result.Get("structuredContent").Get("a").IsString()
		Expect(text).To(HaveLen(5 << 20))
	})

	It("answers a call after its time is up, which is told, and the call counts as unanswered", func(ctx SpecContext) {
		t := short()
		t.Call = 200 * time.Millisecond
		s := take(ctx, stdioTarget("late-call"), wire.Options{Timeouts: t, Calls: func(*recording.Session) []recording.Call {
			return []recording.Call{{Tool: "good", Arguments: schema.Obj()}, {Tool: "good", Arguments: schema.Obj()}}
		}, Concurrency: 1})
		Expect(s.err).To(BeNil())
		Expect(s.Sessions[0].Calls[0].Failed.Kind).To(Equal(string(wire.KindTimeout)))
	})

	It("sends the same list to every handshake, which is decoded once", func(ctx SpecContext) {
		s := take(ctx, stdioTarget("catalogue"), wire.Options{Handshakes: allEras()[:4], Timeouts: wire.Timeouts{Stop: 300 * time.Millisecond},
			Limits: wire.Limits{Values: 500_000, TotalBytes: 10 << 20}})
		Expect(s.err).To(BeNil())
		Expect(s.toolNames()).To(HaveLen(4 * catalogueTools))
		for _, session := range s.Sessions[1:] {
			Expect(session.Tools[7].Value).To(BeIdenticalTo(s.Sessions[0].Tools[7].Value))
			Expect(session.Pages[0].Bytes).To(Equal(s.Sessions[0].Pages[0].Bytes))
		}
	})

	It("has a line of 10 MB and is read", func(ctx SpecContext) {
		s := take(ctx, stdioTarget("big-line"), wire.Options{})
		Expect(s.err).To(BeNil())
		Expect(s.Sessions[0].Pages[0].Bytes).To(BeNumerically(">", 10<<20))
	})

	It("cannot be found, with an error that says so", func(ctx SpecContext) {
		s := take(ctx, wire.Target{Command: []string{"no-such-program-of-conform"}}, wire.Options{Handshakes: []wire.Handshake{{}, {Mode: wire.Initialize}}})
		Expect(s.err.Kind).To(Equal(wire.KindStart))
		Expect(s.err.Error()).To(ContainSubstring(`no program "no-such-program-of-conform" was found`))
		Expect(s.Sessions).To(HaveLen(2))
		Expect(s.Sessions[1].InitError.Kind).To(Equal("cannot-start"))
	})

	It("may not be executed, with an error that says so", func(ctx SpecContext) {
		file := filepath.Join(GinkgoT().TempDir(), "plain")
		Expect(os.WriteFile(file, []byte("#!/bin/sh\n"), 0o600)).To(Succeed())
		s := take(ctx, wire.Target{Command: []string{file}}, wire.Options{})
		Expect(s.err.Kind).To(Equal(wire.KindStart))
		Expect(s.err.Error()).To(ContainSubstring("may not be executed"))
	})

	It("is interrupted and keeps what was established", func(ctx SpecContext) {
		inner, cancel := context.WithCancel(ctx)
		defer cancel()
		s := take(inner, stdioTarget("endless-pages"), wire.Options{Progress: func(e wire.Event) {
			if e.N == 20 {
				cancel()
			}
		}})
		Expect(s.err.Kind).To(Equal(wire.KindCanceled))
		Expect(s.toolNames()).To(HaveLen(19))
	})

	It("repeats a secret and does not get it into anything", func(ctx SpecContext) {
		const secret = "s3cr3t-\"quoted\"-value"
		s := take(ctx, stdioTarget("echo-env", "API_TOKEN="+secret), wire.Options{})
		Expect(s.err).To(BeNil())
		Expect(s.rules()).To(ContainElement("secret-echoed"))
		Expect(s.said("stderr")).To(ContainSubstring("token is [redacted]"))
		Expect(s.said("message") + s.said("stderr")).NotTo(ContainSubstring("s3cr3t"))
		description, _ := s.Sessions[0].Tools[0].Value.Get("description").IsString()
		Expect(description).To(Equal("uses [redacted]"))
	})

	DescribeTable("leaves nothing behind", func(ctx SpecContext, server string) {
		s := take(ctx, stdioTarget(server), wire.Options{})
		match := regexp.MustCompile(`child=(\d+)`).FindStringSubmatch(s.said("stderr"))
		Expect(match).To(HaveLen(2))
		pid, err := strconv.Atoi(match[1])
		Expect(err).NotTo(HaveOccurred())
		Eventually(func() bool { return runs(pid) }).Should(BeFalse())
	},
		Entry("a child in the group", "forks"),
		Entry("a child in a session of its own", "daemon"),
		Entry("a child that outlives its parent", "fork-and-exit"),
	)
})

// runs reports whether a process exists and is no zombie.
func runs(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(after, "Z")
}
