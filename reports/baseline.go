package reports

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
)

// BaselineFormat is the value of a baseline's "format" member.
const BaselineFormat = "conform-baseline/1"

// Baseline is a list of known findings. What is known does not fail a run; what is
// not, and what is known but gone, does.
type Baseline struct {
	Format string `yaml:"format"`
	// Server and Table name what the baseline was written from: a finding that
	// appears while the server is the same appears because the table learned.
	Server  string          `yaml:"server,omitempty"` // digest of the tools
	Table   string          `yaml:"table,omitempty"`
	Entries []BaselineEntry `yaml:"entries"`
}

// BaselineEntry is one known finding. Its key is what a finding is, not where it
// was seen: tool, host without version, rule, stage and place in the schema.
type BaselineEntry struct {
	Tool    string `yaml:"tool"`
	Host    string `yaml:"host"` // a host's id, or "*" for every host
	Rule    string `yaml:"rule"`
	Stage   string `yaml:"stage,omitempty"`
	Schema  string `yaml:"schema,omitempty"` // pointer into the tool's schema; "" is any
	Reason  string `yaml:"reason,omitempty"`
	Owner   string `yaml:"owner,omitempty"`
	Expires string `yaml:"expires,omitempty"` // YYYY-MM-DD, the first day on which it no longer holds
}

// Known is one finding as a baseline sees it.
type Known struct {
	Entry   BaselineEntry
	Finding verdict.Finding
	Cell    verdict.Cell
}

// ReadBaseline reads a baseline file strictly. name is used in errors.
func ReadBaseline(name string, data []byte) (*Baseline, error) {
	b := new(Baseline)
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(b); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: not a baseline: %w", name, err)
	}
	if b.Format != BaselineFormat {
		return nil, fmt.Errorf("%s: format is %q, this version reads %q; `conform baseline write` makes one", name, b.Format, BaselineFormat)
	}
	for i, e := range b.Entries {
		if e.Rule == "" || e.Host == "" {
			return nil, fmt.Errorf("%s: entry %d needs a rule and a host (\"*\" for all)", name, i+1)
		}
		if e.Expires != "" && !dateLike(e.Expires) {
			return nil, fmt.Errorf("%s: entry %d: expires %q is no day; write YYYY-MM-DD", name, i+1, e.Expires)
		}
	}
	return b, nil
}

