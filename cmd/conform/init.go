package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/hostmatrix/conform/recording"
)

//go:embed workflow.yml
var workflow []byte

func (a *app) initCommand() *cobra.Command {
	o := &runOptions{}
	cmd := &cobra.Command{
		Use: "init [flags] [-- command args...]",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.target.positional(cmd, args); err != nil {
				return err
			}
			if len(o.target.replay) > 0 {
				return usage("init sets up runs on a server; give its command or --url")
			}
			session, capture, err := a.listOnly(cmd, o)
			if err != nil {
				return err
			}
			return a.setUp(o, session, capture)
		},
	}
	helpFor(cmd, "init")
	o.target.flags(cmd)
	o.capture.connecting(cmd)
	return cmd
}

// setUp writes the files that are not there yet, and says of each which it did.
func (a *app) setUp(o *runOptions, session *recording.Session, capture *recording.Capture) error {
	config, err := firstSettings(o, capture)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		text []byte
	}{
		{settingsFile, config},
		{defaultSamples, recording.InitSamples(session)},
		{filepath.Join(".github", "workflows", "conform.yml"), workflow},
	} {
		if err := os.MkdirAll(filepath.Dir(f.name), 0o755); err != nil {
			return err
		}
		_, err := os.Stat(f.name)
		switch {
		case err == nil:
			a.warn("%s is there already and stays as it is", f.name)
			continue
		case !errors.Is(err, os.ErrNotExist):
			return err
		}
		if err := a.writeNew(f.name, f.text); err != nil {
			return err
		}
	}
	a.warn("%s found; next: conform run", counted(len(session.Tools), "tool"))
	return nil
}

// firstSettings is the settings file for a server that was just talked to. The
// values of secrets are not in it: variables are named only.
func firstSettings(o *runOptions, capture *recording.Capture) ([]byte, error) {
	var target settingsTarget
	target.Command, target.URL, target.Dir, target.Name = o.target.command, o.target.url, o.target.dir, o.target.name
	from := o.target.config
	target.Config, target.From, target.Servers = from.file, from.from, from.servers
	for _, in := range from.inputs {
		id, value, _ := strings.Cut(in, "=")
		target.Inputs = append(target.Inputs, id+"="+variable(id, value))
	}
	if target.Name == "" && !from.given() { // a configuration has its own
		target.Name = capture.Target.Server
	}
	for _, e := range o.target.env {
		name, _, _ := strings.Cut(e, "=")
		target.Env = append(target.Env, name)
	}
	for _, h := range o.target.headers {
		name, value, _ := strings.Cut(h, ":")
		target.Headers = append(target.Headers, name+": "+variable(name, strings.TrimSpace(value)))
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `# What conform run does in this folder; flags on the command line come first.
format: %s
`, settingsFormat)
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(struct {
		Target map[string]any `yaml:"target"`
	}{targetMap(target)}); err != nil {
		return nil, err
	}
	b.WriteString(`# hosts: []        # id[:mode][+api][@version]; without it every product in the table
# host_sets: []    # ide, cli, sdk, api, spec, all
fail_on: breaks    # breaks, degraded, unknown, never
min_basis: inferred # weakest evidence that fails: inferred, reported, documented, source, observed
# baseline: conform.baseline.yaml
`)
	fmt.Fprintf(&b, "samples: %s\n", defaultSamples)
	return b.Bytes(), nil
}

// variable is a value that names a variable, or else the variable that could hold it,
// called like what it is for.
func variable(name, value string) string {
	if strings.HasPrefix(value, "$") {
		return value
	}
	return "$" + strings.ToUpper(strings.NewReplacer("-", "_", " ", "").Replace(name))
}

func targetMap(t settingsTarget) map[string]any {
	out := map[string]any{}
	put := func(key string, value any, given bool) {
		if given {
			out[key] = value
		}
	}
	put("name", t.Name, t.Name != "")
	put("command", t.Command, len(t.Command) > 0)
	put("url", t.URL, t.URL != "")
	put("env", t.Env, len(t.Env) > 0)
	put("headers", t.Headers, len(t.Headers) > 0)
	put("dir", t.Dir, t.Dir != "")
	put("config", t.Config, t.Config != "")
	put("from", t.From, t.From != "")
	put("servers", t.Servers, len(t.Servers) > 0)
	put("inputs", t.Inputs, len(t.Inputs) > 0)
	return out
}
