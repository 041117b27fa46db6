// Package cases runs case files against the table: each expectation of a case
// (host, version, verdict and, where given, stage, blast, checked and the host's
// words) is compared with what the emulation says, and what it expects of rules
// with what these report. The folder also holds the
// project's own corpus, one small file per fault, and its suite.
package cases

import (
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/validators"
)

// Format is the "format" member of the JSON output of `conform cases`.
const Format = "conform-cases/1"

// Report is the JSON output of `conform cases`.
type Report struct {
	Format  string   `json:"format"`
	Results []Result `json:"results"`
	Summary Summary  `json:"summary"`
}

// Result is one expectation of one case.
type Result struct {
	Case     string   `json:"case"`
	Rule     string   `json:"rule,omitempty"` // in place of a host
	Host     string   `json:"host"`
	Version  string   `json:"version"`
	Expected Expected `json:"expected"`
	Got      Got      `json:"got"`
	Agrees   bool     `json:"agrees"`
	// Differs names the fields that disagree.
	Differs []string `json:"differs,omitempty"`
	// Earlier is set on a disagreement that names no version and rests on no
	// observation: the youngest version before the newest that meets it.
	Earlier string `json:"earlier,omitempty"`
}

// Expected is what the case file says.
type Expected struct {
	Verdict string `json:"verdict"`
	Stage   string `json:"stage,omitempty"`
	Blast   string `json:"blast,omitempty"`
	Checked *bool  `json:"checked,omitempty"`
	Text    string `json:"text,omitempty"`
	Basis   string `json:"basis,omitempty"`
}

// Got is what the emulation says.
type Got struct {
	Verdict string `json:"verdict"`
	Stage   string `json:"stage,omitempty"`
	Blast   string `json:"blast,omitempty"`
	Checked *bool  `json:"checked,omitempty"`
	Text    string `json:"text,omitempty"`
	Basis   string `json:"basis,omitempty"`
	Reason  string `json:"reason,omitempty"` // why there is no verdict
}

// Summary counts expectations.
type Summary struct {
	Entries  int                `json:"entries"`
	Agree    int                `json:"agree"`
	Disagree int                `json:"disagree"`
	NoHost   int                `json:"no_host"` // of the disagreeing ones: the table lacks the host
	Earlier  int                `json:"earlier"` // of the disagreeing ones: a version before the newest meets it
	ByHost   map[string]Counter `json:"by_host"`
	ByBasis  map[string]Counter `json:"by_basis"`
}

// Counter counts agreements.
type Counter struct {
	Entries int `json:"entries"`
	Agree   int `json:"agree"`
}

// Runner holds what all comparisons share.
type Runner struct {
	Table  *capabilities.Table
	Shapes *shape.Set
	// Only restricts the run to one host id; "" is all.
	Only string
}

// What a rule did with a case, in place of a verdict.
const (
	ruleReports = "reports"
	ruleSilent  = "silent"
)

// compareRules runs the rules, all of them on and in strict mode: a case shows what
// a rule can see, not what it is set to.
func compareRules(c *recording.Case, capture *recording.Capture) []Result {
	if len(c.Rules) == 0 {
		return nil
	}
	said := lint.Run(capture, lint.Input{Config: &lint.Config{Portability: lint.PortabilityStrict}, Manifest: c.Manifest})
	reported, silent := map[string]bool{}, map[string]string{}
	for _, a := range said.Advice {
		reported[a.Rule] = true
	}
	for _, n := range said.NotChecked {
		silent[n.Rule] = n.Reason
	}
	did := func(reports bool) string {
		if reports {
			return ruleReports
		}
		return ruleSilent
	}
	var out []Result
	for _, e := range c.Rules {
		r := Result{Case: c.ID, Rule: e.Rule, Expected: Expected{Verdict: did(e.Reports)}, Got: Got{Verdict: did(reported[e.Rule]), Reason: silent[e.Rule]}}
		if lint.Find(e.Rule) == nil {
			r.Got = Got{Verdict: string(verdict.Unknown), Reason: "no such rule"}
		}
		if r.Agrees = r.Expected.Verdict == r.Got.Verdict; !r.Agrees {
			r.Differs = []string{"verdict"}
		}
		out = append(out, r)
	}
	return out
}

