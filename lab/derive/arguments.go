package derive

import (
	"strings"

	"github.com/hostmatrix/conform/matrix/verify"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// arguments: the profile whose verdicts explain which calls with wrong arguments
// were never made. Where all were made nobody checks, which contradicts a claim that
// somebody does.
func arguments(s Set) *Claim {
	c := claim("call.arguments")
	type row struct {
		schema, value *schema.Value
		refused       bool
	}
	var rows []row
	refusals := 0
	for _, l := range s.Lines {
		if !strings.HasPrefix(l.Probe, "arg_") || l.Probe == "arg_default" || l.Seen == nil {
			continue
		}
		tool, err := schema.Parse(l.Tool, schema.Limits{})
		if err != nil {
			continue
		}
		value, err := schema.Parse(l.Arguments, schema.Limits{})
		if err != nil {
			continue
		}
		rows = append(rows, row{verify.Expand(tool.Get("inputSchema")), value, l.Called == 0})
		c.From = append(c.From, l.Probe)
		if l.Called == 0 {
			refusals++
		}
	}
	if len(rows) < 5 {
		return nil
	}
	if refusals == 0 {
		c.Only = true
		c.set("profile", "none")
		return c
	}
	best, ties := "", 0
	for _, p := range validators.Profiles() {
		explained := true
		for _, r := range rows {
			v, err := p.Compile(r.schema)
			explained = explained && (err != nil || (v.Validate(r.value).Outcome != validators.Valid) == r.refused)
		}
		if explained {
			best, ties = p.ID, ties+1
		}
	}
	if ties != 1 {
		return nil // a check of another kind, or one that these probes can't name
	}
	c.set("profile", best)
	return c
}
