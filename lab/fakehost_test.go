package lab

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"strings"
	"syscall"
	"time"

	"github.com/hostmatrix/conform/lab/adapters"
)

// The hosts below misbehave in one way each. They are real MCP hosts as far as they
// go: they start the servers, shake hands, list, ask the model and call. Each is
// this test binary under the argument "host", named by its mode.

// fakeAdapter starts the fake host of the job's mode.
func fakeAdapter(j Job) (adapters.Adapter, error) {
	return adapters.Adapter{ID: "fake", Versions: []string{"1"}, Prepare: func(s *adapters.Setup) (adapters.Command, error) {
		return adapters.Command{Args: []string{j.Self, "host", s.Mode.Name, s.Run, s.Model}, Env: []string{"SECRET_OF_HOST=1"}}, nil
	}}, nil
}

// server is one probe server that the fake host talks to.
type server struct {
	name string
	in   io.Writer
	out  *bufio.Scanner
	id   int
}

func (s *server) ask(method string, params any) json.RawMessage {
	s.id++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.id, "method": method, "params": params})
	if err != nil {
		panic(err)
	}
	if _, err := s.in.Write(append(line, '\n')); err != nil {
		panic(err)
	}
	if !s.out.Scan() {
		panic(fmt.Sprintf("server %s ended: %v", s.name, s.out.Err()))
	}
	var answer struct{ Result, Error json.RawMessage }
	if err := json.Unmarshal(s.out.Bytes(), &answer); err != nil {
		panic(err)
	}
	if answer.Error != nil {
		return answer.Error
	}
	return answer.Result
}

func connect(a adapters.Server) *server {
	cmd := exec.Command(a.Command, a.Args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		panic(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	s := &server{name: a.Name, in: in, out: bufio.NewScanner(out)}
	s.out.Buffer(make([]byte, 1<<20), 64<<20)
	s.ask("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "fake-host", "version": "1"}})
	return s
}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	from        *server
}

// host is the main function of a fake host.
func host(kind, run, address string) int {
	if kind == "undo" {
		return undo(run)
	}
	var servers []adapters.Server
	if err := readJSON(run+"/"+adapters.ServersFile, &servers); err != nil {
		panic(err)
	}
	tools := map[string]tool{}
	var offered []any
	if kind != "never-connects" {
		for _, a := range servers {
			s := connect(a)
			var page struct{ Tools []tool }
			if err := json.Unmarshal(s.ask("tools/list", map[string]any{}), &page); err != nil {
				panic(err)
			}
			for _, t := range page.Tools {
				if kind == "drops-a-tool" && strings.HasPrefix(t.Name, "sc_mismatch") {
					continue
				}
				name, parameters := t.Name, t.InputSchema
				if kind == "rewrites" {
					name, parameters = a.Name+"-"+strings.ToUpper(t.Name), json.RawMessage(`{"type":"object"}`)
				}
				if kind == "escapes" {
					name = "\x1b[31m" + name
				}
				t.from = s
				tools[name] = t
				offered = append(offered, map[string]any{"type": "function", "function": map[string]any{"name": name, "description": t.Description, "parameters": parameters}})
			}
		}
	}
	switch kind {
	case "hangs":
		select {}
	case "fills-memory":
		for block := [][]byte{}; ; block = append(block, bytes.Repeat([]byte("x"), 16<<20)) {
		}
	case "fills-disk":
		for i := 0; ; i++ {
			_ = os.WriteFile(fmt.Sprintf("%s/home/%d", run, i%4096), make([]byte, 1<<20), 0o600) // until it is ended
		}
	case "runs-the-lab":
		l := Lab{Cache: run + "/home", Progress: func(string) {}}
		_, err := l.Observe(context.Background(), adapters.All()[0], "1", adapters.Mode{})
		if err := os.WriteFile(run+"/nested.txt", []byte(fmt.Sprint(err)), 0o600); err != nil {
			panic(err)
		}
	case "shares-memory":
		shareMemory()
		select {}
	case "snoops":
		snoop(run)
	case "attacks":
		attack(run)
	case "forks":
		for { // the lab is faster, or the machine refuses
			_ = exec.Command("sleep", "60").Start()
		}
	case "kills-everyone":
		_ = syscall.Kill(-1, syscall.SIGKILL)
		os.Exit(0)
	case "escapes":
		fmt.Print("\x1b]0;owned\x07\x1b[2J")
		fmt.Fprint(os.Stderr, "\x1b]0;owned\x07\x1b[2J")
	case "leaves-a-daemon":
		if err := exec.Command("/bin/sh", "-c", "setsid sleep 984 >/dev/null 2>&1 &").Run(); err != nil {
			panic(err)
		}
	}
	chat(kind, address, tools, offered)
	return 0
}

// snooped is what a host found that is none of its business; "" where it failed.
type snooped struct {
	Home    []string // of the user who runs the lab
	Env     []string
	Outside string // why the network outside could not be reached
	Name    string // why no name could be looked up
}

// snoop looks around and writes down what it found.
func snoop(run string) {
	var found snooped
	if me, err := user.LookupId("0"); err == nil {
		entries, _ := os.ReadDir(me.HomeDir)
		for _, e := range entries {
			found.Home = append(found.Home, e.Name())
		}
	}
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		found.Env = append(found.Env, name)
	}
	if c, err := net.DialTimeout("tcp", "192.0.2.1:443", 5*time.Second); err != nil { // RFC 5737
		found.Outside = err.Error()
	} else {
		c.Close()
	}
	if _, err := net.LookupHost("example.com"); err != nil {
		found.Name = err.Error()
	}
	if err := writeJSON(run+"/snooped.json", found); err != nil {
		panic(err)
	}
}

// chat is the loop of an agent.
func chat(kind, address string, tools map[string]tool, offered []any) {
	messages := []any{map[string]any{"role": "user", "content": adapters.Prompt}}
	for {
		body, err := json.Marshal(map[string]any{"model": "fake-model", "messages": messages, "tools": offered})
		if err != nil {
			panic(err)
		}
		response, err := http.Post(address+"/v1/chat/completions", "application/json", bytes.NewReader(body))
		if err != nil {
			panic(err)
		}
		var reply struct {
			Choices []struct {
				Message struct {
					Content   string
					ToolCalls []struct {
						ID       string
						Function struct{ Name, Arguments string }
					} `json:"tool_calls"`
				}
			}
		}
		err = json.NewDecoder(response.Body).Decode(&reply)
		response.Body.Close()
		if err != nil {
			panic(err)
		}
		calls := reply.Choices[0].Message.ToolCalls
		if len(calls) == 0 {
			if kind != "loops" {
				return
			}
			time.Sleep(time.Millisecond)
			continue
		}
		messages = append(messages, map[string]any{"role": "assistant", "tool_calls": calls})
		for _, c := range calls {
			t := tools[c.Function.Name]
			if kind == "never-comes-back" && (t.Name == "tuple_ok" || t.Name == "both_diff") {
				t.from.ask("tools/call", map[string]any{"name": t.Name, "arguments": map[string]any{}})
				select {}
			}
			result := t.from.ask("tools/call", map[string]any{"name": t.Name, "arguments": json.RawMessage(c.Function.Arguments)})
			messages = append(messages, map[string]any{"role": "tool", "tool_call_id": c.ID, "content": string(result)})
		}
	}
}

func init() {
	if len(os.Args) == 5 && os.Args[1] == "host" {
		os.Exit(host(os.Args[2], os.Args[3], os.Args[4]))
	}
}
