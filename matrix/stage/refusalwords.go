package stage

import (
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// refusalWords are what the host tells the model when it refuses arguments; call is
// nil where no call is at hand.
func refusalWords(a *capabilities.Arguments, t *Tool, call *recording.Call, r validators.Result) string {
	text := fill(a.Text, "errors", argumentErrors(a, r), "missing", missingIn(r), "tool", t.Name)
	if a.Message == "" {
		return text
	}
	var lines []string
	for _, v := range r.Violations {
		place := strings.Join(v.Instance, ".")
		if place == "" {
			place = "root"
		}
		lines = append(lines, "- "+place+": "+v.Message)
	}
	given := ""
	if call != nil {
		given = call.Arguments.Stringify("  ")
	}
	if a.ArgumentsMax > 0 && utf16Length(given) > a.ArgumentsMax {
		given = cutUTF16(given, a.ArgumentsMax) + "... (truncated)"
	}
	message := fill(a.Message, "offered", t.Offered.Name, "lines", strings.Join(lines, "\n"), "arguments", given)
	return fill(text, "message", schema.Str(message).Stringify(""), "fields", errorsByField(r.Violations).json().Stringify(""))
}

// missingIn is the name that the first error of a required misses, as Ajv words it.
func missingIn(r validators.Result) string {
	if len(r.Violations) == 0 {
		return ""
	}
	name, _ := strings.CutPrefix(r.Violations[0].Message, "must have required property '")
	return strings.TrimSuffix(name, "'")
}

// fieldErrors are the errors of a value and, in the order in which they were found,
// of its parts.
type fieldErrors struct {
	errors []string
	names  []string
	fields map[string]*fieldErrors
}

func errorsByField(violations []validators.Violation) *fieldErrors {
	root := &fieldErrors{fields: map[string]*fieldErrors{}}
	for _, v := range violations {
		at := root
		for _, key := range v.Instance {
			if at.fields[key] == nil {
				at.names = append(at.names, key)
				at.fields[key] = &fieldErrors{fields: map[string]*fieldErrors{}}
			}
			at = at.fields[key]
		}
		at.errors = append(at.errors, v.Message)
	}
	return root
}

func (e *fieldErrors) json() *schema.Value {
	errors := make([]*schema.Value, len(e.errors))
	for i, text := range e.errors {
		errors[i] = schema.Str(text)
	}
	fields := make([]schema.Member, len(e.names))
	for i, name := range e.names {
		fields[i] = schema.Member{Key: name, Value: e.fields[name].json()}
	}
	return schema.Obj(schema.Member{Key: "errors", Value: schema.List(errors...)}, schema.Member{Key: "fields", Value: schema.Obj(fields...)})
}
