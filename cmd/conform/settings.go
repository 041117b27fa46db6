package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/hostmatrix/conform/capabilities"
)

// settingsFile is read where it lies in the working directory.
const settingsFile = "conform.yaml"

// settings are conform.yaml: what `conform run` does when the command line says
// nothing else. The section lint is read by package lint.
type settings struct {
	Format string         `yaml:"format"` // conform-config/1
	Target settingsTarget `yaml:"target"`
	Hosts  []string       `yaml:"hosts"`
	Sets   []string       `yaml:"host_sets"`
	FailOn string         `yaml:"fail_on"`
	Basis  string         `yaml:"min_basis"`
	// MaxUnknown is nil when the file does not say.
	MaxUnknown *int      `yaml:"max_unknown"`
	Baseline   string    `yaml:"baseline"`
	Samples    string    `yaml:"samples"`
	Manifest   string    `yaml:"manifest"`
	HostsDir   string    `yaml:"hosts_dir"`
	Lint       yaml.Node `yaml:"lint"`
}

type settingsTarget struct {
	Name    string   `yaml:"name"`
	Command []string `yaml:"command"`
	URL     string   `yaml:"url"`
	Env     []string `yaml:"env"`     // NAME or NAME=value
	Headers []string `yaml:"headers"` // "Name: $VARIABLE"
	Dir     string   `yaml:"dir"`
	Config  string   `yaml:"config"`  // a host's configuration file, as --config
	From    string   `yaml:"from"`    // a host, as --from
	Servers []string `yaml:"servers"` // keys in that configuration, as --server
	Inputs  []string `yaml:"inputs"`  // what it asks for, as --input
}

const settingsFormat = "conform-config/1"

// readSettings reads a settings file strictly. name is used in errors.
func readSettings(name string, data []byte) (*settings, error) {
	s := new(settings)
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(s); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %s", name, explainYAML(err))
	}
	if s.Format != settingsFormat {
		return nil, fmt.Errorf("%s: format is %q; write format: %s", name, s.Format, settingsFormat)
	}
	return s, nil
}

var unknownYAML = regexp.MustCompile(`line (\d+): field (\S+) not found in type main\.(\w+)`)

// explainYAML turns the parser's words about an unknown key into ours.
func explainYAML(err error) string {
	m := unknownYAML.FindStringSubmatch(err.Error())
	if m == nil {
		return strings.TrimPrefix(err.Error(), "yaml: ")
	}
	var known []string
	for _, t := range []reflect.Type{reflect.TypeFor[settings](), reflect.TypeFor[settingsTarget]()} {
		if t.Name() != m[3] {
			continue
		}
		for i := range t.NumField() {
			known = append(known, t.Field(i).Tag.Get("yaml"))
		}
	}
	if near := capabilities.Nearest(m[2], known); near != "" {
		return fmt.Sprintf("line %s: unknown key %q; did you mean %q?", m[1], m[2], near)
	}
	return fmt.Sprintf("line %s: unknown key %q; there are %s", m[1], m[2], strings.Join(known, ", "))
}

// settle takes what the command line leaves open from the settings file: the one
// that --settings names, else conform.yaml where there is one.
func (a *app) settle(cmd *cobra.Command, o *runOptions) error {
	name := o.settings
	if name == "" {
		if _, err := os.Stat(settingsFile); err != nil || o.demo {
			return nil
		}
		name = settingsFile
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return usage("--settings: %w%s", err, nearFile(name))
	}
	s, err := readSettings(name, data)
	if err != nil {
		return usage("%w", err)
	}
	o.lint = &s.Lint
	s.fill(cmd, o)
	if a.hostsDir == "" {
		a.hostsDir = s.HostsDir
	}
	return nil
}

// fill sets what no flag set.
func (s *settings) fill(cmd *cobra.Command, o *runOptions) {
	given := func(flag string) bool { return cmd.Flags().Changed(flag) }
	if o.target.count() == 0 {
		o.target.command, o.target.url = s.Target.Command, s.Target.URL
		o.target.config = configOptions{file: s.Target.Config, from: s.Target.From, servers: s.Target.Servers, inputs: s.Target.Inputs}
		o.target.env = append(o.target.env, s.Target.Env...)
		o.target.headers = append(o.target.headers, s.Target.Headers...)
		if o.target.dir == "" {
			o.target.dir = s.Target.Dir
		}
		if o.target.name == "" {
			o.target.name = s.Target.Name
		}
	}
	if !given("host") && !given("host-set") {
		o.select_.hosts, o.select_.sets = s.Hosts, s.Sets
	}
	set := func(flag string, field *string, value string) {
		if value != "" && !given(flag) {
			*field = value
		}
	}
	set("fail-on", &o.policy.failOn, s.FailOn)
	set("min-basis", &o.policy.minBasis, s.Basis)
	set("baseline", &o.baseline, s.Baseline)
	set("samples", &o.capture.samples.file, s.Samples)
	set("manifest", &o.manifest, s.Manifest)
	if s.MaxUnknown != nil && !given("max-unknown") {
		o.policy.maxUnknown = *s.MaxUnknown
	}
}
