package stage

import (
	"errors"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// compileOutputs compiles every outputSchema at list time where the host does.
func (s *State) compileOutputs() {
	v, f := s.validatorRule()
	if v == nil || v.Profile == "none" || v.Compile != "list" || s.OutputIgnored {
		return
	}
	byID := map[string]*schema.Value{}
	for _, t := range s.Tools {
		if t.Gone || t.Output == nil {
			continue
		}
		document := s.validatedSchema(t, v, byID)
		if document == nil {
			t.Unvalidated = true
			continue
		}
		_, err := s.Validators.Compile(profileFor(v, t.Output), document)
		if err == nil {
			continue
		}
		var compile *validators.CompileError
		if !errors.As(err, &compile) {
			t.add(f, verdict.Finding{Rule: "schema-undecided", Severity: verdict.Undecided, Stage: verdict.List,
				Message: "cannot tell whether this host can compile the outputSchema: " + err.Error()})
			continue
		}
		text := compileText(v, t, compile.Text)
		switch v.Uncompilable {
		case "server":
			if s.relist(text, nil, nil) {
				return
			}
			s.loseServer(f, verdict.Finding{
				Rule: "output-schema-uncompilable", Severity: verdict.Error, Stage: verdict.List, Culprit: t.Name,
				SchemaPointer: "/outputSchema", HostText: text,
				Message: "this host compiles every outputSchema when it reads the list and loses the list when one does not compile",
			})
			return
		default:
			t.Unvalidated = v.Uncompilable != "accept-any"
			t.add(f, verdict.Finding{
				Rule: "output-schema-unchecked", Severity: verdict.Info, Stage: verdict.List, SchemaPointer: "/outputSchema",
				HostText: text, Message: "this host cannot compile the outputSchema and lets every result of the tool pass unchecked",
			})
		}
	}
}

// validatorRule is who checks structuredContent in this session.
func (s *State) validatorRule() (*capabilities.Validator, *capabilities.Found) {
	v, f := claim[capabilities.Validator](s, "result.validator")
	return v.In(s.Session.Modern()), f
}

func compileText(v *capabilities.Validator, t *Tool, text string) string {
	if v.CompileMax > 0 {
		text = cutUTF16(text, v.CompileMax)
	}
	if v.CompileText == "" {
		return bounded(text)
	}
	return fill(v.CompileText, "error", text, "tool", t.Name)
}

// validatedSchema is the document with which the host checks the tool: its own
// outputSchema, the first one with the same root $id, or nil for none.
func (s *State) validatedSchema(t *Tool, v *capabilities.Validator, byID map[string]*schema.Value) *schema.Value {
	id, ok := t.Output.Get("$id").IsString()
	if v.SameID == "" || !ok {
		return t.Output
	}
	first, seen := byID[id]
	switch {
	case !seen:
		byID[id] = t.Output
		return t.Output
	case v.SameID == "unchecked":
		return nil
	}
	return first
}

// profileFor is the validator profile for an outputSchema: the one its "$schema"
// chooses, where the host looks at that, else the host's own.
func profileFor(v *capabilities.Validator, output *schema.Value) string {
	if tag, ok := output.Get("$schema").IsString(); ok {
		if p, ok := v.ByTag[tag]; ok {
			return p
		}
	}
	return v.Profile
}
