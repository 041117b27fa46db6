package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
)

// Input is what a canonical report is built from.
type Input struct {
	Capture *recording.Capture
	Columns []matrix.Column // in the order in which the hosts were chosen
	// Lint is what the host-independent rules look at besides the capture; nil
	// leaves them out.
	Lint    *lint.Input
	Table   *capabilities.Table
	Version string    // of the program
	Digest  string    // of the table, see [capabilities.Table]
	Now     time.Time // header and staleness; the zero time leaves both out
}

// Build makes the canonical report. Hosts stand in the order of the columns,
// cells by tool in the server's order, then by host; the same input gives the
// same report.
func Build(in Input) *verdict.Report {
	advice := problemsOf(in.Capture)
	var unchecked []verdict.NotChecked
	in.Columns = nameCells(in.Columns) // the caller's columns keep their cells
	if in.Lint != nil {
		said := lint.Run(in.Capture, *in.Lint)
		advice = append(unsaid(advice, said.Advice), said.Advice...)
		unchecked = said.NotChecked
		in.Columns = withSpec(in.Columns, in.Capture, in.Lint.Until)
	}
	r := &verdict.Report{
		Format:  verdict.Format,
		Conform: verdict.Program{Version: in.Version, Table: in.Digest},
		Target:  target(in.Capture),
		Hosts:   []verdict.Host{},
		Tools:   tools(in),
		Advice:  advice, NotChecked: notChecked(unchecked),
	}
	if !in.Now.IsZero() {
		r.Conform.Time = in.Now.UTC().Format(time.RFC3339)
	}
	for _, c := range in.Columns {
		r.Hosts = append(r.Hosts, host(c, in.Now))
	}
	r.Cells = cells(in.Columns, r.Tools)
	addMaterial(r, in)
	orderAdvice(r.Advice, r.Tools)
	r.Evidence = evidence(r.Cells, in.Table)
	r.Summary = verdict.Count(r.Cells)
	return r
}

func target(c *recording.Capture) verdict.Target {
	t := verdict.Target{Name: c.Target.Server, Version: c.Target.Version, Transport: c.Target.Transport,
		Command: c.Target.Command, URL: c.Target.URL, Handshakes: []verdict.Handshake{}}
	if t.Name == "" {
		t.Name = c.Target.Name
	}
	for _, s := range c.Sessions {
		h := verdict.Handshake{ID: s.ID, Requested: s.Requested, Negotiated: s.Negotiated, Tools: len(s.Tools)}
		if s.InitError != nil {
			h.Error = s.InitError.Text
		} else {
			for _, p := range s.Pages {
				if p.Failed != nil {
					h.Error = p.Failed.Text
				}
			}
		}
		t.Handshakes = append(t.Handshakes, h)
	}
	t.Digest = toolsDigest(c)
	return t
}

