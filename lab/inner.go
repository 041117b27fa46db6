package lab

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hostmatrix/conform/lab/adapters"
	"github.com/hostmatrix/conform/lab/isolate"
	"github.com/hostmatrix/conform/lab/model"
	"github.com/hostmatrix/conform/lab/probe"
)

// Inner is the process inside the room: it finishes the room, starts the model,
// runs the host and writes a report. find resolves the job's host.
func Inner(ctx context.Context, jobPath string, find func(Job) (adapters.Adapter, error)) error {
	var job Job
	if err := readJSON(jobPath, &job); err != nil {
		return fmt.Errorf("reading the job: %w", err)
	}
	report, err := job.inside(ctx, find)
	if err != nil {
		report.Error = err.Error()
	}
	return writeJSON(job.path(reportFile), report)
}

// writable are the folders that the room leaves open: the run's, and, until the host
// starts, the one where it is installed, which gets its driver.
func (j Job) writable() []string {
	if j.Installed.Dir == "" {
		return []string{j.Run}
	}
	return []string{j.Run, j.Installed.Dir}
}

func (j Job) inside(ctx context.Context, find func(Job) (adapters.Adapter, error)) (Left, error) {
	var report Left
	if !j.Open {
		if err := isolate.Enter(isolate.Room{Hide: j.Hide, Keep: j.Keep, Open: j.writable()}); err != nil {
			return report, err
		}
	}
	adapter, err := find(j)
	if err != nil {
		return report, err
	}
	catalogue, err := probe.Open(j.Catalogue)
	if err != nil {
		return report, err
	}
	servers, steps, err := j.plan(catalogue)
	if err != nil {
		return report, err
	}
	fake, address, stop, err := j.startModel(steps)
	if err != nil {
		return report, err
	}
	defer stop()
	probes, stopProbes, err := j.startProbes(servers)
	if err != nil {
		return report, err
	}
	defer stopProbes()
	command, err := j.prepare(adapter, servers, steps, address, probes)
	if err != nil {
		return report, fmt.Errorf("preparing %s: %w", j.Host, err)
	}
	if !j.Open && j.Installed.Dir != "" {
		if err := isolate.Close(j.Installed.Dir); err != nil {
			return report, err
		}
	}
	ctx, stuck := j.watch(ctx, fake, servers)
	if report.Outcome, err = j.start(ctx, command); err != nil {
		return report, err
	}
	report.Stuck = stuck()
	report.Record = fake.Record()
	return report, j.readEvents(&report, steps)
}

// startModel listens on a free port of the loopback interface.
func (j Job) startModel(steps []model.Step) (*model.Server, string, func(), error) {
	log, err := os.Create(j.path(modelLog))
	if err != nil {
		return nil, "", nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", nil, fmt.Errorf("listening for the model: %w", err)
	}
	fake := model.New(steps, log)
	server := &http.Server{Handler: fake, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }() // ends with stop
	return fake, "http://" + listener.Addr().String(), func() { server.Close(); log.Close() }, nil
}

func (j Job) era() probe.Era { return cmp.Or(j.Mode.Era, probe.Legacy) }

// startProbes serves the probe servers over HTTP where the mode asks for it, each at
// /mcp/NAME of the address that it returns; "" means that the host starts them.
func (j Job) startProbes(servers []probe.Server) (string, func(), error) {
	if !j.Mode.HTTP {
		return "", func() {}, nil
	}
	log, err := probe.OpenLog(j.path(probeLog))
	if err != nil {
		return "", nil, err
	}
	mux := http.NewServeMux()
	for _, s := range servers {
		mux.Handle("/mcp/"+s.Name, s.Handler(j.era(), log))
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("listening for the probe servers: %w", err)
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }() // ends with stop
	return "http://" + listener.Addr().String(), func() { server.Close(); log.Close() }, nil
}

// prepare writes the host's configuration, the plan and the list of servers.
func (j Job) prepare(a adapters.Adapter, servers []probe.Server, steps []model.Step, address, probes string) (adapters.Command, error) {
	setup := &adapters.Setup{Install: j.Installed.Dir, Node: j.Installed.Node, Program: j.Installed.Program, Run: j.Run, Home: j.path("home"), Work: j.path("work"),
		Version: j.Version, Mode: j.Mode, Model: address}
	for _, dir := range []string{"home", "work", "tmp", "bin"} {
		if err := os.MkdirAll(j.path(dir), 0o755); err != nil {
			return adapters.Command{}, err
		}
	}
	// The program is started under its own name: a test binary that stands in for it
	// tells by that name what it is.
	self := filepath.Join(j.path("bin"), "conform")
	if err := os.Symlink(j.Self, self); err != nil {
		return adapters.Command{}, err
	}
	for _, s := range servers {
		server := adapters.Server{Name: s.Name, Command: self,
			Args: []string{"lab", "probe-server", "--server", s.Name, "--era", string(j.era()), "--log", j.path(probeLog)}}
		if j.Catalogue != "" {
			server.Args = append(server.Args, "--catalogue", j.Catalogue)
		}
		if probes != "" {
			server = adapters.Server{Name: s.Name, URL: probes + "/mcp/" + s.Name}
		}
		setup.Servers = append(setup.Servers, server)
	}
	type call struct {
		Probe     string          `json:"probe"`
		Arguments json.RawMessage `json:"arguments"`
		Wire      string          `json:"wire,omitempty"` // by which a tool without a tag is known
	}
	calls := make([]call, 0, len(steps))
	for _, s := range steps {
		calls = append(calls, call{s.Probe, json.RawMessage(s.Arguments.Compact()), s.Wire})
	}
	if err := writeJSON(j.path(adapters.PlanFile), calls); err != nil {
		return adapters.Command{}, err
	}
	if err := writeJSON(j.path(adapters.ServersFile), setup.Servers); err != nil {
		return adapters.Command{}, err
	}
	return a.Prepare(setup)
}

