package reports

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/operation"
	"github.com/hostmatrix/conform/matrix/verdict"
)

// Rule documents one kind of finding. `conform explain`, SARIF and the docs page
// come from it.
type Rule struct {
	ID       string
	Title    string
	Stage    string   // connect … view, or "capture"
	Claims   []string // claim keys that decide it
	Severity verdict.Severity
	Text     string // what and why, paragraphs
	Wrong    string
	Right    string
	Fix      string
	Page     string // file of the repository that has it under a heading, or ""
}

//go:embed rules/*.md
var ruleFiles embed.FS

func ownRules() []Rule {
	var out []Rule
	for _, stage := range append([]string{"capture"}, stageNames()...) {
		data, err := fs.ReadFile(ruleFiles, "rules/"+stage+".md")
		if err != nil {
			panic(err) // embedded; its absence is a build fault
		}
		for _, section := range strings.Split("\n"+string(data), "\n# ")[1:] {
			out = append(out, parseRule(stage, section))
		}
	}
	for _, name := range operation.Names("check") {
		_, doc, _ := operation.Doc(name)
		title, rest, _ := strings.Cut(doc, ". ")
		out = append(out, Rule{ID: name, Title: strings.TrimSuffix(title, "."), Stage: "offer", Severity: verdict.Error, Text: rest,
			Claims: []string{"list.drop", "offer.precheck", "offer.api.schema"}})
	}
	return out
}

func stageNames() []string {
	out := make([]string, len(verdict.Stages))
	for i, s := range verdict.Stages {
		out[i] = string(s)
	}
	return out
}

// parseRule reads a section of a rules file: the id, the title, "key: value"
// lines, and paragraphs in between.
func parseRule(stage, section string) Rule {
	id, rest, _ := strings.Cut(section, "\n")
	title, rest, _ := strings.Cut(rest, "\n")
	r := Rule{ID: strings.TrimSpace(id), Title: strings.TrimSpace(title), Stage: stage, Page: "reports/rules/" + stage + ".md"}
	var text []string
	for _, line := range strings.Split(rest, "\n") {
		key, value, found := strings.Cut(line, ": ")
		switch {
		case found && key == "claims":
			r.Claims = strings.Split(value, ", ")
		case found && key == "severity":
			r.Severity = verdict.Severity(value)
		case found && key == "wrong":
			r.Wrong = value
		case found && key == "right":
			r.Right = value
		case found && key == "fix":
			r.Fix = value
		default:
			text = append(text, line)
		}
	}
	r.Text = strings.TrimSpace(strings.Join(text, "\n"))
	return r
}

// Rules returns every rule: first what is met while capturing, then by stage, those
// that hosts decide before those that no host decides. An id has one meaning: what package lint calls the
// same as a stage is the same.
func Rules() []Rule { return append([]Rule{}, allRules()...) }

var allRules = sync.OnceValue(func() []Rule {
	out := ownRules()
	known := map[string]bool{}
	for _, r := range out {
		known[r.ID] = true
	}
	for _, r := range lintRules() {
		if !known[r.ID] {
			out = append(out, r)
		}
	}
	order := append([]string{"capture"}, stageNames()...)
	slices.SortStableFunc(out, func(a, b Rule) int { return slices.Index(order, a.Stage) - slices.Index(order, b.Stage) })
	return out
})

var rulesByID = sync.OnceValue(func() map[string]Rule {
	out := map[string]Rule{}
	for _, r := range allRules() {
		out[r.ID] = r
	}
	return out
})

// RuleOf returns the rule with an id; an id without documentation gives a rule
// with that id as its title, so that writers never lack one.
func RuleOf(id string) Rule {
	if r, ok := rulesByID()[id]; ok {
		return r
	}
	return Rule{ID: id, Title: strings.ReplaceAll(id, "-", " "), Severity: verdict.Warning}
}

// FindRule is RuleOf for people: the error names the nearest rule.
func FindRule(id string) (Rule, error) {
	var ids []string
	for _, r := range Rules() {
		if r.ID == id {
			return r, nil
		}
		ids = append(ids, r.ID)
	}
	if near := capabilities.Nearest(id, ids); near != "" {
		return Rule{}, fmt.Errorf("no rule %q; did you mean %q?", id, near)
	}
	return Rule{}, fmt.Errorf("no rule %q; `conform explain --list` prints them", id)
}
