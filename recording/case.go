package recording

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/hostmatrix/conform/schema"
)

// CaseFormat is the value of a case file's "format" member.
const CaseFormat = "conform-case/1"

// Case is one conform-case/1 file: tools, results, and what each host is
// expected to make of them. All schemas and results are the text of the file, so
// that 1.0, 1e400 and duplicate keys survive to the validator.
type Case struct {
	File            string // as it was named to [ReadCase]
	ID              string
	Family          string
	Title           string
	Cause           string
	Source          string // where the case comes from, usually the URL of a report
	ProtocolVersion string // revision that the session negotiated
	Server          *schema.Value
	// Pages are results of tools/list in order. A file with "tools" has one,
	// made from them.
	Pages   []*schema.Value
	Results []CaseResult
	Expect  []Expectation
	// Rules are expectations of rules, which no host decides.
	Rules []RuleExpectation
	// Manifest is a server.json for the rules that read one, nil without it.
	Manifest *schema.Value
	// recorded holds the lines of a recording that the case has in place of tools.
	recorded []byte
}

// CaseResult is one answer to tools/call: Result, or Error for a JSON-RPC error.
type CaseResult struct {
	Tool      string
	Arguments *schema.Value // nil when the file gives none
	Result    *schema.Value
	Error     *schema.Value
}

// Expectation is what one host is expected to do with the case. An empty text
// and a nil Checked mean that the file says nothing about it.
type Expectation struct {
	Host        string // id of a row of the table
	Version     string // "" means the newest
	VersionNote string // for people
	Verdict     string // works, unknown, degraded, breaks
	Stage       string // connect, list, offer, call, result, view
	Blast       string // tool, server, request
	Checked     *bool  // whether the host validated the result at all
	Text        string // what the host says, word for word
	Basis       string // observed, source, documented, reported, inferred
	How         string // for people
}

// RuleExpectation says whether a rule is expected to report about the case.
type RuleExpectation struct {
	Rule    string // id
	Reports bool
}

var (
	caseKeys = []string{"format", "id", "family", "title", "cause", "source", "protocol_version", "server",
		"tools", "pages", "recording", "results", "expect", "rules", "manifest"}
	ruleKeys   = []string{"rule", "reports"}
	resultKeys = []string{"tool", "arguments", "result", "result_error"}
	expectKeys = []string{"host", "version", "version_note", "verdict", "stage", "blast", "checked", "text", "basis", "how"}
)

// caseLimits let a case hold schemas thousands of levels deep and still bound
// what a hostile file costs.
var caseLimits = schema.Limits{Depth: 20_000, Bytes: 256 << 20}

// ReadCase reads a conform-case/1 file. name is used in errors only. Errors are
// *[FormatError], or wrap *[schema.SyntaxError] or *[schema.LimitError].
func ReadCase(name string, data []byte) (*Case, error) {
	v, err := schema.Parse(data, caseLimits)
	if err != nil {
		return nil, syntaxFault(name, err)
	}
	return readCase(name, v)
}

