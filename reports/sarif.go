package reports

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
)

func init() {
	Register(Format{Name: "sarif", Doc: "SARIF 2.1.0 for code scanning", Write: writeSARIF})
}

// Only the members that readers use. What GitHub really shows of a SARIF file:
// message.text of each result, the rule's help, one physical location; a run with
// only warnings fails nothing; related locations without links are not shown.
// All rules are declared even on clean runs, so that old alerts close.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Automation  sarifAutomation   `json:"automationDetails"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
		ColumnKind  string            `json:"columnKind"`
	}
	sarifTool       struct{ Driver sarifDriver } // renamed by MarshalJSON below
	sarifAutomation struct {
		ID string `json:"id"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID            string             `json:"id"`
		Name          string             `json:"name"`
		Short         sarifText          `json:"shortDescription"`
		Full          sarifText          `json:"fullDescription"`
		Help          sarifMarkdown      `json:"help"`
		HelpURI       string             `json:"helpUri,omitempty"`
		Configuration sarifConfiguration `json:"defaultConfiguration"`
		Properties    map[string]any     `json:"properties"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifMarkdown struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown"`
	}
	sarifConfiguration struct {
		Level string `json:"level"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Properties   map[string]any    `json:"properties"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
	sarifLogical struct {
		Name          string `json:"name"`
		QualifiedName string `json:"fullyQualifiedName"`
		Kind          string `json:"kind"`
	}
)

// MarshalJSON writes {"driver": …}.
func (t sarifTool) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]sarifDriver{"driver": t.Driver})
}

var sarifLevels = map[verdict.Severity]string{
	verdict.Error: "error", verdict.Warning: "warning", verdict.Info: "note", verdict.Undecided: "note",
}

// sarifMax is how many results GitHub takes in a run; a file with more is refused
// whole. Source: docs.github.com, "SARIF support for code scanning", limits.
const sarifMax = 25_000

// sarifHelp is where the pages of rules stand.
const sarifHelp = "https://github.com/hostmatrix/conform/blob/main/"

