//go:build integration

package integration

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/matrix/verdict"
)

func TestIntegration(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "integration", Label("integration"))
}

var (
	binary  string // the conform binary under test
	modules string // the node_modules folder of this package's package.json
)

var _ = BeforeSuite(func() {
	modules = os.Getenv("CONFORM_NODE_MODULES")
	Expect(modules).NotTo(BeEmpty(), "CONFORM_NODE_MODULES is not set; run scripts/integration.sh")
	var err error
	modules, err = filepath.Abs(modules)
	Expect(err).NotTo(HaveOccurred())
	binary = filepath.Join(GinkgoT().TempDir(), "conform")
	out, err := exec.Command("go", "build", "-o", binary, "../cmd/conform").CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(out))
})

// conform runs the binary and returns its report; the exit code must be 0 or 1.
func conform(ctx context.Context, args ...string) (*verdict.Report, string) {
	GinkgoHelper()
	limited, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(limited, binary, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	Expect(cmd.ProcessState.ExitCode()).To(BeElementOf(0, 1), "%v\n%s\n%s", err, stderr.String(), stdout.String())
	report := new(verdict.Report)
	Expect(json.Unmarshal(stdout.Bytes(), report)).To(Succeed(), stdout.String())
	return report, stderr.String()
}

// bin is the command of an installed npm package.
func bin(name string) string { return filepath.Join(modules, ".bin", name) }

// complete asserts what must hold of every report: a cell for each tool in each
// host, no cell without a verdict, and something looked at in earnest.
func complete(r *verdict.Report, tools ...string) {
	GinkgoHelper()
	Expect(r.Format).To(Equal(verdict.Format))
	Expect(len(r.Hosts)).To(BeNumerically(">=", 14))
	have := map[string]bool{}
	cells := map[string]int{}
	checked := 0
	for _, t := range r.Tools {
		have[t.Name] = true
	}
	for _, c := range r.Cells {
		cells[c.Tool]++
		Expect(c.Verdict).To(BeElementOf(verdict.Works, verdict.Degraded, verdict.Breaks, verdict.Unknown))
		Expect(c.Verdict == verdict.Breaks && len(c.Findings) == 0).To(BeFalse(), "%s in %s breaks without a finding", c.Tool, c.Host)
		if c.Checked {
			checked++
		}
	}
	for _, name := range tools {
		Expect(have).To(HaveKey(name))
	}
	for name := range have {
		Expect(cells[name]).To(Equal(len(r.Hosts)), "cells of %s", name)
	}
	GinkgoWriter.Printf("%s %s: %d tools, %d cells: %+v, %d checked\n", r.Target.Name, r.Target.Version, len(r.Tools), len(r.Cells), r.Summary, checked)
}

// everything writes a samples file for server-everything: echo needs an argument,
// and one read-only tool takes ten seconds by design.
func everything() string {
	GinkgoHelper()
	file := filepath.Join(GinkgoT().TempDir(), "samples.yaml")
	Expect(os.WriteFile(file, []byte("format: conform-samples/1\nsamples:\n  - tool: echo\n    arguments: {message: hello}\n"+
		"skip:\n  - tool: trigger-long-running-operation\n    reason: it takes ten seconds\n"), 0o600)).To(Succeed())
	return file
}

// how returns how a tool was sampled.
func how(r *verdict.Report, tool string) verdict.Tool {
	for _, t := range r.Tools {
		if t.Name == tool {
			return t
		}
	}
	return verdict.Tool{}
}

var _ = Describe("Real servers over stdio", func() {
	It("server-everything", func(ctx SpecContext) {
		r, _ := conform(ctx, "run", "--format", "json", "--samples", everything(), "--host-set", "host,sdk", "--", bin("mcp-server-everything"))
		complete(r, "echo", "get-structured-content")
		Expect(how(r, "echo").Samples).To(BeNumerically(">=", 1))
	})

	It("server-filesystem, whose tools are called only when they only read", func(ctx SpecContext) {
		dir := GinkgoT().TempDir()
		Expect(os.WriteFile(filepath.Join(dir, "note.txt"), []byte("a note"), 0o600)).To(Succeed())
		samples := filepath.Join(GinkgoT().TempDir(), "samples.yaml")
		Expect(os.WriteFile(samples, []byte(fmt.Sprintf("format: conform-samples/1\nsamples:\n  - tool: list_directory\n    arguments: {path: %q}\n", dir)), 0o600)).To(Succeed())
		r, _ := conform(ctx, "run", "--format", "json", "--host-set", "host,sdk", "--samples", samples, "--", bin("mcp-server-filesystem"), dir)
		complete(r, "list_directory", "write_file", "read_text_file")
		Expect(how(r, "list_directory").Samples).To(BeNumerically(">=", 1))
		Expect(how(r, "write_file").Samples).To(BeZero(), how(r, "write_file").How)
		Expect(filepath.Join(dir, "note.txt")).To(BeARegularFile())
	})

	It("server-memory", func(ctx SpecContext) {
		r, _ := conform(ctx, "run", "--format", "json", "--host-set", "host,sdk", "--allow-calls=read_graph", "--", bin("mcp-server-memory"))
		complete(r, "read_graph", "create_entities")
		Expect(how(r, "read_graph").Samples).To(BeNumerically(">=", 1))
		Expect(how(r, "delete_entities").Samples).To(BeZero())
	})
})

var _ = Describe("Real servers over Streamable HTTP", func() {
	It("server-everything", func(ctx SpecContext) {
		port := freePort()
		server := exec.Command(bin("mcp-server-everything"), "streamableHttp")
		server.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", port))
		var log bytes.Buffer
		server.Stdout, server.Stderr = &log, &log
		Expect(server.Start()).To(Succeed())
		DeferCleanup(func() {
			_ = server.Process.Kill()
			_ = server.Wait()
		})
		url := fmt.Sprintf("http://127.0.0.1:%d/mcp", port)
		Eventually(ctx, func() error {
			resp, err := http.Get(url)
			if err == nil {
				resp.Body.Close()
			}
			return err
		}).WithTimeout(30*time.Second).Should(Succeed(), log.String())
		r, _ := conform(ctx, "run", "--format", "json", "--samples", everything(), "--protocol", "2025-11-25", "--host-set", "host,sdk", "--url", url)
		complete(r, "echo")
		Expect(r.Target.Transport).To(Equal("streamable-http"))
	})
})

func freePort() int {
	GinkgoHelper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
