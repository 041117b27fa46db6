package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// Combine makes one report of the reports about several servers of one
// configuration, made in one run for the same hosts. It stays a canonical report:
//
//   - a tool is called SERVER/TOOL, and so is a culprit;
//   - the cells about the whole of a server (tool "") become one cell per host: the
//     worst of them, with the findings of all, each message beginning with the
//     server's key;
//   - shards of the servers (see [Cut]) make a shard of the whole;
//   - target is the configuration itself; its handshakes are called
//     SERVER/HANDSHAKE, and servers holds each server's own target.
//
// names are the keys of the servers, in the order of the reports.
func Combine(name string, names []string, each []*verdict.Report) *verdict.Report {
	out := &verdict.Report{Format: verdict.Format, Conform: each[0].Conform, Hosts: append([]verdict.Host{}, each[0].Hosts...),
		Tools: []verdict.Tool{}, Cells: []verdict.Cell{}, Advice: []verdict.Advice{}, Evidence: map[string]verdict.Evidence{},
		Target: verdict.Target{Name: name, Handshakes: []verdict.Handshake{}}}
	whole := wholeServers{at: map[string]int{}}
	var cells []verdict.Cell
	var unchecked []verdict.NotChecked
	digest := sha256.New()
	for i, r := range each {
		p := prefixer(names[i])
		out.Servers = append(out.Servers, p.target(r.Target))
		out.Target.Handshakes = append(out.Target.Handshakes, out.Servers[i].Handshakes...)
		if i == 0 {
			out.Target.Transport = r.Target.Transport
		} else if out.Target.Transport != r.Target.Transport {
			out.Target.Transport = "mixed"
		}
		digest.Write([]byte(r.Target.Digest + "\n"))
		for j, h := range r.Hosts {
			if j < len(out.Hosts) && h.Protocol != out.Hosts[j].Protocol {
				out.Hosts[j].Protocol = "" // differs between the servers
			}
		}
		for _, t := range r.Tools {
			t.Name = p.tool(t.Name)
			out.Tools = append(out.Tools, t)
		}
		for _, c := range r.Cells {
			if c.Tool == "" {
				whole.add(names[i], c)
				continue
			}
			cells = append(cells, p.cell(c))
		}
		for _, a := range r.Advice {
			out.Advice = append(out.Advice, p.advice(a))
		}
		for _, n := range r.NotChecked {
			for _, reason := range strings.Split(n.Reason, "; ") {
				unchecked = append(unchecked, verdict.NotChecked{Rule: n.Rule, Reason: names[i] + ": " + reason})
			}
		}
		maps.Copy(out.Evidence, r.Evidence)
	}
	out.Target.Digest = hex.EncodeToString(digest.Sum(nil))[:12]
	out.Cells = append(append(out.Cells, whole.cells...), cells...)
	orderAdvice(out.Advice, out.Tools)
	out.NotChecked = notChecked(unchecked)
	out.Shard = each[0].Shard
	out.Summary = verdict.Count(out.Cells)
	return out
}

// wholeServers gathers the cells about whole servers, one per host.
type wholeServers struct {
	cells []verdict.Cell
	at    map[string]int // host and version to index
}

func (w *wholeServers) add(server string, c verdict.Cell) {
	findings := make([]verdict.Finding, len(c.Findings))
	p := prefixer(server)
	for i, f := range c.Findings {
		findings[i] = p.finding(f)
		findings[i].Message = server + ": " + f.Message
	}
	c.Findings = findings
	key := c.Host + "\x00" + c.HostVersion
	i, known := w.at[key]
	if !known {
		w.at[key] = len(w.cells)
		w.cells = append(w.cells, c)
		return
	}
	have := w.cells[i]
	have.Findings = append(have.Findings, findings...)
	have.Checked = have.Checked || c.Checked
	if c.Verdict.Rank() > have.Verdict.Rank() {
		have.Verdict, have.Stage, have.Blast, have.Basis = c.Verdict, c.Stage, c.Blast, c.Basis
	}
	w.cells[i] = have
}

// prefixer puts the key of a server before names.
type prefixer string

func (p prefixer) tool(name string) string { return string(p) + "/" + name }

func (p prefixer) target(t verdict.Target) verdict.Target {
	t.Name = string(p)
	shakes := make([]verdict.Handshake, len(t.Handshakes))
	for i, h := range t.Handshakes {
		h.ID = p.tool(h.ID)
		shakes[i] = h
	}
	t.Handshakes = shakes
	return t
}

func (p prefixer) cell(c verdict.Cell) verdict.Cell {
	c.Tool = p.tool(c.Tool)
	findings := make([]verdict.Finding, len(c.Findings))
	for i, f := range c.Findings {
		findings[i] = p.finding(f)
	}
	if c.Findings = findings; len(findings) == 0 {
		c.Findings = nil
	}
	return c
}

func (p prefixer) finding(f verdict.Finding) verdict.Finding {
	if f.Culprit != "" {
		f.Culprit = p.tool(f.Culprit)
	}
	return f
}

func (p prefixer) advice(a verdict.Advice) verdict.Advice {
	if a.Tool != "" {
		a.Tool = p.tool(a.Tool)
	} else if !strings.HasPrefix(a.Message, string(p)+": ") {
		a.Message = string(p) + ": " + a.Message
	}
	if a.Session != "" {
		a.Session = p.tool(a.Session)
	}
	return a
}
