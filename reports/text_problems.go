package reports

import (
	"cmp"
	"fmt"
	"sort"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
)

// hostTextMax is how many characters of a host's words a block shows; the JSON
// report has them all.
const hostTextMax = 800

// hostLinesMax is how many lines of them a terminal shows: a typed parser's words
// are JSON of a few letters a line.
const hostLinesMax = 16

func (p *page) problems() {
	undecided := 0
	number := 0
	for _, q := range foldProblems(p.problem, p.o.Verbose) {
		if q.Severity == verdict.Undecided && !p.o.Verbose {
			undecided++
			continue
		}
		number++
		p.block(number, q)
	}
	if number == 0 && undecided == 0 && !p.o.Quiet && len(p.r.Tools) > 0 {
		p.line("No problem found.")
		p.line("")
	}
	if undecided > 0 {
		p.undecided()
	}
}

func (p *page) block(number int, q folded) {
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
	fields := p.shared(q.Problem)
	for i, v := range q.Voices {
		if i == maxVoices && !p.o.Verbose && len(q.Voices) > maxVoices+1 {
			p.field("", fmt.Sprintf("… and %s of the same fault; --verbose shows them", plural(len(q.Voices)-i, "more form")))
			break
		}
		p.voice(v, fields)
	}
	for _, f := range fields {
		if f.shared {
			p.field(f.name, f.text(q.Voices[0].Finding))
		}
	}
	for i, text := range p.evidence(q.Problem) {
		if i == 0 {
			p.field("evidence", text)
		} else {
			p.field("", text)
		}
	}
	p.field("spreads", spread(q.Problem))
	p.field("fix", fixes(q.Problem))
	if len(q.also) > 0 {
		p.field("also", "the same in "+listed(q.also, 12, "tool"))
	}
	p.line("")
}

// maxVoices is how many different wordings of one fault a block shows.
const maxVoices = 4

// blockField is a part of a finding. Where all hosts agree it is said once.
type blockField struct {
	name   string
	text   func(verdict.Finding) string
	shared bool
}

func (p *page) shared(q Problem) []blockField {
	fields := []blockField{
		{name: "schema", text: func(f verdict.Finding) string { return inline(f.SchemaPointer) }},
		{name: "data", text: func(f verdict.Finding) string { return inline(f.DataPointer) }},
		{name: "why", text: func(f verdict.Finding) string { return inline(f.Message) }},
		{name: "sample", text: sampleText},
	}
	for i := range fields {
		fields[i].shared = true
		first := fields[i].text(q.Voices[0].Finding)
		for _, v := range q.Voices[1:] {
			fields[i].shared = fields[i].shared && fields[i].text(v.Finding) == first
		}
	}
	return fields
}

func sampleText(f verdict.Finding) string {
	switch f.Sample {
	case "synthesized":
		return "made from the schema, never sent by the server: " + cutText(inline(f.Witness), 300)
	case "real":
		return "a real result of this server"
	}
	return ""
}

func (p *page) voice(v Voice, fields []blockField) {
	p.field("hosts", names(v.Hosts))
	p.quote("says", v.Finding.HostText)
	for _, f := range fields {
		if !f.shared {
			p.field(f.name, f.text(v.Finding))
		}
	}
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
	lines := wrap(multiline(cutText(text, hostTextMax)), p.width-15)
	if n := len(lines) - hostLinesMax; n > 1 && !p.o.Verbose {
		lines = append(lines[:hostLinesMax:hostLinesMax], fmt.Sprintf("… %s; --verbose shows them", plural(n, "more line")))
	}
	for i, l := range lines {
		head := ""
		if i == 0 {
			head = name
		}
		p.line("   " + pad(head, 10) + "│ " + l)
	}
}

// evidence says for each row of the table how its part is known: the strongest
// piece, the newest of those. A verdict that rests on less than its evidence says
// why.
func (p *page) evidence(q Problem) []string {
	var rows []string
	best := map[string]verdict.Evidence{}
	more := map[string]int{}
	for _, v := range q.Voices {
		for _, ref := range v.Evidence {
			row, _, _ := strings.Cut(ref, "/")
			e := p.r.Evidence[ref]
			old, seen := best[row]
			if !seen {
				rows = append(rows, row)
			} else {
				more[row]++
			}
			if !seen || stronger(e, old) {
				best[row] = e
			}
		}
	}
	out := []string{}
	for _, row := range rows {
		out = append(out, inline(row+": "+evidenceText(best[row], more[row])))
	}
	if len(out) > maxEvidence && !p.o.Verbose {
		out = append(out[:maxEvidence], fmt.Sprintf("… and of %s; --verbose shows it", plural(len(rows)-maxEvidence, "more row")))
	}
	notes := map[string]bool{}
	for _, v := range q.Voices {
		if n := v.Finding.Note; n != "" && !notes[n] {
			notes[n] = true
			out = append(out, "note: "+inline(n))
		}
	}
	return out
}

const maxEvidence = 6

func stronger(a, b verdict.Evidence) bool {
	ra, rb := capabilities.Basis(a.Basis).Rank(), capabilities.Basis(b.Basis).Rank()
	return cmp.Or(cmp.Compare(ra, rb), cmp.Compare(a.Date, b.Date), capabilities.CompareVersions(a.Version, b.Version)) > 0
}

func evidenceText(e verdict.Evidence, more int) string {
	out := e.Basis
	if e.Version != "" {
		out += " in " + e.Version
	}
	if e.Date != "" {
		out += " on " + e.Date
	}
	if e.Ref != "" {
		out += ", " + e.Ref
	}
	if more > 0 {
		out += fmt.Sprintf(" (and %s)", plural(more, "more piece"))
	}
	return out
}

func fixes(q Problem) string {
	seen := map[string]bool{}
	var out []string
	for _, v := range q.Voices {
		if f := v.Finding.Mending(); f != "" && !seen[f] {
			seen[f] = true
			out = append(out, inline(f))
		}
	}
	if len(out) == 0 {
		return RuleOf(q.Rule).Fix // general advice, where no proven rewrite is known
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
			p.hang("   ", "… and "+plural(len(reasons)-i, "more reason"))
			break
		}
		p.hang(fmt.Sprintf("   %s  ", pad(plural(count[r], "cell"), 9)), r)
	}
	p.line("")
}
