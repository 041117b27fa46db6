package rewrite

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

var _ = DescribeTable("weighs a tool before it tries rewrites on them",
	func(result string, want bool) {
		c := &recording.Capture{Sessions: []*recording.Session{{Calls: []*recording.Call{
			{Tool: "t", Result: schema.MustParse(result)}, {Tool: "other", Result: schema.Str(strings.Repeat("x", 4<<20))}}}}}
		Expect(heavy(c, "t")).To(Equal(want))
	},
	Entry("a result as servers send it", `{"structuredContent":{"a":[1,2,3]}}`, false),
	Entry("a long text", `{"structuredContent":{"a":"`+strings.Repeat("x", 100<<10)+`"}}`, false),
	Entry("a text of megabytes", `{"structuredContent":{"a":"`+strings.Repeat("x", 2<<20)+`"}}`, true),
	Entry("a deep one", strings.Repeat(`{"a":`, 90)+"1"+strings.Repeat("}", 90), false),
	Entry("one nested beyond what anybody means", strings.Repeat(`{"a":`, 110)+"1"+strings.Repeat("}", 110), true),
	Entry("tens of thousands of values", `{"structuredContent":{"a":[`+strings.Repeat("1,", 30_000)+`1]}}`, true),
)
