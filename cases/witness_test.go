package cases_test

import (
	"encoding/json"
	"fmt"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/cases"
	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/operation"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// sorts says what the corpus shows of something: where it acts and where it does not.
type sorts struct{ acts, passes bool }

// witnesses collects what each operation and each claim key did in the corpus.
type witnesses struct {
	operations map[string]*sorts
	claims     map[string]*sorts
}

func (w *witnesses) operation(name string, acts bool) { mark(w.operations, name, acts) }

func mark(into map[string]*sorts, name string, acts bool) {
	s := into[name]
	if s == nil {
		s = &sorts{}
		into[name] = s
	}
	s.acts = s.acts || acts
	s.passes = s.passes || !acts
}

// collect runs every expectation of the corpus: its host's operations one by one on
// the tools and results of the case, and its pipeline as a whole.
func collect(runner cases.Runner, all []*recording.Case) *witnesses {
	GinkgoHelper()
	w := &witnesses{operations: map[string]*sorts{}, claims: map[string]*sorts{}}
	for _, c := range all {
		capture := c.Capture()
		for _, e := range c.Expect {
			spec := e.Host
			if e.Version != "" {
				spec += "@" + e.Version
			}
			host, err := runner.Table.Resolve(spec)
			Expect(err).NotTo(HaveOccurred())
			w.tools(c, host)
			w.results(c, host)
			w.decided(host, matrix.Evaluate(matrix.Input{Capture: capture, Hosts: []*capabilities.Resolved{host},
				Shapes: runner.Shapes, Validators: validators.NewCache(), Workers: 1})[0].Cells)
		}
	}
	return w
}

// tools runs checks and rewrites on each tool of a case.
func (w *witnesses) tools(c *recording.Case, host *capabilities.Resolved) {
	GinkgoHelper()
	capture := c.Capture()
	for _, session := range capture.Sessions {
		for _, t := range session.Tools {
			tool := t.Value
			name, _ := tool.Get("name").IsString()
			description, _ := tool.Get("description").IsString()
			s := operation.Subject{Name: name, Description: description, Schema: tool.Get("inputSchema"), Tool: tool, Server: capture.Target.Name}
			for _, key := range []string{"list.drop", "offer.precheck", "offer.api.schema"} {
				list, _ := capabilities.Get[capabilities.Checks](host, key)
				if list == nil {
					continue
				}
				for _, check := range *list {
					run, err := operation.NewCheck(check.Op.Name, check.Op.Params)
					Expect(err).NotTo(HaveOccurred())
					w.operation(check.Op.Name, len(run(s)) > 0)
				}
			}
			w.rewrites(s, host)
		}
	}
}

func (w *witnesses) rewrites(s operation.Subject, host *capabilities.Resolved) {
	GinkgoHelper()
	steps, _ := capabilities.Get[[]capabilities.Op](host, "offer.schema")
	if steps == nil || s.Schema == nil {
		return
	}
	for _, op := range *steps {
		run, err := operation.NewRewrite(op.Name, op.Params)
		Expect(err).NotTo(HaveOccurred())
		out, err := run(s)
		w.operation(op.Name, err != nil || !schema.Equal(out.Schema, s.Schema) || out.Description != s.Description)
		if err != nil {
			return // the tool is gone
		}
		s = out
	}
}

// results runs the steps that show a result on each result of a case.
func (w *witnesses) results(c *recording.Case, host *capabilities.Resolved) {
	GinkgoHelper()
	steps, _ := capabilities.Get[[]capabilities.Op](host, "view.render")
	if steps == nil {
		return
	}
	for _, r := range c.Results {
		v := &operation.View{Name: r.Tool, Server: c.Capture().Target.Name, Arguments: r.Arguments, Result: r.Result, RPCError: r.Error}
		if r.Result != nil && r.Result.Kind == schema.Object {
			v.Structured, v.IsError = r.Result.Get("structuredContent"), r.Result.Get("isError").IsTrue()
			if content := r.Result.Get("content"); content != nil && content.Kind == schema.Array {
				v.Content = content.Items
			}
		}
		for _, op := range *steps {
			run, err := operation.NewRender(op.Name, op.Params)
			Expect(err).NotTo(HaveOccurred())
			before := shown(v)
			if run(v) != nil {
				break
			}
			w.operation(op.Name, shown(v) != before)
		}
	}
}

func shown(v *operation.View) string {
	data, err := json.Marshal([]any{v.Parts, v.Cuts, v.ErrorShown, len(v.Content), v.Structured == nil})
	Expect(err).NotTo(HaveOccurred())
	text := string(data)
	for _, c := range v.Content {
		text += c.Compact()
	}
	if v.Structured != nil {
		text += v.Structured.Compact()
	}
	return text
}

// decided marks the claims on which a finding of the cells rests, and as passing
// those that the column has and no finding names.
func (w *witnesses) decided(host *capabilities.Resolved, cells []verdict.Cell) {
	for _, key := range capabilities.ClaimKeys() {
		f := host.Find(key)
		if f == nil {
			continue
		}
		acts := false
		for _, cell := range cells {
			for _, finding := range cell.Findings {
				if finding.Severity.Effect() == verdict.Works || string(finding.Stage) != capabilities.StageOf(key) {
					continue
				}
				acts = acts || slices.ContainsFunc(f.EvidenceRefs(), func(ref string) bool { return slices.Contains(finding.Evidence, ref) })
			}
		}
		mark(w.claims, key, acts)
	}
}

var _ = Describe("Witnesses", func() {
	It("shows every operation and every claim key acting, and letting pass", func() {
		runner, err := newRunner()
		Expect(err).NotTo(HaveOccurred())
		all, err := readCases("corpus/*/*.json")
		Expect(err).NotTo(HaveOccurred())
		w := collect(runner, all)
		var missing []string
		for _, kind := range []string{"rewrite", "check", "render"} {
			for _, name := range operation.Names(kind) {
				missing = append(missing, lacks("operation "+name, w.operations[name], alwaysActs[name])...)
			}
		}
		for _, key := range capabilities.ClaimKeys() {
			if _, claimed := w.claims[key]; claimed {
				missing = append(missing, lacks("claim "+key, w.claims[key], neverActs[key])...)
			}
		}
		Expect(missing).To(BeEmpty())
	})
})

// alwaysActs are the operations that have no case to let pass, with the reason.
var alwaysActs = map[string]string{
	"add-property":   "its host adds the property to every schema",
	"returned-value": "it shows whatever came back",
}

// neverActs are the claims on which no finding can rest, with the reason.
var neverActs = map[string]string{
	"layers":        "the claims of the layers act",
	"list.relist":   "it saves a list that was lost",
	"offer.render":  "what a declaration loses, offer.schema lost before",
	"call.approval": "whether a person approves a call is a note, never a fault",
	"result.error":  "words for what failed already",
	"view.apps":     "no row claims that it shows no apps",
}

func lacks(what string, s *sorts, excused string) []string {
	var out []string
	if s == nil {
		s = &sorts{}
	}
	if !s.acts {
		out = append(out, fmt.Sprintf("%s acts in no case", what))
	}
	if !s.passes {
		out = append(out, fmt.Sprintf("%s lets pass in no case", what))
	}
	if excused != "" && len(out) > 0 {
		return nil
	}
	return out
}