// toolsDigest is a digest of the different tool definitions of all sessions, in 12
// characters; "" when there are none. Results change from call to call and do not
// count.
func toolsDigest(c *recording.Capture) string {
	seen := map[string]bool{}
	var all []string
	for _, s := range c.Sessions {
		for _, t := range s.Tools {
			if text := t.Value.Compact(); !seen[text] {
				seen[text] = true
				all = append(all, text)
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	sum := sha256.Sum256([]byte(strings.Join(all, "\n")))
	return hex.EncodeToString(sum[:])[:12]
}

// problemsOf turns what was met while capturing (noise on stdout, a limit, a wrong
// id) into advice: it is true whatever the host.
func problemsOf(c *recording.Capture) []verdict.Advice {
	out := []verdict.Advice{}
	at := map[string]int{}
	for _, p := range c.Problems {
		text := p.Message
		if p.Raw != "" && !strings.Contains(text, p.Raw) {
			text += "; it sent: " + p.Raw
		}
		key := p.Rule + "\x00" + text
		if i, seen := at[key]; seen { // the same in several sessions
			if out[i].Session != p.Session {
				out[i].Session = ""
			}
			continue
		}
		at[key] = len(out)
		out = append(out, verdict.Advice{Rule: p.Rule, Severity: verdict.Warning, Message: text, Session: p.Session})
	}
	return out
}

// unsaid drops the problems that a rule reports in its own words, about the same
// session or about all.
func unsaid(problems, said []verdict.Advice) []verdict.Advice {
	return slices.DeleteFunc(problems, func(p verdict.Advice) bool {
		return slices.ContainsFunc(said, func(a verdict.Advice) bool {
			return lint.SaysProblem(a.Rule, p.Rule) && (a.Session == p.Session || a.Session == "" || p.Session == "")
		})
	})
}

// tools lists every tool that any session saw, in the order of the first session
// that saw it.
func tools(in Input) []verdict.Tool {
	out := []verdict.Tool{}
	at := map[string]int{}
	for _, s := range in.Capture.Sessions {
		for n, t := range s.Tools {
			name := nameOf(n, t)
			i, seen := at[name]
			if !seen {
				i = len(out)
				at[name] = i
				out = append(out, verdict.Tool{Name: name, App: appOf(t)})
			}
			if t.Name == "" {
				out[i].How = "not called: it has no name"
				continue
			}
			samples := 0
			for _, c := range s.CallsOf(t.Name) {
				if c.Origin == recording.Real && (c.Result != nil || c.Error != nil) {
					samples++
				}
			}
			out[i].Samples = max(out[i].Samples, samples)
		}
	}
	planned := reasons(in.Capture)
	for i := range out {
		if out[i].How == "" {
			out[i].How = how(in.Capture, out[i], planned[out[i].Name])
		}
	}
	return out
}

// reasons are what the capture's plan says of each tool, in the session that called it if
// there is one.
func reasons(c *recording.Capture) map[string]string {
	out := map[string]string{}
	for _, s := range c.Sessions {
		for _, p := range s.Plan {
			if out[p.Tool] == "" || p.Called {
				out[p.Tool] = p.Reason
			}
		}
	}
	return out
}

// how says how a tool was sampled: the reason of the plan, or why a call has no result.
func how(c *recording.Capture, t verdict.Tool, reason string) string {
	if t.Samples == 0 {
		if failed := failedCall(c, t.Name); failed != "" {
			return "called without a result: " + failed
		}
	}
	switch {
	case reason != "":
		return reason
	case t.Samples > 0:
		return "recorded"
	}
	return "not called"
}

// failedCall says why a real call of a tool has no result; "" when none failed.
func failedCall(c *recording.Capture, tool string) string {
	for _, s := range c.Sessions {
		for _, call := range s.CallsOf(tool) {
			if call.Origin == recording.Real && call.Failed != nil {
				return call.Failed.Text
			}
		}
	}
	return ""
}

func appOf(t *recording.Tool) string {
	meta := t.Value.Get("_meta")
	if uri, ok := meta.Get("ui").Get("resourceUri").IsString(); ok {
		return uri
	}
	uri, _ := meta.Get("ui/resourceUri").IsString()
	return uri
}

func host(c matrix.Column, now time.Time) verdict.Host {
	h := verdict.Host{ID: c.Host.ID, Name: c.Host.Host.Name, Version: c.Host.Version, Kind: c.Host.Host.Kind, Surface: c.Host.Host.Surface,
		Modelled: append([]string{}, c.Host.Modelled()...), LastSeen: c.Host.Host.LastSeen()}
	if mode, ok := c.Host.Host.Modes[c.Host.Mode]; ok && mode.Name != "" {
		h.Name += " (" + mode.Name + ")"
	}
	if seen, err := time.Parse(time.DateOnly, h.LastSeen); err == nil && !now.IsZero() {
		days := max(0, int(now.UTC().Truncate(24*time.Hour).Sub(seen).Hours()/24))
		h.StaleDays = &days
	}
	if c.State != nil && c.State.Session != nil {
		h.Protocol = c.State.Session.Negotiated
	}
	return h
}

// cellBlock is the number of cells that are let go at a time.
const cellBlock = 512

// cells orders the cells by tool, the whole server first and the others as the
// server lists them, then by host. Of two tools with the same name the first one's
// row comes first. It takes the cells out of the columns.
func cells(columns []matrix.Column, tools []verdict.Tool) []verdict.Cell {
	byTool := map[string][][]*verdict.Cell{} // rows of each name
	all := 0
	for n, c := range columns {
		all += len(c.Cells)
		nth := map[string]int{}
		// Of a million cells there is no room for two copies: each block goes with the
		// last of its cells.
		for block := range slices.Chunk(c.Cells, cellBlock) {
			block = slices.Clone(block)
			for k := range block {
				cell := &block[k]
				i := nth[cell.Tool]
				nth[cell.Tool]++
				if i == len(byTool[cell.Tool]) {
					byTool[cell.Tool] = append(byTool[cell.Tool], make([]*verdict.Cell, 0, len(columns)))
				}
				byTool[cell.Tool][i] = append(byTool[cell.Tool][i], cell)
			}
		}
		columns[n].Cells = nil
	}
	out := make([]verdict.Cell, 0, all)
	for _, name := range toolNames(tools) {
		for _, row := range byTool[name] {
			for _, cell := range row {
				out = append(out, *cell)
			}
		}
		delete(byTool, name)
	}
	return out
}

// orderAdvice sorts advice like the cells and keeps the order within a tool.
func orderAdvice(advice []verdict.Advice, tools []verdict.Tool) {
	at := map[string]int{}
	for i, name := range toolNames(tools) {
		at[name] = i
	}
	slices.SortStableFunc(advice, func(a, b verdict.Advice) int { return at[a.Tool] - at[b.Tool] })
}

// evidence resolves every "row/evidence-id" that a finding names.
func evidence(cells []verdict.Cell, table *capabilities.Table) map[string]verdict.Evidence {
	out := map[string]verdict.Evidence{}
	for _, c := range cells {
		for _, f := range c.Findings {
			for _, ref := range f.Evidence {
				if _, done := out[ref]; done || table == nil {
					continue
				}
				id, key, _ := strings.Cut(ref, "/")
				if h, ok := table.Host(id); ok {
					if e, ok := h.Evidence[key]; ok {
						out[ref] = verdict.Evidence{Basis: string(e.Basis), Version: e.Version, Date: e.Date, Ref: place(e), Text: e.Text}
					}
				}
			}
		}
	}
	return out
}

// place is where a person finds a piece of evidence.
func place(e capabilities.Evidence) string {
	switch {
	case e.Record != "":
		return e.Record
	case e.URL != "":
		return e.URL
	}
	out := e.Repo
	if e.Commit != "" {
		out += "@" + e.Commit
	}
	if e.Path != "" {
		if out != "" {
			out += ":"
		}
		out += e.Path
	}
	return out
}

// stale is "seen 12 days ago" or "never observed", for heads and legends.
func stale(h verdict.Host) string {
	switch {
	case h.LastSeen == "":
		return "never observed"
	case h.StaleDays == nil:
		return "seen " + h.LastSeen
	case *h.StaleDays == 0:
		return "seen today"
	case *h.StaleDays == 1:
		return "seen 1 day ago"
	}
	return "seen " + strconv.Itoa(*h.StaleDays) + " days ago"
}
