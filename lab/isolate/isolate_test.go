//go:build linux

package isolate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lab/isolate"
)

// self is this test binary.
func self() string {
	GinkgoHelper()
	path, err := os.Executable()
	Expect(err).NotTo(HaveOccurred())
	return path
}

var _ = Describe("A room", func() {
	It("has loopback only, no environment, no files of the user, and the first process", func() {
		if err := isolate.Available(); err != nil {
			Skip(err.Error())
		}
		hidden := GinkgoT().TempDir()
		kept := filepath.Join(hidden, "below", "kept")
		Expect(os.MkdirAll(kept, 0o755)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(hidden, "secret"), nil, 0o600)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(kept, "tool"), nil, 0o600)).To(Succeed())
		var stdout, stderr bytes.Buffer
		code, err := isolate.Run(context.Background(), isolate.Spec{Path: self(), Args: []string{"self", "look", hidden, kept}, Env: []string{"ONLY=this"},
			Dir: "/", Stdout: &stdout, Stderr: &stderr, Limit: time.Minute})
		Expect(err).NotTo(HaveOccurred())
		Expect(code).To(BeZero(), stderr.String())
		var v view
		Expect(json.Unmarshal(stdout.Bytes(), &v)).To(Succeed())
		Expect(v.PID).To(Equal(1))
		Expect(v.Loopback).To(BeTrue())
		Expect(v.Outside).To(ContainSubstring("network is unreachable"))
		Expect(v.Hidden).To(Equal([]string{"below"}))
		Expect(v.Kept).To(Equal([]string{"tool"}))
		Expect(v.Env).To(Equal([]string{"ONLY=this"}))
		Expect(filepath.Join(hidden, "secret")).To(BeAnExistingFile(), "only the room's own view changes")
	})

	It("ends everything inside when its time is over", func() {
		if err := isolate.Available(); err != nil {
			Skip(err.Error())
		}
		_, err := isolate.Run(context.Background(), isolate.Spec{Path: "/bin/sh", Args: []string{"sh", "-c", "setsid sleep 987 & wait"}, Dir: "/", Limit: 300 * time.Millisecond})
		Expect(err).To(MatchError(context.DeadlineExceeded))
		Eventually(running).WithArguments("sleep 987").Should(BeFalse())
	})

	It("says what is missing and what to do where namespaces are not granted", func() {
		Expect((&isolate.UnavailableError{Err: os.ErrPermission}).Error()).To(And(ContainSubstring("permission denied"), ContainSubstring("--no-isolation")))
	})

	It("runs without namespaces when the user accepts that", func() {
		var stdout bytes.Buffer
		code, err := isolate.Run(context.Background(), isolate.Spec{Path: "/bin/sh", Args: []string{"sh", "-c", "echo here; exit 7"}, Dir: "/", Stdout: &stdout, Limit: time.Minute, Open: true})
		Expect(err).NotTo(HaveOccurred())
		Expect(code).To(Equal(7))
		Expect(stdout.String()).To(Equal("here\n"))
	})
})

// running says whether a process with this command line lives.
func running(commandLine string) bool {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err == nil && string(bytes.TrimRight(bytes.ReplaceAll(data, []byte{0}, []byte{' '}), " ")) == commandLine {
			return true
		}
	}
	return false
}

var _ = Describe("A program in the room", func() {
	run := func(args ...string) isolate.Outcome {
		GinkgoHelper()
		out, err := exec.Command(self(), append([]string{"command"}, args...)...).Output()
		Expect(err).NotTo(HaveOccurred(), string(out))
		var o isolate.Outcome
		Expect(json.Unmarshal(out, &o)).To(Succeed())
		return o
	}

	It("ends by itself, with its exit code", func() {
		o := run("1m", "0", "/bin/sh", "-c", "exit 5")
		Expect(o.Exit).To(Equal(5))
		Expect(o.Ended).To(Equal("exit"))
		Expect(o.Left).To(BeEmpty())
	})

	It("is ended when it hangs", func() {
		o := run("300ms", "0", "/bin/sh", "-c", "sleep 986")
		Expect(o.Ended).To(Equal("time"))
		Expect(running("sleep 986")).To(BeFalse())
	})

	It("is ended when it takes too much memory", func() {
		Expect(run("1m", "128", self(), "eat").Ended).To(Equal("memory"))
		Expect(run("1m", "128", self(), "hold").Ended).To(Equal("memory"), "in files that lie in memory alone")
	})

	It("is ended when it fills the disk", func() {
		dir := GinkgoT().TempDir()
		Expect(run("1m", "0", "--disk="+dir, self(), "fill", dir).Ended).To(Equal("disk"))
	})

	It("is ended though it ignores every signal that can be ignored", func() {
		o := run("300ms", "0", "/bin/sh", "-c", "trap '' TERM INT HUP QUIT; sleep 983 & while :; do wait; done")
		Expect(o.Ended).To(Equal("time"))
		Expect(running("sleep 983")).To(BeFalse())
	})

	It("takes a daemon with it that forked twice, lost its parents and ignores signals", func() {
		o := run("1m", "0", "/bin/sh", "-c", "(setsid sh -c 'trap \"\" TERM HUP; (setsid sleep 982 >/dev/null 2>&1 &)' &) ; sleep 0.2; exit 0")
		Expect(o.Ended).To(Equal("exit"))
		Expect(o.Left).To(ContainElement("sleep"))
		Expect(running("sleep 982")).To(BeFalse())
	})

	It("takes a daemon with it that it left behind", func() {
		o := run("1m", "0", "/bin/sh", "-c", "setsid sleep 985 >/dev/null 2>&1 & exit 0")
		Expect(o.Ended).To(Equal("exit"))
		Expect(o.Left).To(ContainElement(Or(Equal("sleep"), Equal("setsid"), Equal("sh"))))
		Expect(running("sleep 985")).To(BeFalse())
	})

	It("has no terminal and nothing of the caller's environment", func() {
		Expect(run("1m", "0", "/bin/sh", "-c", `test -z "$HOME" && test "$ONLY" = this && ! test -t 0 && ! (: </dev/tty) 2>/dev/null`).Exit).To(BeZero())
	})
})
