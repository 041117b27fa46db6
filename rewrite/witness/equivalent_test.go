package witness_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/ground"
)

// The rule behind Proven: on schemas of common keywords, drawn at random, no
// profile differs from the dialect on any instance that the search can make.
var _ = Describe("Equivalent", func() {
	It("holds for every profile, in both directions", func() {
		proofs, tuples := map[string]int{}, map[string]int{}
		for n := range 150 {
			d := newDice(n)
			document := schema.MustParse(d.document())
			search := witness.New(nil, witness.Options{Budget: 60, Seed: uint64(n)})
			dialect, own := witness.Dialect(validators.NewCache(), document)
			Expect(own).NotTo(BeNil(), document.Compact())
			instances := append(search.Generated(document), d.instances(30)...)
			for _, p := range validators.Profiles() {
				host, err := p.Compile(document)
				if err != nil {
					continue
				}
				if _, ok := witness.Equivalent(document, dialect, p.ID); !ok {
					continue
				}
				proofs[p.ID]++
				if strings.Contains(document.Compact(), `tems":[`) {
					tuples[d.tuple+" "+p.ID]++
				}
				for _, v := range instances {
					if !ground.Assumed(v) {
						continue
					}
					want, got := own.Validate(v), host.Validate(v)
					if got.Outcome != validators.Unknown {
						Expect(got.Outcome).To(Equal(want.Outcome), "%s on %s by %s: %s", p.ID, v.Compact(), document.Compact(), got.Text)
					}
				}
			}
		}
		for _, p := range []string{"ajv6", "ajv8-draft07-lax", "ajv8-dispatch", "cfworker-2020", "python-jsonschema", "networknt-2020", "draft-07"} {
			Expect(proofs[p]).To(BeNumerically(">", 15), "too few proofs for %s: %v", p, proofs)
		}
		for _, p := range []string{"untagged ajv6", "untagged ajv8-draft07-lax", "tagged ajv8-dispatch", "tagged ajv8-draft07-lax", "tagged cfworker-dispatch",
			"tagged python-jsonschema", "prefix ajv8-dispatch", "prefix cfworker-2020", "prefix python-jsonschema", "prefix networknt-2020"} {
			Expect(tuples[p]).To(BeNumerically(">", 0), "no proof of a tuple: %s of %v", p, tuples)
		}
	})

	DescribeTable("does not hold where a host reads on its own",
		func(s, profile string) {
			_, ok := witness.Equivalent(property(s), "2020-12", profile)
			Expect(ok).To(BeFalse())
		},
		Entry("formats", `{"format":"date"}`, "ajv8-draft07-lax"),
		Entry("a dollar that a final newline passes", `{"pattern":"^[a-z]+$"}`, "python-jsonschema"),
		Entry("1.0 as an integer", `{"type":"integer"}`, "networknt-2020"),
		Entry("positions", `{"prefixItems":[{}]}`, "ajv8-draft07-lax"),
		Entry("nullable", `{"type":"string","nullable":true}`, "ajv8-draft07-lax"),
		Entry("decimal multiples", `{"multipleOf":0.01}`, "ajv8-draft07-lax"),
		Entry("keywords beside a reference", `{"$ref":"#/$defs/a","maxLength":1}`, "ajv8-draft07-lax"),
		Entry("prototype names", `{"required":["toString"]}`, "ajv8-draft07-lax"),
		Entry("a reference that leads nowhere", `{"$ref":"#/$defs/a"}`, "ajv8-draft07-lax"),
	)
})

// dice draws schemas of common keywords; tuple says whether tuples are among them,
// and of which dialect: "prefix", "tagged" (draft-07 by $schema) or "untagged".
type dice struct {
	*rand.Rand
	tuple string
}

func newDice(n int) dice {
	return dice{rand.New(rand.NewPCG(7, uint64(n))), []string{"", "prefix", "tagged", "untagged"}[n%4]}
}

func (d dice) document() string {
	text := d.object(3)
	if d.tuple == "tagged" {
		return `{"$schema":"http://json-schema.org/draft-07/schema#",` + text[1:]
	}
	return text
}

