package reports

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// page data. 2,900 tools in 45 hosts are 130,000 cells, most of them alike: cells
// are numbers that point to kinds of cells, kinds point to findings, findings to
// strings, each different one written once. page/data.js reads it.
type pageReport struct {
	Version  string        `json:"version"`
	Table    string        `json:"table"`
	Time     string        `json:"time,omitempty"`
	Target   pageTarget    `json:"target"`
	Hosts    []pageHost    `json:"hosts"`
	Rows     []pageRow     `json:"rows"`
	Cells    []int         `json:"cells"`    // row by row, an index into Kinds, -1 for none
	Kinds    [][]int       `json:"kinds"`    // verdict, stage, blast, checked, search, basis, app, then findings
	Findings [][]int       `json:"findings"` // see finding
	Strings  []string      `json:"strings"`
	Rules    []pageRule    `json:"rules"`
	Evidence [][]int       `json:"evidence"` // id, basis, version, date, ref, text as strings
	Problems []pageProblem `json:"problems"`
	Advice   []pageAdvice  `json:"advice"`
	Sources  []pageSource  `json:"sources"` // by row's tool
	Summary  []int         `json:"summary"` // works, degraded, breaks, unknown
}

type pageTarget struct {
	Name      string   `json:"name"`
	Version   string   `json:"version"`
	Transport string   `json:"transport"`
	Sessions  []string `json:"sessions"`
	Failed    []string `json:"failed"`
}

type pageHost struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Version  string `json:"version"`
	Kind     string `json:"kind"`
	Surface  string `json:"surface"`
	Modelled int    `json:"modelled"` // bit i is stage i
	Seen     string `json:"seen"`
	Protocol string `json:"protocol"`
}

type pageRow struct {
	Tool   string `json:"tool"`
	Nth    int    `json:"nth,omitempty"`    // of tools with one name, from 0
	Source int    `json:"source"`           // index into Sources, -1 for the whole server
	Broken int    `json:"broken,omitempty"` // cells that break
	Worse  int    `json:"worse,omitempty"`  // cells that are degraded
}

type pageRule struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
	Wrong string `json:"wrong"`
	Right string `json:"right"`
	Fix   string `json:"fix"`
}

type pageProblem struct {
	Row      int      `json:"row"`
	Rule     int      `json:"rule"`
	Severity int      `json:"severity"`
	Stage    int      `json:"stage"`
	Spread   string   `json:"spread"`
	Hosts    []int    `json:"hosts"`
	Says     string   `json:"says"`
	Why      string   `json:"why"`
	Fix      string   `json:"fix"`
	Also     []string `json:"also,omitempty"`
}

type pageAdvice struct {
	Rule     int    `json:"rule"`
	Severity int    `json:"severity"`
	Tool     string `json:"tool"`
	Message  string `json:"message"`
	Pointer  string `json:"pointer"`
	Source   string `json:"source"`
}

type pageSource struct {
	Name       string      `json:"name"`
	How        string      `json:"how"`
	App        string      `json:"app,omitempty"`
	Definition string      `json:"definition,omitempty"`
	Results    []string    `json:"results,omitempty"`
	Offers     []pageOffer `json:"offers,omitempty"`
}

type pageOffer struct {
	Hosts       map[int]string `json:"hosts"` // column to the name there
	Description *string        `json:"description,omitempty"`
	Schema      string         `json:"schema,omitempty"`
	Rendered    string         `json:"rendered,omitempty"`
	Cut         bool           `json:"cut,omitempty"`
}

var (
	pageVerdicts   = []verdict.Verdict{verdict.Works, verdict.Unknown, verdict.Degraded, verdict.Breaks}
	pageSeverities = []verdict.Severity{verdict.Info, verdict.Undecided, verdict.Warning, verdict.Error}
	pageBlasts     = []verdict.Blast{verdict.BlastTool, verdict.BlastServer, verdict.BlastRequest}
)

// pageBuilder numbers what repeats.
type pageBuilder struct {
	r        *verdict.Report
	out      *pageReport
	strings  map[string]int
	rules    map[string]int
	evidence map[string]int
	findings map[string]int
	kinds    map[string]int
	columns  map[hostKey]int
	rows     map[string]int // first row of a tool
}

