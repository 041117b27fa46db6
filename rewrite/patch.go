package rewrite

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// pretty is a tool definition as people read it.
func pretty(v *schema.Value) string {
	return string(schema.Append(nil, v, schema.Style{Indent: "  "})) + "\n"
}

const (
	contextLines = 3
	maxDiffLines = 3_000 // beyond, the diff replaces everything
	maxFileName  = 200   // bytes; file systems take 255, with .json and a number
)

// Patch is a unified diff from the old tool definition to the new one, each as
// indented JSON in a file tools/NAME.json; "" when nothing changed. Where the names of
// two tools of the server would be the same file, the later one's has a number.
func (p Plan) Patch() string {
	if p.Before == nil || p.After == nil || len(p.Steps) == 0 {
		return ""
	}
	name := p.file
	if name == "" {
		name = fileName(p.Tool)
	}
	file := "tools/" + name + ".json"
	return "--- a/" + file + "\n+++ b/" + file + "\n" + unified(lines(pretty(p.Before)), lines(pretty(p.After)))
}

// fileName is a tool's name as a file may be called, without extension.
func fileName(tool string) string {
	name := plainName(tool)
	return name[:min(len(name), maxFileName)]
}

// fileOf is the file name of one tool among all tools of the server. File systems of
// Windows and macOS don't tell upper case from lower.
func fileOf(c *recording.Capture, tool string) string {
	seen, taken := map[string]bool{}, map[string]bool{}
	for _, s := range c.Sessions {
		for _, t := range s.Tools {
			taken[strings.ToLower(fileName(t.Name))] = true
		}
	}
	given := map[string]bool{}
	for _, s := range c.Sessions {
		for _, t := range s.Tools {
			if seen[t.Name] {
				continue
			}
			seen[t.Name] = true
			name := fileName(t.Name)
			if given[strings.ToLower(name)] {
				number := 2
				for taken[strings.ToLower(name)+"-"+strconv.Itoa(number)] {
					number++
				}
				name += "-" + strconv.Itoa(number)
				taken[strings.ToLower(name)] = true
			}
			given[strings.ToLower(name)] = true
			if t.Name == tool {
				return name
			}
		}
	}
	return fileName(tool)
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