func (d dice) tupleOf(depth int) string {
	keyword, rest := "items", "additionalItems"
	if d.tuple == "prefix" {
		keyword, rest = "prefixItems", "items"
	}
	return fmt.Sprintf(`{%s"%s":[%s,%s]%s%s}`, d.pick(`"type":"array",`, ""), keyword, d.schema(depth-1), d.schema(depth-1),
		d.pick("", `,"`+rest+`":false`, `,"`+rest+`":`+d.schema(depth-1)), d.pick("", `,"minItems":2`, `,"maxItems":2`))
}

func (d dice) pick(options ...string) string { return options[d.IntN(len(options))] }

func (d dice) object(depth int) string {
	var properties, required []string
	for _, name := range []string{"a", "b", "c", "tags", "x-1"}[:1+d.IntN(4)] {
		properties = append(properties, fmt.Sprintf("%q:%s", name, d.schema(depth-1)))
		if d.IntN(2) == 0 {
			required = append(required, fmt.Sprintf("%q", name))
		}
	}
	extra := d.pick("", `,"additionalProperties":false`, `,"additionalProperties":{"type":"string"}`, `,"maxProperties":2`, `,"minProperties":1`)
	return `{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":[` + strings.Join(required, ",") + `]` + extra + `}`
}

func (d dice) schema(depth int) string {
	if depth <= 0 || d.IntN(3) == 0 {
		return d.pick(`{"type":"string"}`, `{"type":"string","minLength":1,"maxLength":3}`, `{"type":["string","null"]}`, `{"type":"number","minimum":0.5}`,
			`{"type":"integer","maximum":10}`, `{"type":"integer","exclusiveMinimum":0,"multipleOf":3}`, `{"type":"boolean"}`, `{"enum":["a","b",1,null]}`,
			`{"const":"x"}`, `true`, `{}`, `{"title":"t","description":"d","default":1}`, `{"type":"string","pattern":"^[a-z0-9_]+$"}`, `{"type":"string","pattern":"[0-9]{2}"}`,
			`{"type":"string","format":"date-time"}`, `{"minLength":2}`, `{"minimum":3}`, `{"const":true}`, `{"enum":[0,1]}`, `{"required":["a"]}`)
	}
	if d.tuple != "" && d.IntN(3) == 0 {
		return d.tupleOf(depth)
	}
	switch d.IntN(7) {
	case 0:
		return d.object(depth)
	case 1:
		return `{"type":"array","items":` + d.schema(depth-1) + d.pick("", `,"minItems":1`, `,"maxItems":2`) + `}`
	case 2:
		return `{"anyOf":[` + d.schema(depth-1) + `,` + d.schema(depth-1) + `]}`
	case 3:
		return `{"oneOf":[` + d.schema(depth-1) + `,` + d.schema(depth-1) + `]}`
	case 4:
		return `{"allOf":[` + d.schema(depth-1) + `,` + d.schema(depth-1) + `]}`
	case 5:
		return `{"not":` + d.schema(depth-1) + `}`
	}
	return `{"if":` + d.schema(depth-1) + `,"then":` + d.schema(depth-1) + `,"else":` + d.schema(depth-1) + `}`
}

// instances draws objects that need not fit.
func (d dice) instances(n int) []*schema.Value {
	var out []*schema.Value
	for range n {
		var members []string
		for _, name := range []string{"a", "b", "c", "tags", "extra"} {
			if d.IntN(2) == 0 {
				members = append(members, fmt.Sprintf("%q:%s", name, d.value(2)))
			}
		}
		out = append(out, schema.MustParse("{"+strings.Join(members, ",")+"}"))
	}
	return out
}

func (d dice) value(depth int) string {
	if depth > 0 && d.IntN(3) == 0 {
		return d.pick("["+d.value(depth-1)+"]", "["+d.value(depth-1)+","+d.value(depth-1)+"]", `{"a":`+d.value(depth-1)+`}`, "[]", "{}")
	}
	return d.pick("0", "1", "1.0", "-1", "3", "0.5", "10", "12.5", `""`, `"a"`, `"ab"`, `"abcd"`, `"a\n"`, `"42"`, `"é"`, `"😀😀"`, "null", "true", "false", `"2026-01-15T09:30:00"`, `"x"`)
}
