package probe

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"

	"github.com/hostmatrix/conform/schema"
)

// maxLine bounds one message of a client, in bytes.
const maxLine = 16 << 20

// Entry is one line of a probe server's log.
type Entry struct {
	PID    int             `json:"pid"`
	Server string          `json:"server"`
	Event  string          `json:"event"` // "start", "in", "out", "http", "bad" or "end"
	Raw    json.RawMessage `json:"raw,omitempty"`
	Text   string          `json:"text,omitempty"` // what is no JSON
	Header http.Header     `json:"header,omitempty"`
	Env    []string        `json:"env,omitempty"` // names only
}

// Log appends entries to a file that several processes share.
type Log struct {
	mu sync.Mutex
	f  *os.File
}

// OpenLog opens a log; lines of several processes do not mix, because each is one
// write to a file in append mode.
func OpenLog(path string) (*Log, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("the log of the probe server: %w", err)
	}
	return &Log{f: f}, nil
}

// Close closes the file.
func (l *Log) Close() error { return l.f.Close() }

func (l *Log) write(e Entry) error {
	e.PID = os.Getpid()
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err = l.f.Write(append(line, '\n'))
	return err
}

// loggedBytes bounds an answer of ours in the log: the catalogue knows the rest.
const loggedBytes = 2000

func (l *Log) message(server, event string, raw []byte, header http.Header) error {
	if event == "out" && len(raw) > loggedBytes {
		return l.write(Entry{Server: server, Event: event, Text: string(raw[:loggedBytes])})
	}
	if !json.Valid(raw) {
		return l.write(Entry{Server: server, Event: "bad", Text: string(raw), Header: header})
	}
	return l.write(Entry{Server: server, Event: event, Raw: raw, Header: header})
}

// ServeStdio speaks newline-delimited JSON until in ends.
func (s Server) ServeStdio(era Era, in io.Reader, out io.Writer, log *Log) error {
	if err := log.write(Entry{Server: s.Name, Event: "start", Env: environmentNames()}); err != nil {
		return err
	}
	scanner := bufio.NewScanner(in)
	scanner.Buffer(make([]byte, 64<<10), maxLine)
	for scanner.Scan() {
		line := bytes.TrimSpace(scanner.Bytes())
		if len(line) == 0 {
			continue
		}
		if err := log.message(s.Name, "in", bytes.Clone(line), nil); err != nil {
			return err
		}
		reply := s.reply(era, line)
		if reply == nil {
			continue
		}
		if err := log.message(s.Name, "out", reply, nil); err != nil {
			return err
		}
		if _, err := out.Write(append(reply, '\n')); err != nil {
			return err
		}
	}
	return errors.Join(scanner.Err(), log.write(Entry{Server: s.Name, Event: "end"}))
}

func (s Server) reply(era Era, line []byte) []byte {
	message, err := schema.Parse(line, schema.Limits{})
	if err != nil {
		return nil
	}
	if answer := s.Respond(era, message); answer != nil {
		return []byte(answer.Compact())
	}
	return nil
}

// ignores says whether a message is the request that this server never answers.
func (s Server) ignores(body []byte) bool {
	m, err := schema.Parse(body, schema.Limits{})
	return err == nil && m.Has("id") && str(m, "method") == s.Silent
}

func environmentNames() []string {
	var names []string
	for _, pair := range os.Environ() {
		name, _, _ := bytes.Cut([]byte(pair), []byte("="))
		names = append(names, string(name))
	}
	slices.Sort(names)
	return names
}

// Handler serves Streamable HTTP with plain JSON answers at one path.
func (s Server) Handler(era Era, log *Log) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxLine))
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		if r.Method != http.MethodPost {
			_ = log.write(Entry{Server: s.Name, Event: "http", Text: r.Method, Header: shown(r.Header)})
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, "this server has no stream of its own", http.StatusMethodNotAllowed)
			return
		}
		if err := log.message(s.Name, "in", body, shown(r.Header)); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		reply := s.reply(era, body)
		if reply == nil {
			if s.Silent != "" && s.ignores(body) {
				<-r.Context().Done() // the host's patience, not ours
				return
			}
			w.WriteHeader(http.StatusAccepted)
			return
		}
		if err := log.message(s.Name, "out", reply, nil); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(reply) // a host that hung up is seen by its missing next step
	})
}

// shown leaves out headers that may be secret or that differ from run to run.
func shown(h http.Header) http.Header {
	out := http.Header{}
	for _, name := range []string{"Accept", "Content-Type", "User-Agent", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"} {
		if v := h.Values(name); len(v) > 0 {
			out[name] = v
		}
	}
	return out
}
