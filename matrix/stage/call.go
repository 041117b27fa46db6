package stage

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// CallStage decides whether the model's call gets through: approval rules and
// the host's own check of the arguments.
func CallStage(s *State) {
	if s.Session == nil {
		return
	}
	for _, t := range s.present() {
		s.approve(t)
		s.checkArguments(t)
	}
}

func (s *State) approve(t *Tool) {
	a, f := claim[capabilities.Approval](s, "call.approval")
	if a == nil || a.Needs == "" || t.Value.Get("annotations").Get(a.Needs).IsTrue() {
		return
	}
	v := verdict.Finding{Rule: "approval-needed", Severity: verdict.Info, Stage: verdict.Call, HostText: a.Text,
		Message: fmt.Sprintf("without the annotation %s the call is refused when this host runs %s", a.Needs, a.Mode)}
	if a.Default {
		v.Severity, v.Blast = verdict.Error, verdict.BlastTool
	}
	t.add(f, v)
	t.Gone = a.Default && f.Conflict == nil
}

// standardProfile is the specification's own reading of an untagged schema.
const standardProfile = "2020-12"

// checkArguments runs the host's argument validator over the sampled calls.
func (s *State) checkArguments(t *Tool) {
	a, f := claim[capabilities.Arguments](s, "call.arguments")
	if a == nil || t.Input == nil || t.Gone {
		return
	}
	profile := a.Profile
	if tag, ok := t.Input.Get("$schema").IsString(); ok && a.ByTag[tag] != "" {
		profile = a.ByTag[tag]
	}
	if profile == "none" {
		return
	}
	document := checkedSchema(a, t)
	if a.RequiredOnly {
		required := t.Input.Get("required")
		if required == nil || required.Kind != schema.Array {
			return
		}
		document = schema.Obj(schema.Member{Key: "required", Value: required})
	}
	v, err := s.Validators.Compile(profile, document)
	if err != nil {
		s.uncompilableInput(t, a, f, err)
		return
	}
	if s.spared(v) {
		t.add(f, verdict.Finding{Rule: "arguments-undecided", Severity: verdict.Undecided, Stage: verdict.Call, Message: sparedText})
		return
	}
	if !a.RequiredOnly {
		defer s.searchArguments(t, a, f, profile, v)
	}
	for _, call := range s.Session.CallsOf(t.Name) {
		if call.Arguments == nil || call.Origin != recording.Real {
			continue
		}
		arguments := call.Arguments
		if a.NullMissing {
			arguments = withoutNulls(arguments)
		}
		r := validateMended(a.Coerce, v, t.Input, arguments)
		switch r.Outcome {
		case validators.Invalid, validators.Thrown:
			if !s.TrustAPI && s.forbidden(t, call) { // a replay shows what the host did
				continue
			}
			finding := refusedArguments(a, r, string(call.Origin), refusalWords(a, t, call, r))
			t.add(f, finding)
			t.refused = append(t.refused, refusal{call, finding.HostText})
		case validators.Unknown:
			if r.Exhausted() {
				s.exhausted++
			}
			t.add(f, verdict.Finding{Rule: "arguments-undecided", Severity: verdict.Undecided, Stage: verdict.Call,
				Message: "cannot tell whether this host accepts the arguments: " + r.Text})
		}
	}
}

func refusedArguments(a *capabilities.Arguments, r validators.Result, sample, words string) verdict.Finding {
	v := verdict.Finding{Rule: "arguments-refused", Severity: verdict.Error, Stage: verdict.Call, Blast: verdict.BlastTool,
		Message:  "this host checks the arguments by its own reading of the inputSchema and refuses the call before the server sees it",
		HostText: words, Sample: sample}
	if len(r.Violations) > 0 {
		v.SchemaPointer = "/inputSchema" + r.Violations[0].Schema.String()
		v.DataPointer = r.Violations[0].Instance.String()
	}
	return v
}

// forbidden reports whether the schema forbids the arguments by the
// specification's own reading too: that tells nothing about the host.
func (s *State) forbidden(t *Tool, call *recording.Call) bool {
	own, err := s.Validators.Compile(standardProfile, t.Input)
	return err == nil && own.Validate(call.Arguments).Outcome == validators.Invalid
}

// argumentErrors words the errors as the host does: it may print the first one
// only, and call the value something else than "data".
func argumentErrors(a *capabilities.Arguments, r validators.Result) string {
	if len(r.Violations) == 0 || (a.Variable == "" && !a.FirstOnly) {
		return r.Text
	}
	var texts []string
	for _, v := range r.Violations {
		variable := a.Variable
		if variable == "" {
			variable = "data"
		}
		texts = append(texts, variable+v.Instance.String()+" "+v.Message)
		if a.FirstOnly {
			break
		}
	}
	return strings.Join(texts, ", ")
}

func (s *State) uncompilableInput(t *Tool, a *capabilities.Arguments, f *capabilities.Found, err error) {
	var compile *validators.CompileError
	if !errors.As(err, &compile) {
		t.add(f, verdict.Finding{Rule: "arguments-undecided", Severity: verdict.Undecided, Stage: verdict.Call, Message: err.Error()})
		return
	}
	if a.Uncompilable == "skip-validation" {
		return
	}
	text := compile.Text
	if a.CompileText != "" {
		text = fill(a.CompileText, "error", text)
	}
	words := func(call *recording.Call) string {
		return refusalWords(a, t, call, validators.Result{Text: text, Violations: []validators.Violation{{Message: text}}})
	}
	for _, call := range s.Session.CallsOf(t.Name) {
		t.refused = append(t.refused, refusal{call, words(call)})
	}
	t.add(f, verdict.Finding{Rule: "input-schema-uncompilable", Severity: verdict.Error, Stage: verdict.Call, Blast: verdict.BlastTool,
		HostText: words(nil), SchemaPointer: "/inputSchema",
		Message: "this host cannot compile the inputSchema and refuses every call"})
	t.Gone = f.Conflict == nil
}
