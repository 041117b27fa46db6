package reports

import (
	"fmt"
	"sort"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// hostTextMax is how many characters of a host's words a block shows; the JSON
// report has them all.
const hostTextMax = 1200

func (p *page) problems() {
	undecided := 0
	number := 0
	for _, q := range p.problem {
		if q.Severity == verdict.Undecided && !p.o.Verbose {
			undecided++
			continue
		}
		number++
		p.block(number, q)
	}
	if number == 0 && undecided == 0 && !p.o.Quiet {
		p.line("No problem found.")
		p.line("")
	}
	if undecided > 0 {
		p.undecided()
	}
}

func (p *page) block(number int, q Problem) {
	title := fmt.Sprintf("%d. %s %s in %s", number, toolName(q.Tool), verbs[q.Severity], plural(len(q.Hosts), "host"))
	if q.Stage != "" {
		title += " at " + string(q.Stage)
	}
	title += " · " + q.Rule
	if p.o.Color {
		colour := colours[q.Severity.Effect()]
		for _, l := range wrap(title, p.width) {
			p.line(colour + l + "\x1b[0m")
		}
	} else {
		p.hang("", title)
	}
	for i, v := range q.Voices {
		if i == 4 && !p.o.Verbose && len(q.Voices) > 5 {
			p.field("", fmt.Sprintf("… and %s of the same fault; --verbose shows them", plural(len(q.Voices)-i, "more form")))
			break
		}
		p.voice(v)
	}
	p.field("spreads", spread(q))
	p.field("fix", fixes(q))
	p.line("")
}

func (p *page) voice(v Voice) {
	f := v.Finding
	p.field("hosts", hostsWithStages(v.Hosts))
	p.quote("says", f.HostText)
	p.field("why", inline(f.Message))
	p.field("schema", inline(f.SchemaPointer))
	p.field("data", inline(f.DataPointer))
	switch f.Sample {
	case "synthesized":
		p.field("sample", "synthesized from the schema, never sent by the server: "+cutText(inline(f.Witness), 300))
	case "real":
		p.field("sample", "a real result of this server")
	}
	p.field("basis", basis(f, v.Evidence, p.r.Evidence))
}

// field writes "   name     text", nothing when there is no text.
func (p *page) field(name, text string) {
	if text != "" {
		p.hang("   "+pad(name, 10), text)
	}
}

// quote shows a host's words behind a bar, so that nobody takes them for ours.
func (p *page) quote(name, text string) {
	if text == "" {
		return
	}
	for i, l := range wrap(multiline(cutText(text, hostTextMax)), p.width-15) {
		head := ""
		if i == 0 {
			head = name
		}
		p.line("   " + pad(head, 10) + "│ " + l)
	}
}

func hostsWithStages(hosts []verdict.Host) string {
	return names(hosts)
}

// basis names the evidence behind a finding, strongest dates first, so that a
// reader can judge it.
func basis(f verdict.Finding, refs []string, all map[string]verdict.Evidence) string {
	if f.Basis == "" && len(refs) == 0 {
		return ""
	}
	out := f.Basis
	var pieces []string
	for _, ref := range refs {
		e, ok := all[ref]
		if !ok {
			pieces = append(pieces, ref)
			continue
		}
		text := ref + " " + e.Basis
		if e.Version != "" {
			text += " in " + e.Version
		}
		if e.Date != "" {
			text += " on " + e.Date
		}
		if e.Ref != "" && e.Basis != "observed" {
			text += ", " + e.Ref
		}
		pieces = append(pieces, text)
	}
	if len(pieces) > 6 {
		pieces = append(pieces[:6], fmt.Sprintf("and %d more", len(refs)-6))
	}
	if len(pieces) > 0 {
		out += ": " + strings.Join(pieces, "; ")
	}
	if f.Note != "" {
		out += " (" + f.Note + ")"
	}
	return out
}

func fixes(q Problem) string {
	seen := map[string]bool{}
	var out []string
	for _, v := range q.Voices {
		if f := v.Finding.Fix; f != "" && !seen[f] {
			seen[f] = true
			out = append(out, f)
		}
	}
	return strings.Join(out, "; ")
}

// undecided sums up the cells that nothing could be established about.
func (p *page) undecided() {
	count := map[string]int{}
	for _, c := range p.r.Cells {
		if c.Verdict != verdict.Unknown {
			continue
		}
		for _, f := range c.Findings {
			if f.Severity == verdict.Undecided {
				count[f.Rule+": "+inline(f.Message)]++
				break
			}
		}
	}
	reasons := make([]string, 0, len(count))
	for r := range count {
		reasons = append(reasons, r)
	}
	sort.Slice(reasons, func(i, j int) bool {
		if count[reasons[i]] != count[reasons[j]] {
			return count[reasons[i]] > count[reasons[j]]
		}
		return reasons[i] < reasons[j]
	})
	if len(reasons) == 0 {
		return
	}
	p.line("Not established (--verbose shows each):")
	for i, r := range reasons {
		if i == 6 && !p.o.Verbose {
			p.linef("   … and %s", plural(len(reasons)-i, "more reason"))
			break
		}
		p.hang(fmt.Sprintf("   %s  ", pad(plural(count[r], "cell"), 9)), r)
	}
	p.line("")
}
