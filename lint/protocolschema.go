package lint

import (
	"fmt"
	"strconv"
	"sync"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// protocolSchema is the id of the rule that holds answers against schema.json as a
// whole. [Run] drops what it says about a thing that a rule with better words
// reports.
const protocolSchema = "protocol-schema"

func protocolSchemaRules() []*Rule {
	return []*Rule{{ID: protocolSchema, Title: "An answer does not fit the schema.json of its revision", Covers: []string{"TL2", "TC1", "TC2", "L2", "L3"}, Stage: verdict.List, Level: Must,
		Why:    "The protocol publishes a JSON Schema for each revision, and typed clients are generated from it. This rule is the net below the others: it reports what they have no words for.",
		Source: "schema.json of the revision", Wrong: `{"tools":[],"_meta":[]}`, Right: `{"tools":[],"_meta":{}}`, Run: runProtocolSchema}}
}

var shapes = sync.OnceValues(func() (*shape.Set, error) { return shape.Load(capabilities.Shapes()) })

// partOf is the part of a shape that describes the result of a method.
var partOf = map[string]string{"initialize": "initialize", "server/discover": "discover", "tools/list": "list", "tools/call": "result"}

// issuesPerAnswer bounds what one answer reports.
const issuesPerAnswer = 10

func runProtocolSchema(p *Pass) (out []Finding, err error) {
	set, err := shapes()
	if err != nil {
		return nil, err
	}
	for _, s := range p.Conversations() {
		sh, ok := set.Lookup("spec-" + revisionOf(s))
		if !ok {
			continue
		}
		seen := map[*schema.Value]bool{}
		for _, e := range p.Exchanges(s) {
			part := partOf[e.Method]
			if part == "" || e.Result == nil || seen[e.Result] || !sh.Models(part) || s.Modern() != modernResult(e) || s.InitError != nil && e.Method == "tools/list" || deliberate(e) || e.Params.Has("task") {
				continue
			}
			seen[e.Result] = true
			if kind, _ := e.Result.Get("resultType").IsString(); kind == "input_required" {
				continue
			}
			out = append(out, issues(s, e, sh.Check(part, e.Result))...)
		}
	}
	return out, nil
}

func issues(s *recording.Session, e *Exchange, list []shape.Issue) (out []Finding) {
	for _, issue := range list[:min(len(list), issuesPerAnswer)] {
		f := Finding{Tool: calledTool(e), Session: s.ID, Pointer: issue.Path.String(), Message: fmt.Sprintf("The result of %s: %s", e.Method, printable(shorten(issue.Message, 200)))}
		if issue.Tool >= 0 && e.Method == "tools/list" {
			if tools := e.Result.Get("tools"); kindOf(tools) == "array" && issue.Tool < len(tools.Items) {
				f.Tool, _ = tools.Items[issue.Tool].Get("name").IsString()
			}
			f.Message = fmt.Sprintf("The entry %s of tools/list: %s", strconv.Itoa(issue.Tool+1), printable(shorten(issue.Message, 200)))
		}
		out = append(out, f)
	}
	return out
}

// withoutEchoes drops what protocol-schema says about a tool, or about the server,
// of which another rule reports an error or warning.
func withoutEchoes(advice []verdict.Advice) []verdict.Advice {
	named := map[string]bool{}
	for _, a := range advice {
		if a.Rule != protocolSchema && a.Severity != verdict.Info {
			named[a.Tool] = true
		}
	}
	out := advice[:0]
	for _, a := range advice {
		if a.Rule != protocolSchema || !named[a.Tool] {
			out = append(out, a)
		}
	}
	return out
}