func pageData(r *verdict.Report) *pageReport {
	b := &pageBuilder{r: r, strings: map[string]int{}, rules: map[string]int{}, evidence: map[string]int{},
		findings: map[string]int{}, kinds: map[string]int{}, columns: map[hostKey]int{}, rows: map[string]int{}}
	b.out = &pageReport{Version: r.Conform.Version, Table: r.Conform.Table, Time: r.Conform.Time, Target: pageTargetOf(r.Target),
		Hosts: []pageHost{}, Rows: []pageRow{}, Cells: []int{}, Kinds: [][]int{}, Findings: [][]int{}, Strings: []string{},
		Rules: []pageRule{}, Evidence: [][]int{}, Problems: []pageProblem{}, Advice: []pageAdvice{}, Sources: []pageSource{},
		Summary: []int{r.Summary.Works, r.Summary.Degraded, r.Summary.Breaks, r.Summary.Unknown}}
	b.str("")
	for i, h := range r.Hosts {
		b.columns[hostKey{h.ID, h.Version}] = i
		b.out.Hosts = append(b.out.Hosts, pageHostOf(h))
	}
	b.sources()
	b.cells()
	b.problems()
	b.advice()
	return b.out
}

func pageTargetOf(t verdict.Target) pageTarget {
	out := pageTarget{Name: inline(t.Name), Version: inline(t.Version), Transport: inline(t.Transport), Sessions: []string{}, Failed: []string{}}
	for _, h := range t.Handshakes {
		switch {
		case h.Error != "":
			out.Failed = append(out.Failed, inline(h.ID+": "+h.Error))
		case h.Negotiated != "" && !slices.Contains(out.Sessions, inline(h.Negotiated)):
			out.Sessions = append(out.Sessions, inline(h.Negotiated))
		}
	}
	slices.Sort(out.Sessions)
	return out
}

func pageHostOf(h verdict.Host) pageHost {
	out := pageHost{ID: h.ID, Name: h.Name, Version: h.Version, Kind: h.Kind, Surface: h.Surface, Seen: stale(h), Protocol: inline(h.Protocol)}
	for _, s := range h.Modelled {
		if i := slices.Index(verdict.Stages, verdict.Stage(s)); i >= 0 {
			out.Modelled |= 1 << i
		}
	}
	return out
}

// sources keeps what the server wrote of each tool, and which host offers what.
func (b *pageBuilder) sources() {
	for _, t := range b.r.Tools {
		s := pageSource{Name: inline(t.Name), How: inline(t.How), App: inline(t.App), Definition: multiline(t.Definition)}
		for _, text := range t.Results {
			s.Results = append(s.Results, multiline(text))
		}
		for _, o := range t.Offers {
			p := pageOffer{Hosts: map[int]string{}, Schema: multiline(o.Schema), Rendered: multiline(o.Rendered), Cut: o.Cut}
			if o.Description != nil {
				text := multiline(*o.Description)
				p.Description = &text
			}
			for label, name := range o.Names {
				id, version, _ := strings.Cut(label, " ")
				if i, known := b.columns[hostKey{id, version}]; known {
					p.Hosts[i] = inline(name)
				}
			}
			s.Offers = append(s.Offers, p)
		}
		b.out.Sources = append(b.out.Sources, s)
	}
}

// cells lays the cells out row by row. Of two tools with one name each has a row.
func (b *pageBuilder) cells() {
	source := map[string]int{"": -1}
	for i, t := range b.r.Tools {
		if _, seen := source[t.Name]; !seen {
			source[t.Name] = i
		}
	}
	type place struct {
		tool string
		nth  int
	}
	at := map[place]int{}
	nth := map[string]map[int]int{} // tool -> column -> rows so far
	width := len(b.out.Hosts)
	for _, c := range b.r.Cells {
		column, known := b.columns[hostKey{c.Host, c.HostVersion}]
		if !known {
			continue
		}
		if nth[c.Tool] == nil {
			nth[c.Tool] = map[int]int{}
		}
		p := place{c.Tool, nth[c.Tool][column]}
		nth[c.Tool][column]++
		row, seen := at[p]
		if !seen {
			row = len(b.out.Rows)
			at[p] = row
			if _, first := b.rows[c.Tool]; !first {
				b.rows[c.Tool] = row
			}
			from, listed := source[c.Tool]
			if !listed {
				from = -1
			}
			b.out.Rows = append(b.out.Rows, pageRow{Tool: inline(c.Tool), Nth: p.nth, Source: from})
			b.out.Cells = append(b.out.Cells, slices.Repeat([]int{-1}, width)...)
		}
		switch c.Verdict {
		case verdict.Breaks:
			b.out.Rows[row].Broken++
		case verdict.Degraded:
			b.out.Rows[row].Worse++
		}
		b.out.Cells[row*width+column] = b.kind(c)
	}
}

