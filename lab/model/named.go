package model

import (
	"regexp"
	"slices"
	"strings"
)

// named finds, among tools without a tag, the probes that have none: a server may
// list a tool with no description at all, or with one of its own.
func (s *script) named(bare []Tool) []Tool {
	var out []Tool
	for _, t := range bare {
		if i := slices.IndexFunc(s.plan, func(step Step) bool { return step.Wire != "" && calls(t.Name, step.Wire) }); i >= 0 {
			t.Probe = s.plan[i].Probe
			out = append(out, t)
		}
	}
	return out
}

// sanitized is what hosts make an underscore of, at least.
var sanitized = regexp.MustCompile(`[^A-Za-z0-9_]`)

// calls says that a host's name means the tool that a server lists by another: it is
// the same, or has the server's name or a group's before it.
func calls(name, wire string) bool {
	name, wire = sanitized.ReplaceAllString(name, "_"), sanitized.ReplaceAllString(wire, "_")
	return name == wire || strings.HasSuffix(name, "_"+wire)
}
