package witness

import (
	"fmt"

	"github.com/hostmatrix/conform/matrix/stage"
	"github.com/hostmatrix/conform/schema"
)

// Stage is [Searcher.Search] in the form that the matrix asks for; pass it as
// matrix.Input.Witness. It should share the matrix's validator cache.
func (s *Searcher) Stage(declared, document *schema.Value, profile string) stage.Search {
	answer := s.Search(declared, document, profile)
	out := stage.Search{Proven: answer.Kind == Proven, All: answer.RefusesAll, Tried: answer.Accepted}
	for _, w := range answer.Witnesses {
		out.Instances = append(out.Instances, stage.Instance{Value: w.Instance, Ordinary: w.Ordinary})
	}
	switch {
	case answer.Kind == Undecided:
		out.Why = answer.Why
	case answer.Kind == Tried && answer.Accepted == 0:
		out.Why = fmt.Sprintf("of %d made from the schema its own dialect accepts none", answer.Generated)
	}
	if l := answer.Lenient; l != nil {
		out.Lenient = &stage.Lenient{Instance: stage.Instance{Value: l.Instance, Ordinary: l.Ordinary}, Why: l.Text, Schema: l.Schema}
	}
	return out
}
