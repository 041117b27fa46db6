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
	indent := columns(first)
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
	if len(p.r.Tools) > 0 {
		p.hang("", headline(p.r))
	}
	for _, h := range t.Handshakes {
		if h.Error != "" {
			p.hang("  ! ", inline(h.ID+": "+h.Error))
		}
	}
	if len(p.r.Tools) == 0 && failed == 0 && len(t.Handshakes) > 0 {
		p.hang("  ! ", "the server lists no tools, so nothing can be said about them")
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

// maxAdvice is how many places one rule names.
const maxAdvice = 3

// advice groups what is true whatever the host by rule, the worst first.
func (p *page) advice() {
	groups, hidden := adviceGroups(p.r, p.o.Verbose)
	if len(groups) == 0 && hidden == 0 && len(p.r.NotChecked) == 0 {
		return
	}
	p.line("Advice, whatever the host:")
	for _, g := range groups {
		p.hang("   "+pad(string(g[0].Severity), 10), fmt.Sprintf("%s (%s)", RuleOf(g[0].Rule).Title, g[0].Rule))
		for i, a := range g {
			if i == maxAdvice && !p.o.Verbose && len(g) > maxAdvice+1 {
				tools := make([]string, len(g)-i)
				for j, rest := range g[i:] {
					tools[j] = rest.Tool
				}
				p.hang("             ", "… and in "+listed(tools, 6, "place"))
				break
			}
			text := inline(a.Message)
			if a.Pointer != "" {
				text += " [" + inline(a.Pointer) + "]"
			}
			if a.Tool != "" {
				text = toolName(a.Tool) + ": " + text
			}
			p.hang("             ", text)
		}
	}
	if hidden > 0 {
		p.hang("   ", plural(hidden, "more note")+" of severity info; --verbose shows them")
	}
	p.notChecked()
	p.line("")
}

// notChecked names the rules that could not be checked, with the reason if wanted.
func (p *page) notChecked() {
	if n := len(p.r.NotChecked); n > 0 && !p.o.Verbose {
		p.hang("   ", plural(n, "rule")+" could not be checked; --verbose says why")
		return
	}
	for _, n := range p.r.NotChecked {
		p.hang("   not checked  ", n.Rule+": "+inline(n.Reason))
	}
}

// adviceGroups returns the advice by rule and severity, worst first and then in
// the report's order, and how much of severity info is left out.
func adviceGroups(r *verdict.Report, info bool) (groups [][]verdict.Advice, hidden int) {
	type key struct {
		rule     string
		severity verdict.Severity
	}
	at := map[key]int{}
	for _, a := range r.Advice {
		if a.Severity == verdict.Info && !info {
			hidden++
			continue
		}
		k := key{a.Rule, a.Severity}
		i, seen := at[k]
		if !seen {
			i = len(groups)
			at[k] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], a)
	}
	slices.SortStableFunc(groups, func(a, b []verdict.Advice) int {
		return b[0].Severity.Effect().Rank() - a[0].Severity.Effect().Rank()
	})
	return groups, hidden
}

func (p *page) summary() {
	s := p.r.Summary
	p.hang("", plural(s.Cells, "cell")+": "+counts(s)+".")
	p.searched()
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
