package rewrite

import (
	"slices"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// Step is one rewrite applied to one part of a tool.
type Step struct {
	Rewrite string `json:"rewrite"`
	Part    Part   `json:"part"`
}

// apply returns the tool definition after a step and whether anything changed.
func (s Step) apply(tool *schema.Value) (*schema.Value, bool) {
	r, err := Find(s.Rewrite)
	if err != nil {
		return tool, false
	}
	if s.Part == Whole {
		return r.Apply(tool)
	}
	part := tool.Get(string(s.Part))
	if part == nil {
		return tool, false
	}
	out, changed := r.Apply(part)
	if !changed || out == nil {
		return tool, false
	}
	return tool.With(string(s.Part), out), true
}

// Apply takes a tool definition through steps; changed is false when none of them
// changed anything.
func Apply(tool *schema.Value, steps []Step) (out *schema.Value, changed bool) {
	out = tool
	for _, s := range steps {
		next, did := s.apply(out)
		out, changed = next, changed || did
	}
	return out, changed
}

// applyAll takes several definitions through steps; key tells the outcome from others.
func applyAll(tools []*schema.Value, steps []Step) (out []*schema.Value, key string, changed bool) {
	for _, t := range tools {
		next, did := Apply(t, steps)
		out, key, changed = append(out, next), key+next.Compact()+"\n", changed || did
	}
	return out, key, changed
}

// stepsFor lists every step that changes one of the definitions.
func stepsFor(tools []*schema.Value, last bool) []Step {
	var out []Step
	for _, r := range all {
		if r.Cost >= lastResort && !last {
			continue
		}
		parts := []Part{Output, Input}
		if r.Part != "" {
			parts = []Part{r.Part}
		}
		for _, p := range parts {
			step := Step{r.Name, p}
			if slices.ContainsFunc(tools, func(t *schema.Value) bool { _, changed := step.apply(t); return changed }) {
				out = append(out, step)
			}
		}
	}
	return out
}

// lastResort is the cost from which a rewrite is tried only when nothing else helps.
const lastResort = 9

// alone returns the capture of one tool: its definition in every session after
// the steps, and its calls, with the data reshaped where a step asks for it.
func alone(c *recording.Capture, name string, steps []Step) *recording.Capture {
	out := &recording.Capture{Target: c.Target}
	for _, s := range c.Sessions {
		session := *s
		session.Tools, session.Pages, session.Calls, session.Messages, session.Plan = nil, nil, nil, nil, nil
		renamed := name
		var before *schema.Value
		for _, t := range s.Tools {
			if t.Name != name || len(session.Tools) > 0 {
				continue
			}
			before = t.Value
			value, _ := Apply(before, steps)
			tool := recording.NewTool(value, 0, 0)
			renamed = tool.Name
			session.Tools = []*recording.Tool{tool}
			session.Pages = []recording.Page{pageOf(s, t, value)}
		}
		if session.InitError == nil && len(session.Tools) == 0 {
			continue
		}
		for _, call := range s.CallsOf(name) {
			session.Calls = append(session.Calls, reshaped(call, before, renamed, steps))
		}
		out.Sessions = append(out.Sessions, &session)
	}
	return out
}

// pageOf is the answer to tools/list with one tool in it.
func pageOf(s *recording.Session, t *recording.Tool, value *schema.Value) recording.Page {
	result := schema.Obj()
	if t.Page < len(s.Pages) && s.Pages[t.Page].Result != nil {
		result = s.Pages[t.Page].Result.Without("nextCursor")
	}
	return recording.Page{Result: result.With("tools", schema.List(value))}
}

// reshaped is a call of a tool as it would be after the steps: under its new name, with
// the data in their new shape.
func reshaped(call *recording.Call, before *schema.Value, name string, steps []Step) *recording.Call {
	out := *call
	out.Tool = name
	for _, s := range steps {
		r, err := Find(s.Rewrite)
		if err != nil {
			continue
		}
		after, changed := s.apply(before)
		if old := before.Get(string(s.Part)); changed && r.Reshape != nil {
			switch structured := out.Result.Get("structuredContent"); {
			case s.Part == Output && structured != nil:
				out.Result = out.Result.With("structuredContent", r.Reshape(old, structured))
			case s.Part == Input && out.Arguments != nil:
				out.Arguments = r.Reshape(old, out.Arguments)
			}
		}
		before = after
	}
	return &out
}

// reshapes reports whether a step asks for other data.
func reshapes(steps []Step) bool {
	for _, s := range steps {
		if r, err := Find(s.Rewrite); err == nil && r.Reshape != nil {
			return true
		}
	}
	return false
}
