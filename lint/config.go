package lint

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
)

// Config is the section lint of conform.yaml:
//
//	lint:
//	  portability: strict         # default: default
//	  rules:
//	    tool-name: off            # on, off, error, warning or info
//	  allow:
//	    capped-list: [list_*]     # tools, as shell patterns, about which the rule is silent
//	  formats: [uri, date-time]   # in place of the formats that every model API takes
type Config struct {
	Portability string              `yaml:"portability"`
	Rules       map[string]string   `yaml:"rules"`
	Allow       map[string][]string `yaml:"allow"`
	Formats     []string            `yaml:"formats"`
}

// Portability modes.
const (
	PortabilityDefault = "default"
	PortabilityStrict  = "strict"
)

// ruleSettings are what a rule may be set to.
var ruleSettings = []string{"on", "off", "error", "warning", "info"}

// configKeys are the keys of the section.
var configKeys = []string{"portability", "rules", "allow", "formats"}

// ConfigError says what is wrong with the section, where, and what was meant.
type ConfigError struct {
	Line int // of the file, 0 when unknown
	Text string
}

func (e *ConfigError) Error() string {
	if e.Line == 0 {
		return "lint: " + e.Text
	}
	return fmt.Sprintf("line %d: lint: %s", e.Line, e.Text)
}

// ReadConfig reads the section lint of a conform.yaml; other sections are left to
// others, and a file without the section gives the defaults. Errors are
// *[ConfigError] for what the section says wrongly, else those of the YAML parser.
func ReadConfig(text []byte) (*Config, error) {
	var file struct {
		Lint yaml.Node `yaml:"lint"`
	}
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&file); err != nil && err != io.EOF {
		return nil, fmt.Errorf("reading conform.yaml: %w", err)
	}
	return DecodeConfig(&file.Lint)
}

// DecodeConfig reads the section from its node; the zero node gives the defaults.
func DecodeConfig(node *yaml.Node) (*Config, error) {
	c := &Config{}
	if node.IsZero() || node.Tag == "!!null" {
		return c, nil
	}
	if node.Kind != yaml.MappingNode {
		return nil, &ConfigError{node.Line, "is no mapping of portability, rules, allow and formats"}
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if key := node.Content[i]; !slices.Contains(configKeys, key.Value) {
			return nil, unknownWord(key.Line, "key", key.Value, configKeys)
		}
	}
	if err := node.Decode(c); err != nil {
		return nil, &ConfigError{node.Line, err.Error()}
	}
	return c, c.check(node)
}

func unknownWord(line int, kind, word string, known []string) *ConfigError {
	text := fmt.Sprintf("unknown %s %q", kind, word)
	if near := capabilities.Nearest(word, known); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	} else if len(known) < 10 {
		text += "; there are " + join(known)
	}
	return &ConfigError{line, text}
}

func (c *Config) check(node *yaml.Node) error {
	if c.Portability != "" && c.Portability != PortabilityDefault && c.Portability != PortabilityStrict {
		return unknownWord(lineOf(node, "portability"), "portability", c.Portability, []string{PortabilityDefault, PortabilityStrict})
	}
	for _, key := range []string{"rules", "allow"} {
		section := child(node, key)
		if section == nil {
			continue
		}
		for i := 0; i+1 < len(section.Content); i += 2 {
			if name := section.Content[i]; Find(name.Value) == nil {
				return unknownWord(name.Line, "rule", name.Value, IDs())
			}
			if setting := section.Content[i+1]; key == "rules" && !slices.Contains(ruleSettings, setting.Value) {
				return unknownWord(setting.Line, "setting", setting.Value, ruleSettings)
			}
		}
	}
	for _, patterns := range c.Allow {
		for _, pattern := range patterns {
			if _, err := path.Match(pattern, ""); err != nil {
				return &ConfigError{lineOf(node, "allow"), fmt.Sprintf("%q is no pattern: %v", pattern, err)}
			}
		}
	}
	return nil
}

func child(node *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return node.Content[i+1]
		}
	}
	return nil
}

func lineOf(node *yaml.Node, key string) int {
	if c := child(node, key); c != nil {
		return c.Line
	}
	return node.Line
}

// severity returns what a rule's findings are to be, and whether it runs.
func (c *Config) severity(r *Rule) (verdict.Severity, bool) {
	switch setting := c.Rules[r.ID]; setting {
	case "off":
		return "", false
	case "error", "warning", "info":
		return verdict.Severity(setting), true
	case "on":
		return r.Severity, true
	}
	return r.Severity, !r.Strict || c.Portability == PortabilityStrict
}

// overridden reports whether the user set a severity for all findings of a rule.
func (c *Config) overridden(id string) bool {
	setting := c.Rules[id]
	return setting != "" && setting != "on"
}

// allowed reports whether a rule is to be silent about a tool.
func (c *Config) allowed(rule, tool string) bool {
	return slices.ContainsFunc(c.Allow[rule], func(pattern string) bool {
		ok, err := path.Match(pattern, tool)
		return err == nil && ok
	})
}
