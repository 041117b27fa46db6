package shape

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// Format is the value of the member "format" of every shape file.
const Format = "conform-shape/1"

// partNames are the answers that a shape may model. "tool" is one entry of
// tools/list for clients that parse the entries one by one.
var partNames = []string{"initialize", "discover", "list", "result", "tool"}

// Shape is one client's parser.
type Shape struct {
	ID     string
	Source Source

	words    *words
	parts    map[string]*node
	texts    map[string]string // template per part, see Text
	envelope *node
	lost     string // text when the envelope fails
}

// Source says which parser a shape describes and how that is known.
type Source struct {
	Library  string // package and versions
	Basis    string // observed, source, documented, reported, inferred
	Evidence string // what was run or read, in a few words
}

// Models reports whether the shape says anything about a part: "initialize",
// "discover", "list", "result" or "tool".
func (sh *Shape) Models(part string) bool { return sh.parts[part] != nil }

// Check parses v, the result member of an answer, as the client would. It
// returns nil when the client accepts it or the shape does not model the part,
// else the issues in the order in which the client reports them: all of them, or
// the first, as the parser does, and at most 1000.
func (sh *Shape) Check(part string, v *schema.Value) []Issue {
	if sh.envelope != nil {
		if issues := sh.run(sh.envelope, part, v, true); issues != nil {
			return issues
		}
	}
	return sh.run(sh.parts[part], part, v, false)
}

// CheckTool parses one entry of tools/list alone; paths start at the entry and
// Tool is -1.
func (sh *Shape) CheckTool(v *schema.Value) []Issue {
	return sh.run(sh.toolNode(), "tool", v, false)
}

// toolNode is the node of one entry: the part "tool", or what the list holds.
func (sh *Shape) toolNode() *node {
	if n := sh.parts["tool"]; n != nil {
		return n
	}
	list := sh.parts["list"].follow()
	if list == nil {
		return nil
	}
	tools := list.get("tools").follow()
	if tools == nil || tools.kind != kindArray {
		return nil
	}
	return tools.item
}

func (sh *Shape) run(n *node, part string, v *schema.Value, envelope bool) []Issue {
	if n == nil {
		return nil
	}
	c := checker{rules: &sh.words.rules}
	c.check(n, v, nil)
	if len(c.faults) == 0 {
		return nil
	}
	issues := make([]Issue, len(c.faults))
	for i, f := range c.faults {
		issue := sh.words.issue(f)
		issue.Path = pointerOf(f.path)
		issue.Tool = toolOf(part, f.path)
		issue.fault = f
		f.envelope = envelope
		issues[i] = issue
	}
	return issues
}

// Text returns what the client prints for issues that Check returned for the
// part. The file may put words around the library's own message:
// "{text}" is that message, "{lines}" the issues as "path: message" with dots in
// the path, "{first}" the first issue's message.
func (sh *Shape) Text(part string, issues []Issue) string {
	if len(issues) == 0 {
		return ""
	}
	if issues[0].fault != nil && issues[0].fault.envelope {
		return sh.lost
	}
	template, ok := sh.texts[part]
	if !ok {
		return sh.words.text(sh, part, issues)
	}
	var out strings.Builder
	for template != "" {
		before, rest, found := strings.Cut(template, "{")
		out.WriteString(before)
		if !found {
			break
		}
		name, after, _ := strings.Cut(rest, "}")
		switch name {
		case "text":
			out.WriteString(sh.words.text(sh, part, issues))
		case "lines":
			out.WriteString(dotted(issues))
		case "first":
			out.WriteString(issues[0].Message)
		}
		template = after
	}
	return out.String()
}

// dotted joins issues as "tools.1.inputSchema.type: message", one after another
// with ", ".
func dotted(issues []Issue) string {
	parts := make([]string, len(issues))
	for i, issue := range issues {
		parts[i] = issue.Message
		if len(issue.Path) > 0 {
			parts[i] = strings.Join(issue.Path, ".") + ": " + issue.Message
		}
	}
	return strings.Join(parts, ", ")
}
