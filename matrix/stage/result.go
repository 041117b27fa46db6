package stage

import (
	"errors"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/operation"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// ResultStage decides whether the host accepts each result: the typed parser of
// CallToolResult first, then the outputSchema where the host has a validator.
func ResultStage(s *State) {
	if s.Session == nil {
		return
	}
	v, vf := s.validatorRule()
	sh, sf := claim[capabilities.Shape](s, "result.shape")
	for _, t := range s.offered() {
		r := results{State: s, tool: t, rule: v, rf: vf, shape: sh, sf: sf}
		r.compile()
		for _, call := range s.Session.CallsOf(t.Name) {
			r.check(call)
		}
		r.search()
		if r.exhausted {
			s.exhausted++
		}
	}
}

// results is the result stage of one tool.
type results struct {
	*State
	tool      *Tool
	rule      *capabilities.Validator
	rf        *capabilities.Found
	shape     *capabilities.Shape
	sf        *capabilities.Found
	validator validators.Validator
	current   *schema.Value // the current result as the host's parser hands it on
	shown     bool          // a real result was rejected by the validator
	document  *schema.Value // what the validator was compiled from
	exhausted bool          // the validator used its budget up without an answer
	broken    string        // what the host says of a result whose outputSchema does not compile then
}

// compile prepares the tool's validator; without one every result passes unchecked.
func (r *results) compile() {
	t := r.tool
	if t.Gone || r.rule == nil || r.rule.Profile == "none" || r.rule.ListOnly || t.Output == nil || t.Unvalidated || r.OutputIgnored {
		return
	}
	document := r.validatedSchema(t, r.rule, r.byID)
	if document == nil {
		t.Unvalidated = true
		return
	}
	v, err := r.Validators.Compile(profileFor(r.rule, t.Output), document)
	if err == nil && r.spared(v) {
		t.add(r.rf, verdict.Finding{Rule: "result-undecided", Severity: verdict.Undecided, Stage: verdict.Result, Message: sparedText})
		return
	}
	if err == nil {
		r.validator, r.document = v, document
		return
	}
	var compile *validators.CompileError
	switch {
	case !errors.As(err, &compile):
		t.add(r.rf, verdict.Finding{Rule: "schema-undecided", Severity: verdict.Undecided, Stage: verdict.Result,
			Message: "cannot tell whether this host can compile the outputSchema: " + err.Error()})
	case r.rule.Compile == "list":
		// told at the list stage
	case r.rule.Uncompilable == "skip-validation":
		t.add(r.rf, verdict.Finding{Rule: "output-schema-unchecked", Severity: verdict.Info, Stage: verdict.Result, SchemaPointer: "/outputSchema",
			HostText: compileText(r.rule, t, compile.Text),
			Message:  "this host cannot compile the outputSchema and lets every result of the tool pass unchecked"})
	default:
		message := "this host cannot compile the outputSchema and rejects every result of the tool"
		if r.rule.Compile == "call" {
			message = "this host cannot compile the outputSchema and refuses every call of the tool before the server sees it"
		}
		t.add(r.rf, verdict.Finding{Rule: "output-schema-uncompilable", Severity: verdict.Error, Stage: verdict.Result, Blast: verdict.BlastTool,
			SchemaPointer: "/outputSchema", HostText: compileText(r.rule, t, compile.Text), Message: message})
		if r.rule.Compile == "result" {
			r.broken = nonEmpty(compileText(r.rule, t, compile.Text))
			return
		}
		t.Gone = r.rf.Conflict == nil
	}
}

// check takes one call through the stage and appends what the model will see.
func (r *results) check(call *recording.Call) {
	t := r.tool
	seen := Seen{Call: call, Calls: 1}
	defer func() { t.Seen = append(t.Seen, seen) }()
	for _, refused := range t.refused {
		if refused.call == call {
			seen.Calls, seen.View = 0, r.refuse(call, refused.text)
			return
		}
	}
	if t.uncallable != "" {
		seen.Calls, seen.View = 0, r.view(call, t.uncallable) // a failed call to the host, if none on the wire
		return
	}
	if t.Gone {
		text := ""
		if n := len(t.Findings); n > 0 {
			text = t.Findings[n-1].HostText
		}
		seen.Calls, seen.View = 0, r.refuse(call, text)
		return
	}
	if call.Failed != nil {
		t.add(nil, verdict.Finding{Rule: "call-unanswered", Severity: verdict.Undecided, Stage: verdict.Result, Message: call.Failed.Text})
		seen.View = r.view(call, "")
		return
	}
	rejected, malformed := "", false
	r.current = call.Result
	if r.rule != nil && r.rule.ParseText {
		r.current = withTextAsStructured(call.Result)
	}
	if call.Result != nil {
		rejected = r.parse(call)
		malformed = rejected != ""
		if rejected == "" {
			rejected = r.validate(call)
		}
	}
	if (rejected != "" || call.Error != nil) && r.rule != nil {
		seen.Calls += r.rule.Retries
	}
	handedOn := *call
	handedOn.Result = r.current
	seen.View = r.view(&handedOn, rejected)
	seen.View.Malformed = malformed
}

// refuse is the view of a call that the host answers itself.
func (r *results) refuse(call *recording.Call, text string) *operation.View {
	v := r.view(call, nonEmpty(text))
	v.Refused = true
	return v
}

// parse runs the host's typed parser of CallToolResult; it returns the host's
// words when the result is refused.
func (r *results) parse(call *recording.Call) string {
	if r.shape == nil || r.shape.Modern == "" && r.State.otherEra() {
		return ""
	}
	sh := r.State.shape(r.shape)
	if sh == nil {
		return ""
	}
	issues := r.State.parsed(r.shape, sh, "result", r.current)
	if len(issues) == 0 {
		r.current = sh.Output("result", r.current)
		return ""
	}
	words := sh.Text("result", issues)
	text := words
	if r.shape.Text != "" {
		text = fill(r.shape.Text, "issues", words, "tool", r.tool.Name, "server", r.Target.Name)
	}
	r.tool.add(r.sf, verdict.Finding{Rule: "result-malformed", Severity: verdict.Error, Stage: verdict.Result, Blast: verdict.BlastTool,
		HostText: text, DataPointer: issues[0].Path.String(), Sample: string(call.Origin),
		Message: "this host refuses the whole result: " + issues[0].Message})
	return nonEmpty(text)
}

// validate applies the outputSchema; it returns the host's words when the result
// is refused.
func (r *results) validate(call *recording.Call) string {
	t := r.tool
	if r.rule == nil || r.rule.Profile == "none" || r.rule.ListOnly || t.Output == nil || t.Unvalidated || r.OutputIgnored {
		return ""
	}
	structured := r.current.Get("structuredContent")
	isError := call.Result.Get("isError").IsTrue()
	missing := structured == nil || (r.rule.Falsy == "missing" && falsy(structured)) ||
		(r.rule.Falsy == "null" && structured.Kind == schema.Null)
	if missing {
		if isError || r.rule.Missing != "reject" {
			return ""
		}
		text := fill(r.rule.MissingText, "tool", t.Name)
		t.Checked = true
		t.add(r.rf, verdict.Finding{Rule: "structured-missing", Severity: verdict.Error, Stage: verdict.Result, Blast: verdict.BlastTool,
			HostText: text, Sample: string(call.Origin),
			Message: "the tool declares an outputSchema and the result has no structuredContent; this host rejects the result"})
		return nonEmpty(text)
	}
	if (isError && !r.rule.OnError) || (r.rule.Falsy == "unchecked" && falsy(structured)) {
		return ""
	}
	if r.broken != "" || r.validator == nil {
		return r.broken
	}
	t.Checked = true
	return r.judge(structured, string(call.Origin))
}

// judge validates one value and adds a finding when the host rejects it.
func (r *results) judge(structured *schema.Value, sample string) string {
	result := r.validator.Validate(structured)
	v := verdict.Finding{Rule: "result-schema-mismatch", Severity: verdict.Error, Stage: verdict.Result, Blast: verdict.BlastTool, Sample: sample}
	switch result.Outcome {
	case validators.Valid:
		return ""
	case validators.Unknown:
		if result.Exhausted() {
			r.exhausted = true
		}
		r.tool.add(r.rf, verdict.Finding{Rule: "result-undecided", Severity: verdict.Undecided, Stage: verdict.Result, Sample: sample,
			Message: "cannot tell whether this host accepts the result: " + result.Text})
		return ""
	case validators.Thrown:
		v.Rule = "result-validator-threw"
		v.HostText = fill(r.rule.ThrownText, "error", result.Text, "message", withoutClass(result.Text), "tool", r.tool.Name)
		v.Message = "this host's validator fails on the result and the call is lost"
	default:
		v.HostText = fill(r.rule.MismatchText, "errors", result.Text, "tool", r.tool.Name)
		v.Message = "this host reads the outputSchema " + r.reading(result)
		if n := len(result.Violations); n > 0 {
			v.SchemaPointer = "/outputSchema" + result.Violations[0].Schema.String()
			v.DataPointer = "/structuredContent" + result.Violations[0].Instance.String()
		}
	}
	if sample == string(recording.Synthesized) {
		v.Witness = cutUTF16(structured.Compact(), maxWitness)
		v.Message += "; no real result showed it, an instance made from the outputSchema does"
	} else {
		r.shown = true
	}
	r.tool.add(r.rf, v)
	return nonEmpty(v.HostText)
}

// withoutClass leaves the name of an exception's class off its text.
func withoutClass(text string) string {
	class, message, ok := strings.Cut(text, ": ")
	if !ok || strings.ContainsAny(class, " '\"") {
		return text
	}
	return message
}

// maxWitness bounds the witness text in a report, in UTF-16 units.
const maxWitness = 2000

func falsy(v *schema.Value) bool {
	switch v.Kind {
	case schema.Null:
		return true
	case schema.Bool:
		return !v.Bool
	case schema.Number:
		return v.Float() == 0
	case schema.String:
		return v.Text == ""
	}
	return false
}

// withTextAsStructured puts the JSON of the first content block, when that is a text,
// in the place of a structuredContent that is missing or falsy. Source: Gemini CLI's
// xcode-mcp-fix-transport, which every server's messages go through.
func withTextAsStructured(result *schema.Value) *schema.Value {
	content := result.Get("content")
	if there := result.Get("structuredContent"); content == nil || len(content.Items) == 0 || there != nil && !falsy(there) {
		return result
	}
	kind, _ := content.Items[0].Get("type").IsString()
	text, ok := content.Items[0].Get("text").IsString()
	if kind != "text" || !ok {
		return result
	}
	parsed, err := schema.ParseString(text)
	if err != nil {
		return result
	}
	return result.With("structuredContent", parsed)
}

// nonEmpty marks a rejection for which the table has no words.
func nonEmpty(text string) string {
	if text == "" {
		return "(rejected)"
	}
	return text
}
