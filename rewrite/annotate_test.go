package rewrite_test

import (
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/rewrite"
)

// fixesOf runs a server with the tools in the columns of hosts and returns the lines
// of advice of each tool, by its name.
func fixesOf(hosts []*capabilities.Resolved, tools ...string) map[string][]string {
	GinkgoHelper()
	c, err := recording.ReadCase("x.json", fmt.Appendf(nil,
		`{"format":"conform-case/1","id":"x","family":"x","title":"x","protocol_version":"2025-11-25","server":{"name":"s","version":"1"},"tools":[%s]}`, strings.Join(tools, ",")))
	Expect(err).NotTo(HaveOccurred())
	set, err := shape.Load(capabilities.Shapes())
	Expect(err).NotTo(HaveOccurred())
	evaluated := matrix.Evaluate(matrix.Input{Capture: c.Capture(), Hosts: hosts, Shapes: set})
	rewrite.Annotate(c.Capture(), evaluated, rewrite.Options{Shapes: set})
	out := map[string][]string{}
	for _, column := range evaluated {
		for _, cell := range column.Cells {
			for _, f := range cell.Findings {
				out[cell.Tool] = append(out[cell.Tool], column.Host.ID+" "+f.Rule+": "+f.FixText)
			}
		}
	}
	return out
}

// Shards of a run call different tools and are merged; what helps one tool may
// therefore not depend on the tools before it.
var _ = It("the advice about a tool is the same whatever other tools the server has", func() {
	hosts := columns(nil, "ts-sdk-v2", "ts-sdk-v2-cfworker", "python-sdk", "java-sdk")
	var tools []string
	for i, document := range everything() {
		// Another root is refused by some with the whole list, whose first such tool then
		// stands for all.
		if root, _ := document.Get("type").IsString(); root == "object" {
			tools = append(tools, fmt.Sprintf(`{"name":"t%d","description":"Reads a thing.","inputSchema":{"type":"object"},"outputSchema":%s}`, i, document.Compact()))
		}
	}
	together := fixesOf(hosts, tools...)
	slices.Reverse(tools)
	for name, fixes := range fixesOf(hosts, tools...) {
		Expect(fixes).To(Equal(together[name]), name)
	}
	for _, tool := range tools[:12] {
		for name, fixes := range fixesOf(hosts, tool) {
			Expect(fixes).To(Equal(together[name]), name)
		}
	}
})