// start runs the host with nothing of the caller's environment.
func (j Job) start(ctx context.Context, c adapters.Command) (isolate.Outcome, error) {
	stdout, err := os.Create(j.path(stdoutFile))
	if err != nil {
		return isolate.Outcome{}, err
	}
	defer stdout.Close()
	stderr, err := os.Create(j.path(stderrFile))
	if err != nil {
		return isolate.Outcome{}, err
	}
	defer stderr.Close()
	path := "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
	if j.Installed.Node != "" {
		path = filepath.Dir(j.Installed.Node) + ":" + path
	}
	env := append([]string{"HOME=" + j.path("home"), "PATH=" + path, "TMPDIR=" + j.path("tmp"), "LANG=C.UTF-8", "TERM=dumb", "CI=1", "NO_COLOR=1",
		"NO_PROXY=127.0.0.1,localhost", "DO_NOT_TRACK=1"}, c.Env...)
	return isolate.Command(ctx, isolate.Program{Args: c.Args, Env: env, Dir: j.path("work"), Stdout: stdout, Stderr: stderr, Limit: j.Limit, Memory: j.Memory,
		Disk: j.Disk, Tasks: j.Tasks, Scratch: j.Run, Confined: !j.Open})
}

// event is one line of a driver's file.
type event struct {
	Event       string          `json:"event"` // listed, lost, tool or answer
	Server      string          `json:"server"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"`
	Output      json.RawMessage `json:"output"`
	Probe       string          `json:"probe"`
	Value       json.RawMessage `json:"value"`
	Thrown      string          `json:"thrown"`
	Code        json.RawMessage `json:"code"`
	Message     model.Text      `json:"message"`
	Texts       model.Texts     `json:"texts"`
	Images      int             `json:"images"`
	Other       []string        `json:"other"`
	IsError     *bool           `json:"is_error"`
	Channel     string          `json:"channel"`
}

// readEvents adds what a driver saw to the record. Hosts that drive themselves
// leave no such file.
func (j Job) readEvents(report *Left, steps []model.Step) error {
	f, err := os.Open(j.path(adapters.EventsFile))
	if os.IsNotExist(err) {
		return nil
	} else if err != nil {
		return err
	}
	defer f.Close()
	report.Lost = map[string]string{}
	scanner := bufio.NewScanner(f)
	scanner.Buffer(make([]byte, 1<<20), 64<<20)
	for line := 1; scanner.Scan(); line++ {
		var e event
		if err := json.Unmarshal(scanner.Bytes(), &e); err != nil {
			return fmt.Errorf("%s:%d: %w", adapters.EventsFile, line, err)
		}
		report.take(e, steps)
	}
	return scanner.Err()
}

func (r *Left) take(e event, steps []model.Step) {
	switch e.Event {
	case "lost":
		r.Lost[e.Server] = string(e.Message)
	case "tool":
		id := model.ProbeOf(e.Description)
		if i := slices.IndexFunc(steps, func(s model.Step) bool { return s.Wire != "" && s.Wire == e.Name }); id == "" && i >= 0 {
			id = steps[i].Probe
		}
		if id == "" || slices.ContainsFunc(r.Record.Tools, func(t model.Tool) bool { return t.Probe == id }) {
			return
		}
		r.Record.Tools = append(r.Record.Tools, model.Tool{Probe: id, Name: e.Name, Description: e.Description, Schema: e.Schema, Output: e.Output})
	case "answer":
		a := model.Answer{Probe: e.Probe, Texts: e.Texts, Images: e.Images, Other: e.Other, IsError: e.IsError, Channel: e.Channel,
			Value: e.Value, Thrown: e.Thrown, Code: e.Code}
		if e.Thrown != "" {
			failed := true
			a.Texts, a.IsError, a.Value = model.Texts{string(e.Message)}, &failed, nil
		}
		r.Record.Answers = append(r.Record.Answers, a)
	}
}
