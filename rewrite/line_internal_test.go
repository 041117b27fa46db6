package rewrite

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = DescribeTable("the line of a report says what to do, where it was verified, and what it costs",
	func(steps []Step, works, hosts int, want string) {
		Expect(line(steps, works, hosts)).To(Equal(want))
	},
	Entry("one rewrite", []Step{{"tuple-open-tail", Output}}, 45, 45,
		"tuple-open-tail: close a tuple by maxItems in place of items: false in the outputSchema; verified in all 45 hosts; loses: hosts that read draft-07 no longer check the positions; for 2020-12 nothing"),
	Entry("two, of which one loses nothing", []Step{{"array-items", Input}, {"pattern-off", Output}}, 3, 4,
		"array-items + pattern-off: say what an array holds in the inputSchema, then leave out patterns in the outputSchema; verified in 3 of 4 hosts; loses: the pattern; say it in the description"),
	Entry("no loss", []Step{{"array-items", Input}}, 1, 1, "array-items: say what an array holds in the inputSchema; verified in the host; loses nothing"),
	Entry("a change of the data", []Step{{"root-wrap-object", Output}}, 2, 2,
		`root-wrap-object: wrap the result in an object in the outputSchema; verified in both hosts; the server's code has to change its data with it; loses: the shape: structuredContent becomes {"result": …}, in the server's code too`),
	Entry("nothing", nil, 0, 0, ""),
)
