package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// mark is how a cell is shown: a symbol, a word and a short word, so that neither
// colour nor symbol alone carries the meaning.
type mark struct{ symbol, word, short, means string }

// marks in the order of the legend.
var marks = []struct {
	verdict verdict.Verdict
	checked bool
	mark
}{
	{verdict.Works, true, mark{"✓", "works", "ok", "works, and its result was checked as this host would"}},
	{verdict.Works, false, mark{"○", "works", "ok", "works, but no result was checked (the host does not check, or there was none)"}},
	{verdict.Degraded, false, mark{"~", "degraded", "deg", "usable, but something is lost"}},
	{verdict.Breaks, false, mark{"✗", "breaks", "brk", "the host rejects the tool, the call or the result, or shows the model nothing of it"}},
	{verdict.Unknown, false, mark{"?", "unknown", "unk", "no evidence, or nothing to test with"}},
}

func markOf(c verdict.Cell) mark {
	for _, m := range marks {
		if m.verdict == c.Verdict && (m.verdict != verdict.Works || m.checked == c.Checked) {
			return m.mark
		}
	}
	return mark{"?", inline(string(c.Verdict)), "unk", "no verdict of this version"}
}

// plural is "1 tool", "2 tools".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "s") || strings.HasSuffix(noun, "ch") {
		return strconv.Itoa(n) + " " + noun + "es"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// label names a column: id, version, and how many of the six stages the table
// models when it is not all.
func label(h verdict.Host) string {
	out := name(h)
	if n := len(h.Modelled); n < len(verdict.Stages) {
		out += " (" + strconv.Itoa(n) + "/" + strconv.Itoa(len(verdict.Stages)) + ")"
	}
	return out
}

// name is the id with its version.
func name(h verdict.Host) string {
	if h.Version == "" {
		return shorten(inline(h.ID), toolNameMax)
	}
	return shorten(inline(h.ID+" "+h.Version), toolNameMax)
}

func names(hosts []verdict.Host) string {
	out := make([]string, len(hosts))
	for i, h := range hosts {
		out[i] = name(h)
	}
	return strings.Join(out, ", ")
}

// toolNameMax is how many characters of a tool's name a text shows; hosts take no
// names of more than 128.
const toolNameMax = 128

// toolName is how a tool is called in text; "" is the server as a whole.
func toolName(tool string) string { return shorten(wholeToolName(tool), toolNameMax) }

// wholeToolName is toolName for formats in which programs read the name.
func wholeToolName(tool string) string {
	if tool == "" {
		return "(whole server)"
	}
	return distinct(tool)
}

// distinctMax is how many characters of a name programs get. Names of more are no
// names that a host takes; a megabyte of one, in each of 67 hosts, fits no format.
const distinctMax = 1000

// distinct is a name on one line. Of a name that is cut a digest keeps it apart from
// others.
func distinct(s string) string {
	text := inline(s)
	if runes(text) <= distinctMax {
		return text
	}
	sum := sha256.Sum256([]byte(s))
	return shorten(text, distinctMax) + " " + hex.EncodeToString(sum[:4])
}

// listed names the first few tools and counts the rest.
func listed(tools []string, limit int, noun string) string {
	shown := tools[:min(limit, len(tools))]
	list := make([]string, len(shown))
	for i, t := range shown {
		list[i] = toolName(t)
	}
	out := strings.Join(list, ", ")
	if n := len(tools) - len(shown); n > 0 {
		out += " and " + plural(n, "more "+noun)
	}
	return out
}

// spread says how far a fault reaches.
func spread(p Problem) string {
	var out string
	switch p.Blast {
	case verdict.BlastServer:
		out = "the whole server: the host loses all its tools"
	case verdict.BlastRequest:
		out = "the whole request: every tool of every server in that chat turn"
	default:
		out = "this tool alone"
		if p.Tool == "" {
			out = "the server"
		}
	}
	if len(p.Drags) > 0 {
		out += " (" + listed(p.Drags, 6, "tool")
		if p.Tool != "" {
			out += " with it"
		}
		out += ")"
	}
	if p.App {
		out += "; its MCP App is down with it"
	}
	return out
}

var verbs = map[verdict.Severity]string{
	verdict.Error: "breaks", verdict.Warning: "is degraded", verdict.Info: "is changed", verdict.Undecided: "is undecided",
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