func writeSARIF(w io.Writer, r *verdict.Report, o Options) error {
	rules, index := sarifRules(r)
	run := sarifRun{
		Tool: sarifTool{sarifDriver{Name: "conform", Version: inline(r.Conform.Version),
			InformationURI: "https://github.com/hostmatrix/conform", Rules: rules}},
		Automation:  sarifAutomation{ID: "conform/" + shorten(inline(r.Target.Name), toolNameMax) + "/"},
		Invocations: []sarifInvocation{{Successful: true}},
		Results:     []sarifResult{},
		ColumnKind:  "unicodeCodePoints",
	}
	for _, p := range reportable(r, o) {
		run.Results = append(run.Results, sarifResultOf(p, r, o, index[p.Rule]))
	}
	for _, a := range r.Advice {
		if a.Severity == verdict.Info && !o.Verbose {
			continue
		}
		p := Problem{Tool: a.Tool, Rule: a.Rule, Severity: a.Severity,
			Voices: []Voice{{Finding: verdict.Finding{Message: a.Message, SchemaPointer: a.Pointer}}}}
		result := sarifResultOf(p, r, o, index[a.Rule])
		result.Message.Text = adviceSentence([]verdict.Advice{a})
		run.Results = append(run.Results, result)
	}
	tellApart(run.Results)
	if len(run.Results) > sarifMax {
		run.Invocations[0].Notifications = []sarifNotification{{Level: "warning", Message: sarifText{fmt.Sprintf(
			"%s, of which the worst %d are here", plural(len(run.Results), "finding"), sarifMax)}}}
		run.Results = run.Results[:sarifMax]
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

// tellApart numbers the results that one fingerprint names, the same rule in two
// revisions for one: results with the same fingerprint are one alert to GitHub. The
// first keeps it as it is.
func tellApart(results []sarifResult) {
	seen := map[string]int{}
	for _, r := range results {
		print := r.Fingerprints[sarifFingerprint]
		if seen[print]++; seen[print] > 1 {
			r.Fingerprints[sarifFingerprint] = fmt.Sprintf("%s:%d", print, seen[print])
		}
	}
}

// sarifFingerprint is the kind of the fingerprints: a later kind gets another name.
const sarifFingerprint = "conformFinding/v1"

func sarifResultOf(p Problem, r *verdict.Report, o Options, rule int) sarifResult {
	f := p.Voices[0].Finding
	hosts := make([]string, len(p.Hosts))
	for i, h := range p.Hosts {
		hosts[i] = name(h)
	}
	text := sentence(p)
	if p.Blast == verdict.BlastServer || p.Blast == verdict.BlastRequest {
		text = ended(text) + " It takes down " + spread(p)
	}
	if fix := fixes(p); fix != "" {
		text += "\nFix: " + fix
	}
	place := toolName(p.Tool)
	if f.SchemaPointer != "" {
		place += inline(f.SchemaPointer)
	}
	properties := map[string]any{"hosts": hosts, "tool": distinct(p.Tool)}
	for key, value := range map[string]string{"stage": string(p.Stage), "blast": string(p.Blast), "basis": f.Basis, "dataPointer": inline(f.DataPointer)} {
		if value != "" {
			properties[key] = value
		}
	}
	return sarifResult{
		RuleID: p.Rule, RuleIndex: rule, Level: sarifLevels[p.Severity], Message: sarifText{strings.TrimSpace(text)},
		Locations: []sarifLocation{{
			Physical: sarifPhysical{sarifArtifact{uriPath(o.manifest())}, sarifRegion{1}},
			Logical:  []sarifLogical{{Name: toolName(p.Tool), QualifiedName: place, Kind: "function"}},
		}},
		Fingerprints: map[string]string{sarifFingerprint: fingerprint(p, r)},
		Properties:   properties,
	}
}

// sarifRules declares every rule there is, and those of the report that have no
// documentation.
func sarifRules(r *verdict.Report) ([]sarifRule, map[string]int) {
	rules := []sarifRule{}
	index := map[string]int{}
	add := func(rule Rule) {
		if _, done := index[rule.ID]; done {
			return
		}
		index[rule.ID] = len(rules)
		level := sarifLevels[rule.Severity]
		if level == "" {
			level = "warning"
		}
		full := rule.Text
		if full == "" {
			full = rule.Title
		}
		help := strings.TrimSpace(full + "\n\n" + rule.Fix)
		markdown := help
		if rule.Wrong != "" {
			markdown += "\n\nWrong:\n" + strings.ReplaceAll(fence(rule.Wrong), "```text", "```json")
		}
		if rule.Right != "" {
			markdown += "\nRight:\n" + strings.ReplaceAll(fence(rule.Right), "```text", "```json")
		}
		page := ""
		if rule.Page != "" {
			page = sarifHelp + rule.Page + "#" + rule.ID
		}
		rules = append(rules, sarifRule{ID: rule.ID, Name: camel(rule.ID), Short: sarifText{rule.Title}, Full: sarifText{full},
			Help: sarifMarkdown{help, markdown}, HelpURI: page, Configuration: sarifConfiguration{level},
			Properties: map[string]any{"tags": []string{"mcp", rule.Stage}}})
	}
	for _, rule := range Rules() {
		add(rule)
	}
	for _, c := range r.Cells {
		for _, f := range c.Findings {
			add(RuleOf(f.Rule))
		}
	}
	for _, a := range r.Advice {
		add(RuleOf(a.Rule))
	}
	return rules, index
}

// camel is the rule's name in SARIF, which viewers want to differ from its id.
func camel(id string) string {
	var b strings.Builder
	for _, part := range strings.Split(id, "-") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	if strings.EqualFold(b.String(), id) { // a name that is the id again says nothing to viewers
		b.WriteString("Rule")
	}
	return b.String()
}

// uriPath makes a relative path a URI reference.
func uriPath(path string) string {
	return strings.NewReplacer("%", "%25", " ", "%20", "#", "%23", "?", "%3F", "\\", "/").Replace(path)
}
