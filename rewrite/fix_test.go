package rewrite_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/rewrite"
)

// caseOf is a capture of one tool, t, with results.
func caseOf(tool string, results ...string) *recording.Capture {
	GinkgoHelper()
	var all []string
	for _, r := range results {
		all = append(all, `{"tool":"t","arguments":{},"result":`+r+`}`)
	}
	text := `{"format":"conform-case/1","id":"x","family":"x","title":"x","protocol_version":"2025-11-25","server":{"name":"s","version":"1"},"tools":[` +
		tool + `],"results":[` + strings.Join(all, ",") + `]}`
	c, err := recording.ReadCase("x.json", []byte(text))
	Expect(err).NotTo(HaveOccurred())
	return c.Capture()
}

func result(structured string) string {
	return `{"content":[{"type":"text","text":"ok"}],"structuredContent":` + structured + `}`
}

func toolWith(output string) string {
	return `{"name":"t","description":"d","inputSchema":{"type":"object","properties":{}},"outputSchema":` + output + `}`
}

// columns resolves hosts of the built-in table, or of extra files on top of it.
func columns(extra fstest.MapFS, ids ...string) []*capabilities.Resolved {
	GinkgoHelper()
	table, err := capabilities.Builtin()
	Expect(err).NotTo(HaveOccurred())
	if extra != nil {
		table, err = table.OverlayFS(extra)
		Expect(err).NotTo(HaveOccurred())
	}
	var out []*capabilities.Resolved
	for _, id := range ids {
		r, err := table.Resolve(id)
		Expect(err).NotTo(HaveOccurred())
		out = append(out, r)
	}
	return out
}

func fix(c *recording.Capture, hosts []*capabilities.Resolved) rewrite.Plan {
	GinkgoHelper()
	set, err := shape.Load(capabilities.Shapes())
	Expect(err).NotTo(HaveOccurred())
	return rewrite.Fix(c, "t", rewrite.Options{Hosts: hosts, Shapes: set})
}

// sdks are rows that validate results, each with another library.
var sdks = []string{"ts-sdk-v1", "ts-sdk-v2", "ts-sdk-v2-cfworker", "python-sdk"}

