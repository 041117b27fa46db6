package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// grid is the matrix as rows of tools and columns of hosts. A missing cell (the
// host was in a session without that tool) is the zero cell.
type grid struct {
	rows  []gridRow
	hosts []verdict.Host
}

type gridRow struct {
	tools []string // more than one when equal rows are folded
	cells []verdict.Cell
}

// newGrid lays the cells out; a tool that the server lists twice has two rows.
func newGrid(r *verdict.Report) grid {
	g := grid{hosts: r.Hosts}
	column := map[hostKey]int{}
	for i, h := range r.Hosts {
		column[hostKey{h.ID, h.Version}] = i
	}
	open := map[string]int{} // the last row of each tool
	for _, c := range r.Cells {
		i, known := column[hostKey{c.Host, c.HostVersion}]
		if !known {
			continue
		}
		at, seen := open[c.Tool]
		if !seen || g.rows[at].cells[i].Verdict != "" {
			at = len(g.rows)
			open[c.Tool] = at
			g.rows = append(g.rows, gridRow{tools: []string{c.Tool}, cells: make([]verdict.Cell, len(r.Hosts))})
		}
		g.rows[at].cells[i] = c
	}
	return g
}

// block is a set of hosts whose columns are equal.
type block struct {
	hosts []verdict.Host
	index int // of its first host
}

func (g grid) blocks() []block {
	at := map[string]int{}
	var out []block
	for i, h := range g.hosts {
		var key strings.Builder
		for _, row := range g.rows {
			key.WriteString(markOf(row.cells[i]).symbol)
		}
		j, seen := at[key.String()]
		if !seen {
			j = len(out)
			at[key.String()] = j
			out = append(out, block{index: i})
		}
		out[j].hosts = append(out[j].hosts, h)
	}
	return out
}

// foldRows joins rows that look the same once there are more than limit; the
// order is that of their first tools.
func (g *grid) foldRows(limit int) {
	if len(g.rows) <= limit {
		return
	}
	at := map[string]int{}
	var out []gridRow
	for _, row := range g.rows {
		var key strings.Builder
		for _, c := range row.cells {
			key.WriteString(markOf(c).symbol)
		}
		if i, seen := at[key.String()]; seen {
			out[i].tools = append(out[i].tools, row.tools...)
			continue
		}
		at[key.String()] = len(out)
		out = append(out, row)
	}
	g.rows = out
}

// worstFirst orders the rows by what fails in them.
func (g *grid) worstFirst() {
	rank := func(row gridRow) int {
		worst := 0
		for _, c := range row.cells {
			worst = max(worst, c.Verdict.Rank())
		}
		return worst
	}
	slices.SortStableFunc(g.rows, func(a, b gridRow) int { return rank(b) - rank(a) })
}

// Rows and columns beyond these are folded when they are equal.
const (
	maxRows  = 40
	maxHosts = 6
)

func (p *page) matrix() {
	g := newGrid(p.r)
	if len(g.rows) == 0 {
		return
	}
	g.foldRows(maxRows)
	var blocks []block
	if len(g.hosts) > maxHosts {
		blocks = g.blocks()
	} else {
		for i, h := range g.hosts {
			blocks = append(blocks, block{hosts: []verdict.Host{h}, index: i})
		}
	}
	tool := 4
	for _, row := range g.rows {
		tool = max(tool, columns(lineHead(row)))
	}
	tool = min(tool, 32)
	heads, legend := p.heads(blocks, p.width-tool)
	width := cellWidth(heads)
	word := func(m mark) string { return m.symbol + " " + m.word }
	if tool+len(blocks)*(width+2) > p.width && legend {
		width = max(5, columns(heads[len(heads)-1]))
		word = func(m mark) string { return m.symbol + " " + m.short }
		if need := p.width - len(blocks)*(width+2); tool > need && need >= 20 {
			tool = need // a shorter name is better than a second matrix
		}
	}
	per := max(1, (p.width-tool)/(width+2))
	for start := 0; start < len(blocks); start += per {
		end := min(start+per, len(blocks))
		line := pad("", tool)
		for _, h := range heads[start:end] {
			line += "  " + pad(h, width)
		}
		p.line(line)
		for _, row := range g.rows {
			line := pad(shorten(lineHead(row), tool), tool)
			for _, b := range blocks[start:end] {
				line += "  " + p.paint(row.cells[b.index], pad(strings.TrimSpace(word(row.mark(b.index))), width))
			}
			p.line(line)
		}
		p.line("")
	}
	if legend {
		for i, b := range blocks {
			labels := make([]string, len(b.hosts))
			for j, h := range b.hosts {
				labels[j] = label(h)
			}
			p.hang(pad(heads[i], 3)+" ", strings.Join(labels, ", "))
		}
		p.line("")
	}
	p.legend(g, word)
}

