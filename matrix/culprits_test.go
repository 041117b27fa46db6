package matrix_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/recording"
)

// Whoever mends the first of three bad entries should not learn of the second one by
// running again.
var _ = DescribeTable("a list that is refused for entries names each of them",
	func(tools, culprit, message string) {
		c, err := recording.ReadCase("x.json", []byte(`{"format":"conform-case/1","id":"x","family":"x","title":"x","protocol_version":"2025-11-25","server":{"name":"s","version":"1"},"tools":[`+tools+`]}`))
		Expect(err).NotTo(HaveOccurred())
		table, err := capabilities.Builtin()
		Expect(err).NotTo(HaveOccurred())
		host, err := table.Resolve("ts-sdk-v1")
		Expect(err).NotTo(HaveOccurred())
		set, err := shape.Load(capabilities.Shapes())
		Expect(err).NotTo(HaveOccurred())
		column := matrix.Evaluate(matrix.Input{Capture: c.Capture(), Hosts: []*capabilities.Resolved{host}, Shapes: set})[0]
		f := column.Cells[0].Findings[0]
		Expect(f.Rule).To(Equal("list-rejected"))
		Expect(f.Culprit).To(Equal(culprit))
		Expect(f.Message).To(HaveSuffix(message))
	},
	Entry("one", `{"name":"berths","inputSchema":{"type":"array"}},{"name":"cranes","inputSchema":{"type":"object"}}`,
		"berths", "for one entry: Invalid input: expected \"object\""),
	Entry("two", `{"name":"berths","inputSchema":{"type":"array"}},{"name":"cranes","inputSchema":{"type":"object"}},{"name":"tides","inputSchema":{"type":"array"}}`,
		"berths", `; it would refuse it for "tides" too`),
	Entry("one without a name", `{"name":"berths","inputSchema":{"type":"array"}},{"inputSchema":{"type":"object"}}`,
		"berths", `; it would refuse it for "entry 2" too`),
)
