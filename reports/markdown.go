package reports

import (
	"bytes"
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
const markdownMax = 60_000

func writeMarkdown(w io.Writer, r *verdict.Report, o Options) error {
	var b bytes.Buffer
	m := &markdown{b: &b, r: r, problems: Problems(r, o.Verbose), verbose: o.Verbose}
	m.head()
	m.matrix()
	left := 0
	for i, p := range foldProblems(m.problems, o.Verbose) {
		if p.Severity == verdict.Undecided && !o.Verbose {
			continue
		}
		text := m.problem(i+1, p)
		if b.Len()+len(text) > markdownMax {
			left++
			continue
		}
		b.WriteString(text)
	}
	if left > 0 {
		fmt.Fprintf(&b, "\n%s did not fit; the JSON report has them.\n", plural(left, "more problem"))
	}
	m.advice()
	for _, line := range strings.SplitAfter(b.String(), "\n") {
		if _, err := io.WriteString(w, uncommand(line)); err != nil {
			return err
		}
	}
	return nil
}

type markdown struct {
	b        *bytes.Buffer
	r        *verdict.Report
	problems []Problem
	verbose  bool
}

func (m *markdown) head() {
	s, state := m.r.Summary, "✓"
	if s.Breaks > 0 {
		state = "✗"
	}
	fmt.Fprintf(m.b, "### conform: %s %s\n\n", state, strings.TrimSuffix(headline(m.r), "."))
	var server []string
	for _, part := range []string{m.r.Target.Name, m.r.Target.Version} {
		if part != "" {
			server = append(server, markdownText(part))
		}
	}
	if m.r.Target.Transport != "" {
		server = append(server, "("+markdownText(m.r.Target.Transport)+")")
	}
	fmt.Fprintf(m.b, "%s: %s in %s. %s: %d work, %d are degraded, %d break, %d are unknown.\n\n", strings.Join(server, " "),
		plural(len(m.r.Tools), "tool"), plural(len(m.r.Hosts), "host"), plural(s.Cells, "cell"), s.Works, s.Degraded, s.Breaks, s.Unknown)
}

// matrix is a table of tools by blocks of equal hosts.
func (m *markdown) matrix() {
	g := newGrid(m.r)
	if len(g.rows) == 0 {
		return
	}
	g.foldRows(maxRows)
	blocks := g.blocks()
	fmt.Fprint(m.b, "| tool |")
	for i, b := range blocks {
		head := letters(i)
		if len(b.hosts) == 1 {
			head = markdownText(name(b.hosts[0]))
		}
		fmt.Fprintf(m.b, " %s |", head)
	}
	fmt.Fprintf(m.b, "\n|---|%s\n", strings.Repeat("---|", len(blocks)))
	for _, row := range g.rows {
		fmt.Fprintf(m.b, "| %s |", cellCode(rowName(row)))
		for _, b := range blocks {
			mk := row.mark(b.index)
			fmt.Fprintf(m.b, " %s |", strings.TrimSpace(mk.symbol+" "+mk.word))
		}
		fmt.Fprintln(m.b)
	}
	fmt.Fprint(m.b, "\n<details><summary>Hosts and symbols</summary>\n\n")
	for i, b := range blocks {
		if len(b.hosts) > 1 {
			labels := make([]string, len(b.hosts))
			for j, h := range b.hosts {
				labels[j] = markdownText(label(h))
			}
			fmt.Fprintf(m.b, "- **%s**: %s\n", letters(i), strings.Join(labels, ", "))
		}
	}
	for _, mk := range marks {
		fmt.Fprintf(m.b, "- %s %s: %s\n", mk.symbol, mk.word, mk.means)
	}
	fmt.Fprint(m.b, "\n</details>\n\n")
}

func (m *markdown) problem(number int, p folded) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<details><summary>%s <b>%s</b> %s in %s · %s</summary>\n\n", markOfSeverity(p.Severity).symbol,
		htmlText(toolName(p.Tool)), verbs[p.Severity], htmlText(shortHosts(p.Hosts)), htmlText(p.Rule))
	for i, v := range p.Voices {
		if i == maxVoices {
			fmt.Fprintf(&b, "… and %s of the same fault.\n\n", plural(len(p.Voices)-i, "more form"))
			break
		}
		f := v.Finding
		fmt.Fprintf(&b, "%s: %s\n\n", markdownText(names(v.Hosts)), markdownText(f.Message))
		if f.HostText != "" {
			b.WriteString(fence(cutText(multiline(f.HostText), hostTextMax)))
		}
		if f.SchemaPointer != "" {
			fmt.Fprintf(&b, "- schema %s\n", cellCode(inline(f.SchemaPointer)))
		}
		if f.DataPointer != "" {
			fmt.Fprintf(&b, "- data %s\n", cellCode(inline(f.DataPointer)))
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
	if len(groups) == 0 || m.b.Len() > markdownMax {
		return
	}
	shown := len(m.r.Advice) - hidden
	fmt.Fprintf(m.b, "\n<details><summary>%s of advice, whatever the host</summary>\n\n", plural(shown, "piece"))
	for i, g := range groups {
		if m.b.Len() > markdownMax {
			fmt.Fprintf(m.b, "- … and %s\n", plural(len(groups)-i, "more rule"))
			break
		}
		fmt.Fprintf(m.b, "- **%s** %s (%s)\n", markdownText(string(g[0].Severity)), markdownText(RuleOf(g[0].Rule).Title), markdownText(g[0].Rule))
		for i, a := range g {
			if i == maxAdvice && len(g) > maxAdvice+1 {
				fmt.Fprintf(m.b, "  - … and %s\n", plural(len(g)-i, "more place"))
				break
			}
			text := markdownText(cutText(a.Message, 400))
			if a.Tool != "" {
				text = cellCode(toolName(a.Tool)) + ": " + text
			}
			fmt.Fprintf(m.b, "  - %s\n", text)
		}
	}
	fmt.Fprint(m.b, "\n</details>\n")
}

// shortHosts names up to three hosts.
func shortHosts(hosts []verdict.Host) string {
	if len(hosts) <= 3 {
		return names(hosts)
	}
	return names(hosts[:2]) + " and " + plural(len(hosts)-2, "more host")
}

func markOfSeverity(s verdict.Severity) mark { return markOf(verdict.Cell{Verdict: s.Effect()}) }

var markdownEscapes = strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]", "<", "&lt;", ">", "&gt;",
	"&", "&amp;", "#", "&#35;", "|", "\\|", "~", "\\~", "@", "&#64;")

// markdownText escapes a text for a paragraph or a table: nothing in it becomes
// markup, a link to a person or to an issue, or a table's border.
func markdownText(s string) string {
	return markdownEscapes.Replace(inline(s))
}

var htmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\"", "&quot;", "@", "&#64;", "#", "&#35;")

func htmlText(s string) string {
	return htmlEscapes.Replace(inline(s))
}

// cellCode is code within a line; a table's border needs an escape even there.
func cellCode(s string) string {
	ticks := "`"
	for strings.Contains(s, ticks) {
		ticks += "`"
	}
	pad := ""
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		pad = " "
	}
	return ticks + pad + strings.ReplaceAll(inline(s), "|", "\\|") + pad + ticks
}

// fence is a block of code that no text can end.
func fence(s string) string {
	ticks := "```"
	for strings.Contains(s, ticks) {
		ticks += "`"
	}
	return ticks + "text\n" + s + "\n" + ticks + "\n"
}
