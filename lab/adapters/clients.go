package adapters

import (
	"embed"
	"errors"
	"os"
	"path/filepath"
	"time"
)

//go:embed drivers
var drivers embed.FS

// The files that a driver reads and writes, in the folder of the run.
const (
	PlanFile    = "plan.json"    // [{"probe": …, "arguments": …}]
	ServersFile = "servers.json" // [Server]
	EventsFile  = "events.jsonl" // what the driver saw
)

// node returns the start of a driver in JavaScript. It is copied beside the
// installed packages, because imports are resolved from where a file lies.
func (s *Setup) node(driver string, env ...string) (Command, error) {
	for _, name := range []string{driver, "drive.mjs"} {
		data, err := drivers.ReadFile("drivers/" + name)
		if err != nil {
			return Command{}, err
		}
		if err := os.MkdirAll(filepath.Join(s.Install, "drivers"), 0o755); err != nil {
			return Command{}, err
		}
		if err := put(filepath.Join(s.Install, "drivers", name), data); err != nil {
			return Command{}, err
		}
	}
	return Command{Args: []string{s.Node, filepath.Join(s.Install, "drivers", driver)},
		Env: append([]string{"LAB_RUN=" + s.Run, "LAB_MODEL=" + s.Model}, env...)}, nil
}

// put writes a file in one step: a run beside this one may be reading it.
func put(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// longRun is for programs that start anew for each call.
const longRun = 20 * time.Minute

// node24 is the Node that most packages want.
const node24 = "24.21.0"

// sdkClients are the reference clients: a driver lists and calls, there is no model.
var sdkClients = []Adapter{
	{
		ID: "ts-sdk-v1", Versions: []string{"1.32.2", "1.25.0", "1.23.0", "1.22.0", "1.17.0", "1.11.4"},
		Source:  Source{Npm: []string{"@modelcontextprotocol/sdk@{version}"}, Node: node24},
		Modes:   []Mode{{Name: "default"}, {Name: "http", HTTP: true, Only: []string{"probe"}}},
		Prepare: func(s *Setup) (Command, error) { return s.node("sdk1.mjs") },
	},
	{
		ID: "ts-sdk-v2", Versions: []string{"2.4.0"},
		Source: Source{Npm: []string{"@modelcontextprotocol/client@{version}"}, Node: node24},
		Modes: []Mode{{Name: "default"}, {Name: "auto", Flag: "auto"}, {Name: "auto_dualserver", Flag: "auto", Era: "dual"},
			{Name: "http", HTTP: true, Only: []string{"probe"}}, {Name: "http_auto", HTTP: true, Flag: "auto", Era: "dual", Only: []string{"probe"}}},
		Prepare: func(s *Setup) (Command, error) {
			if s.Mode.Flag == "auto" {
				return s.node("sdk2.mjs", `LAB_OPTIONS={"versionNegotiation":{"mode":"auto"}}`)
			}
			return s.node("sdk2.mjs")
		},
	},
}
