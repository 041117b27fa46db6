package rewrite_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/rewrite"
)

// products are all rows of kind host.
func products() []*capabilities.Resolved {
	GinkgoHelper()
	table, err := capabilities.Builtin()
	Expect(err).NotTo(HaveOccurred())
	var out []*capabilities.Resolved
	for _, h := range table.Hosts() {
		if r, err := table.Resolve(h.ID); err == nil && h.Kind == "host" {
			out = append(out, r)
		}
	}
	return out
}

var _ = DescribeTable("several faults at once have a fix in every product", func(input string, needed ...string) {
	set, err := shape.Load(capabilities.Shapes())
	Expect(err).NotTo(HaveOccurred())
	c := caseOf(`{"name":"t","description":"Reads a thing.","inputSchema":` + input + `}`)
	plan := rewrite.Fix(c, "t", rewrite.Options{Hosts: products(), Shapes: set, MendRuns: -1})
	Expect(plan.Broken).NotTo(BeEmpty())
	Expect(plan.Remaining).To(BeEmpty())
	Expect(plan.Complete).To(BeTrue())
	var names []string
	for _, s := range plan.Steps {
		names = append(names, s.Rewrite)
	}
	Expect(names).To(ContainElements(needed))
},
	Entry("booleans that some parsers refuse, and {} that some APIs refuse", `{"type":"object","properties":{"x":true,"z":false}}`,
		"boolean-subschemas", "any-value-named", "forbidden-members-off"),
	Entry("a tuple whose rest refers to its first position", `{"type":"object","properties":{"q":{"type":"array","items":[{"type":"object","properties":{"op":{"type":"string"}}}],
		"additionalItems":{"$ref":"#/properties/q/items/0"}}}}`, "tuple-union-items"),
	Entry("brackets in a name, a list of anything and a tuple", `{"type":"object","properties":{"flags[on]":{"type":"array"},"p":{"type":"array","items":[{"type":"number"},{"type":"number"}]}},
		"required":["flags[on]"]}`, "property-keys", "array-items", "tuple-union-items"),
	Entry("a tree", `{"type":"object","properties":{"tree":{"$ref":"#/$defs/Node"}},"$defs":{"Node":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/Node"}}}}}}`,
		"recursion-cut"),
)
