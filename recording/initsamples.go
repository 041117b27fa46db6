package recording

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"github.com/hostmatrix/conform/schema"
)

// InitSamples writes a first samples file for a server: every tool is listed,
// those that conform would call anyway with the arguments it would use, the
// others commented out with what is missing.
func InitSamples(session *Session) []byte {
	var b bytes.Buffer
	b.WriteString(`# Calls that conform may make. A tool is called without being named here when it
# says readOnlyHint: true and its arguments follow from its schema; a tool with
# destructiveHint: true is called only if it is named here. A tool may have
# several entries; "is_error: true" says that an error result is expected.
format: ` + SamplesFormat + `
samples:
`)
	plan := Plan(session, nil, PlanOptions{})
	arguments := map[string]*schema.Value{}
	for _, c := range plan.Calls {
		arguments[c.Tool] = c.Arguments
	}
	for i, t := range session.Tools {
		decision := plan.Tools[i]
		fmt.Fprintf(&b, "\n  # %s\n", oneLine(decision.Reason, 200))
		if t.Name == "" {
			continue
		}
		if decision.Called {
			fmt.Fprintf(&b, "  - tool: %s\n    arguments: %s\n", quoteYAML(t.Name), printable(arguments[t.Name].Compact()))
			continue
		}
		fmt.Fprintf(&b, "  # - tool: %s\n", quoteYAML(t.Name))
		parameters := parametersOf(t.Input)
		if len(parameters) == 0 {
			b.WriteString("  #   arguments: {}\n")
			continue
		}
		b.WriteString("  #   arguments:\n")
		for _, p := range parameters {
			fmt.Fprintf(&b, "  #     %s: # %s\n", quoteYAML(p.name), p.comment)
		}
	}
	return b.Bytes()
}

// oneLine makes a server's text fit for a comment: no line breaks, no control
// characters, at most max runes.
func oneLine(s string, max int) string {
	var b strings.Builder
	n := 0
	for _, r := range strings.Join(strings.Fields(s), " ") {
		if n == max {
			b.WriteString("…")
			break
		}
		if unicode.IsControl(r) || r == unicode.ReplacementChar || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
			r = '\uFFFD'
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// quoteYAML writes a name plainly where YAML can't take it for anything else, in
// quotes where it could.
func quoteYAML(s string) string {
	plain := s != ""
	for i, r := range s {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r != '-' && r != '.' && (r < '0' || r > '9')) {
			plain = false
		}
	}
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		plain = false
	}
	if plain {
		return s
	}
	return printable(schema.Quote(strings.ToValidUTF8(s, "\uFFFD")))
}

// printable escapes what YAML forbids inside quotes although JSON allows it
// (YAML 1.2.2, section 5.1, Character Set). Such characters stand in strings only.
func printable(json string) string {
	var b strings.Builder
	for _, r := range json {
		if r == 0x7F || r >= 0x80 && r < 0xA0 || r == 0xFEFF || r == 0xFFFE || r == 0xFFFF {
			fmt.Fprintf(&b, "\\u%04x", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
