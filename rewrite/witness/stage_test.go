package witness_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/validators"
)

// evaluated is the cell of the only tool in one host.
func evaluated(host, tool, results string) verdict.Cell {
	GinkgoHelper()
	c, err := recording.ReadCase("x.json", []byte(`{"format":"conform-case/1","id":"x","family":"x","title":"x","protocol_version":"2025-11-25",
		"server":{"name":"s","version":"1"},"tools":[`+tool+`],"results":[`+results+`]}`))
	Expect(err).NotTo(HaveOccurred())
	table, err := capabilities.Builtin()
	Expect(err).NotTo(HaveOccurred())
	column, err := table.Resolve(host)
	Expect(err).NotTo(HaveOccurred())
	set, err := shape.Load(capabilities.Shapes())
	Expect(err).NotTo(HaveOccurred())
	cache := validators.NewCache()
	columns := matrix.Evaluate(matrix.Input{Capture: c.Capture(), Hosts: []*capabilities.Resolved{column}, Shapes: set,
		Validators: cache, Witness: witness.New(cache, witness.Options{}).Stage})
	return columns[0].Cells[len(columns[0].Cells)-1]
}

// of returns the findings of a rule.
func of(c verdict.Cell, rule string) []verdict.Finding {
	var out []verdict.Finding
	for _, f := range c.Findings {
		if f.Rule == rule {
			out = append(out, f)
		}
	}
	return out
}

const closedTuple = `{"type":"object","properties":{"p":{"type":"array","prefixItems":[{"type":"number"}],"items":false,"minItems":1}}}`

var _ = Describe("a cell", func() {
	output := func(s string) string {
		return `{"name":"t","description":"d","inputSchema":{"type":"object"},"outputSchema":` + s + `}`
	}
	real := func(structured string) string {
		return `{"tool":"t","arguments":{},"result":{"content":[{"type":"text","text":"ok"}],"structuredContent":` + structured + `}}`
	}

	It("breaks by a witness that no real result shows", func() {
		c := evaluated("ts-sdk-v1", output(closedTuple), real(`{}`))
		Expect(c.Verdict).To(Equal(verdict.Breaks))
		Expect(c.Search).To(Equal("found"))
		f := of(c, "result-schema-mismatch")
		Expect(f).To(HaveLen(1))
		Expect(f[0].Sample).To(Equal("synthesized"))
		Expect(f[0].Witness).To(Equal(`{"p":[0]}`))
	})

	It("prefers the real result that shows the same", func() {
		c := evaluated("ts-sdk-v1", output(closedTuple), real(`{"p":[5]}`))
		f := of(c, "result-schema-mismatch")
		Expect(f).To(HaveLen(1))
		Expect(f[0].Sample).To(Equal("real"))
		Expect(f[0].Witness).To(BeEmpty())
	})

	It("says that a difference is proven impossible", func() {
		c := evaluated("ts-sdk-v1", output(`{"type":"object","properties":{"a":{"type":"string"}}}`), real(`{}`))
		Expect(c.Verdict).To(Equal(verdict.Works))
		Expect(c.Search).To(Equal("proven"))
		Expect(of(c, "result-search")).To(BeEmpty())
	})

	It("says how much was tried where there is neither proof nor witness", func() {
		c := evaluated("ts-sdk-v2", output(`{"type":"object","patternProperties":{"^x":{"type":"string"}}}`), real(`{}`))
		Expect(c.Verdict).To(Equal(verdict.Works))
		Expect(c.Search).To(Equal("tried"))
		Expect(of(c, "result-search")[0].Message).To(MatchRegexp(`\d+ made from the schema were tried`))
		Expect(of(c, "result-search")[0].Severity).To(Equal(verdict.Info))
	})

	It("takes a text that only asserted formats forbid for information", func() {
		c := evaluated("ts-sdk-v1", output(`{"type":"object","properties":{"at":{"type":"string","format":"date-time"}}}`), real(`{"at":"2026-01-15T09:30:00Z"}`))
		Expect(c.Verdict).To(Equal(verdict.Works))
		f := of(c, "result-schema-mismatch")
		Expect(f).To(HaveLen(1))
		Expect(f[0].Severity).To(Equal(verdict.Info))
		Expect(f[0].Witness).To(Equal(`{"at":"2026-01-15T09:30:00"}`))
	})

	It("breaks when a host refuses all arguments that the schema allows", func() {
		input := `{"type":"object","required":["p"],"properties":{"p":{"type":"array","prefixItems":[{"type":"number"}],"items":false,"minItems":1}}}`
		c := evaluated("gemini-cli", `{"name":"t","description":"d","inputSchema":`+input+`}`, ``)
		f := of(c, "arguments-refused")
		Expect(f).NotTo(BeEmpty())
		Expect(f[0].Sample).To(Equal("synthesized"))
		Expect(f[0].Severity).To(Equal(verdict.Error))
		Expect(f[0].Message).To(ContainSubstring("can hardly be called"))
	})

	It("warns when a host refuses some of them", func() {
		c := evaluated("gemini-cli", `{"name":"t","description":"d","inputSchema":`+closedTuple+`}`, ``)
		f := of(c, "arguments-refused")
		Expect(f).NotTo(BeEmpty())
		Expect(f[0].Severity).To(Equal(verdict.Warning))
	})
})

