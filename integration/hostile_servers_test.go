//go:build integration && linux

package integration

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// hostileServer builds the server that misbehaves as it is told, once, and returns its path.
var hostileServer = sync.OnceValue(func() string {
	path := filepath.Join(filepath.Dir(binary), "hostileserver")
	out, err := exec.Command("go", "build", "-o", path, "./testdata/hostileserver").CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(out))
	return path
})

// spent is what a run of conform cost.
type spent struct {
	exit     int
	cpu      time.Duration // with that of its server on stdio, where that makes much to send
	resident int64         // greatest, in bytes; that of conform alone, not of its server
	said     string
	report   []byte
}

// runHostile runs conform in the default hosts against a kind of server.
func runHostile(ctx context.Context, way, kind string) spent {
	GinkgoHelper()
	report := filepath.Join(GinkgoT().TempDir(), "report.txt")
	args := []string{"run", "--format", "text=" + report, "--format", "markdown", "--timeout", "5s", "--start-timeout", "8s"}
	if way == "http" {
		args = append(args, "--url", hostileURL(ctx, kind))
	} else {
		args = append(args, "--", hostileServer(), kind)
	}
	limited, cancel := context.WithTimeout(ctx, 15*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(limited, binary, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	Expect(cmd.Start()).To(Succeed())
	done := make(chan struct{})
	go func() { defer close(done); _ = cmd.Wait() }()
	s := spent{}
	for running := true; running; {
		select {
		case <-done:
			running = false
		case <-time.After(20 * time.Millisecond):
		}
		s.resident = max(s.resident, greatestResident(cmd.Process.Pid))
	}
	s.exit, s.said = cmd.ProcessState.ExitCode(), out.String()
	s.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	s.report, _ = os.ReadFile(report)
	return s
}

// greatestResident is the greatest resident size that a process had, 0 once it is gone.
func greatestResident(pid int) int64 {
	status, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	_, after, found := strings.Cut(string(status), "VmHWM:")
	if !found {
		return 0
	}
	kilobytes, _ := strconv.ParseInt(strings.Fields(after)[0], 10, 64)
	return kilobytes << 10
}

// hostileURL starts the server on a port and returns its URL.
func hostileURL(ctx context.Context, kind string) string {
	GinkgoHelper()
	server := exec.CommandContext(ctx, hostileServer(), "-http", kind)
	out, err := server.StdoutPipe()
	Expect(err).NotTo(HaveOccurred())
	hold, err := server.StdinPipe()
	Expect(err).NotTo(HaveOccurred())
	Expect(server.Start()).To(Succeed())
	DeferCleanup(func() {
		hold.Close()
		_ = server.Wait()
	})
	url, err := bufio.NewReader(out).ReadString('\n')
	Expect(err).NotTo(HaveOccurred())
	return strings.TrimSpace(url)
}

// leftovers are the processes that a hostile server on stdio left behind.
func leftovers() []string {
	var out []string
	commands, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range commands {
		command, _ := os.ReadFile(path)
		if words := strings.Split(string(command), "\x00"); len(words) > 1 && (words[0] == hostileServer() && words[1] != "-http" || words[0] == "sleep" && words[1] == "307") {
			out = append(out, strings.Join(words, " "))
		}
	}
	return out
}

// raw is what must never go from a server to a terminal or the log of a CI system.
var raw = regexp.MustCompile(`\x1b|\x{202e}|(?m)^::error`)

var _ = Describe("A hostile server", func() {
	const (
		found, incomplete, unreachable, login, interrupted = 1, 3, 4, 5, 130
		little                                             = 5 * time.Second // of CPU
	)

	DescribeTable("ends in bounded time and memory, with words, and leaves nothing",
		func(ctx SpecContext, way, kind string, exit int, cpu time.Duration, says string) {
			s := runHostile(ctx, way, kind)
			GinkgoWriter.Printf("%s %s: exit %d, %v CPU, %d MB\n", way, kind, s.exit, s.cpu, s.resident>>20)
			Expect(s.exit).To(Equal(exit), s.said)
			Expect(s.cpu).To(BeNumerically("<", cpu))
			Expect(s.resident).To(BeNumerically("<", maxResident))
			Expect(s.said + string(s.report)).To(MatchRegexp(says))
			Expect(raw.FindAllString(s.said+string(s.report), -1)).To(BeEmpty())
			Eventually(leftovers).Should(BeEmpty())
		},
		// Controls: honest servers that are odd.
		Entry("no: it is honest", "stdio", "honest", found, little, "good"),
		Entry("no: it starts slowly", "stdio", "slow-start", found, little, "good"),
		Entry("no: it has a line of 10 MB", "stdio", "line-10MB", found, little, "big"),
		Entry("no: it ends the lines of a stream in CR", "http", "events-cr", found, little, "good"),
		Entry("no: its body drips", "http", "body-drips-honest", found, little, "good"),
		// As a process.
		Entry("that exits", "stdio", "exits", unreachable, little, `exit status 3; its stderr ends: fatal: no licence\\x1b`),
		Entry("that dies of a signal", "stdio", "segfault", unreachable, little, "SIGSEGV"),
		Entry("that dies in an answer", "stdio", "dies-mid-answer", unreachable, little, "exit status 9"),
		Entry("that dies in the list", "stdio", "dies-in-list", unreachable, little, "exit status 9"),
		Entry("that never answers", "stdio", "silent", incomplete, little, "no answer within"),
		Entry("that reads no more", "stdio", "deaf", incomplete, little, "no answer within"),
		Entry("that drips without end", "stdio", "drips", incomplete, little, "no answer within"),
		Entry("that closes its stdin", "stdio", "closes-stdin", incomplete, little, "closed its stdin"),
		Entry("that closes its stdout", "stdio", "closes-stdout", incomplete, little, "closed its stdout"),
		Entry("that starts a child", "stdio", "forks", found, little, "good"),
		Entry("that starts a daemon", "stdio", "daemon", found, little, "good"),
		Entry("that leaves a child on the pipe", "stdio", "fork-and-exit", unreachable, little, "exit status 0"),
		Entry("that ignores what asks it to end", "stdio", "stubborn", found, little, "good"),
		// Floods.
		Entry("that sends an endless line", "stdio", "endless-line", incomplete, little, "longer than 33554432 bytes"),
		Entry("that sends 500 MB of tools", "stdio", "tools-500MB", incomplete, 30*time.Second, "longer than 33554432 bytes"),
		Entry("that floods stdout with noise", "stdio", "noise-flood", incomplete, little, "bytes that are no messages"),
		Entry("that floods stderr", "stdio", "stderr-flood", found, little, "good"),
		Entry("that floods notifications", "stdio", "notice-flood", incomplete, little, "more than 500000 messages"),
		Entry("that floods requests", "stdio", "request-flood", incomplete, little, "more than 500000 messages"),
		Entry("that floods pings", "stdio", "ping-flood", incomplete, little, "more than 500000 messages"),
		Entry("that floods answers", "stdio", "answer-flood", incomplete, little, "more than 500000 messages"),
		Entry("that floods notifications of a megabyte", "stdio", "big-notices", incomplete, little, "more than 67108864 bytes"),
		Entry("that floods notifications in a stream", "http", "events-notices", incomplete, little, "more than 500000 messages"),
		Entry("that floods requests in a stream", "http", "events-requests", incomplete, little, "more than 500000 messages"),
		Entry("that floods other events", "http", "events-others", incomplete, little, "100000 events that are no message"),
		Entry("that floods empty events", "http", "events-empty", incomplete, little, "100000 events that are no message"),
		Entry("that floods comments", "http", "events-comments", incomplete, little, "longer than 33554432 bytes"),
		Entry("that streams an endless line", "http", "events-line", incomplete, little, "longer than 33554432 bytes"),
		Entry("that streams an endless event", "http", "events-data", incomplete, little, "longer than 33554432 bytes"),
		// Lists.
		Entry("whose list has no end", "stdio", "endless-pages", found, 40*time.Second, "list-limit"),
		Entry("whose pages of a megabyte have no end", "stdio", "endless-big-pages", found, 15*time.Second, "more than 67108864 bytes"),
		Entry("whose cursors go round", "stdio", "cursor-loop", found, little, "cursor"),
		Entry("with a name of 3 MB", "stdio", "name-3MB", found, little, "tool-name"),
		Entry("with very many values", "stdio", "dense", incomplete, little, "more than 1500000 JSON values"),
		Entry("with a tool nested 100,000 deep", "stdio", "deep-tool", found, little, "tool-too-deep"),
		Entry("with an answer nested 100,000 deep", "stdio", "deep-message", incomplete, little, "nests deeper than 5000"),
		Entry("with entries that are no tools", "stdio", "odd-entries", found, little, "tool-entry"),
		Entry("with schemas that are none", "stdio", "schemas-null", found, little, "worse"),
		Entry("with escapes in a description", "stdio", "description-escapes", found, little, "good"),
		Entry("with escapes in a name", "stdio", "name-escapes", found, little, `\\x1b|\\u001b`),
		// Messages.
		Entry("that sends invalid UTF-8", "stdio", "invalid-utf8", found, little, "message-framing"),
		Entry("that sends NUL", "stdio", "nul", incomplete, little, "control character 0x00"),
		Entry("that sends UTF-16", "stdio", "utf-16", incomplete, little, "no JSON-RPC"),
		Entry("that cuts its JSON", "stdio", "cut-json", incomplete, little, "no JSON"),
		Entry("that answers with a wrong id", "stdio", "wrong-id", incomplete, little, "carries the id 4711"),
		Entry("that answers without an id", "stdio", "no-id", incomplete, little, "has no id"),
		Entry("whose result is null", "stdio", "result-null", incomplete, little, "result is null"),
		Entry("whose tools are null", "stdio", "tools-null", incomplete, little, "tools is null"),
		Entry("whose error is full of escapes", "stdio", "list-error", incomplete, little, `boom \\x1b`),
		// HTTP.
		Entry("that drops the connection", "http", "drops", unreachable, little, "closed the connection"),
		Entry("that sends informational answers without end", "http", "informational", incomplete, little, "headers are longer"),
		Entry("that sends headers without end", "http", "headers-endless", incomplete, little, "headers are longer"),
		Entry("that sends a header of 8 MB", "http", "header-8MB", incomplete, little, "headers are longer"),
		Entry("whose headers drip", "http", "headers-drip", incomplete, little, "no answer within"),
		Entry("whose body drips without end", "http", "body-drips", incomplete, little, "no answer within"),
		Entry("that sends a body without end", "http", "body-endless", incomplete, little, "longer than 33554432 bytes"),
		Entry("that sends trailers without end", "http", "trailers", unreachable, little, "trailer"),
		Entry("that extends a chunk without end", "http", "chunk-extensions", unreachable, little, "line too long"),
		Entry("that extends every chunk", "http", "many-extensions", unreachable, little, "too much non-data"),
		Entry("that sends a gzip bomb", "http", "gzip-bomb", incomplete, little, "longer than 33554432 bytes"),
		Entry("that sends a gzip bomb as a stream", "http", "gzip-bomb-events", incomplete, little, "longer than 33554432 bytes"),
		Entry("that redirects elsewhere", "http", "redirect", unreachable, little, "another origin"),
		Entry("that names an SSE endpoint elsewhere", "http", "sse-elsewhere", unreachable, little, "another origin"),
		Entry("that asks to come back in 30 years", "http", "events-retry", incomplete, little, "could not be resumed|no answer"),
		Entry("that wants a login", "http", "401", login, little, "HTTP 401"),
		Entry("that fails", "http", "500", incomplete, little, "HTTP 500"),
		Entry("that speaks SSH", "http", "ssh", unreachable, little, "malformed HTTP"),
		// Results.
		Entry("that answers no call", "stdio", "silent-call", found, little, "no answer within"),
		Entry("with a result of 5 MB, twice", "stdio", "result-5MB-twice", found, little, "good"),
		Entry("with a result of 40 MB", "stdio", "result-40MB", found, little, "good"),
		Entry("with a result nested 100,000 deep", "stdio", "result-deep", found, little, "good"),
	)

	It("with fifty schemas that cost seconds each is looked at until somebody has had enough", func(ctx SpecContext) {
		report := filepath.Join(GinkgoT().TempDir(), "report.json")
		limited, cancel := context.WithTimeout(ctx, 10*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(limited, binary, "run", "--host", "all", "--format", "json="+report, "--", hostileServer(), "dear-schemas")
		Expect(cmd.Start()).To(Succeed())
		time.Sleep(8 * time.Second)
		Expect(cmd.Process.Signal(syscall.SIGTERM)).To(Succeed())
		asked := time.Now()
		_ = cmd.Wait()
		GinkgoWriter.Printf("ended %v after SIGTERM\n", time.Since(asked))
		Expect(cmd.ProcessState.ExitCode()).To(Equal(interrupted))
		Expect(time.Since(asked)).To(BeNumerically("<", 30*time.Second))
		Expect(os.ReadFile(report)).To(ContainSubstring(`"dear_50"`))
	})
})
