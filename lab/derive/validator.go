package derive

import (
	"strings"

	"github.com/hostmatrix/conform/lab/observe"
	"github.com/hostmatrix/conform/matrix/verify"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	_ "github.com/hostmatrix/conform/validators/all" // every profile is a candidate
)

// verdict is what became of a structured result.
type verdict int

const (
	silent   verdict = iota // nothing can be said
	accepted                // a part of the result reached the model
	rejected                // the server was called, and nothing of its answer came through
	refused                 // the call was never made, or the list was lost
)

// validator: the profile whose verdicts explain every structured result of the
// fingerprint probes. Without a rejection there is no validator at all. Of several
// profiles that explain all equally none is named: the probes can't tell them apart.
func validator(s Set) *Claim {
	type row struct {
		line   *observe.Line
		schema *schema.Value
		value  *schema.Value
		got    verdict
	}
	var rows []row
	rejections := 0
	for i := range s.Lines {
		l := &s.Lines[i]
		if !fingerprint(l.Probe) {
			continue
		}
		tool, err := schema.Parse(l.Tool, schema.Limits{})
		if err != nil || tool.Get("outputSchema") == nil {
			continue
		}
		got := outcome(l)
		if got == rejected {
			rejections++
		}
		result, err := schema.Parse(l.Result, schema.Limits{})
		if err != nil || got == silent {
			continue
		}
		rows = append(rows, row{l, verify.Expand(tool.Get("outputSchema")), verify.Expand(result.Get("structuredContent")), got})
	}
	if len(rows) < 10 {
		return nil
	}
	c := claim("result.validator")
	for _, r := range rows {
		c.From = append(c.From, r.line.Probe)
	}
	if rejections == 0 {
		c.set("profile", "none")
		return c
	}
	best, bestMisses, ties := "", len(rows)+1, 0
	for _, p := range validators.Profiles() {
		misses := 0
		for _, r := range rows {
			if !explains(p, r.schema, r.value, r.got) {
				misses++
			}
		}
		switch {
		case misses < bestMisses:
			best, bestMisses, ties = p.ID, misses, 1
		case misses == bestMisses:
			ties++
		}
	}
	if ties != 1 {
		return nil
	}
	c.set("profile", best)
	return c
}

// fingerprint probes have results whose validity tells dialects apart.
func fingerprint(probe string) bool {
	for _, prefix := range []string{"fp_", "tuple", "sc_mismatch", "sc_missing_required", "sc_extra_forbidden", "out_"} {
		if strings.HasPrefix(probe, prefix) {
			return true
		}
	}
	return false
}

// outcome reads what became of a result by the probe's sentinels.
func outcome(l *observe.Line) verdict {
	if l.Offered != nil && l.Offered.Lost {
		return refused
	}
	if l.Seen == nil {
		return silent
	}
	if l.Called == 0 {
		return refused
	}
	text := everything(l.Seen)
	if strings.Contains(text, "CT_"+l.Probe) || strings.Contains(text, "SC_"+l.Probe) || l.Seen.SameAsSent != nil {
		return accepted
	}
	result, err := schema.Parse(l.Result, schema.Limits{})
	if structured := result.Get("structuredContent"); err == nil && structured != nil && strings.Contains(squeeze(text), squeeze(structured.Compact())) {
		return accepted
	}
	return rejected
}

// explains says whether a profile would give the verdict that was seen.
func explains(p validators.Profile, document, value *schema.Value, got verdict) bool {
	v, err := p.Compile(document)
	if err != nil {
		// Hosts refuse the call, lose the list or skip the check.
		return got != rejected
	}
	if value == nil {
		return got == refused // the call was never made: only a schema that does not compile does that
	}
	switch v.Validate(value).Outcome {
	case validators.Valid:
		return got == accepted
	case validators.Invalid, validators.Thrown:
		return got == rejected
	}
	return true
}

// squeeze leaves out white space and escapes, in which hosts write JSON differently.
func squeeze(s string) string { return strings.NewReplacer(" ", "", "\n", "", `\`, "").Replace(s) }
