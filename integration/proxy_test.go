//go:build integration

package integration

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
)

// hostSaw is what the host in testdata/client.mjs got.
type hostSaw struct {
	Tools   []string                   `json:"tools"`
	Results map[string]json.RawMessage `json:"results"`
}

// host runs the host and returns what it saw.
func host(ctx context.Context, args ...string) hostSaw {
	GinkgoHelper()
	limited, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(limited, bin("node"), append([]string{"testdata/client.mjs"}, args...)...)
	cmd.Env = append(os.Environ(), "CONFORM_NODE_MODULES="+modules, "PLANTED_TOKEN=planted-secret-0123456789")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	Expect(cmd.Run()).To(Succeed(), stderr.String())
	var saw hostSaw
	Expect(json.Unmarshal(stdout.Bytes(), &saw)).To(Succeed(), stdout.String())
	Expect(saw.Tools).NotTo(BeEmpty())
	return saw
}

// holds reads a recording of what passed and compares it with what the host saw; the
// recording must also be one that `run --replay` takes.
func holds(ctx context.Context, file, transport string, saw hostSaw) {
	GinkgoHelper()
	text, err := os.ReadFile(file)
	Expect(err).NotTo(HaveOccurred())
	Expect(string(text)).NotTo(ContainSubstring("planted-secret"))
	c, err := recording.Read(file, bytes.NewReader(text), recording.Limits{})
	Expect(err).NotTo(HaveOccurred())
	Expect(c.Sessions).To(HaveLen(1))
	s := c.Sessions[0]
	Expect(s.InitError).To(BeNil())
	Expect(s.Transport).To(Equal(transport))
	var names []string
	for _, t := range s.Tools {
		names = append(names, t.Name)
	}
	Expect(names).To(ConsistOf(saw.Tools))
	Expect(s.Calls).To(HaveLen(len(saw.Results)))
	for _, call := range s.Calls {
		if call.Tool == "get-env" { // shows the environment, in which there are secrets
			Expect(call.Result.Compact()).To(ContainSubstring(recording.Redacted))
			continue
		}
		Expect(call.Result.Compact()).To(MatchJSON(saw.Results[call.Tool]))
	}
	report, _ := conform(ctx, "run", "--format", "json", "--host-set", "host,sdk", "--replay", file)
	complete(report, saw.Tools...)
	Expect(report.Target.Transport).To(Equal(transport))
}

// recordingProxy starts `conform record --proxy` for an address and returns its own;
// end interrupts it.
func recordingProxy(file, url string) (at string, end func()) {
	GinkgoHelper()
	cmd := exec.Command(binary, "record", "--proxy", "-o", file, "--url", url)
	stderr, err := cmd.StderrPipe()
	Expect(err).NotTo(HaveOccurred())
	Expect(cmd.Start()).To(Succeed())
	DeferCleanup(func() { _ = cmd.Process.Kill() })
	line, err := bufio.NewReader(stderr).ReadString('\n')
	Expect(err).NotTo(HaveOccurred())
	at = regexp.MustCompile(`http://[0-9.:]+`).FindString(line)
	Expect(at).NotTo(BeEmpty(), line)
	return at, func() {
		GinkgoHelper()
		Expect(cmd.Process.Signal(os.Interrupt)).To(Succeed())
		_ = cmd.Wait()
		Expect(cmd.ProcessState.ExitCode()).To(Equal(0))
	}
}

