package proxy_test

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing/iotest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/wire"
	"github.com/hostmatrix/conform/wire/proxy"
)

func target(server string, env ...string) wire.Target {
	self, err := os.Executable()
	Expect(err).NotTo(HaveOccurred())
	return wire.Target{Command: []string{self}, Env: append(env, serverVariable+"="+server)}
}

// jsonOnly hands on the lines that are JSON, as the hosts that skip noise do.
func jsonOnly(from io.Reader) io.ReadCloser {
	out, in := io.Pipe()
	go func() {
		var line []byte
		one := make([]byte, 1)
		for {
			if _, err := from.Read(one); err != nil {
				in.CloseWithError(err)
				return
			}
			if line = append(line, one[0]); one[0] == '\n' {
				if line[0] == '{' {
					_, _ = in.Write(line)
				}
				line = nil
			}
		}
	}()
	return out
}

var _ = Describe("A stdio proxy", func() {
	It("lets a host and a server talk, and records it", func(ctx SpecContext) {
		hostOut, proxyIn := io.Pipe()
		proxyOut, hostIn := io.Pipe()
		var errors tape
		t := &tape{}
		writer := t.start("t0p-s3cret")
		status := make(chan int, 1)
		go func() {
			code, _ := proxy.Stdio(context.Background(), target("sdk", "API_TOKEN=t0p-s3cret"), proxy.Streams{In: hostOut, Out: hostIn, Err: &errors}, writer, proxy.Options{})
			hostIn.Close()
			status <- code
		}()
		client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "9"}, nil)
		session, err := client.Connect(ctx, &mcp.IOTransport{Reader: jsonOnly(proxyOut), Writer: proxyIn}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
		Expect(err).NotTo(HaveOccurred())
		tools, err := session.ListTools(ctx, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(tools.Tools).To(HaveLen(1))
		_, err = session.CallTool(ctx, &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"text": "hello"}})
		Expect(err).NotTo(HaveOccurred())
		_ = session.Close()
		_ = proxyIn.Close()
		Eventually(status).WithTimeout(10 * time.Second).Should(Receive(Equal(0)))
		Expect(errors.text()).To(ContainSubstring("secret is t0p-s3cret"), "what passes is not changed")

		c := t.read()
		Expect(t.text()).NotTo(ContainSubstring("t0p-s3cret"))
		Expect(t.text()).To(ContainSubstring("secret is [redacted]"))
		Expect(t.text()).To(ContainSubstring("a banner that is no JSON"))
		Expect(c.Sessions).To(HaveLen(1))
		s := c.Sessions[0]
		Expect(s.Negotiated).To(Equal("2025-06-18"))
		Expect(c.Target.Server).To(Equal("behind"))
		Expect(s.Tools).To(HaveLen(1))
		Expect(s.Calls).To(HaveLen(1))
		Expect(s.Calls[0].Result.Get("content").Items[0].Get("text").Text).To(Equal("hello"))
	})

	It("ends with the status of the server", func(ctx SpecContext) {
		in, _ := io.Pipe()
		Expect(proxy.Stdio(ctx, target("exit"), proxy.Streams{In: in, Out: io.Discard, Err: io.Discard}, (&tape{}).start(), proxy.Options{})).To(Equal(7))
	})

	It("ends a server that stays when the host has gone", func(ctx SpecContext) {
		Expect(proxy.Stdio(ctx, target("stays"), proxy.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}, (&tape{}).start(), proxy.Options{Stop: 100 * time.Millisecond})).To(Equal(-1))
	})

	It("ends when it is interrupted", func(ctx SpecContext) {
		inner, cancel := context.WithCancel(ctx)
		cancel()
		in, _ := io.Pipe()
		Expect(proxy.Stdio(inner, target("stays"), proxy.Streams{In: in, Out: io.Discard, Err: io.Discard}, (&tape{}).start(), proxy.Options{Stop: 100 * time.Millisecond})).To(Equal(-1))
	})

	It("says that a command cannot be started", func(ctx SpecContext) {
		_, err := proxy.Stdio(ctx, wire.Target{Command: []string{"no-such-program-of-conform"}}, proxy.Streams{}, (&tape{}).start(), proxy.Options{})
		Expect(err).To(MatchError(ContainSubstring("starting no-such-program-of-conform")))
	})

	It("hands on what cannot be recorded, and says so once", func(ctx SpecContext) {
		var warnings []error
		var out tape
		input := strings.Repeat("x", 100) + "\n{\"a\":1}\n"
		_, err := proxy.Stdio(ctx, wire.Target{Command: []string{"cat"}, Env: wire.BaseEnv()}, proxy.Streams{In: iotest.OneByteReader(strings.NewReader(input)), Out: &out, Err: io.Discard}, broken{},
			proxy.Options{Warn: func(err error) { warnings = append(warnings, err) }})
		Expect(err).NotTo(HaveOccurred())
		Expect(out.text()).To(Equal(input))
		Expect(warnings).To(HaveLen(1))
		Expect(warnings[0]).To(MatchError("the recording is incomplete: disk full"))
	})

	It("remarks on lines that are too long to record, and hands them on", func(ctx SpecContext) {
		var out tape
		t := &tape{}
		input := strings.Repeat("x", 100) + "\n{\"a\":1}\nlast"
		_, err := proxy.Stdio(ctx, wire.Target{Command: []string{"cat"}, Env: wire.BaseEnv()}, proxy.Streams{In: strings.NewReader(input), Out: &out, Err: io.Discard}, t.start(), proxy.Options{MessageBytes: 50})
		Expect(err).NotTo(HaveOccurred())
		Expect(out.text()).To(Equal(input))
		var texts []string
		for _, m := range t.read().Sessions[0].Messages {
			if m.From == "server" {
				texts = append(texts, m.Kind+": "+string(m.Bytes))
			}
		}
		Expect(texts).To(Equal([]string{"noise: (a line of 100 bytes is not recorded)", `message: {"a":1}`, "noise: last"}))
	})
})

// broken is a sink on a full disk.
type broken struct{}

func (broken) Message(recording.Message) error { return errors.New("disk full") }
func (broken) Problem(recording.Problem) error { return errors.New("disk full") }
