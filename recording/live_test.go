package recording_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/fixture"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// liveFixture speaks to a fixture set and builds the capture as it goes, without
// the code that rebuilds it from messages.
func liveFixture(id, version string) *recording.Capture {
	GinkgoHelper()
	set, err := fixture.Find(id)
	Expect(err).NotTo(HaveOccurred())
	inRead, in := io.Pipe()
	outRead, outWrite := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- fixture.Serve(context.Background(), set, inRead, outWrite) }()
	defer func() {
		in.Close()
		Eventually(done).Should(Receive(BeNil()))
	}()

	s := &recording.Session{ID: "initialize-" + version, Requested: version, Negotiated: version, Era: recording.EraOf(version), Transport: "stdio"}
	if s.Modern() {
		s.ID = "discover-" + version
	}
	out, clock, next := bufio.NewReader(outRead), time.Duration(0), 0
	keep := func(from string, raw []byte) {
		clock += 1234567 * time.Nanosecond
		s.Messages = append(s.Messages, recording.Message{Session: s.ID, From: from, Kind: "message", At: clock, Bytes: raw})
	}
	send := func(line string) {
		keep("client", []byte(line))
		_, err := io.WriteString(in, line+"\n")
		Expect(err).NotTo(HaveOccurred())
	}
	ask := func(method, params string) (*schema.Value, int) {
		next++
		if s.Modern() {
			params += `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
		}
		send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"x":0%s}}`, next, method, params))
		line, err := out.ReadBytes('\n')
		Expect(err).NotTo(HaveOccurred())
		line = line[:len(line)-1]
		keep("server", line)
		return schema.MustParse(string(line)), len(line)
	}

	method, params := "initialize", fmt.Sprintf(`,"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"test","version":"0"}`, version)
	if s.Modern() {
		method, params = "server/discover", ""
	}
	answer, _ := ask(method, params)
	s.Init = answer.Get("result")
	if !s.Modern() {
		send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	}
	answer, size := ask("tools/list", "")
	s.Pages = []recording.Page{{Result: answer.Get("result"), Bytes: size}}
	for i, v := range answer.Get("result").Get("tools").Items {
		s.Tools = append(s.Tools, recording.NewTool(v, 0, i))
	}
	for _, t := range append(s.Tools, &recording.Tool{Name: "no_such_tool"}) {
		arguments := schema.MustParse(`{}`)
		answer, size := ask("tools/call", fmt.Sprintf(`,"name":%q,"arguments":{}`, t.Name))
		s.Calls = append(s.Calls, &recording.Call{Tool: t.Name, Arguments: arguments, Result: answer.Get("result"), Error: answer.Get("error"), Origin: recording.Real, Bytes: size})
	}
	return &recording.Capture{
		Target:   recording.Target{Name: "hauler", Server: "conform-fixture", Version: "1.0.0", Transport: "stdio", Command: []string{"conform", "fixture"}},
		Sessions: []*recording.Session{s},
	}
}