func (b *pageBuilder) kind(c verdict.Cell) int {
	checked := 0
	if c.Checked {
		checked = 1
	}
	k := []int{slices.Index(pageVerdicts, c.Verdict), slices.Index(verdict.Stages, c.Stage), slices.Index(pageBlasts, c.Blast),
		checked, b.str(c.Search), b.str(c.Basis), b.str(c.App), c.Tried}
	for _, f := range c.Findings {
		k = append(k, b.finding(f))
	}
	return number(b.kinds, &b.out.Kinds, k)
}

// finding is: rule, severity, stage, blast, message, host text, culprit, schema
// pointer, data pointer, sample, witness, basis, note, fix, then evidence.
func (b *pageBuilder) finding(f verdict.Finding) int {
	v := []int{b.rule(f.Rule), slices.Index(pageSeverities, f.Severity), slices.Index(verdict.Stages, f.Stage), slices.Index(pageBlasts, f.Blast),
		b.str(inline(f.Message)), b.str(multiline(f.HostText)), b.str(inline(f.Culprit)), b.str(inline(f.SchemaPointer)), b.str(inline(f.DataPointer)),
		b.str(f.Sample), b.str(multiline(f.Witness)), b.str(f.Basis), b.str(inline(f.Note)), b.str(inline(f.Mending()))}
	for _, ref := range f.Evidence {
		e, known := b.evidence[ref]
		if !known {
			e = len(b.out.Evidence)
			b.evidence[ref] = e
			of := b.r.Evidence[ref]
			b.out.Evidence = append(b.out.Evidence, []int{b.str(ref), b.str(of.Basis), b.str(of.Version), b.str(of.Date), b.str(of.Ref), b.str(of.Text)})
		}
		v = append(v, e)
	}
	return number(b.findings, &b.out.Findings, v)
}

func (b *pageBuilder) str(s string) int {
	i, seen := b.strings[s]
	if !seen {
		i = len(b.out.Strings)
		b.strings[s] = i
		b.out.Strings = append(b.out.Strings, s)
	}
	return i
}

func (b *pageBuilder) rule(id string) int {
	i, seen := b.rules[id]
	if !seen {
		i = len(b.out.Rules)
		b.rules[id] = i
		r := RuleOf(id)
		b.out.Rules = append(b.out.Rules, pageRule{id, r.Title, r.Text, r.Wrong, r.Right, r.Fix})
	}
	return i
}

// number returns the index of a value in a list that holds each value once.
func number(at map[string]int, list *[][]int, value []int) int {
	var key []byte
	for _, n := range value {
		key = append(strconv.AppendInt(key, int64(n), 36), ' ')
	}
	i, seen := at[string(key)]
	if !seen {
		i = len(*list)
		at[string(key)] = i
		*list = append(*list, value)
	}
	return i
}

// maxPageProblems bounds the list of problems; the matrix has them all.
const maxPageProblems = 1000

func (b *pageBuilder) problems() {
	for _, q := range foldProblems(Problems(b.r, false), false) {
		if len(b.out.Problems) == maxPageProblems {
			return
		}
		row, known := b.rows[q.Tool]
		if !known {
			row = -1
		}
		p := pageProblem{Row: row, Rule: b.rule(q.Rule), Severity: slices.Index(pageSeverities, q.Severity), Stage: slices.Index(verdict.Stages, q.Stage),
			Spread: spread(q.Problem), Why: inline(q.Voices[0].Finding.Message), Fix: fixes(q.Problem)}
		for _, v := range q.Voices {
			if p.Says == "" {
				p.Says = multiline(cutText(v.Finding.HostText, hostTextMax))
			}
		}
		for _, h := range q.Hosts {
			if i, known := b.columns[hostKey{h.ID, h.Version}]; known {
				p.Hosts = append(p.Hosts, i)
			}
		}
		for _, tool := range q.also {
			p.Also = append(p.Also, toolName(tool))
		}
		b.out.Problems = append(b.out.Problems, p)
	}
}

func (b *pageBuilder) advice() {
	groups, _ := adviceGroups(b.r, true)
	for _, g := range groups {
		for _, a := range g {
			b.out.Advice = append(b.out.Advice, pageAdvice{b.rule(a.Rule), slices.Index(pageSeverities, a.Severity), inline(a.Tool), inline(a.Message), inline(a.Pointer), a.Source})
		}
	}
}
