// Package oracle runs the real validator libraries that the profiles of package
// validators follow, so that tests, goldens and the fuzzer can ask the original.
//
// Each runtime (Node, Python, Java) has a small runner that speaks the line
// protocol of `conform validate`: a request is {"schema": …, "instances": […]},
// an answer {"results": […]} or {"compile_error": "…"}. install.sh puts the
// libraries, at pinned versions, into a cache folder; nothing here installs or
// downloads anything. [Available] says whether a profile can be asked on this
// machine, [Start] starts its runner.
package oracle

import (
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// Request is one schema and the instances to judge by it, each as JSON text that
// reaches the library's own parser as written (1.0, 1e400, duplicate keys).
type Request struct {
	Schema    string
	Instances []string
}

// Line returns the request as one line of the protocol, without the newline.
// Line breaks between tokens become blanks; JSON allows none elsewhere.
func (r Request) Line() string {
	line := `{"schema":` + r.Schema + `,"instances":[` + strings.Join(r.Instances, ",") + `]}`
	return strings.NewReplacer("\n", " ", "\r", " ").Replace(line)
}

// Answer is what a library, or its emulation, says to a [Request].
type Answer struct {
	// CompileError is the text with which the schema is refused; nil when it is accepted.
	CompileError *string
	// Results has one entry per instance, in order, when the schema is accepted.
	// Only Outcome and Text are set.
	Results []validators.Result
}

// ParseAnswer reads one answer line. Its errors name what in the line is wrong.
func ParseAnswer(line []byte) (Answer, error) {
	v, err := schema.Parse(line, schema.Limits{})
	if err != nil {
		return Answer{}, fmt.Errorf("oracle answer %.200q is not JSON: %w", line, err)
	}
	if text, ok := v.Get("compile_error").IsString(); ok {
		return Answer{CompileError: &text}, nil
	}
	if text, ok := v.Get("error").IsString(); ok {
		return Answer{}, fmt.Errorf("the oracle could not read the request: %s", text)
	}
	results := v.Get("results")
	if results == nil || results.Kind != schema.Array {
		return Answer{}, fmt.Errorf("oracle answer %.200q has neither results nor compile_error", line)
	}
	answer := Answer{Results: make([]validators.Result, 0, len(results.Items))}
	for _, item := range results.Items {
		result, err := parseResult(item)
		if err != nil {
			return Answer{}, fmt.Errorf("oracle answer %.200q: %w", line, err)
		}
		answer.Results = append(answer.Results, result)
	}
	return answer, nil
}

func parseResult(item *schema.Value) (validators.Result, error) {
	text, _ := item.Get("text").IsString()
	if valid := item.Get("valid"); valid.IsTrue() {
		return validators.Result{Outcome: validators.Valid}, nil
	} else if valid.IsFalse() {
		return validators.Result{Outcome: validators.Invalid, Text: text}, nil
	}
	if thrown, ok := item.Get("thrown").IsString(); ok {
		return validators.Result{Outcome: validators.Thrown, Text: thrown}, nil
	}
	if why, ok := item.Get("unknown").IsString(); ok {
		return validators.Result{Outcome: validators.Unknown, Text: why}, nil
	}
	return validators.Result{}, fmt.Errorf("a result needs valid, thrown or unknown")
}

// Line returns the answer as one line of the protocol, without the newline.
func (a Answer) Line() string {
	if a.CompileError != nil {
		return `{"compile_error":` + schema.Quote(*a.CompileError) + `}`
	}
	var b strings.Builder
	b.WriteString(`{"results":[`)
	for i, r := range a.Results {
		if i > 0 {
			b.WriteByte(',')
		}
		switch r.Outcome {
		case validators.Valid:
			b.WriteString(`{"valid":true}`)
		case validators.Invalid:
			b.WriteString(`{"valid":false,"text":` + schema.Quote(r.Text) + `}`)
		case validators.Thrown:
			b.WriteString(`{"thrown":` + schema.Quote(r.Text) + `}`)
		default:
			b.WriteString(`{"unknown":` + schema.Quote(r.Text) + `}`)
		}
	}
	b.WriteString(`]}`)
	return b.String()
}
