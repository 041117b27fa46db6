package reports

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
)

func init() {
	Register(Format{Name: "text", Doc: "the matrix and one block per problem, for a terminal", Write: writeText})
}

const defaultWidth = 100

// page collects the lines of a text report. Everything goes through line, which
// takes the last look at what a server could have put there.
type page struct {
	w       *bufio.Writer
	r       *verdict.Report
	o       Options
	width   int
	problem []Problem
}

func writeText(w io.Writer, r *verdict.Report, o Options) error {
	p := &page{w: bufio.NewWriter(w), r: r, o: o, width: o.Width, problem: Problems(r, o.Verbose)}
	if p.width <= 0 {
		p.width = defaultWidth
	}
	p.width = max(p.width, 60)
	if !o.Quiet {
		p.head()
		p.matrix()
		p.notCalled()
	}
	p.problems()
	p.advice()
	if !o.Quiet {
		p.summary()
	}
	return p.w.Flush()
}

func (p *page) line(s string) { fmt.Fprintln(p.w, uncommand(strings.TrimRight(s, " "))) }

func (p *page) linef(format string, args ...any) { p.hang("", fmt.Sprintf(format, args...)) }

// hang writes text wrapped, its first line after first, the others after as many
// blanks.
func (p *page) hang(first, text string) {
	indent := runes(first)
	for i, l := range wrap(text, p.width-indent) {
		if i == 0 {
			p.line(first + l)
		} else {
			p.line(strings.Repeat(" ", indent) + l)
		}
	}
}

func (p *page) head() {
	t := p.r.Target
	what := inline(t.Name)
	if t.Version != "" {
		what += " " + inline(t.Version)
	}
	var via, spoken []string
	failed := 0
	if t.Transport != "" {
		via = append(via, t.Transport)
	}
	for _, h := range t.Handshakes {
		switch {
		case h.Error != "":
			failed++
		case h.Negotiated != "" && !slices.Contains(spoken, h.Negotiated):
			spoken = append(spoken, h.Negotiated)
		}
	}
	slices.Sort(spoken)
	via = append(via, spoken...)
	if failed > 0 {
		via = append(via, plural(failed, "session")+" failed")
	}
	text := what
	if len(via) > 0 {
		text += " (" + inline(strings.Join(via, ", ")) + ")"
	}
	p.hang("", fmt.Sprintf("%s: %s in %s", text, plural(len(p.r.Tools), "tool"), plural(len(p.r.Hosts), "host")))
	for _, h := range t.Handshakes {
		if h.Error != "" {
			p.hang("  ! ", h.ID+": "+inline(h.Error))
		}
	}
	p.line("")
}

// notCalled says which tools have no result and why, so that nobody takes a cell
// that was never tested for a good one.
func (p *page) notCalled() {
	byReason := map[string][]string{}
	var reasons []string
	for _, t := range p.r.Tools {
		if t.Samples > 0 {
			continue
		}
		reason := strings.TrimPrefix(strings.TrimPrefix(t.How, "not called"), ": ")
		if t.How == "" || reason == "" {
			reason = "no result was recorded"
		}
		if byReason[reason] == nil {
			reasons = append(reasons, reason)
		}
		byReason[reason] = append(byReason[reason], t.Name)
	}
	if len(reasons) == 0 {
		return
	}
	p.linef("Tools without a real result (stages result and view say little about them):")
	for i, reason := range reasons {
		if i == 8 && !p.o.Verbose {
			p.hang("   ", "… and for "+plural(len(reasons)-i, "more reason"))
			break
		}
		p.hang("   ", fmt.Sprintf("%s: %s", listed(byReason[reason], 5, "tool"), inline(reason)))
	}
	p.line("")
}

func (p *page) advice() {
	if len(p.r.Advice) == 0 {
		return
	}
	shown := 0
	p.line("Advice, whatever the host:")
	for _, a := range p.r.Advice {
		if a.Severity == verdict.Info && !p.o.Verbose {
			continue
		}
		shown++
		text := a.Message
		if a.Pointer != "" {
			text += " [" + a.Pointer + "]"
		}
		if a.Source != "" {
			text += " (" + a.Source + ")"
		}
		p.hang("  "+string(a.Severity)+"  ", toolName(a.Tool)+": "+inline(text)+" ("+a.Rule+")")
	}
	if hidden := len(p.r.Advice) - shown; hidden > 0 {
		p.hang("  ", plural(hidden, "more note")+" of severity info; --verbose shows them")
	}
	p.line("")
}

func (p *page) summary() {
	s := p.r.Summary
	p.hang("", fmt.Sprintf("%s: %d work, %d degraded, %d break, %d unknown.",
		plural(s.Cells, "cell"), s.Works, s.Degraded, s.Breaks, s.Unknown))
	rules := map[string]bool{}
	var list []string
	for _, q := range p.problem {
		if q.Severity == verdict.Error && !rules[q.Rule] {
			rules[q.Rule] = true
			list = append(list, q.Rule)
		}
	}
	if len(list) > 0 {
		p.hang("", "More about a fault: conform explain "+list[0])
	}
}