func readCase(name string, v *schema.Value) (*Case, error) {
	var err error
	o := newObject(name, "", v, &err, caseKeys...)
	if format := o.text("format"); err == nil && format != CaseFormat {
		o.fail("/format", "is %q, this version of conform reads %q", format, CaseFormat)
	}
	c := &Case{
		File: name, ID: o.need("id"), Family: o.text("family"), Title: o.text("title"), Cause: o.text("cause"),
		Source: o.text("source"), ProtocolVersion: o.need("protocol_version"), Server: v.Get("server"),
	}
	if c.Server != nil && c.Server.Kind != schema.Object {
		o.fail("/server", "must be an object (a serverInfo), is %s", kindOf(c.Server))
	}
	c.Manifest = v.Get("manifest")
	if v.Has("recording") {
		c.recorded = readRecorded(o)
	} else {
		c.Pages = readPages(o, EraOf(c.ProtocolVersion))
	}
	for i, item := range o.list("results") {
		c.Results = append(c.Results, readResult(o, i, item))
	}
	for i, item := range o.list("expect") {
		c.Expect = append(c.Expect, readExpectation(o, i, item))
	}
	for i, item := range o.list("rules") {
		e := o.child("/rules/"+strconv.Itoa(i), item, ruleKeys...)
		reports := e.flag("reports")
		if reports == nil {
			e.fail("/reports", "is required")
			reports = new(bool)
		}
		c.Rules = append(c.Rules, RuleExpectation{e.need("rule"), *reports})
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// readRecorded takes the lines of a recording out of a case that is about more than
// lists and results: messages, HTTP heads, several sessions, probes.
func readRecorded(o object) []byte {
	for _, key := range []string{"tools", "pages", "results"} {
		if o.value.Has(key) {
			o.fail("/"+key, "a case has either a recording or tools, pages and results")
		}
	}
	var lines []byte
	for _, line := range o.list("recording") {
		lines = append(append(lines, line.Compact()...), '\n')
	}
	if _, err := Read(o.file, bytes.NewReader(lines), Limits{}); err != nil {
		o.fail("/recording", "is no recording: %v", err)
	}
	return lines
}

// readPages takes "tools" (one page) or "pages": each a result object as the
// server sent it, or just its array of tools.
func readPages(o object, era Era) []*schema.Value {
	if o.value.Has("tools") && o.value.Has("pages") {
		o.fail("/pages", "a case has either tools or pages")
	}
	if o.value.Has("tools") {
		o.list("tools")
		return []*schema.Value{pageOf(reportedTools(o), era)}
	}
	if !o.value.Has("pages") {
		o.fail("", "has neither tools, pages nor a recording")
	}
	var pages []*schema.Value
	for i, item := range o.list("pages") {
		if item.Kind == schema.Array {
			item = pageOf(item, era)
		}
		if item.Kind != schema.Object {
			o.fail("/pages/"+strconv.Itoa(i), "must be a tools/list result or an array of tools, is %s", kindOf(item))
		}
		pages = append(pages, item)
	}
	return pages
}

// wireFamily marks cases whose tools are the exact text of a server's answer.
const wireFamily = "sdk-constructs"

// unreported stands for the description that a public report does not show.
const unreported = "(description not reported)"

// reportedTools returns a case's tools. Cases made from public reports write
// "outputSchema": null for a tool that has none or whose schema the report does
// not show, so null means absent there; in cases of the family sdk-constructs,
// which are wire text, and in "pages" it stays what was sent. Descriptions, which
// reports leave out, are filled in.
func reportedTools(o object) *schema.Value {
	tools := o.value.Get("tools")
	if tools.Kind != schema.Array || o.text("family") == wireFamily {
		return tools
	}
	out := make([]*schema.Value, len(tools.Items))
	for i, t := range tools.Items {
		out[i] = t
		if t.Kind != schema.Object {
			continue
		}
		if output := t.Get("outputSchema"); output != nil && output.Kind == schema.Null {
			out[i] = t.Without("outputSchema")
		}
		if !t.Has("description") {
			out[i] = out[i].With("description", schema.Str(unreported))
		}
	}
	return schema.List(out...)
}

// pageOf wraps bare tools into the result that a conforming server of the era
// sends; a case that is about the wrapping itself gives "pages".
func pageOf(tools *schema.Value, era Era) *schema.Value {
	members := []schema.Member{{Key: "tools", Value: tools}}
	if era == Modern {
		members = append([]schema.Member{{Key: "resultType", Value: schema.Str("complete")}}, members...)
		members = append(members,
			schema.Member{Key: "ttlMs", Value: schema.Num(0)},
			schema.Member{Key: "cacheScope", Value: schema.Str("private")})
	}
	return schema.Obj(members...)
}

func readResult(o object, i int, v *schema.Value) CaseResult {
	r := o.child("/results/"+strconv.Itoa(i), v, resultKeys...)
	result := CaseResult{Tool: r.text("tool"), Arguments: v.Get("arguments"), Result: v.Get("result"), Error: v.Get("result_error")}
	if (result.Result == nil) == (result.Error == nil) {
		r.fail("", "needs either result or result_error")
	}
	if !v.Has("tool") {
		r.fail("/tool", "is required")
	}
	return result
}

func readExpectation(o object, i int, v *schema.Value) Expectation {
	e := o.child("/expect/"+strconv.Itoa(i), v, expectKeys...)
	x := Expectation{
		Host: e.need("host"), Version: e.text("version"), VersionNote: e.text("version_note"), Verdict: e.need("verdict"),
		Stage: e.text("stage"), Blast: e.text("blast"), Checked: e.flag("checked"), Text: e.text("text"),
		Basis: e.text("basis"), How: e.text("how"),
	}
	e.oneOf("verdict", x.Verdict, "works", "unknown", "degraded", "breaks")
	e.oneOf("stage", x.Stage, "connect", "list", "offer", "call", "result", "view")
	e.oneOf("blast", x.Blast, "tool", "server", "request")
	e.oneOf("basis", x.Basis, "observed", "source", "documented", "reported", "inferred")
	return x
}

// configKey matches names that people give servers in their configuration.
var configKey = regexp.MustCompile(`^[A-Za-z0-9_-]{1,20}$`)

// Capture returns the case as if it had been recorded: one session with the
// case's revision, without messages, or what its recording says.
func (c *Case) Capture() *Capture {
	if c.recorded != nil {
		if capture, err := Read(c.File, bytes.NewReader(c.recorded), Limits{}); err == nil { // it was read before
			return capture
		}
	}
	s := &Session{
		ID: "case-" + c.ID, Requested: c.ProtocolVersion, Negotiated: c.ProtocolVersion, Era: EraOf(c.ProtocolVersion),
	}
	cursor := ""
	for _, page := range c.Pages {
		s.AddPage(Page{Cursor: cursor, Result: page, Bytes: sizeOf(page)})
		cursor, _ = page.Get("nextCursor").IsString()
	}
	for _, r := range c.Results {
		s.Calls = append(s.Calls, &Call{
			Tool: r.Tool, Arguments: r.Arguments, Result: r.Result, Error: r.Error, Origin: Real, Bytes: sizeOf(r.Result),
		})
	}
	target := Target{Name: "server"}
	target.Server, _ = c.Server.Get("name").IsString()
	target.Version, _ = c.Server.Get("version").IsString()
	// A case names the server, not its key in a host's configuration, which hosts
	// put into tool names. A short plain name is taken for both; nobody keys a
	// server "Example API Model Context Protocol Server".
	if configKey.MatchString(target.Server) {
		target.Name = target.Server
	}
	return &Capture{Target: target, Sessions: []*Session{s}}
}

// AddPage appends an answer to tools/list and its tools, entry by entry, so that
// one malformed entry never hides the others.
func (s *Session) AddPage(page Page) {
	s.Pages = append(s.Pages, page)
	if tools := page.Result.Get("tools"); tools != nil && tools.Kind == schema.Array {
		for i, entry := range tools.Items {
			s.Tools = append(s.Tools, NewTool(entry, len(s.Pages)-1, i))
		}
	}
}

// sizeOf is the length of the text that a value was written as; a case has no
// wire, so this stands for the bytes on it.
func sizeOf(v *schema.Value) int {
	if v == nil {
		return 0
	}
	if v.End > v.Start {
		return v.End - v.Start
	}
	return len(v.Compact())
}

// syntaxFault says that a file could not be parsed at all.
func syntaxFault(name string, err error) error {
	var limit *schema.LimitError
	if errors.As(err, &limit) {
		return fmt.Errorf("%s: %w; nothing of it was read", name, err)
	}
	return fmt.Errorf("%s: not JSON: %w", name, err)
}
