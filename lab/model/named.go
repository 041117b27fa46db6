package model

import (
	"regexp"
	"strings"
)

// named finds, among tools without a tag, the probes that have none: a server may
// list a tool with no description at all, or with one of its own.
func (s *script) named(bare []Tool) []Tool {
	var out []Tool
	for _, t := range bare {
		if t.Probe = s.byName(t.Name); t.Probe != "" {
			out = append(out, t)
		}
	}
	return out
}

// byName is the probe without a tag that a host's name means, or "".
func (s *script) byName(name string) string {
	for _, step := range s.plan {
		if step.Wire != "" && calls(name, step.Wire) {
			return step.Probe
		}
	}
	return ""
}

// probeOf is the probe of a tool, by its tag or else by its name.
func (s *script) probeOf(name, description string) string {
	if id := ProbeOf(description); id != "" {
		return id
	}
	return s.byName(name)
}

// wires are the names of the probes without a tag.
func (s *script) wires() []string {
	wires := []string{}
	for _, step := range s.plan {
		if step.Wire != "" {
			wires = append(wires, step.Wire)
		}
	}
	return wires
}

// sanitized is what hosts make an underscore of, at least.
var sanitized = regexp.MustCompile(`[^A-Za-z0-9_]`)

// calls says that a host's name means the tool that a server lists by another: it is
// the same, or has the server's name or a group's before it.
func calls(name, wire string) bool {
	name, wire = sanitized.ReplaceAllString(name, "_"), sanitized.ReplaceAllString(wire, "_")
	return name == wire || strings.HasSuffix(name, "_"+wire)
}