var _ = Describe("Fix", func() {
	const tuple = `{"type":"object","required":["pairs"],"properties":{"pairs":{"type":"array","items":{"type":"array",
		"prefixItems":[{"type":"number"},{"type":"integer"}],"items":false,"minItems":2,"maxItems":2}}}}`

	It("opens the tail of a tuple, says what that loses, and keeps the rest", func() {
		plan := fix(caseOf(toolWith(tuple), result(`{"pairs":[[0.5,3]]}`)), columns(nil, sdks...))
		Expect(plan.Complete).To(BeTrue())
		Expect(rewrite.Names(plan.Steps)).To(Equal("tuple-open-tail"))
		Expect(plan.Fixed).To(Equal([]string{"ts-sdk-v1"}))
		Expect(plan.After.Get("outputSchema").Compact()).NotTo(ContainSubstring(`"items":false`))
		Expect(plan.Loss).To(HaveLen(1))
		Expect(plan.Loss[0].Dialect).To(Equal("draft-07"))
		Expect(plan.Loss[0].Loosened).To(BeTrue())
		Expect(plan.Verified.Instances).To(BeNumerically(">", 3))
	})

	It("knows a closed tail that is written as not: {}, and keeps its bound", func() {
		c := caseOf(toolWith(`{"type":"object","properties":{"r":{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}],"items":{"not":{}}}}}`), result(`{"r":[1,2]}`))
		plan := fix(c, columns(nil, sdks...))
		Expect(rewrite.Names(plan.Steps)).To(Equal("tuple-open-tail"))
		Expect(plan.After.Get("outputSchema").Compact()).To(ContainSubstring(`"maxItems":2`))
		for _, probe := range plan.Loss {
			Expect(probe.Dialect).To(Equal("draft-07"))
		}
	})

	It("says what readers that assert formats no longer refuse", func() {
		c := caseOf(toolWith(`{"type":"object","properties":{"when":{"type":"string","format":"date-time"}}}`), result(`{"when":"2026-01-01T10:00:00"}`))
		plan := fix(c, columns(nil, sdks...))
		Expect(rewrite.Names(plan.Steps)).To(Equal("time-formats-off"))
		Expect(plan.Loss).NotTo(BeEmpty())
		Expect(plan.Loss[0].Dialect).To(Equal("draft-07-formats"))
	})

	It("does not say that nothing is lost of what no dialect reads", func() {
		c := caseOf(toolWith(`{"type":"object","properties":{"b":{"type":"any"}}}`), result(`{"b":1}`))
		plan := fix(c, columns(nil, sdks...))
		Expect(plan.Complete).To(BeTrue())
		Expect(plan.Unread).To(ConsistOf(rewrite.Output))
	})

	It("finds the fault that the real result does not show", func() {
		c := caseOf(toolWith(`{"type":"object","properties":{"metrics":{"type":"array","prefixItems":[{"type":"number"}],"items":false}}}`), result(`{}`))
		plan := fix(c, columns(nil, sdks...))
		Expect(plan.Broken).To(HaveLen(1))
		Expect(plan.Complete).To(BeTrue())
		Expect(rewrite.Names(plan.Steps)).To(Equal("tuple-open-tail"))
	})

	It("combines rewrites where one is not enough", func() {
		c := caseOf(toolWith(`{"type":"object","properties":{"p":{"type":"array","prefixItems":[{"type":"number"}],"items":false},"s":{"type":"string","pattern":"^a\\-b$"}}}`))
		plan := fix(c, columns(nil, sdks...))
		Expect(plan.Complete).To(BeTrue())
		Expect(plan.Steps).To(HaveLen(2))
		Expect(rewrite.Names(plan.Steps)).To(And(ContainSubstring("pattern-common"), ContainSubstring("tuple-open-tail")))
	})

	It("wraps a result that is no object, and its samples with it", func() {
		plan := fix(caseOf(toolWith(`{"type":"array","items":{"type":"string"}}`), result(`["a"]`)), columns(nil, sdks...))
		Expect(plan.Complete).To(BeTrue())
		Expect(plan.Reshapes).To(BeTrue())
		Expect(rewrite.Names(plan.Steps)).To(Equal("root-wrap-object"))
	})

	It("never forbids what the server may send", func() {
		c := caseOf(toolWith(`{"type":"object","properties":{"at":{"type":"string","format":"date-time"}}}`), result(`{"at":"2026-01-15T09:30:00"}`))
		plan := fix(c, columns(nil, sdks...))
		Expect(plan.Complete).To(BeTrue())
		Expect(rewrite.Names(plan.Steps)).To(Equal("time-formats-off"))
	})

	It("blames a result that breaks its own schema, and promises less", func() {
		plan := fix(caseOf(toolWith(`{"type":"object","properties":{"tags":{"type":"array","items":{"type":"string"}}}}`), result(`{"tags":null}`)), columns(nil, sdks...))
		Expect(plan.Complete).To(BeTrue())
		Expect(rewrite.Names(plan.Steps)).To(Equal("null-allowed"))
		Expect(plan.Reason).To(ContainSubstring("the server's own result breaks its outputSchema"))
	})

	It("blames the results where no schema can help", func() {
		plan := fix(caseOf(toolWith(`{"type":"object"}`), `{"content":[{"type":"text","text":"ok"}]}`), columns(nil, sdks...))
		Expect(plan.Complete).To(BeFalse())
		Expect(plan.Steps).To(BeEmpty())
		Expect(plan.Reason).To(ContainSubstring("--last-resort"))
	})

	It("says which hosts conflict and what helps each", func() {
		host := func(id, dialect string) *fstest.MapFile {
			return &fstest.MapFile{Data: []byte(fmt.Sprintf(`{"format":"conform-host/1","id":%q,"name":%q,"vendor":"v","kind":"host","surface":"cli",
				"releases":{"1":{"date":"2026-01-01"}},
				"claims":{"offer.precheck":[{"value":[{"check":{"op":"metaschema","dialect":%q},"on_failure":"tool","text":"no"}],"evidence":["e"]}]},
				"evidence":{"e":{"basis":"observed","version":"1","date":"2026-01-01","record":"observations/none.json"}}}`, id, id, dialect))}
		}
		hosts := columns(fstest.MapFS{"old-host.json": host("old-host", "draft-04"), "new-host.json": host("new-host", "draft-07")}, "old-host", "new-host")
		c := caseOf(`{"name":"t","description":"d","inputSchema":{"type":"object","properties":{"n":{"type":"number","minimum":0,"exclusiveMinimum":true}}}}`)
		plan := fix(c, hosts)
		Expect(plan.Complete).To(BeFalse())
		Expect(plan.Steps).To(BeEmpty())
		Expect(plan.Conflicts).To(Equal([][]string{{"old-host"}, {"new-host"}}))
		Expect(plan.Alternatives).To(Equal([]rewrite.HostSet{
			{Hosts: []string{"old-host"}, Breaks: []string{"new-host"}, Steps: []rewrite.Step{}},
			{Hosts: []string{"new-host"}, Breaks: []string{"old-host"}, Steps: []rewrite.Step{{Rewrite: "exclusive-bounds", Part: rewrite.Input}}},
		}))
		var text strings.Builder
		Expect(rewrite.WriteText(&text, []rewrite.Plan{plan})).To(Succeed())
		Expect(text.String()).To(ContainSubstring("no rewrite helps one host and breaks no other; "))
		Expect(text.String()).To(ContainSubstring("no rewrite that was tried serves all of these together: old-host | new-host"))
	})

	It("looks at the fullest definition where an older revision shows less", func() {
		c := caseOf(toolWith(tuple), result(`{"pairs":[[0.5,3]]}`))
		older := *c.Sessions[0]
		older.Tools = []*recording.Tool{recording.NewTool(c.Sessions[0].Tools[0].Value.Without("outputSchema"), 0, 0)}
		c.Sessions = append(c.Sessions, &older)
		plan := fix(c, columns(nil, sdks...))
		Expect(rewrite.Names(plan.Steps)).To(Equal("tuple-open-tail"))
		Expect(plan.After.Has("outputSchema")).To(BeTrue())
	})

	// narrow offers schemas without root combinators and cuts descriptions, bare also
	// leaves the description of the schema's root out.
	narrow := &fstest.MapFile{Data: []byte(`{"format":"conform-host/1","id":"narrow","name":"narrow","vendor":"v","kind":"host","surface":"cli",
		"releases":{"1":{"date":"2026-01-01"}},
		"claims":{"offer.description":[{"value":{"max":1100},"evidence":["e"]}],
			"offer.schema":[{"value":[{"op":"strip-keywords","keywords":["anyOf","oneOf"],"scope":"root"}],"evidence":["e"]}]},
		"evidence":{"e":{"basis":"observed","version":"1","date":"2026-01-01","record":"observations/none.json"}}}`)}

	It("brings what a model does not get of a definition to it", func() {
		c := caseOf(`{"name":"t","description":"d","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}}`)
		plan := fix(c, columns(fstest.MapFS{"narrow.json": narrow}, "narrow"))
		Expect(plan.Broken).To(BeEmpty())
		Expect(plan.Degraded).To(HaveLen(1))
		Expect(plan.Degraded[0].Rule).To(Equal("offered-union-lost"))
		Expect(rewrite.Names(plan.Steps)).To(Equal("root-combinators-flatten"))
		Expect(plan.Mended).To(Equal([]string{"narrow"}))
		Expect(plan.Loss).NotTo(BeEmpty(), "{} is newly allowed")
	})

	It("does not mend a cut description by cutting it", func() {
		text := strings.Repeat("A sentence of the description. ", 60) + "The end."
		c := caseOf(`{"name":"t","description":` + fmt.Sprintf("%q", text) + `,"inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`)
		plan := fix(c, columns(fstest.MapFS{"narrow.json": narrow}, "narrow"))
		Expect(rewrite.Names(plan.Steps)).To(Equal("description-overflow"))
		kept := plan.After.Get("description").Text + " " + plan.After.Get("inputSchema").Get("description").Text
		Expect(kept).To(Equal(text))
	})

	It("gives the same plan twice", func() {
		c := caseOf(toolWith(tuple), result(`{"pairs":[[0.5,3]]}`))
		var first, again strings.Builder
		Expect(rewrite.WriteJSON(&first, []rewrite.Plan{fix(c, columns(nil, sdks...))})).To(Succeed())
		Expect(rewrite.WriteJSON(&again, []rewrite.Plan{fix(c, columns(nil, sdks...))})).To(Succeed())
		Expect(again.String()).To(Equal(first.String()))
	})

	DescribeTable("ends soon on hostile tools", func(output string) {
		fix(caseOf(toolWith(output)), columns(nil, "ts-sdk-v1", "python-sdk"))
	},
		Entry("a reference to itself", `{"$ref":"#"}`),
		Entry("two definitions that hold each other", `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"allOf":[{"$ref":"#/$defs/B"},{"$ref":"#/$defs/B"}]},"B":{"anyOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/A"}]}}}`),
		Entry("a pattern that runs away", `{"type":"object","properties":{"a":{"type":"string","pattern":"^(a+)+$"}}}`),
		Entry("deep nesting", strings.Repeat(`{"type":"object","properties":{"a":`, 150)+`{"type":"any"}`+strings.Repeat(`}}`, 150)),
		Entry("definitions that double", doubling(18)),
		Entry("a union whose branch holds it again", holdsItself),
		Entry("unions in branches that double", doublingUnions(40)),
		Entry("everything of the wrong type", `{"type":7,"properties":[],"required":{},"items":null,"enum":{},"pattern":7,"$ref":1,"allOf":{},"anyOf":"x"}`),
	)
})

