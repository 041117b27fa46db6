package shape

import (
	"regexp"
	"strconv"
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

	words  *words
	parts  map[string]*node
	texts  map[string]string // template per part, see Text
	guards []guard
}

// methods are the requests that the parts answer.
var methods = map[string]string{
	"initialize": "initialize", "discover": "server/discover", "list": "tools/list", "tool": "tools/list", "result": "tools/call",
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
	if issues, done := sh.guarded(false, part, v); done {
		return issues
	}
	if issues := run(sh.parts[part], part, v, sh.words); issues != nil {
		return issues
	}
	issues, _ := sh.guarded(true, part, v)
	return issues
}

// CheckTool parses one entry of tools/list alone; paths start at the entry and
// Tool is -1.
func (sh *Shape) CheckTool(v *schema.Value) []Issue {
	return run(sh.toolNode(), "tool", v, sh.words)
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

// run checks v and puts the faults in words. Guards are run in plain words: they
// state facts about the JSON, which no dialect's leniency bends.
func run(n *node, part string, v *schema.Value, w *words) []Issue {
	if n == nil {
		return nil
	}
	c := checker{rules: &w.rules, root: v}
	c.check(n, v, nil)
	if len(c.faults) == 0 {
		return nil
	}
	issues := make([]Issue, len(c.faults))
	for i, f := range c.faults {
		issue := w.issue(f)
		issue.Path = pointerOf(f.path)
		issue.Tool = toolOf(part, f.path)
		issue.fault = f
		issues[i] = issue
	}
	return issues
}

// Text returns what the client prints for issues that Check returned for the
// part. The file may put words around the library's own message: "{text}" is that
// message, "{lines}" the issues as "path: message" with dots in the path,
// "{first}" the first issue's message, "{value}" the value of the first issue
// ("{quoted}" as Go quotes it), "{method}" the request that was answered; of the
// whole answer "{keys}" are the member names, "{element}" the class of it in
// kotlinx and "{debug}" what Rust prints ("{ordered}": in a program whose
// serde_json keeps the order of members). A text has at most 4 MiB.
func (sh *Shape) Text(part string, issues []Issue) string {
	if len(issues) == 0 {
		return ""
	}
	if f := issues[0].fault; f != nil && f.guard != nil {
		return sh.fill(f.guard.text, part, issues)
	}
	template, ok := sh.texts[part]
	if !ok {
		return clip(sh.words.text(sh, part, issues))
	}
	return clip(sh.fill(template, part, issues))
}

// placeholders are the names that a template may hold in braces; other braces
// stand for themselves.
var placeholders = []string{"text", "lines", "first", "value", "quoted", "method", "debug", "ordered", "keys", "element"}

var placeholder = regexp.MustCompile(`\{([a-z]+)\}`)

func (sh *Shape) fill(template, part string, issues []Issue) string {
	return placeholder.ReplaceAllStringFunc(template, func(name string) string {
		switch strings.Trim(name, "{}") {
		case "text":
			return sh.words.text(sh, part, issues)
		case "lines":
			return dotted(issues)
		case "first":
			return issues[0].Message
		case "value":
			return shown(issues[0].fault)
		case "quoted":
			return strconv.Quote(shown(issues[0].fault))
		case "method":
			return methods[part]
		case "keys":
			return strings.Join(memberNames(issues[0].fault.root), ", ")
		case "element":
			return kotlinxElement(issues[0].fault.root)
		case "debug":
			return rustDebug(issues[0].fault.root, false)
		case "ordered":
			return rustDebug(issues[0].fault.root, true)
		}
		return name
	})
}

func memberNames(v *schema.Value) []string {
	var names []string
	for _, m := range v.Unique() {
		names = append(names, m.Key)
	}
	return names
}

// shown returns the text of a string value, nothing for null, or the JSON of another.
func shown(f *fault) string {
	if f == nil || f.value == nil || f.value.Kind == schema.Null {
		return ""
	}
	if text, ok := f.value.IsString(); ok {
		return text
	}
	return f.value.Compact()
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
