package lint

import (
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// problemsOf lists what the recorder meets and a rule reports from there, by rule.
var problemsOf = map[string][]string{
	"message-framing":   {"stdout-noise", "cut-message", "malformed-message", "invalid-utf8", "nul-byte", "output-flood", "sse-event-name"},
	"stdin-end":         {"stays-at-eof"},
	"http-notification": {"notification-body"},
	"http-stream-end":   {"stream-stays-open"},
	"http-session-id":   {"session-id"},

	"http-session-unique":    {"session-shared", "session-guessable"},
	"http-stream-unanswered": {"stream-unanswered"},
	"list-next-cursor":       {"cursor-loop"},
	"request-answered":       {"probe-ends-server", "probe-unanswered"},
}

// seenAlso lists what the recorder meets and a rule sees for itself in the messages.
var seenAlso = map[string][]string{
	"message-batch":             {"batch"},
	"message-envelope":          {"duplicate-answer", "jsonrpc-version", "null-id", "result-and-error", "unknown-id"},
	"server-request-modern":     {"server-request"},
	"server-request-undeclared": {"server-request"},
	"http-modern-session":       {"session-id"},
	"http-content-type":         {"content-type"},
	"http-notification":         {"notification-status"},
	"list-next-cursor":          {"cursor-type"},
	"list-empty-cursor":         {"empty-cursor"},
	"discover":                  {"discover-missing", "discover-ignored"},
}

// SaysProblem reports whether a rule says a problem of the recorder in its own words,
// so that a report need not name it twice.
func SaysProblem(rule, problem string) bool {
	return contains(problemsOf[rule], problem) || contains(seenAlso[rule], problem)
}

// fromProblems makes findings of what the recorder met, lines of noise of one
// session as one. A capture that was read from a case file has no such problems and
// so no finding.
func fromProblems(rule string) func(*Pass) ([]Finding, error) {
	return func(p *Pass) (out []Finding, err error) {
		noise := map[string][]recording.Problem{}
		for _, met := range p.Capture.Problems {
			if !contains(problemsOf[rule], met.Rule) || !p.wantsProblem(met) {
				continue
			}
			if met.Rule == "stdout-noise" {
				if noise[met.Session] = append(noise[met.Session], met); len(noise[met.Session]) > 1 {
					continue
				}
			}
			text := met.Message
			if met.Raw != "" && !strings.Contains(text, met.Raw) {
				text += ": " + met.Raw
			}
			out = append(out, Finding{Session: met.Session, Message: text})
		}
		for i, f := range out {
			if lines := noise[f.Session]; len(lines) > 1 && strings.HasPrefix(f.Message, lines[0].Message) {
				out[i].Message = severalLines(lines)
			}
		}
		return out, nil
	}
}

// severalLines words several lines that are no messages: an answer that was printed
// for people, or something else.
func severalLines(lines []recording.Problem) string {
	var whole strings.Builder
	for _, l := range lines {
		whole.WriteString(l.Raw + "\n")
	}
	text := fmt.Sprintf("%d lines on stdout are no JSON-RPC messages", len(lines))
	if opened := strings.TrimSpace(lines[0].Raw); opened == "{" || opened == "[" || isMessage(whole.String()) {
		text = fmt.Sprintf("An answer is spread over %d lines; each message is one line", len(lines))
	}
	return text + ", the first: " + lines[0].Raw
}

func isMessage(text string) bool {
	v, err := schema.Parse([]byte(text), messageLimits)
	return err == nil && v.Has("jsonrpc")
}
