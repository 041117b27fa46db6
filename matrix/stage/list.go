package stage

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// List decides which tools survive the host's reading of tools/list: pages, the
// typed parser, duplicate names, entries it leaves out, and outputSchemas that
// are compiled when the list is read.
func List(s *State) {
	if s.Session == nil {
		return
	}
	s.readPages()
	if s.Lost || !s.parseList() {
		return
	}
	s.dropNullOutputs()
	s.dropEntries()
	s.compileOutputs()
	if !s.Lost {
		s.resolveDuplicates()
	}
}

// interrupted is the kind of failure of what the caller stopped (wire.KindCanceled).
const interrupted = "canceled"

func (s *State) readPages() {
	for i, page := range s.Session.Pages {
		if page.Failed != nil && page.Failed.Kind == interrupted {
			// That conform was stopped says nothing about the server.
			s.Server = append(s.Server, verdict.Finding{Rule: "not-evaluated", Severity: verdict.Undecided, Stage: verdict.List,
				Message: fmt.Sprintf("interrupted while tools/list (page %d) was read", i+1)})
			for _, t := range s.Tools {
				t.add(nil, verdict.Finding{Rule: "not-evaluated", Severity: verdict.Undecided, Stage: verdict.List,
					Message: fmt.Sprintf("interrupted while tools/list (page %d) was read: a later page may take this tool along", i+1)})
			}
			continue
		}
		if page.Failed != nil {
			s.loseServer(nil, verdict.Finding{
				Rule: "list-failed", Severity: verdict.Error, Stage: verdict.List,
				Message: fmt.Sprintf("tools/list (page %d) failed: %s", i+1, page.Failed.Text), HostText: page.Failed.Raw,
			})
			return
		}
	}
	p, f := claim[capabilities.Pages](s, "list.pages")
	if p == nil {
		return
	}
	limit := p.Max
	if p.Follow == "first" {
		limit = 1
	}
	pages := len(s.Session.Pages)
	if full := s.fullAfter(p.Tools); full > 0 && (limit == 0 || full < limit) {
		limit = full
	}
	if limit > 0 && pages > limit {
		if p.OnMax == "server" {
			s.loseServer(f, verdict.Finding{
				Rule: "page-limit", Severity: verdict.Error, Stage: verdict.List,
				Message: fmt.Sprintf("tools/list has %d pages; this host gives up after %d", pages, limit),
			})
			return
		}
		for _, t := range s.Tools {
			if t.Page >= limit {
				t.add(f, verdict.Finding{
					Rule: "page-not-read", Severity: verdict.Error, Stage: verdict.List, Blast: verdict.BlastTool,
					Message: fmt.Sprintf("the tool is on page %d of tools/list; this host reads %d", t.Page+1, limit),
				})
				t.Gone = true
			}
		}
	}
	if p.Validators == "last-page" {
		for _, t := range s.Tools {
			t.Unvalidated = t.Page < min(pages, limitOr(limit, pages))-1
		}
	}
}

// fullAfter is the number of pages that hold the first tools of the list, 0 when
// there is no such limit or not that many.
func (s *State) fullAfter(tools int) int {
	if tools > 0 && len(s.Tools) >= tools {
		return s.Tools[tools-1].Page + 1
	}
	return 0
}

