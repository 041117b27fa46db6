package reports

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
)

func init() {
	Register(Format{Name: "markdown", Doc: "for a pull-request comment or a job summary; long parts are folded", Write: writeMarkdown})
}

// markdownMax keeps the text below the limit of a comment: 65,536 characters on
// GitHub. Source: the API's answer "body is too long (maximum is 65536 characters)".
// The parts before it get less, so that each says what did not fit.
const (
	markdownMax         = 60_000
	markdownMaxProblems = 54_000
	markdownMaxLegend   = 32_000
	markdownMaxMatrix   = 24_000
)

// pointerMax is how many characters of a pointer are shown.
const pointerMax = 400

func writeMarkdown(w io.Writer, r *verdict.Report, o Options) error {
	m := &markdown{r: r, problems: Problems(r, o.Verbose), verbose: o.Verbose}
	m.head()
	m.matrix()
	m.blocks()
	m.advice()
	_, err := io.WriteString(w, m.b.String())
	return err
}

// uncommanded takes the last look at each line: a step may print the text to its log.
func uncommanded(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i := range lines {
		lines[i] = uncommand(lines[i])
	}
	return strings.Join(lines, "")
}

type markdown struct {
	b        strings.Builder
	r        *verdict.Report
	problems []Problem
	verbose  bool
}

// put writes a part unless the text then had more than limit bytes.
func (m *markdown) put(limit int, part string) bool {
	part = uncommanded(part)
	if m.b.Len()+len(part) > limit {
		return false
	}
	m.b.WriteString(part)
	return true
}

func (m *markdown) head() {
	s, state := m.r.Summary, "✓"
	if s.Breaks > 0 {
		state = "✗"
	}
	server := code(toolName(cmp.Or(m.r.Target.Name, "server")))
	if v := m.r.Target.Version; v != "" {
		server += " " + markdownText(shorten(v, toolNameMax))
	}
	if via := m.r.Target.Transport; via != "" {
		server += " (" + markdownText(shorten(via, toolNameMax)) + ")"
	}
	m.put(markdownMax, fmt.Sprintf("### conform: %s %s\n\n%s: %s in %s. %s: %s.\n\n",
		state, strings.TrimSuffix(headline(m.r), "."), server,
		plural(len(m.r.Tools), "tool"), plural(len(m.r.Hosts), "host"), plural(s.Cells, "cell"), counts(s)))
}

// matrix is a table of tools by blocks of equal hosts.
func (m *markdown) matrix() {
	g := newGrid(m.r)
	if len(g.rows) == 0 {
		return
	}
	g.foldRows(maxRows)
	if len(g.rows) > maxRows { // not all may fit
		g.worstFirst()
	}
	blocks := g.blocks()
	head := "| tool |"
	for i, b := range blocks {
		text := letters(i)
		if len(b.hosts) == 1 && len(blocks) <= maxRows {
			text = markdownText(name(b.hosts[0]))
		}
		head += " " + text + " |"
	}
	if !m.put(markdownMaxMatrix, head+"\n|---|"+strings.Repeat("---|", len(blocks))+"\n") {
		return
	}
	left := 0
	for _, row := range g.rows {
		line := "| " + code(rowName(row)) + " |"
		for _, b := range blocks {
			mk := row.mark(b.index)
			line += " " + strings.TrimSpace(mk.symbol+" "+mk.word) + " |"
		}
		if !m.put(markdownMaxMatrix, line+"\n") {
			left += len(row.tools)
		}
	}
	if left > 0 {
		m.put(markdownMax, fmt.Sprintf("\n%s did not fit; the JSON report has them.\n", plural(left, "more tool")))
	}
	m.legend(blocks)
}

func (m *markdown) legend(blocks []block) {
	m.put(markdownMax, "\n<details><summary>Hosts and symbols</summary>\n\n")
	for i, b := range blocks {
		if len(b.hosts) > 1 || len(blocks) > maxRows {
			labels := make([]string, len(b.hosts))
			for j, h := range b.hosts {
				labels[j] = markdownText(label(h))
			}
			if !m.put(markdownMaxLegend, fmt.Sprintf("- **%s**: %s\n", letters(i), strings.Join(labels, ", "))) {
				m.put(markdownMax, fmt.Sprintf("- **%s**: %s\n", letters(i), plural(len(b.hosts), "host")))
			}
		}
	}
	for _, mk := range marks {
		m.put(markdownMax, fmt.Sprintf("- %s %s: %s\n", mk.symbol, mk.word, mk.means))
	}
	m.put(markdownMax, "\n</details>\n\n")
}

