//go:build unix

package process_test

import (
	"io"
	"os"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/wire/process"
)

func shell(script string) *process.Process {
	p, err := process.Start([]string{"/bin/sh", "-c", script}, "", []string{"PATH=" + os.Getenv("PATH"), "A=b"})
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(p.Release)
	DeferCleanup(p.Kill)
	return p
}

var _ = Describe("A process", func() {
	It("has the environment that it is given, and a mark", func() {
		p := shell("env")
		out, err := io.ReadAll(p.Stdout)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(out)).To(ContainSubstring("A=b\n"))
		Expect(string(out)).To(ContainSubstring("CONFORM_SESSION="))
		Expect(string(out)).NotTo(ContainSubstring("HOME="))
	})

	DescribeTable("says how it ended", func(script, text string, code int) {
		p := shell(script)
		Eventually(p.Exited()).WithTimeout(10 * time.Second).Should(BeClosed())
		Expect(p.Ending()).To(Equal(text))
		Expect(p.ExitCode()).To(Equal(code))
	},
		Entry("well", "true", "exit status 0", 0),
		Entry("with a status", "exit 7", "exit status 7", 7),
		Entry("by a signal", "kill -ABRT $$", "killed by signal SIGABRT (aborted)", -1),
	)

	It("ends when its stdin is closed", func() {
		p := shell("cat; exit 3")
		p.Stop(10 * time.Second)
		Expect(p.Exited()).To(BeClosed())
		Expect(p.ExitCode()).To(Equal(3))
	})

	It("is killed when it neither heeds stdin nor SIGTERM", func() {
		p := shell("trap '' TERM; echo ready; while :; do sleep 0.1; done")
		Expect(p.Stdout.Read(make([]byte, 6))).To(Equal(6))
		p.Stop(100 * time.Millisecond)
		Expect(p.Exited()).To(BeClosed())
		Expect(p.Ending()).To(HavePrefix("killed by signal SIGKILL"))
	})

	It("can be read from although a grandchild keeps its pipes", func() {
		p := shell("sleep 300 & echo out")
		Eventually(p.Exited()).WithTimeout(10 * time.Second).Should(BeClosed())
		p.Unblock(time.Now().Add(100 * time.Millisecond))
		out, err := io.ReadAll(p.Stdout)
		Expect(err).To(MatchError(os.ErrDeadlineExceeded))
		Expect(string(out)).To(Equal("out\n"))
		p.Stop(time.Second)
	})
})

var _ = Describe("Lines", func() {
	read := func(text string, limit int) (lines []string, err error) {
		err = process.EachLine(strings.NewReader(text), limit, func(line []byte, complete bool) bool {
			if !complete {
				line = append(line, "…"...)
			}
			lines = append(lines, string(line))
			return string(line) != "stop"
		})
		return lines, err
	}

	DescribeTable("are split at line feeds only", func(text string, want ...string) {
		Expect(read(text, 200_000)).To(HaveExactElements(want))
	},
		Entry("two", "a\nb\n", "a", "b"),
		Entry("CRLF keeps its CR", "a\r\nb\n", "a\r", "b"),
		Entry("an unfinished last one", "a\nb", "a", "b…"),
		Entry("empty ones", "\n\n", "", ""),
		Entry("none", ""),
		Entry("until f has enough", "a\nstop\nb\n", "a", "stop"),
		Entry("longer than the buffer", strings.Repeat("x", 150_000)+"\ny\n", strings.Repeat("x", 150_000), "y"),
	)

	It("are bounded", func() {
		lines, err := read("a\n"+strings.Repeat("x", 101)+"\n", 100)
		Expect(err).To(MatchError(process.ErrLineTooLong))
		Expect(lines).To(Equal([]string{"a"}))
		Expect(read(strings.Repeat("x", 100)+"\n", 100)).To(HaveLen(1))
	})
})
