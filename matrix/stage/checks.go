package stage

import (
	"unicode/utf16"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/operation"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/spec"
)

// subject is the tool as operations see it.
func (s *State) subject(t *Tool) operation.Subject {
	description, _ := t.Value.Get("description").IsString()
	return operation.Subject{
		Name: t.Name, Description: description, Schema: t.Input, Tool: t.Value,
		Server: s.Target.Name, Transport: s.Session.Transport, Protocol: s.Session.Negotiated,
		Metaschema: s.metaschema,
	}
}

// metaschema asks once per document and dialect, whatever host looks at it.
func (s *State) metaschema(dialect string, document *schema.Value) []validators.Violation {
	return validators.Remember(s.Validators, "metaschema "+dialect, document, func() []validators.Violation {
		return spec.Metaschema(dialect, document)
	})
}

// runChecks runs a list of checks on one tool and applies their consequences; it
// reports whether the tool survives.
func (s *State) runChecks(t *Tool, checks capabilities.Checks, f *capabilities.Found, at verdict.Stage, subject operation.Subject) bool {
	for _, c := range checks {
		check, err := operation.NewCheck(c.Op.Name, c.Op.Params)
		if err != nil {
			t.add(f, tableFault(at, err))
			continue
		}
		problems := check(subject)
		if len(problems) == 0 {
			continue
		}
		p := problems[0]
		v := verdict.Finding{
			Rule: c.Op.Name, Severity: verdict.Error, Stage: at, Blast: verdict.BlastTool,
			Message: p.Detail, SchemaPointer: p.Pointer.String(),
			HostText: fill(c.Text, "detail", p.Detail, "tool", subject.Name, "pointer", p.Pointer.String()),
		}
		switch c.OnFailure {
		case "server":
			v.Culprit, v.Blast = t.Name, verdict.BlastServer
			s.loseServer(f, v)
			return false
		case "request":
			v.Blast, v.Culprit = verdict.BlastRequest, t.Name
			s.loseServer(f, v)
			return false
		case "note":
			v.Severity, v.Blast = verdict.Info, ""
			t.add(f, v)
		case "hide":
			v.Severity, v.Blast = verdict.Info, ""
			t.add(f, v)
			t.Gone = f.Conflict == nil
			return false
		case "calls":
			v.Stage = verdict.Call
			t.add(f, v)
			if f.Conflict == nil {
				t.uncallable = nonEmpty(v.HostText)
			}
		case "degrade":
			v.Severity = verdict.Warning
			t.add(f, v)
		case "unknown":
			v.Severity = verdict.Undecided
			t.add(f, v)
		default:
			t.add(f, v)
			t.Gone = f.Conflict == nil
			return false
		}
	}
	return true
}

// tableFault is the finding for an operation that the table names wrongly; lint
// refuses such a table, so a person sees this only with --hosts-dir.
func tableFault(at verdict.Stage, err error) verdict.Finding {
	return verdict.Finding{Rule: "table-fault", Severity: verdict.Undecided, Stage: at,
		Message: "the capability table cannot be applied here: " + err.Error()}
}

// cutUTF16 keeps the first n UTF-16 units of s, as String.prototype.slice does.
func cutUTF16(s string, n int) string {
	units := utf16.Encode([]rune(s))
	if len(units) <= n {
		return s
	}
	return string(utf16.Decode(units[:n]))
}