// doubling is a schema that grows to 2^n schemas when its references are inlined.
func doubling(n int) string {
	var defs []string
	for i := range n {
		defs = append(defs, fmt.Sprintf(`"D%d":{"type":"object","properties":{"l":{"$ref":"#/$defs/D%d"},"r":{"$ref":"#/$defs/D%d"}}}`, i, i+1, i+1))
	}
	return `{"type":"object","properties":{"a":{"$ref":"#/$defs/D0"},"t":{"prefixItems":[{}],"items":false}},"$defs":{` + strings.Join(defs, ",") + `,"D` + fmt.Sprint(n) + `":{"type":"string"}}}`
}

var _ = Describe("Annotate", func() {
	It("puts the verified rewrites into the findings that they mend", func() {
		c := caseOf(toolWith(`{"type":"object","properties":{"p":{"type":"array","prefixItems":[{"type":"number"}],"items":false}}}`), result(`{"p":[1]}`))
		set, err := shape.Load(capabilities.Shapes())
		Expect(err).NotTo(HaveOccurred())
		evaluated := matrix.Evaluate(matrix.Input{Capture: c, Hosts: columns(nil, sdks...), Shapes: set})
		rewrite.Annotate(c, evaluated, rewrite.Options{Shapes: set})
		for _, column := range evaluated {
			for _, cell := range column.Cells {
				for _, f := range cell.Findings {
					if f.Severity == verdict.Error {
						Expect(f.Fix).To(Equal("tuple-open-tail"))
						Expect(f.FixText).To(HavePrefix("tuple-open-tail: close a tuple by maxItems in place of items: false in the outputSchema; verified in all 4 hosts; loses: "))
					} else {
						Expect(f.Fix).To(BeEmpty())
					}
				}
			}
		}
		Expect(evaluated[0].Cells[0].Verdict).To(Equal(verdict.Breaks))
	})
})

