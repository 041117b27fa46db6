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
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/lab/adapters"
	"github.com/hostmatrix/conform/lab/model"
	"github.com/hostmatrix/conform/lab/observe"
	"github.com/hostmatrix/conform/lab/probe"
)

// Origin marks files that were served to a person's own host.
const Origin = "served by `conform lab serve` to a host that a person ran; ran by: (add who)"

// Session is one host under observation.
type Session struct {
	Host, Version string
	Servers       []probe.Server
	Era           probe.Era
	LogPath       string
	// Program starts a probe server over stdio, which takes the flags --server, --era
	// and --log; empty is none.
	Program []string
	log     *probe.Log
}

// named is what a host and a version may be called: they become a file's name.
var named = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`)

// Open starts a session; every message is appended to the log at logPath. What a
// person would lose after an hour of work is refused here: names that make no file
// name, an era that no server speaks.
func Open(host, version string, servers []probe.Server, era probe.Era, logPath string) (*Session, error) {
	for _, name := range []string{host, version} {
		if !named.MatchString(name) {
			return nil, fmt.Errorf("%q becomes part of a file's name: use letters, digits, dots, dashes and underscores", name)
		}
	}
	if !slices.Contains([]probe.Era{probe.Legacy, probe.Modern, probe.Dual}, era) {
		return nil, fmt.Errorf("era %q: use legacy, modern or dual", era)
	}
	log, err := probe.OpenLog(logPath)
	if err != nil {
		return nil, err
	}
	return &Session{Host: host, Version: version, Servers: servers, Era: era, LogPath: logPath, log: log}, nil
}

// Close closes the log.
func (s *Session) Close() error { return s.log.Close() }

// Handler serves the page at /, each probe server at /mcp/NAME and the reporting
// tool at /mcp/report.
func (s *Session) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.page)
	mux.HandleFunc("GET /state", s.state)
	for _, server := range s.Servers {
		mux.Handle("/mcp/"+server.Name, server.Handler(s.Era, s.log))
	}
	mux.Handle("/mcp/"+ReportServer, Reporting().Handler(s.Era, s.log))
	return local(mux)
}

// local refuses requests that a page of another site makes a browser send. A name
// that was bound anew to this machine (DNS rebinding) makes the page's origin that of
// the request: only an address or localhost is believed. Programs send no origin.
func local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if origin := r.Header.Get("Origin"); origin != "" && (origin != "http://"+r.Host || !address(origin)) {
			http.Error(w, "requests of other sites are refused", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// address says that an origin names no host that a name server could tell.
func address(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Hostname() == "localhost" || net.ParseIP(u.Hostname()) != nil)
}

// Run is what arrived so far.
func (s *Session) Run() (observe.Run, error) {
	traffic, err := observe.ReadTraffic(s.LogPath)
	if err != nil {
		return observe.Run{}, err
	}
	reports, transport, err := readReports(s.LogPath)
	if err != nil {
		return observe.Run{}, err
	}
	run := observe.Run{Host: s.Host, Version: s.Version, Mode: adapters.Mode{Name: "served"}, Transport: transport, Servers: s.Servers, Traffic: traffic, Reported: true}
	for _, server := range s.Servers {
		if r, told := reports[server.ControlName()]; told && server.Control {
			run.Record.Tools = append(run.Record.Tools, model.Tool{Probe: server.ControlName(), Name: r.Tool})
		}
		for _, p := range server.Probes {
			r, told := reports[p.ID]
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

// Nothing says that no server was met and nothing was reported: there is nothing to
// write down.
func (s *Session) Nothing() (bool, error) {
	rows, err := s.Arrived()
	return !slices.ContainsFunc(rows, func(a Arrived) bool { return a.Handshake != "" || a.Listed || a.Calls > 0 || a.Reports > 0 }), err
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
	web, errHTTP := s.config(func(name string) any {
		return map[string]string{"type": "http", "url": fmt.Sprintf("http://%s/mcp/%s", r.Host, name)}
	})
	stdio, errStdio := s.config(s.start)
	err = errors.Join(errHTTP, errStdio)
	if err == nil {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		err = pageTemplate.Execute(w, map[string]any{"Host": s.Host, "Version": s.Version, "Config": web, "Stdio": stdio, "Starts": len(s.Program) > 0, "Prompt": Prompt, "Rows": rows})
	}
	if err != nil && !errors.Is(err, http.ErrHandlerTimeout) {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// config is the configuration that a person adds to the host, one entry a server.
func (s *Session) config(entry func(name string) any) (string, error) {
	servers := map[string]any{}
	for _, name := range append(s.names(), ReportServer) {
		servers[name] = entry(name)
	}
	text, err := json.MarshalIndent(map[string]any{"mcpServers": servers}, "", "  ")
	return string(text), err
}

// start is the entry of a server that the host starts.
func (s *Session) start(name string) any {
	words := append(slices.Clone(s.Program), "--server", name, "--era", string(s.Era), "--log", s.LogPath)
	return map[string]any{"command": words[0], "args": words[1:]}
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
