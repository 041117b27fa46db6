package lint

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

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
	if err := checkShapes(node); err != nil {
		return nil, err
	}
	if err := node.Decode(c); err != nil {
		return nil, &ConfigError{node.Line, err.Error()}
	}
	return c, c.check(node)
}

// checkShapes holds each key of the section to its shape, so that a mistake is told in
// words in place of those of the YAML parser.
func checkShapes(section *yaml.Node) error {
	for i := 0; i+1 < len(section.Content); i += 2 {
		key, value := section.Content[i].Value, section.Content[i+1]
		switch {
		case value.Tag == "!!null":
		case key == "portability" && value.Kind != yaml.ScalarNode:
			return &ConfigError{value.Line, "portability is one word: default or strict"}
		case key == "formats" && !isList(value):
			return &ConfigError{value.Line, "formats is a list, as in formats: [date-time, uri]"}
		case (key == "rules" || key == "allow") && value.Kind != yaml.MappingNode:
			return &ConfigError{value.Line, key + " is a mapping whose keys are ids of rules"}
		case key == "rules" || key == "allow":
			for j := 0; j+1 < len(value.Content); j += 2 {
				rule, setting := value.Content[j], value.Content[j+1]
				if key == "rules" && setting.Kind != yaml.ScalarNode {
					return &ConfigError{setting.Line, fmt.Sprintf("rules: %s is one word; there are %s", rule.Value, join(ruleSettings))}
				}
				if key == "allow" && !isList(setting) {
					return &ConfigError{setting.Line, fmt.Sprintf("allow: %s is a list of tools or patterns, as in %s: [list_*]", rule.Value, rule.Value)}
				}
			}
		}
	}
	return nil
}

// isList reports whether a node is a list of words.
func isList(node *yaml.Node) bool {
	return node.Kind == yaml.SequenceNode && !slices.ContainsFunc(node.Content, func(n *yaml.Node) bool { return n.Kind != yaml.ScalarNode })
}

// knownFormats are the formats of JSON Schema in all its drafts and the ones that
// OpenAPI and common generators add. Sources: JSON Schema draft-03 to 2020-12,
// section format; the OpenAPI format registry; zod 4.6.7.
var knownFormats = []string{"date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6",
	"uri", "uri-reference", "iri", "iri-reference", "uri-template", "uuid", "json-pointer", "relative-json-pointer", "regex",
	"utc-millisec", "color", "style", "phone", "ip-address", "host-name", "url", "int8", "int16", "int32", "int64", "uint8", "uint16",
	"uint32", "uint64", "float", "double", "decimal", "decimal128", "byte", "binary", "base64", "base64url", "password", "html", "commonmark",
	"char", "media-range", "http-date", "sf-string", "cuid", "cuid2", "ulid", "nanoid", "guid", "xid", "ksuid", "jwt", "emoji", "cidr", "cidrv4", "cidrv6",
	"e164", "mac", "json-string", "credit-card"}

// checkFormats refuses a format that nobody knows and that is one letter away from one
// that is known; other inventions are the user's to allow.
func checkFormats(list *yaml.Node) error {
	if list == nil {
		return nil
	}
	for _, f := range list.Content {
		if near := capabilities.Nearest(f.Value, knownFormats); near != f.Value && near != "" && alike(near, f.Value) {
			return &ConfigError{f.Line, fmt.Sprintf("unknown format %q; did you mean %q?", f.Value, near)}
		}
	}
	return nil
}

// alike reports whether one letter more, less, other or in another place makes one
// word of the other, or their case or separators alone do.
func alike(a, b string) bool {
	plain := func(s string) string {
		return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(s))
	}
	if plain(a) == plain(b) {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	start := 0
	for start < len(a) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	left, right := a[start:len(a)-end], b[start:len(b)-end]
	return len(left) <= 1 && len(right) <= 1 || len(left) == 2 && len(right) == 2 && left[0] == right[1] && left[1] == right[0]
}

// Unmatched returns a text for each entry of the allow-lists that is about no tool, so
// that a misspelt or outlived one does not go unseen; names are those of all tools.
func (c *Config) Unmatched(names []string) (out []string) {
	if c == nil {
		return nil
	}
	for _, rule := range IDs() {
		for _, pattern := range c.Allow[rule] {
			if slices.ContainsFunc(names, func(name string) bool { ok, _ := path.Match(pattern, name); return ok }) {
				continue
			}
			text := fmt.Sprintf("lint: allow: %s: %q is no tool of this server", rule, pattern)
			if near := capabilities.Nearest(pattern, names); near != "" {
				text += fmt.Sprintf("; did you mean %q?", near)
			}
			out = append(out, text)
		}
	}
	return out
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
	if err := checkFormats(child(node, "formats")); err != nil {
		return err
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
