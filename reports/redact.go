package reports

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// redacted stands for what was taken out.
const redacted = "…"

// window is how many bytes of a result in a row are recognised inside of a text: hosts
// cut and escape what they quote, so that a long value seldom appears whole.
const window = 8

// RedactResults takes out of a report what real results hold: the results, and in
// messages, hosts' words, witnesses and advice each of their values, and each piece of
// window bytes of one. Keys are taken out where the tool's definition does not name
// them. Too much rather than too little goes: a value that is a word of the message
// goes too. Verdicts, rules and pointers into schemas stay. A nil capture means the
// results that the report itself carries.
func RedactResults(r *verdict.Report, c *recording.Capture) {
	values := map[string][]*schema.Value{}
	if c != nil {
		for _, s := range c.Sessions {
			for _, call := range s.Calls {
				if call.Origin == recording.Real {
					values[call.Tool] = append(values[call.Tool], call.Result, call.Error)
				}
			}
		}
	}
	definitions := map[string]string{}
	for i := range r.Tools {
		t := &r.Tools[i]
		definitions[t.Name] += t.Definition
		if c == nil {
			for _, text := range t.Results {
				if v, err := schema.ParseString(text); err == nil {
					values[t.Name] = append(values[t.Name], v)
				}
			}
		}
		t.Results = nil
	}
	texts := map[string][]*string{}
	for i := range r.Cells {
		findings := append([]verdict.Finding(nil), r.Cells[i].Findings...) // cells share them
		r.Cells[i].Findings = findings
		for k := range findings {
			f := &findings[k]
			tool := r.Cells[i].Tool
			if f.Culprit != "" {
				tool = f.Culprit
			}
			texts[tool] = append(texts[tool], &f.Message, &f.HostText, &f.Witness, &f.DataPointer)
		}
	}
	for i := range r.Advice {
		texts[r.Advice[i].Tool] = append(texts[r.Advice[i].Tool], &r.Advice[i].Message)
	}
	for tool, list := range texts {
		from := values[tool]
		if tool == "" { // what is said of the server may rest on any tool
			for _, of := range values {
				from = append(from, of...)
			}
		}
		newMask(list, from, definitions[tool]).apply(list)
	}
}

// mask knows what of a set of texts comes from results.
type mask struct {
	pieces map[string]bool // of window bytes, all that the texts hold; true: a result holds it too
	words  map[string]bool // shorter values
}

func newMask(texts []*string, values []*schema.Value, definition string) *mask {
	m := &mask{pieces: map[string]bool{}, words: map[string]bool{}}
	for _, t := range texts {
		for i := 0; i+window <= len(*t); i++ {
			m.pieces[(*t)[i:i+window]] = false
		}
	}
	for _, v := range values {
		m.add(v, definition, 0)
	}
	return m
}

// maxRedactDepth is beyond what a capture takes (wire's limit of nesting).
const maxRedactDepth = 10_000

func (m *mask) add(v *schema.Value, definition string, depth int) {
	if v == nil || depth > maxRedactDepth {
		return
	}
	switch v.Kind {
	case schema.Array:
		for _, item := range v.Items {
			m.add(item, definition, depth+1)
		}
	case schema.Object:
		for _, member := range v.Members {
			if !protocolKeys[member.Key] && !strings.Contains(definition, schema.Quote(member.Key)) {
				m.text(member.Key)
			}
			if member.Key == "type" && depth > 0 && len(v.Members) > 1 && protocolBlocks[member.Value.Text] {
				continue // the kind of a content block
			}
			m.add(member.Value, definition, depth+1)
		}
	case schema.String, schema.Number:
		m.text(v.Text)
	}
}

// Members of a tool's result that the protocol names, and the kinds of its blocks.
var (
	protocolKeys = map[string]bool{"content": true, "structuredContent": true, "isError": true, "_meta": true, "type": true, "text": true,
		"data": true, "mimeType": true, "uri": true, "resource": true, "annotations": true, "resultType": true, "code": true, "message": true}
	protocolBlocks = map[string]bool{"text": true, "image": true, "audio": true, "resource": true, "resource_link": true}
)

// text notes a value as it is and as JSON writes it.
func (m *mask) text(s string) {
	quoted := strings.Trim(schema.Quote(s), `"`)
	for _, form := range []string{s, quoted} {
		if len(form) < window {
			if utf8.RuneCountInString(form) > 1 {
				m.words[form] = true
			}
			continue
		}
		for i := 0; i+window <= len(form); i++ {
			if _, asked := m.pieces[form[i:i+window]]; asked {
				m.pieces[form[i:i+window]] = true
			}
		}
	}
}

func (m *mask) apply(texts []*string) {
	for _, t := range texts {
		*t = m.clean(*t)
	}
}

func (m *mask) clean(s string) string {
	hidden := make([]bool, len(s)+1)
	for i := range len(s) {
		if i+window <= len(s) && m.pieces[s[i:i+window]] {
			for k := i; k < i+window; k++ {
				hidden[k] = true
			}
		}
		if i > 0 && inWord(s[:i], true) && inWord(s[i:], false) {
			continue // a value begins where a word does
		}
		for n := min(window-1, len(s)-i); n > 1; n-- {
			if m.words[s[i:i+n]] && (i+n == len(s) || !inWord(s[:i+n], true) || !inWord(s[i+n:], false)) {
				for k := i; k < i+n; k++ {
					hidden[k] = true
				}
				break
			}
		}
	}
	var b strings.Builder
	for i := range len(s) {
		switch {
		case !hidden[i]:
			b.WriteByte(s[i])
		case i == 0 || !hidden[i-1]:
			b.WriteString(redacted)
		}
	}
	return strings.ToValidUTF8(b.String(), "")
}

// inWord says whether s ends (or begins) with a letter or digit.
func inWord(s string, end bool) bool {
	r, _ := utf8.DecodeRuneInString(s)
	if end {
		r, _ = utf8.DecodeLastRuneInString(s)
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