// blocks writes a folded block for each problem, the worst first.
func (m *markdown) blocks() {
	left := 0
	for _, p := range foldProblems(m.problems, m.verbose) {
		if p.Severity == verdict.Undecided && !m.verbose {
			continue
		}
		if !m.put(markdownMaxProblems, m.problem(p)) {
			left++
		}
	}
	if left > 0 {
		m.put(markdownMax, fmt.Sprintf("\n%s did not fit; the JSON report has them.\n", plural(left, "more problem")))
	}
}

func (m *markdown) problem(p folded) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<details><summary>%s <b>%s</b> %s in %s · %s</summary>\n\n", markOfSeverity(p.Severity).symbol,
		htmlText(toolName(p.Tool)), verbs[p.Severity], htmlText(shortHosts(p.Hosts)), htmlText(p.Rule))
	for i, v := range p.Voices {
		if i == maxVoices {
			fmt.Fprintf(&b, "… and %s of the same fault.\n\n", plural(len(p.Voices)-i, "more form"))
			break
		}
		f := v.Finding
		fmt.Fprintf(&b, "%s: %s\n\n", markdownText(names(v.Hosts)), markdownText(cutText(f.Message, hostTextMax)))
		if f.HostText != "" {
			b.WriteString(fence(multiline(cutText(f.HostText, hostTextMax))))
		}
		if f.SchemaPointer != "" {
			fmt.Fprintf(&b, "- schema %s\n", code(cutText(f.SchemaPointer, pointerMax)))
		}
		if f.DataPointer != "" {
			fmt.Fprintf(&b, "- data %s\n", code(cutText(f.DataPointer, pointerMax)))
		}
		if s := sampleText(f); s != "" {
			fmt.Fprintf(&b, "- sample: %s\n", markdownText(s))
		}
		if f.Basis != "" {
			fmt.Fprintf(&b, "- basis: %s\n", markdownText(f.Basis))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "Spreads: %s.\n", markdownText(spread(p.Problem)))
	if text := fixes(p.Problem); text != "" {
		fmt.Fprintf(&b, "\nFix: %s\n", markdownText(text))
	}
	if len(p.also) > 0 {
		fmt.Fprintf(&b, "\nThe same in %s.\n", markdownText(listed(p.also, 12, "tool")))
	}
	b.WriteString("\n</details>\n")
	return b.String()
}

func (m *markdown) advice() {
	groups, hidden := adviceGroups(m.r, m.verbose)
	if len(groups) == 0 {
		return
	}
	shown := len(m.r.Advice) - hidden
	if !m.put(markdownMax-1000, fmt.Sprintf("\n<details><summary>%s of advice, whatever the host</summary>\n\n", plural(shown, "piece"))) {
		return
	}
	for i, g := range groups {
		text := fmt.Sprintf("- **%s** %s (%s)\n", markdownText(string(g[0].Severity)), markdownText(RuleOf(g[0].Rule).Title), markdownText(g[0].Rule))
		for i, a := range g {
			if i == maxAdvice && len(g) > maxAdvice+1 {
				text += fmt.Sprintf("  - … and %s\n", plural(len(g)-i, "more place"))
				break
			}
			line := markdownText(cutText(a.Message, 400))
			if a.Tool != "" {
				line = code(toolName(a.Tool)) + ": " + line
			}
			text += "  - " + line + "\n"
		}
		if !m.put(markdownMax-500, text) {
			m.put(markdownMax, fmt.Sprintf("- … and %s\n", plural(len(groups)-i, "more rule")))
			break
		}
	}
	m.put(markdownMax, "\n</details>\n")
}

// shortHosts names up to three hosts.
func shortHosts(hosts []verdict.Host) string {
	if len(hosts) <= 3 {
		return names(hosts)
	}
	return names(hosts[:2]) + " and " + plural(len(hosts)-2, "more host")
}

func markOfSeverity(s verdict.Severity) mark { return markOf(verdict.Cell{Verdict: s.Effect()}) }
