package stage

import (
	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/operation"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// ViewStage renders what the model sees of every accepted result and names what
// it does not see: facts that stand only in a part which the host leaves out,
// images, the error mark, text beyond a limit.
func ViewStage(s *State) {
	if s.Session == nil {
		return
	}
	rules := s.viewRules()
	if rules.surface == nil && rules.steps == nil {
		return
	}
	for _, t := range s.offered() {
		for i := range t.Seen {
			call := t.Seen[i].Call
			if call.Result == nil && call.Error == nil && t.Seen[i].View.Rejected == "" {
				continue // the call was never answered
			}
			s.render(t, t.Seen[i].View, rules)
			if call.Result != nil && t.Seen[i].View.Rejected == "" {
				s.nameLosses(t, t.Seen[i], rules)
			}
		}
	}
}

// viewRules are the column's claims about the view.
type viewRules struct {
	surface *capabilities.Surface
	sf      *capabilities.Found
	blocks  *capabilities.Blocks
	bf      *capabilities.Found
	limit   *capabilities.Cut
	lf      *capabilities.Found
	steps   []operation.RenderFunc
	rf      *capabilities.Found
	failed  string // what is shown of a JSON-RPC error; "": its message
}

func (s *State) viewRules() viewRules {
	var r viewRules
	r.surface, r.sf = claim[capabilities.Surface](s, "view.surface")
	r.blocks, r.bf = claim[capabilities.Blocks](s, "view.blocks")
	r.limit, r.lf = claim[capabilities.Cut](s, "view.limit")
	ops, f := claim[[]capabilities.Op](s, "view.render")
	if e, _ := claim[capabilities.RPCError](s, "result.error"); e != nil {
		r.failed = e.Text
	}
	if ops == nil {
		return r
	}
	r.rf = f
	for _, op := range *ops {
		step, err := operation.NewRender(op.Name, op.Params)
		if err != nil {
			s.Server = append(s.Server, tableFault(verdict.View, err))
			continue
		}
		r.steps = append(r.steps, step)
	}
	return r
}

// view is the result as it enters the view stage.
func (s *State) view(call *recording.Call, rejected string) *operation.View {
	v := &operation.View{Server: s.Target.Name, Arguments: call.Arguments, Result: call.Result,
		RPCError: call.Error, Rejected: rejected}
	for _, t := range s.Tools {
		if t.Name == call.Tool {
			v.Tool, v.Name = t.Value, t.Offered.Name
		}
	}
	if call.Result != nil && call.Result.Kind == schema.Object {
		v.Structured = call.Result.Get("structuredContent")
		v.IsError = call.Result.Get("isError").IsTrue()
		if content := call.Result.Get("content"); content != nil {
			v.Content = content.Items
		}
	}
	return v
}

func (s *State) render(t *Tool, v *operation.View, rules viewRules) {
	if rules.steps == nil {
		operation.DefaultView(v, rules.surface, rules.blocks, rules.limit)
		if v.RPCError != nil && v.Rejected == "" && rules.failed != "" {
			v.SayFailed(rules.failed)
		}
		return
	}
	v.FailureWords = rules.failed
	for _, step := range rules.steps {
		if err := step(v); err != nil {
			t.add(rules.rf, verdict.Finding{Rule: "view-undecided", Severity: verdict.Undecided, Stage: verdict.View, Message: err.Error()})
			return
		}
	}
}

func (s *State) nameLosses(t *Tool, seen Seen, rules viewRules) {
	f := rules.sf
	if f == nil {
		f = rules.rf
	}
	nothing := operation.NothingShown(seen.View)
	for _, loss := range operation.ViewLosses(seen.View) {
		severity, blast := verdict.Warning, verdict.Blast("")
		switch {
		case !loss.Degrades:
			severity = verdict.Info
		case nothing:
			severity, blast = verdict.Error, verdict.BlastTool
		}
		t.add(f, verdict.Finding{Rule: loss.Rule, Severity: severity, Stage: verdict.View, Blast: blast, Message: loss.Detail,
			DataPointer: loss.Pointer.String(), Sample: string(seen.Call.Origin)})
	}
}
