package propose_test

import (
	"encoding/json"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/lab/derive"
	"github.com/hostmatrix/conform/lab/propose"
)

// differs compares one value of the table with one derived member.
func differs(key, value, member, seen string, only bool) bool {
	GinkgoHelper()
	text := `{"format":"conform-host/1","id":"h","name":"H","kind":"host","claims":{"` + key + `":[{"since":"≤1","value":` + value +
		`,"evidence":["e"]}]},"evidence":{"e":{"basis":"inferred","text":"t"}}}`
	table, err := capabilities.Load(fstest.MapFS{"h.json": {Data: []byte(text)}})
	Expect(err).NotTo(HaveOccurred())
	c := derive.Claim{Key: key, Members: map[string]json.RawMessage{member: json.RawMessage(seen)}, Only: only}
	changes, err := propose.Differences(table, "h", propose.Seen{Version: "1", Claims: []derive.Claim{c}})
	Expect(err).NotTo(HaveOccurred())
	return len(changes) > 0
}

var _ = Describe("What was seen agrees with the table", func() {
	DescribeTable("when a number lies between two others", func(value, seen string, same bool) {
		Expect(differs("view.limit", value, "max", seen, false)).To(Equal(!same))
	},
		Entry("inside", `{"max":40000}`, `{"from":30000,"below":50000}`, true),
		Entry("at the start", `{"max":30000}`, `{"from":30000,"below":50000}`, true),
		Entry("at the end", `{"max":50000}`, `{"from":30000,"below":50000}`, false),
		Entry("below", `{"max":20000}`, `{"from":30000}`, false),
		Entry("with no limit seen", `{"max":400000}`, `{"from":200000}`, true),
	)

	DescribeTable("when a list has what was accepted and nothing of what was not", func(value string, same bool) {
		Expect(differs("connect.versions", `{"accepts":`+value+`}`, "accepts", `{"with":["2025-06-18"],"without":["2099-01-01"]}`, false)).To(Equal(!same))
	},
		Entry("more", `["2025-11-25","2025-06-18"]`, true),
		Entry("less", `["2025-11-25"]`, false),
		Entry("what was refused", `["2025-06-18","2099-01-01"]`, false),
	)

	DescribeTable("when a block is lost in both, or in neither", func(value, seen string, same bool) {
		Expect(differs("view.blocks", value, "audio", seen, false)).To(Equal(!same))
	},
		Entry("lost", `{"audio":"lost"}`, `"lost"`, true),
		Entry("shown after all", `{"audio":"lost"}`, `"text"`, false),
		Entry("lost after all", `{"audio":"text"}`, `"lost"`, false),
		Entry("lost where the claim says nothing", `{"image":"image"}`, `"lost"`, false),
		Entry("a word about it", `{"audio":"lost"}`, `"placeholder"`, true),
	)

	It("when both say that nothing is shown", func() {
		Expect(differs("view.surface", `{"prefers":"content"}`, "structured_only", `"empty"`, false)).To(BeFalse())
	})

	It("or says nothing of a claim that the table does not make", func() {
		c := derive.Claim{Key: "offer.limits", Members: map[string]json.RawMessage{"tools": json.RawMessage(`{"from":600}`)}, Only: true}
		Expect(edit("2.0.0", c).Claims).NotTo(HaveKey("offer.limits"))
	})
})

var _ = Describe("A proposal of what is only bounded", func() {
	It("is made where one number is left", func() {
		Expect(edit("2.0.0", claim("view.limit", "max", `{"from":128,"below":129}`)).Claims["view.limit"][0].Value).To(MatchJSON(`{"max":128}`))
	})

	It("is not made where there are many", func() {
		Expect(edit("2.0.0", claim("view.limit", "max", `{"from":128,"below":500}`)).Claims).NotTo(HaveKey("view.limit"))
	})

	It("lists what was accepted, newest first", func() {
		Expect(edit("2.0.0", claim("connect.versions", "accepts", `{"with":["2025-03-26","2025-06-18"],"without":["2099-01-01"]}`)).Claims["connect.versions"][0].Value).
			To(MatchJSON(`{"accepts":["2025-06-18","2025-03-26"]}`))
	})
})
