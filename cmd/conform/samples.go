package main

import (
	"github.com/spf13/cobra"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// samplesOptions say which tools may be called.
type samplesOptions struct {
	allowCalls bool
}

func (s *samplesOptions) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&s.allowCalls, "allow-calls", false, "call tools that are not readOnlyHint: true too, but none with destructiveHint: true")
}

// samplePlan chooses the calls of a session and remembers why others were left out.
type samplePlan struct {
	options samplesOptions
	why     map[string]string
}

func (s samplesOptions) plan() (*samplePlan, error) {
	return &samplePlan{options: s, why: map[string]string{}}, nil
}

// calls plans one call for each tool that may be called and needs no arguments.
func (p *samplePlan) calls(s *recording.Session) []recording.Call {
	var out []recording.Call
	for _, t := range s.Tools {
		if why := p.refuse(t); why != "" {
			p.why[t.Name] = "not called: " + why
			continue
		}
		p.why[t.Name] = "called"
		out = append(out, recording.Call{Tool: t.Name, Arguments: schema.Obj()})
	}
	return out
}

func (p *samplePlan) refuse(t *recording.Tool) string {
	hints := t.Value.Get("annotations")
	switch {
	case t.Name == "":
		return "it has no name"
	case hints.Get("destructiveHint").IsTrue():
		return "it is marked destructiveHint: true"
	case !hints.Get("readOnlyHint").IsTrue() && !p.options.allowCalls:
		return "it is not marked readOnlyHint: true (--allow-calls)"
	case t.Input.Get("required") != nil && len(t.Input.Get("required").Items) > 0:
		return "it needs arguments (--samples)"
	}
	return ""
}

func (p *samplePlan) how(tool string) string { return p.why[tool] }