// heads names the columns: the hosts themselves where they fit, else letters that
// the legend below the matrix resolves.
func (p *page) heads(blocks []block, room int) (heads []string, legend bool) {
	total := 0
	for _, b := range blocks {
		if len(b.hosts) > 1 {
			legend = true
		}
		total += max(10, columns(label(b.hosts[0]))) + 2
	}
	legend = legend || total > room
	for i, b := range blocks {
		if legend {
			heads = append(heads, letters(i))
		} else {
			heads = append(heads, label(b.hosts[0]))
		}
	}
	return heads, legend
}

// letters counts A … Z, AA, AB …
func letters(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return letters(i/26-1) + letters(i%26)
}

func cellWidth(heads []string) int {
	width := 10
	for _, h := range heads {
		width = max(width, columns(h))
	}
	return width
}

func rowName(row gridRow) string {
	if n := len(row.tools); n > 1 {
		return fmt.Sprintf("%s … (%d tools)", shorten(toolName(row.tools[0]), 20), n)
	}
	return toolName(row.tools[0])
}

// lineHead is the name of a row as it begins a line: with the escapes that [page.line]
// would add, so that they count for its width.
func lineHead(row gridRow) string { return uncommand(rowName(row)) }

// mark is the cell's mark. Hosts that have nothing to say about the server as a
// whole have an empty cell there.
func (r gridRow) mark(column int) mark {
	if r.tools[0] == "" && r.cells[column].Verdict == "" {
		return mark{}
	}
	return gridMark(r.cells[column])
}

// gridMark shows a missing cell as a dot: this host is in a session that does not
// list the tool.
func gridMark(c verdict.Cell) mark {
	if c.Verdict == "" {
		return mark{"·", "", "", "not listed in this host's session"}
	}
	return markOf(c)
}

func (p *page) legend(g grid, word func(mark) string) {
	used := map[string]mark{}
	for _, row := range g.rows {
		for i := range row.cells {
			m := row.mark(i)
			used[m.symbol] = m
		}
	}
	order := []string{"✓", "○", "~", "✗", "?", "·"}
	for _, s := range order {
		if m, ok := used[s]; ok {
			p.hang(pad(strings.TrimSpace(word(m)), 12), m.means)
		}
	}
	for _, h := range g.hosts {
		if len(h.Modelled) < len(verdict.Stages) {
			p.hang(pad("n/6", 12), "of the six stages "+stageList()+", how many the table models for that host; the others say nothing")
			break
		}
	}
	p.line("")
}

func stageList() string {
	out := make([]string, len(verdict.Stages))
	for i, s := range verdict.Stages {
		out[i] = string(s)
	}
	return strings.Join(out, ", ")
}

var colours = map[verdict.Verdict]string{
	verdict.Works: "\x1b[32m", verdict.Degraded: "\x1b[33m", verdict.Breaks: "\x1b[31;1m", verdict.Unknown: "\x1b[36m",
}

func (p *page) paint(c verdict.Cell, text string) string {
	colour, ok := colours[c.Verdict]
	if !p.o.Color || !ok {
		return text
	}
	return colour + text + "\x1b[0m"
}
