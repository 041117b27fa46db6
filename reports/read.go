package reports

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
)

// Read reads a canonical report. name is used in errors. A report may come from
// somebody else's job (the artifact of a pull request from a fork): words that this
// version does not know are an error, and the summary is counted anew.
func Read(name string, data []byte) (*verdict.Report, error) {
	r := new(verdict.Report)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("%s: not a report: %w; make one with `conform run --format json=%s`", name, err, name)
	}
	if r.Format != verdict.Format {
		return nil, fmt.Errorf("%s: \"format\" is %q, this version reads %q", name, r.Format, verdict.Format)
	}
	if err := words(r); err != nil {
		return nil, fmt.Errorf("%s: %w; it was edited, or made by a version that knows more", name, err)
	}
	r.Summary = verdict.Count(r.Cells)
	return r, nil
}

// ruleID is what ids of rules look like.
var ruleID = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// words checks the members that are one of a few words; what is left out is "".
func words(r *verdict.Report) error {
	var v vocabulary
	for i, c := range r.Cells {
		v.is(aVerdict(c.Verdict), string(c.Verdict), "/cells/%d/verdict", i)
		v.is(c.Stage == "" || slices.Contains(verdict.Stages, c.Stage), string(c.Stage), "/cells/%d/stage", i)
		v.is(c.Blast == "" || blastRank(c.Blast) >= 0, string(c.Blast), "/cells/%d/blast", i)
		v.is(c.Basis == "" || capabilities.Basis(c.Basis).Rank() > 0, c.Basis, "/cells/%d/basis", i)
		for k, f := range c.Findings {
			v.is(ruleID.MatchString(f.Rule), f.Rule, "/cells/%d/findings/%d/rule", i, k)
			v.is(verbs[f.Severity] != "", string(f.Severity), "/cells/%d/findings/%d/severity", i, k)
			v.is(f.Stage == "" || slices.Contains(verdict.Stages, f.Stage), string(f.Stage), "/cells/%d/findings/%d/stage", i, k)
			v.is(f.Blast == "" || blastRank(f.Blast) >= 0, string(f.Blast), "/cells/%d/findings/%d/blast", i, k)
			v.is(f.Basis == "" || capabilities.Basis(f.Basis).Rank() > 0, f.Basis, "/cells/%d/findings/%d/basis", i, k)
		}
		if v.err != nil {
			break
		}
	}
	for i, a := range r.Advice {
		v.is(ruleID.MatchString(a.Rule), a.Rule, "/advice/%d/rule", i)
		v.is(verbs[a.Severity] != "", string(a.Severity), "/advice/%d/severity", i)
	}
	for i, n := range r.NotChecked {
		v.is(ruleID.MatchString(n.Rule), n.Rule, "/not_checked/%d/rule", i)
	}
	if s := r.Shard; s != nil {
		v.is(1 <= s.Index && s.Index <= s.Of, fmt.Sprintf("%d of %d", s.Index, s.Of), "/shard")
	}
	return v.err
}

func aVerdict(v verdict.Verdict) bool { return v == verdict.Works || v.Rank() > 0 }

// vocabulary keeps the first word that is none.
type vocabulary struct{ err error }

func (v *vocabulary) is(known bool, word, at string, args ...any) {
	if !known && v.err == nil {
		v.err = fmt.Errorf("%s is %q, which this version does not know", fmt.Sprintf(at, args...), cutText(inline(word), 60))
	}
}