func dateLike(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// Encode writes the baseline, entries in a stable order.
func (b *Baseline) Encode() []byte {
	slices.SortStableFunc(b.Entries, func(x, y BaselineEntry) int {
		return cmp.Or(cmp.Compare(x.Tool, y.Tool), cmp.Compare(x.Rule, y.Rule), cmp.Compare(x.Host, y.Host),
			cmp.Compare(x.Stage, y.Stage), cmp.Compare(x.Schema, y.Schema))
	})
	var out bytes.Buffer
	var node yaml.Node
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := errors.Join(node.Encode(b), e.Encode(quoteHidden(&node))); err != nil {
		panic(fmt.Sprintf("reports: a baseline does not encode: %v", err))
	}
	return escapeHidden(out.Bytes())
}

// quoteHidden has every text with invisible or reordering characters written between
// double quotes, where YAML takes escapes.
func quoteHidden(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.ScalarNode && strings.ContainsFunc(n.Value, recording.UnsafeRune) {
		n.Style = yaml.DoubleQuotedStyle
	}
	for _, c := range n.Content {
		quoteHidden(c)
	}
	return n
}

// escapeHidden writes those characters as escapes, so that a person who reviews the
// file sees what it names.
func escapeHidden(text []byte) []byte {
	if !bytes.ContainsFunc(text, func(r rune) bool { return r != '\n' && recording.UnsafeRune(r) }) {
		return text
	}
	var b bytes.Buffer
	for _, r := range string(text) {
		switch {
		case r == '\n' || !recording.UnsafeRune(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}

// BaselineOf lists every finding of a report at or above failOn.
func BaselineOf(r *verdict.Report, failOn verdict.Verdict, reason string) *Baseline {
	b := &Baseline{Format: BaselineFormat, Server: r.Target.Digest, Table: r.Conform.Table, Entries: []BaselineEntry{}}
	for _, k := range known(r, failOn) {
		k.Entry.Reason = reason
		b.Entries = append(b.Entries, k.Entry)
	}
	return b
}

// known lists the findings of a report that count, each key once.
func known(r *verdict.Report, failOn verdict.Verdict) []Known {
	var out []Known
	seen := map[BaselineEntry]bool{}
	for _, c := range r.Cells {
		for _, f := range c.Findings {
			if f.Severity.Effect().Rank() < failOn.Rank() || f.Severity == verdict.Info {
				continue
			}
			e := BaselineEntry{Tool: culprit(c, f), Host: c.Host, Rule: f.Rule, Stage: string(f.Stage), Schema: f.SchemaPointer}
			if !seen[e] {
				seen[e] = true
				out = append(out, Known{e, f, c})
			}
		}
	}
	return out
}

// matches reports whether an entry covers a finding's key.
func (e BaselineEntry) matches(k BaselineEntry) bool {
	return (e.Host == "*" || e.Host == k.Host) && e.Tool == k.Tool && e.Rule == k.Rule &&
		(e.Stage == "" || e.Stage == k.Stage) && (e.Schema == "" || e.Schema == k.Schema)
}

// BaselineResult is the comparison of a report with a baseline.
type BaselineResult struct {
	Unexpected []Known
	// Learned are unexpected findings on a server that has not changed: the table
	// knows more than when the baseline was written.
	Learned  []Known
	Expected []Known
	Stale    []BaselineEntry // nothing matches them any more
	Expired  []BaselineEntry // their date has passed; what they cover is unexpected
}

// Check compares a report with the baseline on a day (YYYY-MM-DD).
func (b *Baseline) Check(r *verdict.Report, failOn verdict.Verdict, today string) BaselineResult {
	var out BaselineResult
	used := make([]bool, len(b.Entries))
	learned := b.Server != "" && b.Server == r.Target.Digest && b.Table != r.Conform.Table
	type place struct{ tool, rule string }
	at := map[place][]int{} // a large server has 100,000 findings, and its baseline as many entries
	for i, e := range b.Entries {
		at[place{e.Tool, e.Rule}] = append(at[place{e.Tool, e.Rule}], i)
	}
	for _, k := range known(r, failOn) {
		expected := false
		for _, i := range at[place{k.Entry.Tool, k.Entry.Rule}] {
			if e := b.Entries[i]; e.matches(k.Entry) {
				used[i] = true
				expected = expected || e.Expires == "" || today < e.Expires
			}
		}
		switch {
		case expected:
			out.Expected = append(out.Expected, k)
		case learned:
			out.Learned = append(out.Learned, k)
		default:
			out.Unexpected = append(out.Unexpected, k)
		}
	}
	looked := evaluated(r)
	for i, e := range b.Entries {
		switch {
		case !used[i] && looked(e):
			out.Stale = append(out.Stale, e)
		case used[i] && e.Expires != "" && today >= e.Expires:
			out.Expired = append(out.Expired, e)
		}
	}
	return out
}

// evaluated tells whether a report says anything about what an entry names. A run of
// one host says nothing about the entries of the others, and a cell that is unknown
// (interrupted, not established) nothing about its own; a tool that is not listed any
// more is gone, and so is its finding.
func evaluated(r *verdict.Report) func(BaselineEntry) bool {
	type place struct{ tool, host string }
	hosts, unknown := map[string]bool{}, map[place]bool{}
	for _, h := range r.Hosts {
		hosts[h.ID] = true
	}
	for _, c := range r.Cells {
		if c.Verdict == verdict.Unknown {
			unknown[place{c.Tool, c.Host}], unknown[place{c.Tool, "*"}] = true, true
		}
	}
	return func(e BaselineEntry) bool {
		return len(r.Cells) > 0 && (e.Host == "*" || hosts[e.Host]) && !unknown[place{e.Tool, e.Host}]
	}
}

// Prune returns the baseline without the entries that are stale or expired.
func (b *Baseline) Prune(result BaselineResult) *Baseline {
	gone := map[BaselineEntry]bool{}
	for _, e := range slices.Concat(result.Stale, result.Expired) {
		gone[e] = true
	}
	out := *b
	out.Entries = slices.DeleteFunc(slices.Clone(b.Entries), func(e BaselineEntry) bool {
		return gone[e]
	})
	return &out
}

func init() {
	Register(Format{Name: "waivers", Doc: "a ready-to-paste baseline of everything found (conform-baseline/1)",
		Write: func(w io.Writer, r *verdict.Report, o Options) error {
			_, err := w.Write(BaselineOf(r, o.failOn(), "").Encode())
			return err
		}})
}
