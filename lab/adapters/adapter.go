// Package adapters knows how each real host is installed, configured, started and
// read: the only Go code of this module that may name hosts. An adapter is a value
// of data and one function that writes the host's configuration.
package adapters

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hostmatrix/conform/lab/probe"
)

// Adapter is one host, client or library that the lab can drive.
type Adapter struct {
	ID       string   // row of the table
	Versions []string // versions that were driven, newest first; others may work
	Source   Source
	Modes    []Mode // the first is the default one
	// Batch is how many probe servers one run gets; 0 is all of them.
	Batch int
	// Without are probe servers that this host can't be asked with others, and why.
	Without map[string]string
	Limit   time.Duration // of one run; 0 is the lab's default
	// Volatile are parts of texts that differ from run to run.
	Volatile []Volatile
	// Noise is what the host adds of its own to a part of a result, about the
	// conversation and not about the result; it is taken away.
	Noise *regexp.Regexp
	// Drops finds in stderr what the host says of a tool that it drops: the tool, then
	// the reason.
	Drops   *regexp.Regexp
	Prepare func(s *Setup) (Command, error)
}

// Mode is a way of running a host that changes what it does.
type Mode struct {
	Name  string
	About string        // of modes that every host has
	Model string        // the name of the model that it asks for
	Era   probe.Era     // of the probe servers; empty is legacy
	Only  []string      // probe servers; empty is all
	HTTP  bool          // the probe servers are reached over Streamable HTTP
	Flag  string        // for the adapter
	Limit time.Duration // of one run; 0 is the adapter's
	Waits bool          // hardly anything but time: it can run beside the others
}

// Volatile is a pattern whose first group becomes <Name>.
type Volatile struct {
	Name    string
	Pattern *regexp.Regexp
}

// Source says where a version comes from.
type Source struct {
	Npm    []string // packages; "{version}" is replaced, others are pinned
	Node   string   // version of the npm package node that runs npm and the host; "" for none
	Pip    []string
	Go     string // module of a client in Go, and the driver that is built against it
	Driver string
	Bare   bool // npm without install scripts
	// Program is the name of a host that no registry has: the user gives its path.
	Program string
}

// Server is a probe server as a host's configuration names it.
type Server struct {
	Name    string   `json:"name"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	URL     string   `json:"url,omitempty"`
}

// Setup is what Prepare may use. It writes below Home and Work only.
type Setup struct {
	Install string // where the host is installed
	Program string // path of a program that the user gave
	Node    string // path of node, "" without
	Run     string // folder of this run
	Home    string
	Work    string
	Version string
	Mode    Mode
	Model   string // base address of the model, without a path
	Servers []Server
}

// Command is what starts the host.
type Command struct {
	Args []string
	Env  []string // NAME=value, on top of HOME, PATH, TMPDIR and a few constants
}

// Prompt is what the host is asked. The model does not read it.
const Prompt = "Call every probe tool."

// Write writes a file of the host's configuration; path is relative to Home.
func (s *Setup) Write(path string, data []byte) error {
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.Home, path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

// WriteJSON is Write of a value.
func (s *Setup) WriteJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return s.Write(path, append(data, '\n'))
}

// Table builds a configuration object with one entry per server.
func (s *Setup) Table(entry func(Server) any) map[string]any {
	out := map[string]any{}
	for _, server := range s.Servers {
		out[server.Name] = entry(server)
	}
	return out
}

// Bin is an executable of an installed npm package.
func (s *Setup) Bin(name string) string {
	return filepath.Join(s.Install, "node_modules", ".bin", name)
}

// All returns every adapter, sorted by id.
func All() []Adapter {
	out := slices.Clone(registry)
	slices.SortFunc(out, func(a, b Adapter) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// registry is filled by the files of this package.
var registry = everyMode(slices.Concat(sdkClients, goClients, libraries, codexAdapters, hosts, given))

// Find resolves "id", "id@version", "id:mode" or "id:mode@version".
func Find(spec string) (a Adapter, version string, mode Mode, err error) {
	name, version, _ := strings.Cut(spec, "@")
	if version, wanted, swapped := strings.Cut(version, ":"); swapped {
		return a, "", mode, fmt.Errorf("%q: the mode stands before the version: %s:%s@%s", spec, name, wanted, version)
	}
	name, wanted, named := strings.Cut(name, ":")
	i := slices.IndexFunc(registry, func(a Adapter) bool { return a.ID == name })
	if i < 0 {
		var ids []string
		for _, a := range All() {
			ids = append(ids, a.ID)
		}
		return a, "", mode, fmt.Errorf("no adapter for %q; the lab drives %s, and anything else by `conform lab serve`", name, strings.Join(ids, ", "))
	}
	a = registry[i]
	if version == "" {
		version = a.Versions[0]
	}
	mode = a.Modes[0]
	if named {
		j := slices.IndexFunc(a.Modes, func(m Mode) bool { return m.Name == wanted })
		if j < 0 {
			var modes []string
			for _, m := range a.Modes {
				modes = append(modes, m.Name)
			}
			return a, "", mode, fmt.Errorf("%s has no mode %q; it has %s", name, wanted, strings.Join(modes, ", "))
		}
		mode = a.Modes[j]
	}
	return a, version, mode, nil
}

// Apart is the word that stands for all modes of [Besides] where a mode is named.
const Apart = "apart"

// Chosen lists the modes that a spec asks for: one that it names, those that every
// host has besides for [Apart], all of the host's where it names none.
func Chosen(spec string) (a Adapter, version string, modes []Mode, err error) {
	name, _, _ := strings.Cut(spec, "@")
	host, wanted, named := strings.Cut(name, ":")
	if wanted == Apart {
		a, version, _, err = Find(host + spec[len(name):])
		return a, version, slices.DeleteFunc(slices.Clone(a.Modes), func(m Mode) bool { return m.About == "" }), err
	}
	a, version, mode, err := Find(spec)
	if named {
		return a, version, []Mode{mode}, err
	}
	return a, version, a.Modes, err
}
