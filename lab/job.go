// Package lab observes real hosts: it installs an exact version, runs it in a room
// of its own against a scripted model and probe servers, and turns what happened
// into observations that the table is checked against.
package lab

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hostmatrix/conform/lab/adapters"
	"github.com/hostmatrix/conform/lab/isolate"
	"github.com/hostmatrix/conform/lab/model"
	"github.com/hostmatrix/conform/lab/probe"
	"github.com/hostmatrix/conform/schema"
)

// Job is one run, as it is handed to the process inside the room.
type Job struct {
	Host      string             `json:"host"`
	Version   string             `json:"version"`
	Mode      adapters.Mode      `json:"mode"`
	Installed adapters.Installed `json:"installed"`
	Run       string             `json:"run"` // folder of the run
	Self      string             `json:"self"`
	Servers   []string           `json:"servers"`
	Catalogue string             `json:"catalogue,omitempty"` // file with the probes; "" is the built-in one
	Limit     time.Duration      `json:"limit"`
	Patience  time.Duration      `json:"patience"`       // how long one call may take
	Skip      []string           `json:"skip,omitempty"` // probes that are offered and not called
	Memory    int64              `json:"memory"`
	Disk      int64              `json:"disk"`
	Tasks     int64              `json:"tasks"`
	Open      bool               `json:"open,omitempty"` // no namespaces
	Hide      []string           `json:"hide,omitempty"`
	Keep      []string           `json:"keep,omitempty"`
}

// Left is what the process inside the room leaves behind.
type Left struct {
	Outcome isolate.Outcome   `json:"outcome"`
	Record  model.Record      `json:"record"`
	Lost    map[string]string `json:"lost,omitempty"`  // server -> why a client lost its list
	Stuck   string            `json:"stuck,omitempty"` // the probe whose call the host did not get over
	Error   string            `json:"error,omitempty"`
}

// Files of a run.
const (
	jobFile    = "job.json"
	probesFile = "catalogue.json"
	reportFile = "report.json"
	probeLog   = "probes.jsonl"
	modelLog   = "model.jsonl"
	stdoutFile = "stdout.txt"
	stderrFile = "stderr.txt"
)

// Defaults of a run.
const (
	DefaultLimit = 5 * time.Minute
	// DefaultPatience is more than the minute that the SDKs wait for an answer that
	// never comes. Hosts that set ten minutes (Gemini CLI), or no limit, are stuck.
	DefaultPatience = 100 * time.Second
	DefaultMemory   = 6 << 30 // bytes
	DefaultDisk     = 4 << 30 // bytes of all that a host writes
	// DefaultTasks is how many processes and threads a host may have at once, with its
	// servers: ours are some thirty, of ten threads each.
	DefaultTasks = 4096
)

func readJSON(path string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func writeJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

// plan lists the calls of a job in catalogue order.
func (j Job) plan(c *probe.Catalogue) ([]probe.Server, []model.Step, error) {
	var servers []probe.Server
	var steps []model.Step
	for _, name := range j.Servers {
		s, ok := c.Server(name)
		if !ok {
			return nil, nil, fmt.Errorf("no probe server %q in the catalogue", name)
		}
		servers = append(servers, s)
		if s.Control && slices.ContainsFunc(s.Probes, func(p probe.Probe) bool { return p.Name() == s.ControlName() }) {
			// Two tools of one name: both are called, because the server can't tell whose call it was.
			steps = append(steps, model.Step{Probe: s.ControlName(), Arguments: schema.MustParse(`{"q":"x"}`)})
		}
		for _, p := range s.Probes {
			if slices.Contains(j.Skip, p.ID) {
				continue
			}
			step := model.Step{Probe: p.ID, Arguments: p.Arguments}
			if !p.Tagged() {
				step.Wire = p.Name()
			}
			steps = append(steps, step)
		}
	}
	return servers, steps, nil
}

func (j Job) path(name string) string { return filepath.Join(j.Run, name) }