var _ = Describe("A proxy that records, between a host on the TypeScript SDK and a real server", func() {
	DescribeTable("stdio", func(ctx SpecContext, command func() []string) {
		file := filepath.Join(GinkgoT().TempDir(), "between.jsonl")
		saw := host(ctx, append([]string{"stdio", binary, "record", "--proxy", "-o", file, "--"}, command()...)...)
		holds(ctx, file, "stdio", saw)
	},
		Entry("server-everything, which has a tool that shows the environment", func() []string { return []string{bin("mcp-server-everything")} }),
		Entry("server-memory", func() []string { return []string{bin("mcp-server-memory")} }),
		Entry("TypeScript SDK v1", func() []string { return append(sdkServer("TypeScript SDK v1"), "stdio") }),
		Entry("TypeScript SDK v2", func() []string { return append(sdkServer("TypeScript SDK v2"), "stdio") }),
		Entry("Go SDK", func() []string { return append(sdkServer("Go SDK"), "stdio") }),
		Entry("mcp-go", func() []string { return append(sdkServer("mcp-go"), "stdio") }),
		Entry("Python SDK", func() []string { return append(sdkServer("Python SDK"), "stdio") }),
	)

	DescribeTable("HTTP", func(ctx SpecContext, name, kind, transport string) {
		path := map[string]string{"http": "/mcp", "sse": "/sse"}[kind]
		port := freePort()
		listening(port, append(sdkServer(name), kind, fmt.Sprint(port))...)
		file := filepath.Join(GinkgoT().TempDir(), "between.jsonl")
		at, end := recordingProxy(file, fmt.Sprintf("http://127.0.0.1:%d%s", port, path))
		saw := host(ctx, kind, at+path)
		end()
		holds(ctx, file, transport, saw)
	},
		func(name, kind, transport string) string { return name + ", " + transport },
		Entry(nil, "TypeScript SDK v1", "http", "streamable-http"),
		Entry(nil, "TypeScript SDK v2", "http", "streamable-http"),
		Entry(nil, "Go SDK", "http", "streamable-http"),
		Entry(nil, "mcp-go", "http", "streamable-http"),
		Entry(nil, "Python SDK", "http", "streamable-http"),
		Entry(nil, "TypeScript SDK v1", "sse", "sse"),
		Entry(nil, "Go SDK", "sse", "sse"),
		Entry(nil, "mcp-go", "sse", "sse"),
		Entry(nil, "Python SDK", "sse", "sse"),
	)
})

var _ = Describe("A recording of every revision", func() {
	DescribeTable("gives the same report whenever it is evaluated", func(ctx SpecContext, name string, revisions []string) {
		dir := GinkgoT().TempDir()
		file := filepath.Join(dir, "all.jsonl")
		limited, cancel := context.WithTimeout(ctx, 2*time.Minute)
		defer cancel()
		command := append(sdkServer(name), "stdio")
		cmd := exec.CommandContext(limited, binary, append([]string{"record", "--protocol", "all", "--host", "ts-sdk-v1", "-o", file, "--env", "CONFORM_NODE_MODULES=" + modules, "--"}, command...)...)
		out, err := cmd.CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), string(out))
		var reports []string
		for range 2 {
			cmd := exec.CommandContext(limited, binary, "run", "--replay", file, "--host-set", "host,sdk", "--format", "json")
			out, err := cmd.Output()
			Expect(cmd.ProcessState.ExitCode()).To(BeElementOf(0, 1), "%v", err)
			reports = append(reports, string(out))
		}
		Expect(reports[0]).To(Equal(reports[1]))
		c, err := recording.Open(recording.Limits{}, file)
		Expect(err).NotTo(HaveOccurred())
		var negotiated []string
		for _, s := range c[0].Capture.Sessions {
			if s.InitError == nil {
				negotiated = append(negotiated, s.Negotiated)
			}
		}
		for _, revision := range revisions {
			Expect(negotiated).To(ContainElement(revision), strings.Join(negotiated, ", "))
		}
		Expect(c[0].Capture.Probes).NotTo(BeEmpty())
	},
		Entry(nil, "TypeScript SDK v1", legacyRevisions),
		Entry(nil, "TypeScript SDK v2", allRevisions),
		Entry(nil, "Go SDK", allRevisions),
		Entry(nil, "mcp-go", allRevisions),
		Entry(nil, "Python SDK", allRevisions),
	)
})
