package wire_test

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/wire"
)

// answering is a server whose tools/list is answered with a text of its own, in which
// ID stands for the request's id.
func answering(text string) func(*speaker) int {
	return func(s *speaker) int {
		return s.each(on("tools/list", func(r request) string { return strings.ReplaceAll(text, "ID", r.id) }))
	}
}

// mob starts children in sessions of their own that ignore what asks them to end.
func mob(s *speaker) int {
	for range 5 {
		child := exec.Command("/bin/sh", "-c", "trap '' TERM INT HUP PIPE; while :; do sleep 5; done")
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		child.Stdout = os.Stdout
		if child.Start() == nil {
			fmt.Fprintf(os.Stderr, "child=%d\n", child.Process.Pid)
		}
	}
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
	s.each(honest)
	return forever()
}

func init() {
	for name, server := range map[string]func(*speaker) int{
		"mob":              mob,
		"result-and-error": answering(`{"jsonrpc":"2.0","id":ID,"result":{"tools":[]},"error":{"code":1,"message":"x"}}`),
		"neither":          answering(`{"jsonrpc":"2.0","id":ID}`),
		"null-id-result":   answering(`{"jsonrpc":"2.0","id":null,"result":{"tools":[]}}`),
		"object-id":        answering(`{"jsonrpc":"2.0","id":{"a":1},"result":{"tools":[]}}`),
		"fraction-id":      answering(`{"jsonrpc":"2.0","id":ID.5,"result":{"tools":[]}}`),
		"huge-id":          answering(`{"jsonrpc":"2.0","id":` + strings.Repeat("9", 100_000) + `,"result":{"tools":[]}}`),
		"bare-number":      answering("42"),
		"bare-null":        answering("null"),
		"empty-batch":      answering("[]"),
		"batch-in-batch":   answering(`[[{"jsonrpc":"2.0","id":ID,"result":{"tools":[]}}]]`),
		"array-result":     answering(`{"jsonrpc":"2.0","id":ID,"result":[]}`),
		"text-result":      answering(`{"jsonrpc":"2.0","id":ID,"result":"\u001b[31m::error::x"}`),
		"tools-object":     answering(`{"jsonrpc":"2.0","id":ID,"result":{"tools":{"a":{"name":"a"}}}}`),
		"no-tools":         answering(`{"jsonrpc":"2.0","id":ID,"result":{}}`),
		"utf-16":           answering("\xff\xfe{\x00\"\x00a\x00\"\x00:\x001\x00}\x00"),
		"error-text":       answering(`{"jsonrpc":"2.0","id":ID,"error":"\u001b[31m\n::error::x"}`),
		"error-odd-code":   answering(`{"jsonrpc":"2.0","id":ID,"error":{"code":1e400,"message":["\u001b[31m"]}}`),
		"shell-rc":         answering("bash: warning: setlocale\r\x1b[2J\x1b]0;title\x07"),
		"bom":              answering("\ufeff" + `{"jsonrpc":"2.0","id":ID,"result":{"tools":[` + goodTool + `]}}`),
		"spaces":           answering("  \t" + `{"jsonrpc":"2.0", "id":ID ,"result":{"tools":[` + goodTool + `]}}` + " \t "),
		"blank-lines":      answering("\n\n\r\n" + `{"jsonrpc":"2.0","id":ID,"result":{"tools":[` + goodTool + `]}}` + "\n\n"),
		"double-id":        answering(`{"jsonrpc":"2.0","id":4711,"id":ID,"result":{"tools":[` + goodTool + `]}}`),
		"cancels":          answering(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":ID}}` + "\n" + `{"jsonrpc":"2.0","id":ID,"result":{"tools":[` + goodTool + `]}}`),
		"cursor-number":    answering(`{"jsonrpc":"2.0","id":ID,"result":{"tools":[` + goodTool + `],"nextCursor":5}}`),
		"cursor-object":    answering(`{"jsonrpc":"2.0","id":ID,"result":{"tools":[` + goodTool + `],"nextCursor":{"a":[1]}}}`),
		"cursor-megabyte":  answering(`{"jsonrpc":"2.0","id":ID,"result":{"tools":[` + goodTool + `],"nextCursor":"` + strings.Repeat("c", 1<<20) + `"}}`),
		"odd-entries":      answering(`{"jsonrpc":"2.0","id":ID,"result":{"tools":[null,1,"x",[],{},{"name":5},{"name":"\u001b[31m::error::x"},{"name":""},` + goodTool + `]}}`),
	} {
		stdioServers[name] = server
	}
}

var _ = Describe("A stdio server that is odd in one answer", func() {
	DescribeTable("ends with a clear error",
		func(ctx SpecContext, server, text string, kinds ...wire.Kind) {
			limits := short()
			if slices.Contains(kinds, wire.KindTimeout) {
				limits = waiting()
			}
			s := take(ctx, stdioTarget(server), wire.Options{Timeouts: limits})
			Expect(s.err).NotTo(BeNil())
			Expect(s.err.Kind).To(BeElementOf(kinds), s.err.Error())
			Expect(s.err.Error()).To(MatchRegexp(text))
			Expect(s.err.Error()).NotTo(MatchRegexp(`(?m)^::`))
		},
		Entry("with result and error", "result-and-error", "result.*error|error.*result|error 1", wire.KindMalformed, wire.KindRPC),
		Entry("with neither", "neither", "neither a result nor an error", wire.KindMalformed),
		Entry("with the id null", "null-id-result", "id", wire.KindMalformed),
		Entry("with an object as the id", "object-id", "id", wire.KindMalformed),
		Entry("with half an id more", "fraction-id", "id", wire.KindMalformed),
		Entry("with an id of 100,000 digits", "huge-id", "id", wire.KindMalformed),
		Entry("that is a number", "bare-number", ".", wire.KindMalformed, wire.KindTimeout),
		Entry("that is null", "bare-null", ".", wire.KindMalformed, wire.KindTimeout),
		Entry("that is an empty batch", "empty-batch", ".", wire.KindMalformed, wire.KindTimeout),
		Entry("that is a batch in a batch", "batch-in-batch", ".", wire.KindMalformed, wire.KindTimeout),
		Entry("with an array as the result", "array-result", "no object", wire.KindMalformed),
		Entry("with a text as the result", "text-result", "no object", wire.KindMalformed),
		Entry("with an object as the tools", "tools-object", "no array", wire.KindMalformed),
		Entry("without tools", "no-tools", "tools", wire.KindMalformed),
		Entry("in UTF-16", "utf-16", ".", wire.KindMalformed, wire.KindTimeout),
		Entry("with a text as the error", "error-text", ".", wire.KindMalformed, wire.KindRPC),
		Entry("with an error of odd types", "error-odd-code", ".", wire.KindMalformed, wire.KindRPC),
		Entry("behind a byte order mark", "bom", "no JSON", wire.KindMalformed),
		Entry("from a shell", "shell-rc", ".", wire.KindMalformed, wire.KindTimeout),
	)

	DescribeTable("is heard all the same",
		func(ctx SpecContext, server string) {
			s := take(ctx, stdioTarget(server), wire.Options{Limits: wire.Limits{Pages: 3}})
			Expect(s.toolNames()).To(ContainElement("good"))
			for _, p := range s.Problems {
				Expect(p.Raw).NotTo(ContainSubstring("\x1b"))
			}
		},
		Entry("with white space around it", "spaces"),
		Entry("between blank lines", "blank-lines"),
		Entry("with two ids", "double-id"),
		Entry("after it cancels our request", "cancels"),
		Entry("whose cursor is a number", "cursor-number"),
		Entry("whose cursor is an object", "cursor-object"),
		Entry("whose cursor has a megabyte", "cursor-megabyte"),
		Entry("among entries that are no tools", "odd-entries"),
	)

	It("starts a mob that ignores every signal and leaves none of it", func(ctx SpecContext) {
		s := take(ctx, stdioTarget("mob"), wire.Options{})
		Expect(s.err).To(BeNil())
		children := regexp.MustCompile(`child=(\d+)`).FindAllStringSubmatch(s.said("stderr"), -1)
		Expect(children).To(HaveLen(5))
		for _, c := range children {
			pid, err := strconv.Atoi(c[1])
			Expect(err).NotTo(HaveOccurred())
			Eventually(func() bool { return runs(pid) }).Should(BeFalse())
		}
	})
})