var _ = Describe("the number that a cell gives", func() {
	of3 := func(output string) verdict.Cell {
		return evaluated("ts-sdk-v1", `{"name":"t","description":"d","inputSchema":{"type":"object"},"outputSchema":`+output+`}`,
			`{"tool":"t","arguments":{},"result":{"content":[],"structuredContent":{}}}`)
	}

	It("is how many were tried, where there is neither proof nor witness", func() {
		c := of3(`{"type":"object","patternProperties":{"^\\d":{"type":"string"}}}`)
		Expect(c.Search).To(Equal("tried"))
		Expect(c.Tried).To(BeNumerically(">", 3))
		Expect(of(c, "result-search")[0].Message).To(ContainSubstring(fmt.Sprintf(": %d made from the schema were tried", c.Tried)))
	})

	It("is 0 for a proof, which needs none", func() {
		c := of3(`{"type":"object","properties":{"a":{"type":"string"}}}`)
		Expect(c.Search).To(Equal("proven"))
		Expect(c.Tried).To(BeZero())
	})

	It("is 0 where nothing can be made, and the reason is told", func() {
		c := evaluated("ts-sdk-v1", `{"name":"t","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"object","required":["a"],
			"properties":{"a":{"type":"string","format":"date","minLength":3,"maxLength":2}}}}`, ``)
		Expect(c.Search).To(Equal("tried"))
		Expect(c.Tried).To(BeZero())
		Expect(of(c, "result-search")[0].Message).To(MatchRegexp(`no result could be tried beside the real ones: of \d+ made from the schema its own dialect accepts none`))
	})

	It("is told of arguments too", func() {
		c := evaluated("gemini-cli", `{"name":"t","description":"d","inputSchema":{"type":"object","patternProperties":{"^\\d":{"type":"string"}}}}`, ``)
		Expect(c.ArgumentSearch).To(Equal("tried"))
		Expect(c.ArgumentsTried).To(BeNumerically(">", 3))
	})

	It("comes with what the host takes and the schema forbids, as information", func() {
		c := of3(`{"type":"object","properties":{"a":{"type":"string"}},"unevaluatedProperties":false}`)
		Expect(c.Verdict).To(Equal(verdict.Works))
		f := of(c, "result-unenforced")
		Expect(f).To(HaveLen(1))
		Expect(f[0].Severity).To(Equal(verdict.Info))
		Expect(f[0].SchemaPointer).To(Equal("/outputSchema/unevaluatedProperties"))
		Expect(f[0].Witness).NotTo(BeEmpty())
	})
})
