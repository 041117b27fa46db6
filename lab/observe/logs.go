package observe

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/hostmatrix/conform/lab/probe"
	"github.com/hostmatrix/conform/schema"
)

// Traffic is what one probe server saw and said.
type Traffic struct {
	Started   int // processes
	Listed    bool
	Protocol  string                     // negotiated version, "" when none was
	Calls     map[string]int             // tools/call by wire name
	Received  map[string]json.RawMessage // arguments of the first call, by wire name
	Handshake []Step                     // requests of the first process up to the first list
	Info      json.RawMessage
	Cursors   int // tools/list with a cursor
}

// Step is one message of a handshake.
type Step struct {
	Method       string          `json:"method"`
	Version      string          `json:"version,omitempty"`
	Capabilities json.RawMessage `json:"capabilities,omitempty"`
	Process      int             `json:"process,omitempty"` // 2 is the second process that the host started
}

// maxLogLine bounds one line of a log, in bytes.
const maxLogLine = 64 << 20

// ReadTraffic reads the log of the probe servers of one run.
func ReadTraffic(path string) (map[string]*Traffic, error) {
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return map[string]*Traffic{}, nil // no server was ever started
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[string]*Traffic{}
	pids := map[string][]int{}
	scanner := bufio.NewScanner(f)
	scanner.Buffer(make([]byte, 1<<20), maxLogLine)
	for line := 1; scanner.Scan(); line++ {
		var e probe.Entry
		if err := json.Unmarshal(scanner.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		t := out[e.Server]
		if t == nil {
			t = &Traffic{Calls: map[string]int{}, Received: map[string]json.RawMessage{}}
			out[e.Server] = t
		}
		if !slices.Contains(pids[e.Server], e.PID) {
			pids[e.Server] = append(pids[e.Server], e.PID)
			t.Started++
		}
		if e.Event == "in" {
			t.read(e.Raw, slices.Index(pids[e.Server], e.PID)+1)
		} else if e.Event == "out" {
			t.answered(e.Raw)
		}
	}
	return out, scanner.Err()
}

// read takes note of one message of the client.
func (t *Traffic) read(raw []byte, process int) {
	m, err := schema.Parse(raw, schema.Limits{})
	if err != nil {
		return
	}
	method, params := text(m, "method"), m.Get("params")
	switch method {
	case "":
		return
	case "tools/call":
		name := text(params, "name")
		if t.Calls[name]++; t.Calls[name] == 1 {
			t.Received[name] = rawOf(params.Get("arguments"))
		}
	case "initialize":
		t.Info = rawOf(params.Get("clientInfo"))
	case "server/discover":
		if info := params.Get("_meta").Get("io.modelcontextprotocol/clientInfo"); info != nil {
			t.Info = rawOf(info)
		}
	}
	if !t.Listed && len(t.Handshake) < 12 {
		step := Step{Method: method, Version: text(params, "protocolVersion"), Capabilities: rawOf(params.Get("capabilities"))}
		if meta := params.Get("_meta"); meta != nil && step.Version == "" {
			step.Version = text(meta, "io.modelcontextprotocol/protocolVersion")
			step.Capabilities = rawOf(meta.Get("io.modelcontextprotocol/clientCapabilities"))
		}
		if process > 1 {
			step.Process = process
		}
		t.Handshake = append(t.Handshake, step)
	}
	if method == "tools/list" {
		t.Listed = true
		if params.Has("cursor") {
			t.Cursors++
		}
		if v := text(params.Get("_meta"), "io.modelcontextprotocol/protocolVersion"); v != "" {
			t.Protocol = v
		}
	}
}

// answered takes note of the version that the server agreed to.
func (t *Traffic) answered(raw []byte) {
	m, err := schema.Parse(raw, schema.Limits{})
	if err != nil {
		return // a long answer, of which the log keeps the start only
	}
	if v := text(m.Get("result"), "protocolVersion"); v != "" {
		t.Protocol = v
	}
}

func rawOf(v *schema.Value) json.RawMessage {
	if v == nil {
		return nil
	}
	return json.RawMessage(v.Compact())
}

func text(v *schema.Value, key string) string {
	s, _ := v.Get(key).IsString()
	return s
}
