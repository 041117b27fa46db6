package rewrite_test

import (
	"fmt"
	"strings"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/rewrite"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

const (
	start = `{"type":"object","properties":{"kind":{"const":"start"},"at":{"type":"integer"}},"required":["kind","at"]}`
	stop  = `{"type":"object","properties":{"kind":{"type":"string","enum":["stop"]}},"required":["kind"],"additionalProperties":false}`
)

var _ = DescribeTable("union-split gives each branch a member of its own, and the data with it",
	func(before, data, want string) {
		r, err := rewrite.Find("union-split")
		Expect(err).NotTo(HaveOccurred())
		old, instance := schema.MustParse(before), schema.MustParse(data)
		after, changed := r.Apply(old)
		Expect(changed).To(BeTrue())
		reshaped := r.Reshape(old, instance)
		Expect(reshaped.Compact()).To(Equal(want))
		v, err := validators.Compile("2020-12", after)
		Expect(err).NotTo(HaveOccurred())
		Expect(v.Validate(reshaped).Outcome).To(Equal(validators.Valid), v.Validate(reshaped).Text)
		Expect(v.Validate(instance).Outcome).To(Equal(validators.Invalid), "the old shape")
	},
	Entry("at the root", `{"oneOf":[`+start+`,`+stop+`]}`, `{"kind":"start","at":4}`, `{"start":{"at":4}}`),
	Entry("a branch that is closed", `{"type":"object","anyOf":[`+start+`,`+stop+`]}`, `{"kind":"stop"}`, `{"stop":{}}`),
	Entry("under a property, in a list, beside another member", `{"type":"object","properties":{"n":{},"log":{"type":"array","items":{"oneOf":[`+start+`,`+stop+`]}}}}`,
		`{"n":1,"log":[{"kind":"stop"},{"kind":"start","at":1}]}`, `{"n":1,"log":[{"stop":{}},{"start":{"at":1}}]}`),
	Entry("behind references, as pydantic writes it",
		`{"type":"object","properties":{"e":{"discriminator":{"propertyName":"kind","mapping":{"start":"#/$defs/A","stop":"#/$defs/B"}},"oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}]}},
		"$defs":{"A":`+start+`,"B":`+stop+`}}`, `{"e":{"kind":"start","at":2}}`, `{"e":{"start":{"at":2}}}`),
	Entry("that may be null", `{"type":"object","properties":{"e":{"anyOf":[{"type":"null"},{"oneOf":[`+start+`,`+stop+`]}]}}}`, `{"e":{"kind":"stop"}}`, `{"e":{"stop":{}}}`),
	Entry("within another one", `{"oneOf":[{"type":"object","properties":{"op":{"const":"do"},"what":{"oneOf":[`+start+`,`+stop+`]}},"required":["op"]},
		{"type":"object","properties":{"op":{"const":"wait"}},"required":["op"]}]}`, `{"op":"do","what":{"kind":"start","at":1}}`, `{"do":{"what":{"start":{"at":1}}}}`),
	Entry("of a tree", `{"type":"object","properties":{"root":{"$ref":"#/$defs/N"}},"$defs":{"N":{"oneOf":[
		{"type":"object","properties":{"t":{"const":"leaf"}},"required":["t"]},
		{"type":"object","properties":{"t":{"const":"both"},"l":{"$ref":"#/$defs/N"},"r":{"$ref":"#/$defs/N"}},"required":["t","l"]}]}}}`,
		`{"root":{"t":"both","l":{"t":"leaf"},"r":{"t":"both","l":{"t":"leaf"}}}}`, `{"root":{"both":{"l":{"leaf":{}},"r":{"both":{"l":{"leaf":{}}}}}}}`),
)

var _ = DescribeTable("union-split leaves alone", func(document string) {
	r, err := rewrite.Find("union-split")
	Expect(err).NotTo(HaveOccurred())
	_, changed := r.Apply(schema.MustParse(document))
	Expect(changed).To(BeFalse())
},
	Entry("branches without a discriminator", `{"oneOf":[{"type":"object","properties":{"a":{}},"required":["a"]},{"type":"object","properties":{"b":{}},"required":["b"]}]}`),
	Entry("a discriminator that may be absent", `{"oneOf":[{"type":"object","properties":{"k":{"const":"a"}}},{"type":"object","properties":{"k":{"const":"b"}}}]}`),
	Entry("two branches of one name", `{"anyOf":[`+start+`,`+start+`]}`),
	Entry("branches that allow more than objects", `{"anyOf":[{"properties":{"k":{"const":"a"}},"required":["k"]},{"properties":{"k":{"const":"b"}},"required":["k"]}]}`),
	Entry("a keyword beside the union that looks at all members", `{"unevaluatedProperties":false,"oneOf":[`+start+`,`+stop+`]}`),
	Entry("a union whose branch holds it again", holdsItself),
	Entry("unions in branches that double", doublingUnions(40)),
	Entry("a union whose data have no shape of their own", `{"type":"object","properties":{"a":{"not":{"oneOf":[`+start+`,`+stop+`]}}}}`),
)

// holdsItself is a tree whose nodes are told apart by k; a branch is a reference to what
// the union stands in.
const holdsItself = `{"type":"object","properties":{"r":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"object","required":["k"],"properties":{"k":{"const":"a"},
	"x":{"oneOf":[{"$ref":"#/$defs/A"},{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]}]}}}}}`

// doublingUnions grows to 2^n unions when its branches are written out.
func doublingUnions(n int) string {
	var defs []string
	for i := range n {
		for _, side := range []string{"l", "r"} {
			defs = append(defs, fmt.Sprintf(`"%s%d":{"type":"object","required":["k"],"properties":{"k":{"const":%q},"x":{"oneOf":[{"$ref":"#/$defs/l%d"},{"$ref":"#/$defs/r%d"}]}}}`, side, i, side, i+1, i+1))
		}
	}
	return `{"type":"object","properties":{"x":{"oneOf":[{"$ref":"#/$defs/l0"},{"$ref":"#/$defs/r0"}]}},"$defs":{` + strings.Join(defs, ",") + `}}`
}

var _ = It("union-split ends on data that many references read alike", func() {
	r, err := rewrite.Find("union-split")
	Expect(err).NotTo(HaveOccurred())
	same := `"allOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#/$defs/B"},{"$ref":"#/$defs/B"}]`
	old := schema.MustParse(`{` + same + `,"properties":{"e":{"oneOf":[` + start + `,` + stop + `]}},"$defs":{"B":{` + same + `}}}`)
	_, changed := r.Apply(old)
	Expect(changed).To(BeTrue())
	Expect(r.Reshape(old, schema.MustParse(`{"e":{"kind":"start","at":1}}`)).Compact()).To(Equal(`{"e":{"start":{"at":1}}}`))
})

var _ = It("a union that a host refuses is split where its branches cannot be merged", func() {
	// Both branches have a member at, of another kind.
	tool := `{"name":"t","description":"Does a thing.","inputSchema":{"type":"object","properties":{"do":{"oneOf":[` + start + `,
		{"type":"object","properties":{"kind":{"const":"stop"},"at":{"type":"array","items":{"type":"string"}}},"required":["kind"]}]}},"required":["do"]}}`
	host := columns(fstest.MapFS{"no-unions.json": {Data: []byte(`{"format":"conform-host/1","id":"no-unions","name":"no-unions","vendor":"v","kind":"host","surface":"cli",
		"releases":{"1":{"date":"2026-01-01"}},
		"claims":{"offer.precheck":[{"value":[{"check":{"op":"refuse-keywords","keywords":["oneOf","anyOf"]},"on_failure":"tool","text":"no"}],"evidence":["e"]}]},
		"evidence":{"e":{"basis":"observed","version":"1","date":"2026-01-01","record":"observations/none.json"}}}`)}}, "no-unions")
	plan := fix(caseOf(tool), host)
	Expect(plan.Complete).To(BeTrue())
	Expect(rewrite.Names(plan.Steps)).To(Equal("union-split"))
	Expect(plan.Reshapes).To(BeTrue())
})
