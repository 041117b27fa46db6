package conformtest

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/rewrite/witness"
)

// DefaultTimeout bounds one match, the server's start included.
const DefaultTimeout = 2 * time.Minute

// Matcher is a Gomega matcher. Its methods change it and return it, so that they
// can follow [WorkIn].
type Matcher struct {
	hosts      []string
	failOn     verdict.Verdict
	minBasis   capabilities.Basis
	tools      []string
	samples    string
	allowCalls []string
	hostsDir   string
	name       string
	timeout    time.Duration
	witnesses  int

	report  *verdict.Report // of the last match
	failing *verdict.Report // its cells that fail
}

// WorkIn matches a server whose tools work in all the hosts. A host is written as
// for `conform run --host`: id[:mode][+api][@version]; none means every row of kind
// host. Something that is only lost on the way (a degraded cell) and what could not
// be established do not fail; see [Matcher.FailOn].
func WorkIn(hosts ...string) *Matcher {
	return &Matcher{hosts: hosts, failOn: verdict.Breaks, minBasis: capabilities.Inferred, timeout: DefaultTimeout,
		witnesses: witness.DefaultBudget}
}

// FailOn sets the least verdict that fails; the default is [verdict.Breaks].
func (m *Matcher) FailOn(v verdict.Verdict) *Matcher { m.failOn = v; return m }

// MinBasis sets the weakest evidence that counts, e.g. [capabilities.Observed];
// the default is inferred, which is any.
func (m *Matcher) MinBasis(b capabilities.Basis) *Matcher { m.minBasis = b; return m }

// Tools looks only at tools whose names match one of the patterns (path.Match).
func (m *Matcher) Tools(patterns ...string) *Matcher { m.tools = patterns; return m }

// Samples names a samples file (conform-samples/1) with the calls to make.
func (m *Matcher) Samples(file string) *Matcher { m.samples = file; return m }

// AllowCalls lets tools be called although nothing marks them as read-only; "*" is
// all of them. A tool with destructiveHint: true needs [Matcher.Samples].
func (m *Matcher) AllowCalls(patterns ...string) *Matcher { m.allowCalls = patterns; return m }

// HostsDir adds a folder of capability files to the built-in table.
func (m *Matcher) HostsDir(dir string) *Matcher { m.hostsDir = dir; return m }

// Named sets the server's key in a host's configuration, which many hosts put into
// tool names.
func (m *Matcher) Named(key string) *Matcher { m.name = key; return m }

// Within bounds one match; the default is [DefaultTimeout].
func (m *Matcher) Within(d time.Duration) *Matcher { m.timeout = d; return m }

// Witnesses sets how many instances are made from each schema to find what a host
// would reject beside the real results; 0 judges real results alone.
func (m *Matcher) Witnesses(budget int) *Matcher { m.witnesses = budget; return m }

// Report evaluates a server and returns the canonical report. The error says that
// it could not be done, never that a tool breaks.
func (m *Matcher) Report(server any) (*verdict.Report, error) {
	for _, p := range append(append([]string(nil), m.tools...), m.allowCalls...) {
		if _, err := path.Match(p, ""); err != nil {
			return nil, fmt.Errorf("conformtest: %q is no pattern for names of tools: %w", p, err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), m.timeout)
	defer cancel()
	r, err := m.evaluate(ctx, server)
	if err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return nil, fmt.Errorf("conformtest: not done within %v (Matcher.Within changes that): %w", m.timeout, err)
		}
		return nil, fmt.Errorf("conformtest: %w", err)
	}
	return r, nil
}

// Match implements Gomega's matcher.
func (m *Matcher) Match(server any) (bool, error) {
	r, err := m.Report(server)
	if err != nil {
		return false, err
	}
	if err := m.judgeable(r); err != nil {
		return false, fmt.Errorf("conformtest: %w", err)
	}
	m.report = r
	m.failing = m.cut(r)
	return len(m.failing.Cells) == 0, nil
}

// judgeable fails where a match would be true for lack of anything to look at.
func (m *Matcher) judgeable(r *verdict.Report) error {
	if len(r.Tools) == 0 {
		return errors.New("the server lists no tools, so there is nothing to match")
	}
	names := make([]string, len(r.Tools))
	for i, t := range r.Tools {
		names[i] = t.Name
	}
	for _, p := range m.tools {
		if !slices.ContainsFunc(names, func(name string) bool { ok, _ := path.Match(p, name); return ok }) {
			hint := ""
			if near := capabilities.Nearest(p, names); near != "" {
				hint = fmt.Sprintf("; did you mean %q?", near)
			}
			return fmt.Errorf("Tools(%q): the server has no such tool%s", p, hint)
		}
	}
	if r.Summary.Cells == r.Summary.Unknown && m.failOn != verdict.Unknown {
		return fmt.Errorf("nothing could be established in %s; FailOn(verdict.Unknown) says what is missing", m.where())
	}
	return nil
}

// cut keeps the cells that fail, with the findings that make them fail.
func (m *Matcher) cut(r *verdict.Report) *verdict.Report {
	out := *r
	out.Cells, out.Advice = nil, nil
	for _, c := range r.Cells {
		if !m.fails(c) {
			continue
		}
		var findings []verdict.Finding
		for _, f := range c.Findings {
			if f.Severity.Effect().Rank() >= m.failOn.Rank() {
				findings = append(findings, f)
			}
		}
		c.Findings = findings
		out.Cells = append(out.Cells, c)
	}
	out.Summary = verdict.Count(out.Cells)
	return &out
}

func (m *Matcher) fails(c verdict.Cell) bool {
	if c.Verdict == verdict.Works || c.Verdict.Rank() < m.failOn.Rank() || capabilities.Basis(c.Basis).Rank() < m.minBasis.Rank() && c.Verdict != verdict.Unknown {
		return false
	}
	if len(m.tools) == 0 || c.Tool == "" {
		return true
	}
	for _, p := range m.tools {
		if ok, _ := path.Match(p, c.Tool); ok {
			return true
		}
	}
	return false
}

// FailureMessage implements Gomega's matcher: it reads like the text report.
func (m *Matcher) FailureMessage(any) string {
	return fmt.Sprintf("Expected %s to work in %s.\n\n%s", m.server(), m.where(), words(m.failing))
}

// NegatedFailureMessage implements Gomega's matcher.
func (m *Matcher) NegatedFailureMessage(any) string {
	cells := fmt.Sprintf("%d cells", m.report.Summary.Cells)
	if m.report.Summary.Cells == 1 {
		cells = "1 cell"
	}
	return fmt.Sprintf("Expected %s not to work in %s, and it does: %s, none %s.",
		m.server(), m.where(), cells, map[verdict.Verdict]string{verdict.Breaks: "breaks", verdict.Degraded: "breaks or is degraded", verdict.Unknown: "is worse than works"}[m.failOn])
}

func (m *Matcher) server() string {
	if m.report.Target.Name == "" {
		return "the server"
	}
	return fmt.Sprintf("the server %q", m.report.Target.Name)
}

func (m *Matcher) where() string {
	if len(m.hosts) == 0 {
		return "every host"
	}
	return strings.Join(m.hosts, ", ")
}
