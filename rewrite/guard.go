package rewrite

import (
	"slices"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// harmless reports whether no chosen host is worse off than in the trial before.
func (s *search) harmless(t, before trial) bool {
	breaks, degrades := harm(s.everywhere(t), before)
	return breaks+degrades == 0
}

// everywhere is the trial in all chosen hosts.
func (s *search) everywhere(t trial) trial {
	if len(t.faults) < len(s.options.Hosts) {
		t = s.try(t.steps, s.options.Hosts)
	}
	return t
}

// harm counts the hosts that break newly and those that lose something newly.
func harm(t, before trial) (breaks, degrades int) {
	for key, f := range t.faults {
		switch had := before.faults[key]; {
		case f.Verdict.Rank() <= had.Verdict.Rank():
		case f.Verdict == verdict.Breaks:
			breaks++
		default:
			degrades++
		}
	}
	return breaks, degrades
}

// narrows reports whether the new outputSchema forbids a result that the old one
// allows, by the schemas' own dialects: the server may send it. The inputSchema
// may be tightened, but not so that a real call is forbidden.
func (s *search) narrows(steps []Step) bool {
	tool, _ := Apply(s.start.tool, steps)
	if s.forbidsCall(tool, steps) {
		return true
	}
	output := tool.Get(string(Output))
	if output == nil || len(s.old) == 0 || reshapes(steps) {
		return false
	}
	if !slices.ContainsFunc(steps, func(st Step) bool { return st.Part == Output }) {
		return false
	}
	_, own := witness.Dialect(validators.NewCache(), output)
	if own == nil {
		return false // still unreadable for its own dialect; another step may mend it
	}
	for _, v := range s.old {
		if own.Validate(v).Outcome == validators.Invalid {
			return true
		}
	}
	return false
}

// forbidsCall reports whether real arguments that the old inputSchema allows are
// forbidden by the new one.
func (s *search) forbidsCall(tool *schema.Value, steps []Step) bool {
	old, now := s.start.tool.Get(string(Input)), tool.Get(string(Input))
	if old == nil || now == nil || schema.Equal(old, now) || reshapes(steps) {
		return false
	}
	cache := validators.NewCache()
	_, before := witness.Dialect(cache, old)
	_, after := witness.Dialect(cache, now)
	if before == nil || after == nil {
		return false
	}
	for _, session := range s.capture.Sessions {
		for _, call := range session.CallsOf(s.name) {
			if call.Arguments != nil && before.Validate(call.Arguments).Outcome == validators.Valid && after.Validate(call.Arguments).Outcome == validators.Invalid {
				return true
			}
		}
	}
	return false
}

// sheds reports whether a definition says less than another in a way that no
// comparison of verdicts shows: a member's name, a constant, a type or a word of a
// description is gone. A rewrite that makes a host lose nothing by saying nothing
// is none.
func sheds(old, now *schema.Value) bool {
	kept := words(now)
	for word := range words(old) {
		if !kept[word] {
			return true
		}
	}
	return false
}

// words are what a model can read in a definition, without the shape.
func words(tool *schema.Value) map[string]bool {
	out := map[string]bool{}
	text := func(v *schema.Value) {
		s, _ := v.IsString()
		for _, w := range strings.Fields(s) {
			out[strings.TrimRight(w, "….,;:")] = true
		}
	}
	text(tool.Get("description"))
	schema.Walk(tool.Get(string(Input)), func(n schema.Node) bool {
		if n.Schema == nil || n.Schema.Kind != schema.Object {
			return n.Depth < maxWordsDepth
		}
		text(n.Schema.Get("description"))
		for _, m := range n.Schema.Get("properties").Unique() {
			out["property "+m.Key] = true
		}
		for _, v := range n.Schema.ListOf("enum") {
			out["value "+v.Compact()] = true
		}
		if v := n.Schema.Get("const"); v != nil {
			out["value "+v.Compact()] = true
		}
		return n.Depth < maxWordsDepth
	})
	return out
}

const maxWordsDepth = 100
