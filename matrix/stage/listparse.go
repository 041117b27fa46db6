package stage

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// parseList runs the host's typed parser over every page; false means that no
// later step of the stage has anything to work on.
func (s *State) parseList() bool {
	claimed, f := claim[capabilities.Shape](s, "list.shape")
	if claimed == nil {
		return true
	}
	sh := s.shape(claimed)
	if sh == nil {
		return true
	}
	if claimed.OnFailure == "tool" {
		s.parseEntries(sh, claimed, f)
		return true
	}
	for i, page := range s.Session.Pages {
		if page.Failed != nil {
			continue // interrupted, see readPages
		}
		issues := s.parsed(claimed, sh, "list", page.Result)
		if len(issues) == 0 {
			if claimed.Outputs == "parsed" {
				s.takeParsedOutputs(i, sh.Output("list", page.Result))
			}
			continue
		}
		text := fill(claimed.Text, "issues", sh.Text("list", issues))
		if claimed.Text == "" {
			text = sh.Text("list", issues)
		}
		if s.relist(text, sh, page.Result) {
			continue
		}
		culprits := s.culprits(i, issues)
		s.loseServer(f, verdict.Finding{
			Rule: "list-rejected", Severity: verdict.Error, Stage: verdict.List,
			Culprit: culprits[0], SchemaPointer: toolPointer(issues),
			Message:  "this host reads tools/list with a typed parser that refuses the whole list for one entry: " + issues[0].Message + others(culprits[1:]),
			HostText: text,
		})
		return false
	}
	return true
}

// takeParsedOutputs replaces the outputSchemas of a page's tools by those that the
// parser hands on.
func (s *State) takeParsedOutputs(page int, parsed *schema.Value) {
	entries := parsed.Get("tools")
	for _, t := range s.Tools {
		if t.Page != page || t.Output == nil || entries == nil || t.Index >= len(entries.Items) {
			continue
		}
		changed := *t.Tool
		changed.Output = entries.Items[t.Index].Get("outputSchema")
		t.Tool = &changed
	}
}

// dropNullOutputs takes an outputSchema of null for none, as the parsers do that let it
// pass (MCP Python SDK 1.29.0, langchain-mcp-adapters 0.3.2).
func (s *State) dropNullOutputs() {
	for _, t := range s.Tools {
		if t.Output != nil && t.Output.Kind == schema.Null {
			changed := *t.Tool
			changed.Output = nil
			t.Tool = &changed
		}
	}
}

// parsed runs a parser once per document, whatever hosts share it.
func (s *State) parsed(claimed *capabilities.Shape, sh *shape.Shape, part string, document *schema.Value) []shape.Issue {
	question := part + " read by " + s.shapeID(claimed)
	return validators.Remember(s.Validators, question, document, func() []shape.Issue { return sh.Check(part, document) })
}

// shape returns the parser that is in force for the session's era.
func (s *State) shape(claimed *capabilities.Shape) *shape.Shape {
	sh, _ := s.Shapes.Lookup(s.shapeID(claimed))
	return sh
}

func (s *State) shapeID(claimed *capabilities.Shape) string {
	if claimed.Modern != "" && s.Session.Modern() {
		return claimed.Modern
	}
	return claimed.Shape
}

func (s *State) parseEntries(sh *shape.Shape, claimed *capabilities.Shape, f *capabilities.Found) {
	for _, t := range s.Tools {
		if t.Gone {
			continue
		}
		issues := sh.CheckTool(t.Value)
		if len(issues) == 0 {
			continue
		}
		text := fill(claimed.Text, "issues", sh.Text("list", issues), "tool", t.Name)
		t.add(f, verdict.Finding{
			Rule: "tool-rejected", Severity: verdict.Error, Stage: verdict.List, Blast: verdict.BlastTool,
			SchemaPointer: issues[0].Path.String(), HostText: text,
			Message: "this host leaves the tool out: " + issues[0].Message,
		})
		t.Gone = true
	}
}

// culprits names the tools that the issues lie in, the first one's first, each once;
// "" where the first issue lies in none.
func (s *State) culprits(page int, issues []shape.Issue) []string {
	at := map[int]string{} // by index on the page
	for _, t := range s.Tools {
		if t.Page == page {
			at[t.Index] = cmp.Or(t.Name, "entry "+strconv.Itoa(t.Index+1))
		}
	}
	var out []string
	seen := map[int]bool{}
	for _, issue := range issues {
		if name, ok := at[issue.Tool]; ok && !seen[issue.Tool] {
			seen[issue.Tool] = true
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		return []string{""}
	}
	return out
}

// maxOthers bounds the further culprits that a message names.
const maxOthers = 5

// others says which tools do not fit either.
func others(names []string) string {
	if len(names) == 0 {
		return ""
	}
	more := ""
	if n := len(names) - maxOthers; n > 0 {
		names, more = names[:maxOthers], fmt.Sprintf(" and %d more", n)
	}
	var quoted []string
	for _, name := range names {
		quoted = append(quoted, strconv.Quote(cutUTF16(name, 80)))
	}
	return "; it would refuse it for " + strings.Join(quoted, ", ") + more + " too"
}

// toolPointer is the place inside the tool entry that the first issue names.
func toolPointer(issues []shape.Issue) string {
	p := issues[0].Path
	if issues[0].Tool >= 0 && len(p) >= 2 {
		p = p[2:]
	}
	return p.String()
}

// relist tells whether the host asks again without outputSchemas after the
// error text, and whether the list then passes.
func (s *State) relist(text string, sh *shape.Shape, page *schema.Value) bool {
	r, _ := claim[capabilities.Relist](s, "list.relist")
	if r == nil || r.Match == "" {
		return false
	}
	re, err := regexp.Compile("(?i)" + r.Match)
	if err != nil || !re.MatchString(text) {
		return false
	}
	if sh != nil && len(sh.Check("list", withoutOutputs(page))) > 0 {
		return false
	}
	s.OutputIgnored = true
	for _, t := range s.Tools {
		t.Unvalidated = true
	}
	return true
}

func withoutOutputs(page *schema.Value) *schema.Value {
	tools := page.Get("tools")
	if tools == nil {
		return page
	}
	stripped := make([]*schema.Value, len(tools.Items))
	for i, t := range tools.Items {
		stripped[i] = t
		if t.Kind == schema.Object {
			stripped[i] = t.Without("outputSchema")
		}
	}
	return page.With("tools", schema.List(stripped...))
}
