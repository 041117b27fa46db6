package reports

import (
	"slices"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// culpritAt is a tool that takes others down in one host.
type culpritAt struct{ tool, host, version string }

// ownFindings are the findings that stand in the cells of a culprit itself.
type ownFindings map[culpritAt][]verdict.Finding

// culpritsFindings gathers them. A tool's cells are in the shard that called it, and
// only there were its fixes tried on what it answers.
func culpritsFindings(shards []*verdict.Report) ownFindings {
	out := ownFindings{}
	for _, r := range shards {
		for _, c := range r.Cells {
			for _, f := range c.Findings {
				if f.Culprit != "" && f.Culprit == c.Tool {
					at := culpritAt{c.Tool, c.Host, c.HostVersion}
					out[at] = append(out[at], f)
				}
			}
		}
	}
	return out
}

// mend is a cell with the fixes of other tools' faults as the shards of those tools
// found them.
func (o ownFindings) mend(c verdict.Cell) verdict.Cell {
	cloned := false
	for i, f := range c.Findings {
		own, ok := o.same(f, c)
		if !ok || own.Fix == f.Fix && own.FixText == f.FixText {
			continue
		}
		if !cloned {
			c.Findings, cloned = slices.Clone(c.Findings), true
		}
		c.Findings[i].Fix, c.Findings[i].FixText = own.Fix, own.FixText
	}
	return c
}

// same is a finding of a cell as it stands in the culprit's own cell.
func (o ownFindings) same(f verdict.Finding, c verdict.Cell) (verdict.Finding, bool) {
	if f.Culprit == "" || f.Culprit == c.Tool {
		return verdict.Finding{}, false
	}
	own := o[culpritAt{f.Culprit, c.Host, c.HostVersion}]
	i := slices.IndexFunc(own, func(g verdict.Finding) bool {
		return g.Rule == f.Rule && g.Stage == f.Stage && g.Message == f.Message && g.SchemaPointer == f.SchemaPointer
	})
	if i < 0 {
		return verdict.Finding{}, false
	}
	return own[i], true
}
