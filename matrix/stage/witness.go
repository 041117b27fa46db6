package stage

import (
	"fmt"
	"sync"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// Witness searches for instances that the dialect of declared accepts and the
// validator profile, compiled from document, rejects. It is called by several
// columns at once.
type Witness func(declared, document *schema.Value, profile string) Search

// Search is what a search came to.
type Search struct {
	// Instances are rejected by the host, ordinary and small ones first.
	Instances []Instance
	// Proven: the host reads the schema as its dialect does; nothing was searched.
	Proven bool
	// Tried is the number of instances that the dialect accepts and the host was asked
	// about.
	Tried int
	// Why says why nothing could be tried; "" where something was.
	Why string
	// Lenient is an instance that the dialect forbids and the host takes; nil where none
	// was found.
	Lenient *Lenient
	// All: the host rejects every ordinary instance that the dialect accepts.
	All bool
}

// Instance is one value that a host rejects.
type Instance struct {
	Value *schema.Value
	// Ordinary: a server or a model may well send it. One that is not ordinary (odd
	// characters, numbers beyond a double, a text that the schema's format only
	// annotates) is worth knowing and breaks nothing yet.
	Ordinary bool
}

// Lenient is one value that a host takes although the schema forbids it.
type Lenient struct {
	Instance
	// Why is what the schema's own dialect says of it, Schema the place that forbids it.
	Why    string
	Schema schema.Pointer
}

// search looks beyond the real results, unless one of them showed a fault already.
func (r *results) search() {
	t := r.tool
	if r.Witness == nil || r.validator == nil || t.Gone || r.shown || r.exhausted {
		return
	}
	found := r.Witness(t.Output, r.document, profileFor(r.rule, t.Output))
	for _, instance := range found.Instances {
		before := len(t.Findings)
		if r.judge(instance.Value, string(recording.Synthesized)) == "" || len(t.Findings) == before {
			continue
		}
		t.Search = "found"
		if last := &t.Findings[len(t.Findings)-1]; !instance.Ordinary {
			last.Severity, last.Blast = verdict.Info, ""
			last.Message += ", though not one that a server is likely to send"
		}
	}
	switch {
	case t.Search != "":
	case found.Proven:
		t.Search = "proven"
	case found.Tried > 0 || found.Why != "":
		t.Search = "tried"
		message := triedInVain(found.Tried)
		if found.Tried == 0 {
			message = "no result could be tried beside the real ones: " + found.Why
		}
		t.add(r.rf, verdict.Finding{Rule: "result-search", Severity: verdict.Info, Stage: verdict.Result, SchemaPointer: "/outputSchema", Message: message})
	}
	if t.Search != "proven" {
		t.Tried = found.Tried
	}
	r.lenient(found.Lenient)
}

// lenient tells of a result that the host takes and the outputSchema forbids: it
// breaks nothing here, and does in the next host.
func (r *results) lenient(l *Lenient) {
	if l == nil {
		return
	}
	f := verdict.Finding{Rule: "result-unenforced", Severity: verdict.Info, Stage: verdict.Result, SchemaPointer: "/outputSchema" + l.Schema.String(),
		Sample: string(recording.Synthesized), Witness: cutUTF16(l.Value.Compact(), maxWitness),
		Message: "this host takes results that the outputSchema forbids by its own dialect: " + l.Why}
	if !l.Ordinary {
		f.Message += "; not ones that a server is likely to send"
	}
	r.tool.add(r.rf, f)
}

// vain keeps the few texts of [triedInVain]: nearly every cell of a large server has one.
var vain sync.Map

func triedInVain(n int) string {
	text, ok := vain.Load(n)
	if !ok {
		text, _ = vain.LoadOrStore(n, fmt.Sprintf("no result was found that the outputSchema allows and this host rejects: %d made from the schema were tried, which proves nothing", n))
	}
	return text.(string)
}

// searchArguments looks for arguments that the inputSchema allows and the host's
// own check refuses.
func (s *State) searchArguments(t *Tool, a *capabilities.Arguments, f *capabilities.Found, profile string, v validators.Validator) {
	if s.Witness == nil || len(t.refused) > 0 {
		return
	}
	found := s.Witness(t.Input, t.Input, profile)
	switch {
	case len(found.Instances) > 0:
		t.ArgumentSearch = "found"
	case found.Proven:
		t.ArgumentSearch = "proven"
	case found.Tried > 0 || found.Why != "":
		t.ArgumentSearch = "tried"
	}
	if !found.Proven {
		t.ArgumentsTried = found.Tried
	}
	for _, instance := range found.Instances {
		r := v.Validate(instance.Value)
		if r.Outcome != validators.Invalid && r.Outcome != validators.Thrown {
			continue
		}
		finding := refusedArguments(a, r, string(recording.Synthesized), refusalWords(a, t, nil, r))
		finding.Witness = cutUTF16(instance.Value.Compact(), maxWitness)
		switch {
		case !instance.Ordinary:
			finding.Severity, finding.Blast = verdict.Info, ""
			finding.Message += "; no real call showed it, arguments made from the inputSchema do, though not ones that a model is likely to send"
		case found.All:
			finding.Message += "; so it does with all arguments that were made from the inputSchema: the tool can hardly be called"
		default:
			finding.Severity = verdict.Warning
			finding.Message += "; no real call showed it, arguments made from the inputSchema do, others pass"
		}
		t.add(f, finding)
	}
}
