package main

import (
	"cmp"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/validators"
)

// samplesOptions say which tools may be called, and with what.
type samplesOptions struct {
	file         string
	allowCalls   []string
	perTool      int
	sampleErrors bool
	name         string // the server's key in a host's configuration
	part         shard  // of the run; only its tools are called
}

// defaultSamples is read when it exists and no other file is named.
const defaultSamples = "conform.samples.yaml"

func (s *samplesOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.file, "samples", "", "samples file: calls to make, with their arguments (default "+defaultSamples+" where there is one)")
	f.StringSliceVar(&s.allowCalls, "allow-calls", nil, "pattern of tools to call although nothing marks them as read-only; without a value all of them. Tools with destructiveHint: true need the samples file")
	f.Lookup("allow-calls").NoOptDefVal = "*"
	f.IntVar(&s.perTool, "samples-per-tool", 1, "calls with different arguments for each tool")
	f.BoolVar(&s.sampleErrors, "sample-errors", false, "call read-only tools with wrong arguments too, to see how errors come through")
}

// samplePlan chooses the calls of each session.
type samplePlan struct {
	file    *recording.SamplesFile
	options recording.PlanOptions
	part    shard
	name    string // of the server in a host's configuration
	warn    func(format string, args ...any)

	// inTurn: sessions follow each other, so what one learned is there for the next
	// in every run alike.
	inTurn bool

	mu       sync.Mutex
	warned   map[string]bool
	readOnly map[string]bool // tools that said readOnlyHint: true in a session before
	guarded  map[string]bool // tools that in some session may not be called for that
}

func (s samplesOptions) plan(warn func(string, ...any)) (*samplePlan, error) {
	p := &samplePlan{warn: warn, part: s.part, name: s.name, warned: map[string]bool{}, readOnly: map[string]bool{}, guarded: map[string]bool{}, options: recording.PlanOptions{
		AllowCalls: s.allowCalls, PerTool: s.perTool, SampleErrors: s.sampleErrors, Refusal: validators.Refusal}}
	for _, pattern := range s.allowCalls {
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, usage("--allow-calls %s: not a pattern: %w", pattern, err)
		}
	}
	name := s.file
	if name == "" {
		if _, err := os.Stat(defaultSamples); err != nil {
			return p, nil
		}
		name = defaultSamples
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, usage("--samples %s: cannot be read: %w%s", name, err, nearFile(name))
	}
	if p.file, err = recording.ReadSamples(name, data); err != nil {
		return nil, usage("--samples: %w", err)
	}
	return p, nil
}

// calls plans the calls of one session and notes in it why other tools are left
// out.
func (p *samplePlan) calls(s *recording.Session) []recording.Call {
	p.mu.Lock()
	defer p.mu.Unlock()
	options := p.options
	learned := p.learn(s)
	options.AllowCalls = slices.Concat(options.AllowCalls, learned)
	plan := recording.Plan(s, p.file, options)
	for i, t := range plan.Tools {
		if t.Reason == "called: --allow-calls matches it" && slices.Contains(learned, literal.Replace(t.Tool)) {
			plan.Tools[i].Reason = "called: readOnlyHint is true in a newer revision"
		}
	}
	s.Plan = plan.Tools
	for _, text := range p.file.Unknown(s) {
		if !p.warned[text] {
			p.warned[text] = true
			p.warn("%s", text)
		}
	}
	var out []recording.Call
	server := cmp.Or(nameOf(s), p.name, "server")
	for _, c := range plan.Requests() {
		if p.part.mine(server, c.Tool) {
			out = append(out, c)
		}
	}
	return out
}

// unannotated is the revision before annotations (they came with 2025-03-26).
const unannotated = "2024-11-05"

// learn notes which tools a session calls read-only. In a session of the revision
// without annotations it returns patterns for those that said so before.
func (p *samplePlan) learn(s *recording.Session) (allow []string) {
	for _, t := range s.Tools {
		hint := t.Value.Get("annotations").Get("readOnlyHint")
		switch {
		case recording.ReadOnly(t):
			p.readOnly[t.Name] = true
		case hint != nil || t.Value.Get("annotations").Has("destructiveHint"):
			p.guarded[t.Name] = true // whatever another session, or a tool of the same name, says
		case p.inTurn && s.Negotiated == unannotated && p.readOnly[t.Name] && !p.guarded[t.Name]:
			allow = append(allow, literal.Replace(t.Name))
		}
	}
	return allow
}

// literal makes a pattern that matches a name only: a tool named * allows no other.
var literal = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)

// nameOf is the name that the server gives itself in a session, as the report has
// it; shards are cut by it.
func nameOf(s *recording.Session) string {
	info := s.Init.Get("serverInfo")
	if info == nil {
		info = s.Init.Get("_meta").Get("io.modelcontextprotocol/serverInfo")
	}
	name, _ := info.Get("name").IsString()
	return name
}
