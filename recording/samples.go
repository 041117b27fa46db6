package recording

import (
	"fmt"
	"path"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// PlanOptions say which tools may be called beyond those that the samples file
// names. The zero value is the safe default.
type PlanOptions struct {
	// AllowCalls are shell patterns (path.Match) of tool names that may be called
	// although nothing marks them as read-only. A tool with destructiveHint: true
	// is not called even then.
	AllowCalls []string
	// PerTool is how many calls with different examples and enum values a tool
	// gets at most (default 1). Calls of the samples file are not counted.
	PerTool int
	// SampleErrors adds one call with invalid arguments to every read-only tool.
	SampleErrors bool
	// Refusal says why an inputSchema refuses arguments, "" when it does not or that
	// can't be told. Arguments that were made up and that it refuses are not sent: what
	// a tool does with them nobody promised. nil refuses none.
	Refusal func(input, arguments *schema.Value) string
}

// PlannedCall is one call to be made.
type PlannedCall struct {
	Tool      string
	Arguments *schema.Value // never nil
	// ExpectError is what the samples file says about isError; nil when nothing.
	ExpectError *bool
	// Invalid marks a call with arguments that are wrong on purpose.
	Invalid bool
}

// ToolPlan says what happens to one tool, and why.
type ToolPlan struct {
	Tool   string
	Called bool
	Reason string // "called: …" or "not called: …"
}

// CallPlan is the outcome of [Plan].
type CallPlan struct {
	Calls []PlannedCall
	Tools []ToolPlan // one for each entry of tools/list, in order
}

// Plan decides which tools of a session are called with what. A tool is called
// when the samples file names it, or when it says readOnlyHint: true (or matches
// AllowCalls), does not say destructiveHint: true, and its arguments follow from
// its schema. file may be nil.
func Plan(session *Session, file *SamplesFile, options PlanOptions) CallPlan {
	options.PerTool = max(options.PerTool, 1)
	var plan CallPlan
	seen, guarded := map[string]bool{}, map[string]bool{}
	for _, t := range session.Tools {
		if _, refusal := mayCall(t, options.AllowCalls); refusal != "" {
			guarded[t.Name] = true
		}
	}
	for _, t := range session.Tools {
		calls, reason := planTool(t, file, options)
		if _, refusal := mayCall(t, options.AllowCalls); len(calls) > 0 && refusal == "" && guarded[t.Name] && len(file.samplesOf(t.Name)) == 0 {
			// Which of them a call would reach is the server's secret.
			calls, reason = nil, "another tool of the same name may not be called; only its name in the samples file allows it"
		}
		if t.Name != "" && seen[t.Name] {
			calls, reason = nil, "another tool before it has the same name"
		}
		seen[t.Name] = true
		decision := ToolPlan{Tool: t.Name, Called: len(calls) > 0, Reason: "called: " + reason}
		if !decision.Called {
			decision.Reason = "not called: " + reason
		}
		plan.Tools = append(plan.Tools, decision)
		plan.Calls = append(plan.Calls, calls...)
	}
	return plan
}

// Requests returns the calls as a recorder sends them.
func (p CallPlan) Requests() []Call {
	out := make([]Call, len(p.Calls))
	for i, c := range p.Calls {
		out[i] = Call{Tool: c.Tool, Arguments: c.Arguments, Origin: Real}
	}
	return out
}

func planTool(t *Tool, file *SamplesFile, options PlanOptions) (calls []PlannedCall, reason string) {
	if t.Name == "" {
		return nil, "it has no name"
	}
	if name, _ := t.Value.Get("name").IsString(); len(name) > MaxName {
		return nil, fmt.Sprintf("its name has %d bytes", len(name))
	}
	if samples := file.samplesOf(t.Name); len(samples) > 0 {
		for _, s := range samples {
			calls = append(calls, PlannedCall{Tool: t.Name, Arguments: s.Arguments, ExpectError: s.IsError})
		}
		return calls, "the samples file names it"
	}
	if why, ok := file.skips(t.Name); ok {
		return nil, "the samples file skips it" + why
	}
	readOnly, reason := mayCall(t, options.AllowCalls)
	if reason != "" {
		return nil, reason
	}
	written := map[string]bool{}
	for variant := range options.PerTool {
		arguments, missing := makeArguments(t.Input, variant)
		if missing != "" {
			return nil, missing + "; give it in the samples file"
		}
		if options.Refusal != nil && t.Input != nil && t.Input.Kind == schema.Object {
			if why := options.Refusal(t.Input, arguments); why != "" {
				return nil, fmt.Sprintf("the inputSchema refuses the arguments that it offers, %s: %s; give others in the samples file", oneLine(arguments.Compact(), 80), oneLine(why, 120))
			}
		}
		if text := arguments.Compact(); !written[text] {
			written[text] = true
			calls = append(calls, PlannedCall{Tool: t.Name, Arguments: arguments})
		}
	}
	if !readOnly {
		return calls, "--allow-calls matches it"
	}
	reason = "readOnlyHint is true"
	if invalid := invalidArguments(t.Input, calls[0].Arguments); options.SampleErrors && invalid != nil {
		calls = append(calls, PlannedCall{Tool: t.Name, Arguments: invalid, Invalid: true})
		reason += ", also with wrong arguments"
	}
	return calls, reason
}

// ReadOnly reports whether a tool may be called because it says so itself:
// readOnlyHint is true, and nothing says that it destroys.
func ReadOnly(t *Tool) bool {
	readOnly, refusal := mayCall(t, nil)
	return readOnly && refusal == ""
}

// hint returns an annotation. Of two of one name, in one object or in two, the more
// careful one counts: careful is the value that forbids more.
func hint(t *Tool, name string, careful bool) (out *schema.Value) {
	for _, outer := range t.Value.Members {
		if outer.Key != "annotations" || outer.Value.Kind != schema.Object {
			continue
		}
		for _, m := range outer.Value.Members {
			if m.Key == name && m.Value.Kind != schema.Null && (out == nil || m.Value.Kind != schema.Bool || m.Value.Bool == careful) {
				out = m.Value
			}
		}
	}
	return out
}

// matches reports whether a pattern of [PlanOptions] fits a name; a slash is a letter
// like others, as tools have no folders.
func matches(pattern, name string) bool {
	plain := strings.NewReplacer("/", "\x00")
	ok, err := path.Match(plain.Replace(pattern), plain.Replace(name))
	return err == nil && ok
}

// mayCall says why a tool that no samples file names may not be called, "" when
// it may.
func mayCall(t *Tool, allow []string) (readOnly bool, refusal string) {
	if destructive := hint(t, "destructiveHint", true); destructive.IsTrue() {
		return false, "destructiveHint is true; only its name in the samples file allows it"
	} else if destructive != nil && !destructive.IsFalse() {
		return false, fmt.Sprintf("destructiveHint is %s and no boolean; only its name in the samples file allows it", destructive.Kind)
	}
	if mode, _ := t.Value.Get("execution").Get("taskSupport").IsString(); mode == "required" {
		return false, "it can be called as a task only (execution.taskSupport)"
	}
	readOnlyHint := hint(t, "readOnlyHint", false)
	if readOnlyHint.IsTrue() {
		return true, ""
	}
	for _, pattern := range allow {
		if matches(pattern, t.Name) {
			return false, ""
		}
	}
	switch {
	case readOnlyHint == nil:
		return false, "nothing marks it as read-only; name it in the samples file or with --allow-calls"
	case readOnlyHint.IsFalse():
		return false, "readOnlyHint is false; name it in the samples file or with --allow-calls"
	default:
		return false, fmt.Sprintf("readOnlyHint is %s and no boolean; name it in the samples file or with --allow-calls", readOnlyHint.Kind)
	}
}
