//go:build integration

package integration

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/wire"
)

// revisions that a legacy and a dual-era server must answer.
var (
	legacyRevisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}
	allRevisions    = append(append([]string{}, legacyRevisions...), "2026-07-28")
)

// pins are one strict handshake for each revision.
func pins(revisions []string) []wire.Handshake {
	var out []wire.Handshake
	for _, v := range revisions {
		mode := wire.Initialize
		if recording.EraOf(v) == recording.Modern {
			mode = wire.Discover
		}
		out = append(out, wire.Handshake{Mode: mode, Version: v})
	}
	return out
}

// readOnly plans a call of each tool that only reads.
func readOnly(s *recording.Session) []recording.Call {
	var out []recording.Call
	for _, t := range s.Tools {
		if t.Value.Get("annotations").Get("readOnlyHint").IsTrue() {
			out = append(out, recording.Call{Tool: t.Name})
		}
	}
	return out
}

// listening starts a server and waits until its port is open.
func listening(port int, command ...string) {
	GinkgoHelper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "CONFORM_NODE_MODULES="+modules)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	Expect(cmd.Start()).To(Succeed())
	DeferCleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	Eventually(func() error {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			c.Close()
		}
		return err
	}).WithTimeout(60*time.Second).Should(Succeed(), "%v", command)
}

// exactCount is an integer beyond what a double holds apart, as the server wrote it.
const exactCount = "9007199254740991"

// speaks captures a server and holds what every session must have: the revision
// that was asked for, both tools, the result of the one that reads, and the bytes.
func speaks(ctx context.Context, target wire.Target, transport string, revisions []string) {
	GinkgoHelper()
	c, err := wire.Capture(ctx, target, wire.Options{Handshakes: pins(revisions), Calls: readOnly,
		Timeouts: wire.Timeouts{Start: time.Minute, Request: time.Minute}})
	Expect(err).NotTo(HaveOccurred())
	Expect(c.Target.Server).To(Equal("stock"))
	Expect(c.Sessions).To(HaveLen(len(revisions)))
	for i, s := range c.Sessions {
		By(s.ID)
		Expect(s.InitError).To(BeNil())
		Expect(s.Negotiated).To(Equal(revisions[i]))
		Expect(s.Transport).To(Equal(transport))
		names := []string{}
		for _, t := range s.Tools {
			names = append(names, t.Name)
		}
		Expect(names).To(ConsistOf("count_stock", "clear_stock"))
		Expect(s.Calls).To(HaveLen(1))
		Expect(s.Calls[0].Failed).To(BeNil())
		Expect(s.Calls[0].Error).To(BeNil())
		if structured := s.Calls[0].Result.Get("structuredContent"); structured != nil {
			Expect(structured.Get("count").Compact()).To(Equal(exactCount))
		}
		var sent, got bool
		for _, m := range s.Messages {
			text := string(m.Bytes)
			sent = sent || m.From == "client" && m.Kind == "message" && strings.Contains(text, "tools/call")
			got = got || m.From == "server" && m.Kind == "message" && strings.Contains(text, exactCount)
			Expect(text).NotTo(ContainSubstring("clear_stock was called"))
		}
		Expect(sent).To(BeTrue(), "the bytes of the call")
		Expect(got).To(BeTrue(), "the bytes of its answer")
	}
}

// absent says that a server could not be had; that is no failure.
func absent(what string, err error, out []byte) {
	text := string(out)
	fmt.Fprintf(GinkgoWriter, "could not run %s: %v\n%s\n", what, err, text)
	Skip(fmt.Sprintf("could not run %s: %v: %s", what, err, text[max(0, len(text)-300):]))
}

// mcpGo is the server of mcp-go, built from its own module.
var mcpGo = sync.OnceValues(func() (string, error) {
	file := filepath.Join(os.TempDir(), fmt.Sprintf("conform-mcp-go-%d", os.Getpid()))
	cmd := exec.Command("go", "build", "-o", file, ".")
	cmd.Dir, cmd.Env = "testdata/mcpgo", append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), err
	}
	return file, nil
})

// goSDK is the server of the Go SDK, built from this module.
var goSDK = sync.OnceValues(func() (string, error) {
	file := filepath.Join(os.TempDir(), fmt.Sprintf("conform-go-sdk-%d", os.Getpid()))
	out, err := exec.Command("go", "build", "-o", file, "./testdata/gosdk").CombinedOutput()
	if err != nil {
		return string(out), err
	}
	return file, nil
})

// python is the interpreter that has the Python SDK.
func python() (string, error) {
	name := os.Getenv("CONFORM_PYTHON")
	if name == "" {
		return "", fmt.Errorf("CONFORM_PYTHON is not set; scripts/integration.sh makes the environment where PyPI is there")
	}
	return name, nil
}

// sdkServer is the command of a server, without its transport.
func sdkServer(name string) []string {
	GinkgoHelper()
	var program string
	var err error
	switch name {
	case "mcp-go":
		program, err = mcpGo()
	case "Go SDK":
		program, err = goSDK()
	case "Python SDK":
		if program, err = python(); err == nil {
			return []string{program, "testdata/stock.py"}
		}
	case "TypeScript SDK v1":
		return []string{bin("node"), "testdata/ts-v1.mjs"}
	case "TypeScript SDK v2":
		return []string{bin("node"), "testdata/ts-v2.mjs"}
	}
	if err != nil {
		absent(name, err, []byte(program))
	}
	return []string{program}
}

var _ = AfterSuite(func() {
	for _, build := range []func() (string, error){mcpGo, goSDK} {
		if file, err := build(); err == nil {
			_ = os.Remove(file)
		}
	}
})

var _ = Describe("Servers of the SDKs, in every transport and era that they offer", func() {
	DescribeTable("stdio", func(ctx SpecContext, name string, revisions []string) {
		speaks(ctx, wire.Target{Command: append(sdkServer(name), "stdio"), Env: []string{"CONFORM_NODE_MODULES=" + modules}}, wire.Stdio, revisions)
	},
		Entry(nil, "TypeScript SDK v1", legacyRevisions),
		Entry(nil, "TypeScript SDK v2", allRevisions),
		Entry(nil, "Go SDK", allRevisions),
		Entry(nil, "mcp-go", allRevisions),
		Entry(nil, "Python SDK", allRevisions),
	)

	DescribeTable("Streamable HTTP", func(ctx SpecContext, name string, revisions []string) {
		port := freePort()
		listening(port, append(sdkServer(name), "http", fmt.Sprint(port))...)
		speaks(ctx, wire.Target{URL: fmt.Sprintf("http://127.0.0.1:%d/mcp", port)}, wire.StreamableHTTP, revisions)
	},
		Entry(nil, "TypeScript SDK v1", legacyRevisions),
		Entry(nil, "TypeScript SDK v2", allRevisions),
		Entry(nil, "Go SDK", allRevisions),
		Entry(nil, "mcp-go", allRevisions),
		Entry(nil, "Python SDK", allRevisions),
	)

	DescribeTable("HTTP+SSE, found by itself", func(ctx SpecContext, name string, revisions []string) {
		port := freePort()
		listening(port, append(sdkServer(name), "sse", fmt.Sprint(port))...)
		speaks(ctx, wire.Target{URL: fmt.Sprintf("http://127.0.0.1:%d/sse", port)}, wire.SSE, revisions)
	},
		Entry(nil, "TypeScript SDK v1", legacyRevisions),
		Entry(nil, "Go SDK", legacyRevisions),
		Entry(nil, "mcp-go", legacyRevisions),
		Entry(nil, "Python SDK", legacyRevisions),
	)
})
