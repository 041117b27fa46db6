package rewrite

import (
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// pretty is a tool definition as people read it.
func pretty(v *schema.Value) string {
	return string(schema.Append(nil, v, schema.Style{Indent: "  "})) + "\n"
}

const (
	contextLines = 3
	maxDiffLines = 3_000 // beyond, the diff replaces everything
)

// Patch is a unified diff from the old tool definition to the new one, each as
// indented JSON in a file tools/NAME.json; "" when nothing changed.
func (p Plan) Patch() string {
	if p.Before == nil || p.After == nil || len(p.Steps) == 0 {
		return ""
	}
	file := "tools/" + plainName(p.Tool) + ".json"
	return "--- a/" + file + "\n+++ b/" + file + "\n" + unified(lines(pretty(p.Before)), lines(pretty(p.After)))
}

func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

// edit is one line of a diff: ' ' kept, '-' gone, '+' new.
type edit struct {
	op   byte
	text string
}

// unified writes the hunks that turn a into b.
func unified(a, b []string) string {
	edits := diff(a, b)
	var out strings.Builder
	for i := 0; i < len(edits); {
		if edits[i].op == ' ' {
			i++
			continue
		}
		start, end := max(0, i-contextLines), i
		for quiet := 0; end < len(edits) && quiet <= 2*contextLines; end++ {
			if edits[end].op == ' ' {
				quiet++
			} else {
				quiet = 0
			}
		}
		for end > start && edits[end-1].op == ' ' {
			end--
		}
		end = min(len(edits), end+contextLines)
		writeHunk(&out, edits, start, end)
		i = end
	}
	return out.String()
}

func writeHunk(out *strings.Builder, edits []edit, start, end int) {
	oldLine, newLine := 1, 1
	for _, e := range edits[:start] {
		if e.op != '+' {
			oldLine++
		}
		if e.op != '-' {
			newLine++
		}
	}
	olds, news := 0, 0
	for _, e := range edits[start:end] {
		if e.op != '+' {
			olds++
		}
		if e.op != '-' {
			news++
		}
	}
	fmt.Fprintf(out, "@@ -%d,%d +%d,%d @@\n", oldLine, olds, newLine, news)
	for _, e := range edits[start:end] {
		out.WriteByte(e.op)
		out.WriteString(e.text + "\n")
	}
}

// diff is the edit script by the longest common subsequence.
func diff(a, b []string) []edit {
	var out []edit
	if len(a) > maxDiffLines || len(b) > maxDiffLines {
		for _, l := range a {
			out = append(out, edit{'-', l})
		}
		for _, l := range b {
			out = append(out, edit{'+', l})
		}
		return out
	}
	width := len(b) + 1
	table := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i*width+j] = table[(i+1)*width+j+1] + 1
			} else {
				table[i*width+j] = max(table[(i+1)*width+j], table[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, edit{' ', a[i]})
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || table[(i+1)*width+j] >= table[i*width+j+1]):
			out = append(out, edit{'-', a[i]})
			i++
		default:
			out = append(out, edit{'+', b[j]})
			j++
		}
	}
	return out
}
