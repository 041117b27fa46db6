package rewrite

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Format is the value of the member format of [WriteJSON].
const Format = "conform-fix/1"

// WriteText writes plans for people.
func WriteText(w io.Writer, plans []Plan) error {
	var b strings.Builder
	for i, p := range plans {
		if i > 0 {
			b.WriteString("\n")
		}
		p.text(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (p Plan) text(b *strings.Builder) {
	fmt.Fprintf(b, "%s %s\n", p.Tool, strings.Join(p.troubles(), "; "))
	for _, line := range p.summary() {
		fmt.Fprintf(b, "  %s\n", line)
	}
	for _, s := range p.Steps {
		if r, err := Find(s.Rewrite); err == nil {
			fmt.Fprintf(b, "  %s (%s): %s\n", s.Rewrite, s.Part, r.Title)
		}
	}
	for _, probe := range p.Loss {
		fmt.Fprintf(b, "  %s\n", probe)
	}
	for _, h := range p.Hints {
		fmt.Fprintf(b, "  %s\n", h)
	}
	if patch := p.Patch(); patch != "" {
		b.WriteString("\n" + indent(patch, "    "))
	}
}

// troubles say what is wrong with the tool as it is.
func (p Plan) troubles() []string {
	var out []string
	if len(p.Broken) > 0 {
		out = append(out, "breaks in "+hostsOf(p.Broken))
	}
	if len(p.Degraded) > 0 {
		out = append(out, "is degraded in "+hostsOf(p.Degraded))
	}
	return out
}

// summary says what the plan achieves, in sentences.
func (p Plan) summary() []string {
	out := p.outcome()
	if p.Reason != "" {
		out = append(out, p.Reason)
	}
	if len(p.Mended) > 0 {
		out = append(out, "nothing of the definition is lost then in "+strings.Join(p.Mended, ", "))
	}
	for _, f := range p.Worsened {
		out = append(out, fmt.Sprintf("%s loses something with it: %s", f.Host, oneLine(f.Text)))
	}
	for _, f := range p.Lossy {
		out = append(out, fmt.Sprintf("something is still lost in %s: %s", f.Host, oneLine(f.Text)))
	}
	out = append(out, p.choices()...)
	if p.Reshapes {
		out = append(out, "the server's code has to change its data with it")
	}
	for _, part := range p.Unread {
		out = append(out, fmt.Sprintf("no instance can show what the %s loses: neither draft-07 nor 2020-12 reads it as it was", part))
	}
	spoken := p.spokenLoss()
	out = append(out, spoken...)
	if len(p.Steps) > 0 && len(p.Remaining) == 0 && len(p.Loss)+len(p.Unread)+len(spoken) == 0 && !p.Reshapes {
		out = append(out, "nothing lost was found: neither draft-07 nor 2020-12 tells the new schemas from the old on any instance tried")
	}
	return out
}

// spokenLoss is what the steps lose of the tool beside its schemas, such as the end
// of its description, which no instance shows.
func (p Plan) spokenLoss() []string {
	var out []string
	for _, s := range p.Steps {
		if r, err := Find(s.Rewrite); err == nil && s.Part == Whole && r.Loss != "" {
			out = append(out, fmt.Sprintf("%s loses %s", s.Rewrite, r.Loss))
		}
	}
	return out
}

// outcome is the fix itself, or that there is none.
func (p Plan) outcome() []string {
	verified := fmt.Sprintf("verified in %s with %s and %s made from the old schema",
		count(p.Verified.Hosts, "host"), count(p.Verified.Samples, "real result"), count(p.Verified.Instances, "instance"))
	switch names := Names(p.Steps); {
	case len(p.Steps) > 0 && len(p.Broken) == 0:
		return []string{fmt.Sprintf("fix: %s; %s", names, verified)}
	case len(p.Steps) > 0 && p.Complete:
		return []string{fmt.Sprintf("fix: %s; it breaks in none of the chosen hosts, %s", names, verified)}
	case len(p.Steps) > 0 && len(p.Fixed) > 0:
		return []string{fmt.Sprintf("best: %s; it helps %s and leaves %s broken, %s", names, strings.Join(p.Fixed, ", "), hostsOf(p.Remaining), verified)}
	case len(p.Steps) > 0:
		return []string{fmt.Sprintf("%s; it leaves %s broken, %s", names, hostsOf(p.Remaining), verified)}
	}
	tried := fmt.Sprintf("%d were tried", max(p.Verified.Runs-1, 0))
	if len(p.Alternatives) > 0 {
		return []string{"no rewrite helps one host and breaks no other; " + tried}
	}
	return []string{"no rewrite helps; " + tried}
}

// choices say which hosts conflict and what is best for each set of them.
func (p Plan) choices() []string {
	var out []string
	if len(p.Conflicts) > 0 {
		var groups []string
		for _, g := range p.Conflicts {
			groups = append(groups, strings.Join(g, ", "))
		}
		out = append(out, "no rewrite that was tried serves all of these together: "+strings.Join(groups, " | "))
	}
	for _, set := range p.Alternatives {
		line := "the tool as it is"
		if len(set.Steps) > 0 {
			line = Names(set.Steps)
		}
		line += fmt.Sprintf(" works in %d of %d hosts", len(set.Hosts), p.Verified.Hosts)
		if len(set.Hosts) <= maxNamed {
			line += ": " + strings.Join(set.Hosts, ", ")
		}
		if len(set.Breaks) > 0 {
			line += "; it breaks in " + strings.Join(set.Breaks, ", ")
		}
		out = append(out, line)
	}
	return out
}

// maxNamed bounds the hosts of a set that are named; the others are those in which
// it breaks.
const maxNamed = 8

// String says what a probe shows.
func (p Probe) String() string {
	verb := "newly allowed"
	if !p.Loosened {
		verb = "newly forbidden"
	}
	text := p.Instance
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "") + "…"
	}
	return fmt.Sprintf("%s by %s, read as %s: %s (%s)", verb, p.Part, p.Dialect, text, p.Text)
}

// WriteMarkdown writes plans as a section per tool, for a pull request.
func WriteMarkdown(w io.Writer, plans []Plan) error {
	var b strings.Builder
	b.WriteString("# Fixes\n")
	for _, p := range plans {
		fmt.Fprintf(&b, "\n## `%s`\n\n", p.Tool)
		for _, line := range p.troubles() {
			fmt.Fprintf(&b, "%s.\n", strings.ToUpper(line[:1])+line[1:])
		}
		b.WriteString("\n")
		for _, line := range p.summary() {
			fmt.Fprintf(&b, "- %s\n", line)
		}
		for _, s := range p.Steps {
			if r, err := Find(s.Rewrite); err == nil {
				fmt.Fprintf(&b, "- `%s` on %s: %s. %s\n", s.Rewrite, s.Part, r.Title, r.Doc)
			}
		}
		for _, probe := range p.Loss {
			fmt.Fprintf(&b, "- %s\n", probe)
		}
		for _, h := range p.Hints {
			fmt.Fprintf(&b, "- %s\n", h)
		}
		if patch := p.Patch(); patch != "" {
			fmt.Fprintf(&b, "\n```diff\n%s```\n", patch)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WritePatch writes the diffs of all plans, one file per tool; `git apply` and
// `patch -p1` take it where the definitions are kept as tools/NAME.json.
func WritePatch(w io.Writer, plans []Plan) error {
	for _, p := range plans {
		if _, err := io.WriteString(w, p.Patch()); err != nil {
			return err
		}
	}
	return nil
}

// WriteJSON writes {"format":"conform-fix/1","plans":[…]}; before and after are
// the tool definitions, their literals as written.
func WriteJSON(w io.Writer, plans []Plan) error {
	type entry struct {
		Plan
		Before json.RawMessage `json:"before"`
		After  json.RawMessage `json:"after"`
		Patch  string          `json:"patch,omitempty"`
	}
	out := struct {
		Format string  `json:"format"`
		Plans  []entry `json:"plans"`
	}{Format, []entry{}}
	for _, p := range plans {
		out.Plans = append(out.Plans, entry{p, json.RawMessage(p.Before.Compact()), json.RawMessage(p.After.Compact()), p.Patch()})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(out)
}

func hostsOf(faults []Fault) string {
	var out []string
	for _, f := range faults {
		out = append(out, f.Host)
	}
	return strings.Join(out, ", ")
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func indent(text, by string) string {
	return by + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+by) + "\n"
}
