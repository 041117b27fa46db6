package reports

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/schema"
)

func init() {
	Register(Format{Name: "tap", Doc: "Test Anything Protocol: one line per tool and host", Write: writeTAP})
}

// writeTAP writes version 13, which readers of version 14 take as well; prove, the
// consumer that is everywhere, refuses 14. Diagnostics are YAML blocks whose values
// are JSON strings, which YAML reads as they are.
func writeTAP(w io.Writer, r *verdict.Report, o Options) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "TAP version 13\n1..%d\n", len(r.Cells))
	for i, c := range r.Cells {
		host := c.Host
		if c.HostVersion != "" {
			host += " " + c.HostVersion
		}
		title := tapText(fmt.Sprintf("%s in %s: %s", toolName(c.Tool), host, c.Verdict))
		switch {
		case c.Verdict == verdict.Unknown:
			fmt.Fprintf(b, "ok %d - %s # SKIP %s\n", i+1, title, tapText(firstMessage(c, "nothing could be established")))
		case c.Verdict.Rank() >= o.failOn().Rank():
			fmt.Fprintf(b, "not ok %d - %s\n", i+1, title)
			tapDiagnostic(b, c)
		default:
			fmt.Fprintf(b, "ok %d - %s\n", i+1, title)
		}
	}
	return b.Flush()
}

func tapDiagnostic(b *bufio.Writer, c verdict.Cell) {
	f := decisive(c)
	if f == nil {
		return
	}
	b.WriteString("  ---\n")
	for _, part := range []struct{ key, value string }{
		{"rule", f.Rule}, {"severity", string(f.Severity)}, {"stage", string(f.Stage)}, {"blast", string(f.Blast)},
		{"message", cutText(inline(f.Message), hostTextMax)}, {"host_text", cutText(inline(f.HostText), hostTextMax)}, {"culprit", inline(f.Culprit)},
		{"schema", inline(f.SchemaPointer)}, {"data", inline(f.DataPointer)}, {"basis", f.Basis},
	} {
		if part.value != "" {
			// A command in a log is not one with an escape in it; the value stays the same.
			fmt.Fprintf(b, "  %s: %s\n", part.key, strings.ReplaceAll(schema.Quote(part.value), "##", `#\u0023`))
		}
	}
	b.WriteString("  ...\n")
}

var tapEscapes = strings.NewReplacer("\\", "\\\\", "#", "\\#")

// tapText escapes what TAP reads as its own: a hash begins a directive.
func tapText(s string) string {
	return tapEscapes.Replace(inline(s))
}