// Compare evaluates one case in every host, and by every rule, that it expects
// something of.
func (r Runner) Compare(c *recording.Case) []Result {
	capture := c.Capture()
	cache := validators.NewCache()
	var out []Result
	if r.Only == "" {
		out = compareRules(c, capture)
	}
	for _, e := range c.Expect {
		if r.Only != "" && e.Host != r.Only {
			continue
		}
		result := Result{Case: c.ID, Host: e.Host, Version: e.Version, Expected: Expected{
			Verdict: e.Verdict, Stage: e.Stage, Blast: e.Blast, Checked: e.Checked, Text: e.Text, Basis: e.Basis}}
		spec := e.Host
		if e.Version != "" {
			spec += "@" + e.Version
		}
		host, err := r.Table.Resolve(spec)
		if err != nil {
			result.Got = Got{Verdict: string(verdict.Unknown), Reason: "no such host"}
			result.Differs = []string{"host"}
			out = append(out, result)
			continue
		}
		evaluate := func(host *capabilities.Resolved) Got {
			columns := matrix.Evaluate(matrix.Input{Capture: capture, Hosts: []*capabilities.Resolved{host},
				Shapes: r.Shapes, Validators: cache, Workers: 1})
			return sumUp(c, columns[0].Cells)
		}
		result.Got = evaluate(host)
		result.Differs = differences(e, result.Got)
		if result.Agrees = len(result.Differs) == 0; !result.Agrees && ofItsDay(e) {
			result.Earlier = r.earlier(e, host, evaluate)
		}
		out = append(out, result)
	}
	return out
}

// sumUp gives the worst cell: a case asks whether anything breaks, not where. A
// fault that stays with its tool counts only for the tools that the case calls,
// if it calls any: whoever wrote down what a host did looked at those.
func sumUp(c *recording.Case, cells []verdict.Cell) Got {
	called := map[string]bool{}
	for _, r := range c.Results {
		called[r.Tool] = true
	}

	var worst *verdict.Cell
	checked := false
	for i := range cells {
		c := &cells[i]
		if len(called) > 0 && !called[c.Tool] && c.Blast == verdict.BlastTool {
			continue
		}
		checked = checked || c.Checked
		if worst == nil || c.Verdict.Rank() > worst.Verdict.Rank() {
			worst = c
		}
	}
	if worst == nil {
		return Got{Verdict: string(verdict.Unknown), Reason: "nothing to evaluate"}
	}
	g := Got{Verdict: string(worst.Verdict), Stage: string(worst.Stage), Blast: string(worst.Blast), Checked: &checked, Basis: worst.Basis}
	for _, f := range worst.Findings {
		if f.Severity.Effect() == worst.Verdict && f.HostText != "" {
			g.Text = f.HostText
			break
		}
	}
	if worst.Verdict == verdict.Unknown && len(worst.Findings) > 0 {
		g.Reason = worst.Findings[0].Message
	}
	return g
}

// differences names the fields in which got misses the expectation. An
// expectation "works" that rests on a report is met by degraded as well: a
// reporter sees that it works, not what was lost.
func differences(e recording.Expectation, got Got) []string {
	var out []string
	verdictMet := e.Verdict == got.Verdict ||
		e.Verdict == string(verdict.Works) && got.Verdict == string(verdict.Degraded) && e.Basis != "observed"
	if !verdictMet {
		out = append(out, "verdict")
	}
	if e.Stage != "" && e.Stage != got.Stage {
		out = append(out, "stage")
	}
	if e.Blast != "" && e.Blast != got.Blast {
		out = append(out, "blast")
	}
	if e.Checked != nil && (got.Checked == nil || *e.Checked != *got.Checked) {
		out = append(out, "checked")
	}
	if e.Text != "" && strings.TrimSpace(e.Text) != strings.TrimSpace(got.Text) {
		out = append(out, "text")
	}
	return out
}

// Sum counts results.
func Sum(results []Result) Summary {
	s := Summary{Entries: len(results), ByHost: map[string]Counter{}, ByBasis: map[string]Counter{}}
	for _, r := range results {
		agree := 0
		if r.Agrees {
			agree = 1
			s.Agree++
		} else {
			s.Disagree++
			if r.Got.Reason == "no such host" {
				s.NoHost++
			}
			if r.Earlier != "" {
				s.Earlier++
			}
		}
		if r.Rule != "" {
			continue
		}
		h, b := s.ByHost[r.Host], s.ByBasis[r.Expected.Basis]
		s.ByHost[r.Host] = Counter{h.Entries + 1, h.Agree + agree}
		s.ByBasis[r.Expected.Basis] = Counter{b.Entries + 1, b.Agree + agree}
	}
	return s
}

// String is one line for a person.
func (r Result) String() string {
	mark := "ok  "
	if !r.Agrees {
		mark = "DIFF"
	}
	who := r.Host + "@" + r.Version
	if r.Rule != "" {
		who = "rule " + r.Rule
	}
	line := fmt.Sprintf("%s %s %s: expected %s", mark, r.Case, who, join(r.Expected.Verdict, r.Expected.Stage, r.Expected.Blast))
	if r.Agrees {
		return line
	}
	line += "; got " + join(r.Got.Verdict, r.Got.Stage, r.Got.Blast)
	if r.Got.Reason != "" {
		line += " (" + r.Got.Reason + ")"
	}
	line += "; differs in " + strings.Join(r.Differs, ", ")
	if r.Earlier != "" {
		line += "; " + r.Earlier + " does what is expected"
	}
	if r.Expected.Text != r.Got.Text && r.Expected.Text != "" {
		line += fmt.Sprintf("\n     expected text %q\n     got text      %q", r.Expected.Text, r.Got.Text)
	}
	return line
}

func join(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "/")
}