func limitOr(limit, otherwise int) int {
	if limit > 0 {
		return limit
	}
	return otherwise
}

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
		s.loseServer(f, verdict.Finding{
			Rule: "list-rejected", Severity: verdict.Error, Stage: verdict.List,
			Culprit: s.culprit(i, issues), SchemaPointer: toolPointer(issues),
			Message:  "this host reads tools/list with a typed parser that refuses the whole list for one entry: " + issues[0].Message,
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

// culprit names the tool that the first issue lies in.
func (s *State) culprit(page int, issues []shape.Issue) string {
	for _, issue := range issues {
		if issue.Tool < 0 {
			continue
		}
		for _, t := range s.Tools {
			if t.Page == page && t.Index == issue.Tool {
				if t.Name != "" {
					return t.Name
				}
				return "entry " + strconv.Itoa(issue.Tool+1)
			}
		}
	}
	return ""
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

// dropEntries applies the rules by which the host leaves single tools out.
func (s *State) dropEntries() {
	checks, f := claim[capabilities.Checks](s, "list.drop")
	if checks == nil {
		return
	}
	for _, t := range s.Tools {
		if !t.Gone {
			s.runChecks(t, *checks, f, verdict.List, s.subject(t))
		}
	}
}

// compileOutputs compiles every outputSchema at list time where the host does.
func (s *State) compileOutputs() {
	v, f := s.validatorRule()
	if v == nil || v.Profile == "none" || v.Compile != "list" || s.OutputIgnored {
		return
	}
	byID := map[string]*schema.Value{}
	for _, t := range s.Tools {
		if t.Gone || t.Output == nil {
			continue
		}
		document := s.validatedSchema(t, v, byID)
		if document == nil {
			t.Unvalidated = true
			continue
		}
		_, err := s.Validators.Compile(profileFor(v, t.Output), document)
		if err == nil {
			continue
		}
		var compile *validators.CompileError
		if !errors.As(err, &compile) {
			t.add(f, verdict.Finding{Rule: "schema-undecided", Severity: verdict.Undecided, Stage: verdict.List,
				Message: "cannot tell whether this host can compile the outputSchema: " + err.Error()})
			continue
		}
		text := compileText(v, t, compile.Text)
		switch v.Uncompilable {
		case "server":
			if s.relist(text, nil, nil) {
				return
			}
			s.loseServer(f, verdict.Finding{
				Rule: "output-schema-uncompilable", Severity: verdict.Error, Stage: verdict.List, Culprit: t.Name,
				SchemaPointer: "/outputSchema", HostText: text,
				Message: "this host compiles every outputSchema when it reads the list and loses the list when one does not compile",
			})
			return
		default:
			t.Unvalidated = v.Uncompilable != "accept-any"
			t.add(f, verdict.Finding{
				Rule: "output-schema-unchecked", Severity: verdict.Info, Stage: verdict.List, SchemaPointer: "/outputSchema",
				HostText: text, Message: "this host cannot compile the outputSchema and lets every result of the tool pass unchecked",
			})
		}
	}
}

// validatorRule is who checks structuredContent in this session.
func (s *State) validatorRule() (*capabilities.Validator, *capabilities.Found) {
	v, f := claim[capabilities.Validator](s, "result.validator")
	return v.In(s.Session.Modern()), f
}

func compileText(v *capabilities.Validator, t *Tool, text string) string {
	if v.CompileMax > 0 {
		text = cutUTF16(text, v.CompileMax)
	}
	if v.CompileText == "" {
		return bounded(text)
	}
	return fill(v.CompileText, "error", text, "tool", t.Name)
}

// validatedSchema is the document with which the host checks the tool: its own
// outputSchema, the first one with the same root $id, or nil for none.
func (s *State) validatedSchema(t *Tool, v *capabilities.Validator, byID map[string]*schema.Value) *schema.Value {
	id, ok := t.Output.Get("$id").IsString()
	if v.SameID == "" || !ok {
		return t.Output
	}
	first, seen := byID[id]
	switch {
	case !seen:
		byID[id] = t.Output
		return t.Output
	case v.SameID == "unchecked":
		return nil
	}
	return first
}

// profileFor is the validator profile for an outputSchema: the one its "$schema"
// chooses, where the host looks at that, else the host's own.
func profileFor(v *capabilities.Validator, output *schema.Value) string {
	if tag, ok := output.Get("$schema").IsString(); ok {
		if p, ok := v.ByTag[tag]; ok {
			return p
		}
	}
	return v.Profile
}

// shareValidators gives tools of one name the outputSchema of the last one that
// has any.
func (s *State) shareValidators() {
	last := map[string]*schema.Value{}
	for _, t := range s.Tools {
		if t.Output != nil {
			last[t.Name] = t.Output
		}
	}
	for _, t := range s.Tools {
		if output := last[t.Name]; output != t.Output {
			shared := *t.Tool
			shared.Output = output
			t.Tool = &shared
		}
	}
}

// inherited are the names that an empty object of JavaScript finds in its prototype
// (ECMA-262, 20.1.3 and annex B.2.2).
var inherited = map[string]bool{
	"constructor": true, "hasOwnProperty": true, "isPrototypeOf": true, "propertyIsEnumerable": true, "toLocaleString": true,
	"toString": true, "valueOf": true, "__proto__": true, "__defineGetter__": true, "__defineSetter__": true, "__lookupGetter__": true, "__lookupSetter__": true,
}

// resolveDuplicates applies the host's rule for equal names of one server.
func (s *State) resolveDuplicates() {
	d, f := claim[capabilities.Duplicates](s, "list.duplicates")
	if d == nil {
		return
	}
	if d.Keep == "all" {
		if d.Validator == "last" {
			s.shareValidators()
		}
		return
	}
	last := map[string]*Tool{}
	for _, t := range s.Tools {
		if t.Gone {
			continue
		}
		if d.Inherited && inherited[t.Name] {
			s.loseServer(f, verdict.Finding{Rule: "duplicate-name", Severity: verdict.Error, Stage: verdict.List, Culprit: t.Name,
				Blast: verdict.BlastServer, HostText: fill(d.Text, "tool", t.Name),
				Message: fmt.Sprintf("a tool is named %q, which every JavaScript object has already; this host takes it for a second one and loses every tool over it", t.Name)})
			return
		}
		before, dup := last[t.Name]
		last[t.Name] = t
		if !dup {
			continue
		}
		v := verdict.Finding{Rule: "duplicate-name", Severity: verdict.Error, Stage: verdict.List,
			Blast: verdict.BlastTool, HostText: fill(d.Text, "tool", t.Name),
			Message: fmt.Sprintf("two tools are named %q; this host keeps the %s one", t.Name, d.Keep)}
		switch d.Keep {
		case "server", "request":
			v.Culprit = t.Name
			v.Message = fmt.Sprintf("two tools are named %q; this host loses every tool over it", t.Name)
			v.Blast = verdict.BlastServer
			if d.Keep == "request" {
				v.Blast = verdict.BlastRequest
			}
			s.loseServer(f, v)
			return
		case "last":
			before.Gone = true
			before.add(f, v)
		default:
			last[t.Name] = before
			t.Gone = true
			t.add(f, v)
		}
	}
}
