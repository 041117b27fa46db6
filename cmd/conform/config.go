package main

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/pflag"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/hostconfig"
	"github.com/hostmatrix/conform/wire"
)

// configOptions name the servers of a host's own configuration.
type configOptions struct {
	file    string
	from    string
	servers []string
	inputs  []string
}

func (c *configOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&c.file, "config", "", "configuration file of a host: all servers that it names, or those of --server")
	f.StringVar(&c.from, "from", "", "id of a host: the servers of the files in which it keeps them")
	f.StringSliceVar(&c.servers, "server", nil, "with --config or --from: key of the server to take; repeatable")
	f.StringArrayVar(&c.inputs, "input", nil, "with --config or --from: what the host would ask for, 'ID=$VARIABLE' or 'ID=value'; repeatable")
}

func (c *configOptions) given() bool { return c.file != "" || c.from != "" }

// name is what the servers together are called in a report.
func (c *configOptions) name() string {
	if c.from != "" {
		return c.from
	}
	return filepath.Base(c.file)
}

// targets reads the configuration. What is left out of it is told to note.
func (c *configOptions) targets(note func(string, ...any)) ([]wire.Target, error) {
	if c.file != "" && c.from != "" {
		return nil, usage("--config and --from: give one of them; --from finds the file itself")
	}
	around, err := c.surroundings()
	if err != nil {
		return nil, err
	}
	var found *hostconfig.Config
	if c.from != "" {
		found, err = hostconfig.Find(c.from, around, c.servers...)
	} else {
		found, err = hostconfig.Load(c.file, around, c.servers...)
	}
	switch {
	case errors.Is(err, hostconfig.ErrUnknownHost):
		hint := ""
		if near := capabilities.Nearest(c.from, hostconfig.Hosts()); near != "" {
			hint = "; did you mean " + near + "?"
		}
		return nil, usage("--from %w%s", err, hint)
	case errors.Is(err, fs.ErrNotExist) && c.file != "":
		return nil, usage("--config: %w%s", err, nearFile(c.file))
	case err != nil && c.from != "":
		return nil, usage("--from %w", err)
	case err != nil:
		return nil, usage("--config: %w", err)
	}
	for _, n := range found.Notes {
		note("%s", n)
	}
	if len(found.Servers) == 0 {
		return nil, usage("%s: names no server that is on", strings.Join(found.Files, ", "))
	}
	var out []wire.Target
	for _, s := range found.Servers {
		out = append(out, targetOf(s))
	}
	return out, nil
}

// namesOf are the keys of configured servers, safe to print.
func namesOf(configured []wire.Target) []string {
	var names []string
	for _, t := range configured {
		names = append(names, wire.Printable([]byte(t.Name), 80))
	}
	return names
}

// targetOf is the live target of a configured server.
func targetOf(s *hostconfig.Server) wire.Target {
	t := wire.Target{Name: s.Name, Command: s.Command, Env: s.Env, Dir: s.Dir,
		URL: s.URL, Transport: s.Transport, Headers: s.Headers, Private: s.Secrets}
	for _, e := range s.Expanded {
		if name, value, _ := strings.Cut(e, "="); wire.LooksSecret(name, value) || !plainSetting(value) {
			t.Private = append(t.Private, value)
		}
	}
	return t
}

// plainSetting reports whether a value that a configuration takes from the environment
// can be shown: a path, an address, whose credentials are found apart, a number such as
// a port, or words. Who keeps something else in a variable may have a reason.
func plainSetting(value string) bool {
	if u, err := url.Parse(value); err == nil && u.Host != "" || filepath.IsAbs(value) {
		return true
	}
	if _, err := strconv.ParseUint(value, 10, 16); err == nil {
		return true
	}
	return !strings.ContainsFunc(value, func(r rune) bool {
		return !unicode.IsLetter(r) && !strings.ContainsRune("-_., ", r)
	})
}

// surroundings are this machine, as a host in the working directory sees it.
func (c *configOptions) surroundings() (hostconfig.Surroundings, error) {
	around := hostconfig.Surroundings{OS: runtime.GOOS, Env: os.LookupEnv, ReadFile: readConfigFile, Glob: filepath.Glob, Inputs: map[string]string{}}
	var err error
	if around.Folder, err = os.Getwd(); err != nil {
		return around, err
	}
	around.Home, _ = os.UserHomeDir() // without one the files below it are not there
	for _, in := range c.inputs {
		id, value, ok := strings.Cut(in, "=")
		if !ok || id == "" {
			return around, usage("--input %q: needs ID=$VARIABLE or ID=value", in)
		}
		if name, isVariable := strings.CutPrefix(value, "$"); isVariable {
			if value, ok = os.LookupEnv(name); !ok {
				return around, usage("--input %s: the variable %s is not set here", id, name)
			}
		}
		around.Inputs[id] = value
	}
	return around, nil
}

// readConfigFile reads a regular file: a configuration that names a device or a
// pipe would never end.
func readConfigFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("is no regular file")}
	}
	return os.ReadFile(name)
}
