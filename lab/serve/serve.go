// Package serve lets a person observe a host that can't be installed here: it
// serves the probe servers over HTTP, a page that says what to type, and a tool
// with which the model reports what it saw. What arrived becomes the same
// observation file that a run writes.
package serve

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/hostmatrix/conform/lab/adapters"
	"github.com/hostmatrix/conform/lab/model"
	"github.com/hostmatrix/conform/lab/observe"
	"github.com/hostmatrix/conform/lab/probe"
	"github.com/hostmatrix/conform/schema"
)

// Origin marks files that were served to a person's own host.
const Origin = "served by `conform lab serve` to a host that a person ran; ran by: (add who)"

// Session is one host under observation.
type Session struct {
	Host, Version string
	Servers       []probe.Server
	Era           probe.Era
	LogPath       string
	log           *probe.Log

	mu      sync.Mutex
	reports map[string]report // by probe
}

// report is what the model said about one tool.
type report struct{ Tool, Text string }

// Open starts a session; every message is appended to the log at logPath.
func Open(host, version string, servers []probe.Server, era probe.Era, logPath string) (*Session, error) {
	log, err := probe.OpenLog(logPath)
	if err != nil {
		return nil, err
	}
	return &Session{Host: host, Version: version, Servers: servers, Era: era, LogPath: logPath, log: log, reports: map[string]report{}}, nil
}

// Close closes the log.
func (s *Session) Close() error { return s.log.Close() }

// reportServer is the name of the server whose one tool takes reports.
const reportServer = "report"

// Handler serves the page at /, each probe server at /mcp/NAME and the reporting
// tool at /mcp/report.
func (s *Session) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.page)
	mux.HandleFunc("GET /state", s.state)
	for _, server := range s.Servers {
		mux.Handle("/mcp/"+server.Name, server.Handler(s.Era, s.log))
	}
	mux.HandleFunc("POST /mcp/"+reportServer, s.take)
	return local(mux)
}

// local refuses requests that a page of another site makes a browser send
// (DNS rebinding): the servers are for programs on this machine.
func local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
			http.Error(w, "requests of other sites are refused", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// reporting is the server with the reporting tool. It answers like any other
// probe server; what it is told is kept.
func reporting() probe.Server {
	return probe.Server{Name: reportServer, Probes: []probe.Probe{{
		ID: "report_seen", Arguments: schema.Obj(), Result: schema.MustParse(`{"content":[{"type":"text","text":"noted"}]}`),
		Tool: schema.MustParse(`{"name":"report_seen","description":"Reports what you saw of one probe tool: its tag, its name as you know it, and the complete output of your call, verbatim.",` +
			`"inputSchema":{"type":"object","properties":{"tag":{"type":"string","description":"what stands in [[P:...]] in the tool's description"},` +
			`"tool":{"type":"string","description":"the tool's name as you know it"},"output":{"type":"string","description":"the output, verbatim"}},"required":["tag","tool","output"]},` +
			`"annotations":{"readOnlyHint":true}}`),
	}}}
}

// take serves the reporting tool and keeps reports.
func (s *Session) take(w http.ResponseWriter, r *http.Request) {
	body, err := readAll(w, r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	if m, err := schema.Parse(body, schema.Limits{}); err == nil && text(m, "method") == "tools/call" {
		arguments := m.Get("params").Get("arguments")
		s.mu.Lock()
		s.reports[strings.Trim(strings.TrimPrefix(text(arguments, "tag"), "[[P:"), "]")] = report{text(arguments, "tool"), text(arguments, "output")}
		s.mu.Unlock()
	}
	r.Body = again(body)
	reporting().Handler(s.Era, s.log).ServeHTTP(w, r)
}

// Run is what arrived so far.
func (s *Session) Run() (observe.Run, error) {
	traffic, err := observe.ReadTraffic(s.LogPath)
	if err != nil {
		return observe.Run{}, err
	}
	run := observe.Run{Host: s.Host, Version: s.Version, Mode: adapters.Mode{Name: "served"}, Transport: "http", Servers: s.Servers, Traffic: traffic, Reported: true}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, server := range s.Servers {
		for _, p := range server.Probes {
			r, told := s.reports[p.ID]
			if !told {
				continue
			}
			run.Record.Tools = append(run.Record.Tools, model.Tool{Probe: p.ID, Name: r.Tool})
			run.Record.Answers = append(run.Record.Answers, model.Answer{Probe: p.ID, Texts: []string{r.Text}, Channel: "what the model reported",
				Arguments: json.RawMessage(p.Arguments.Compact())})
		}
	}
	return run, nil
}

// Arrived is one row of the page.
type Arrived struct {
	Server    string `json:"server"`
	Handshake string `json:"handshake"`
	Listed    bool   `json:"listed"`
	Calls     int    `json:"calls"`
	Reports   int    `json:"reports"`
	Probes    int    `json:"probes"`
}

// Arrived counts what arrived, server by server.
func (s *Session) Arrived() ([]Arrived, error) {
	run, err := s.Run()
	if err != nil {
		return nil, err
	}
	var out []Arrived
	for _, server := range s.Servers {
		a := Arrived{Server: server.Name, Probes: len(server.Probes)}
		if t := run.Traffic[server.Name]; t != nil {
			var steps []string
			for _, step := range t.Handshake {
				steps = append(steps, strings.TrimSpace(step.Method+" "+step.Version))
			}
			a.Handshake, a.Listed = strings.Join(steps, ", "), t.Listed
			for _, n := range t.Calls {
				a.Calls += n
			}
		}
		for _, p := range server.Probes {
			if slices.ContainsFunc(run.Record.Tools, func(t model.Tool) bool { return t.Probe == p.ID }) {
				a.Reports++
			}
		}
		out = append(out, a)
	}
	return out, nil
}

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

func (s *Session) page(w http.ResponseWriter, r *http.Request) {
	rows, err := s.Arrived()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	config := map[string]any{}
	for _, name := range append(s.names(), reportServer) {
		config[name] = map[string]string{"url": fmt.Sprintf("http://%s/mcp/%s", r.Host, name)}
	}
	text, err := json.MarshalIndent(map[string]any{"mcpServers": config}, "", "  ")
	if err == nil {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		err = pageTemplate.Execute(w, map[string]any{"Host": s.Host, "Version": s.Version, "Config": string(text), "Prompt": Prompt, "Rows": rows})
	}
	if err != nil && !errors.Is(err, http.ErrHandlerTimeout) {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// Prompt is what a person asks the host for.
const Prompt = "For every tool whose description starts with [[P:, one after the other: call it once with the argument q = x (or what its schema asks for), " +
	"then call report_seen with the tag, the tool's name as you know it, and the complete output that you got, verbatim. Report errors too. Do not stop before the last one."

func (s *Session) names() []string {
	var out []string
	for _, server := range s.Servers {
		out = append(out, server.Name)
	}
	return out
}

func (s *Session) state(w http.ResponseWriter, _ *http.Request) {
	rows, err := s.Arrived()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(rows) // a browser that went away needs no answer
}