var _ = Describe("the writers", func() {
	plans := func() []rewrite.Plan {
		zod := `{"type":"object","additionalProperties":false,"required":["pair","n"],"properties":{"n":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991},
			"pair":{"type":"array","prefixItems":[{"type":"number"},{"type":"string"}],"items":false}}}`
		broken := caseOf(toolWith(`{"type":"object","required":["tags"],"properties":{"tags":{"type":"array","items":{"type":"string"}}}}`), `{"content":[{"type":"text","text":"ok"}]}`)
		return []rewrite.Plan{fix(caseOf(toolWith(zod), result(`{"pair":[1,"a"],"n":1}`)), columns(nil, sdks...)), fix(broken, columns(nil, sdks...))}
	}
	DescribeTable("give what the golden files hold", func(name string, write func(*strings.Builder, []rewrite.Plan) error) {
		var b strings.Builder
		Expect(write(&b, plans())).To(Succeed())
		if name == "fix.json" {
			Expect(json.Valid([]byte(b.String()))).To(BeTrue())
		}
		golden(name, b.String())
	},
		Entry("text", "fix.txt", func(b *strings.Builder, p []rewrite.Plan) error { return rewrite.WriteText(b, p) }),
		Entry("markdown", "fix.md", func(b *strings.Builder, p []rewrite.Plan) error { return rewrite.WriteMarkdown(b, p) }),
		Entry("patch", "fix.diff", func(b *strings.Builder, p []rewrite.Plan) error { return rewrite.WritePatch(b, p) }),
		Entry("json", "fix.json", func(b *strings.Builder, p []rewrite.Plan) error { return rewrite.WriteJSON(b, p) }),
	)

	It("explains a rewrite, and nothing else", func() {
		Expect(rewrite.Explain("tuple-open-tail")).To(And(ContainSubstring("Before:"), ContainSubstring("Loses: hosts that read draft-07")))
		Expect(rewrite.Explain("result-schema-mismatch")).To(BeEmpty())
		_, err := rewrite.Find("tuple-open-tial")
		Expect(err).To(MatchError(ContainSubstring(`did you mean "tuple-open-tail"?`)))
	})
})

var update = flag.Bool("update", false, "rewrite testdata/golden with what the writers write")

// golden compares with testdata/golden/NAME; -update writes it.
func golden(name, got string) {
	GinkgoHelper()
	file := filepath.Join("testdata", "golden", name)
	if *update {
		Expect(os.MkdirAll(filepath.Dir(file), 0o755)).To(Succeed())
		Expect(os.WriteFile(file, []byte(got), 0o644)).To(Succeed())
		return
	}
	want, err := os.ReadFile(file)
	Expect(err).NotTo(HaveOccurred())
	Expect(got).To(Equal(string(want)))
}
