package rewrite_test

import (
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/rewrite"
	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// constructs are schemas to which the rewrites apply, in many combinations; each
// stands under a property of an object too.
var constructs = []string{
	`{"type":"array","prefixItems":[{"type":"number"},{"type":"integer"}],"items":false,"minItems":2,"maxItems":2}`,
	`{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"number"}}`,
	`{"type":"array","prefixItems":[{"type":"string"},{"type":"string"}],"unevaluatedItems":false}`,
	`{"type":"array","items":[{"type":"number"},{"type":"string"}],"additionalItems":false}`,
	`{"type":"array","items":[],"additionalItems":{"type":"string"}}`,
	`{"type":"array"}`,
	`{"type":"array","contains":{"type":"string"},"minContains":0,"maxContains":1}`,
	`{"const":"circle"}`,
	`{"enum":["only"]}`,
	`{"type":"integer","enum":[1,2]}`,
	`{"enum":["a","a","b"]}`,
	`{"type":"number","multipleOf":0.01}`,
	`{"type":"number","minimum":0,"exclusiveMinimum":true}`,
	`{"type":"string","minLength":-1}`,
	`{"type":"string","nullable":true}`,
	`{"type":"string","enum":["a"],"nullable":true}`,
	`{"type":["string","null"],"maxLength":3}`,
	`{"type":["integer","array"],"minimum":1,"items":{"type":"string"},"enum":[1,["a"],2]}`,
	`{"anyOf":[{"type":"string"},{"type":"null"}]}`,
	`{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"x":{"type":"number"}},"required":["kind","x"]},{"type":"object","properties":{"kind":{"const":"b"},"y":{"type":"string"}},"required":["kind"]}]}`,
	`{"allOf":[{"properties":{"x":{"type":"number"}},"required":["x"]},{"properties":{"y":{"type":"string"}}}]}`,
	`{"type":"integer","format":"uint8"}`,
	`{"type":"integer","format":"int64"}`,
	`{"type":"string","format":"date-time"}`,
	`{"type":"string","format":"semver"}`,
	`{"type":"string","pattern":"^\\d{4}\\-\\w+$"}`,
	`{"type":"string","pattern":"^[\\w-.]+\\/x{y}$"}`,
	`{"type":"string","pattern":"(?P<year>[0-9]+)"}`,
	`{"type":"string","pattern":"ab"}`,
	`{"type":"string","pattern":"^(?!x).+$"}`,
	`{"type":"int"}`,
	`{"type":"any","example":1,"x-note":"n"}`,
	`{"type":"object","properties":{"a":true,"b":false},"required":["a","a"],"additionalProperties":false}`,
	`{"type":"object","properties":{"a":{"type":"string"}},"required":["a","z"]}`,
	`{"type":"object","additionalProperties":{"type":"string"}}`,
	`{"type":"object"}`,
	`{"minLength":2}`,
	`{"type":"object","unevaluatedProperties":false,"properties":{"a":{}}}`,
	`{"type":"object","properties":{"filters[status]":{"type":"string"}}}`,
	`{"title":"T","description":"d","default":"x","type":"string"}`,
}

// documents are whole schemas.
var documents = []string{
	`{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"string","maxLength":3},"B":{"type":"number"}}}`,
	`{"type":"object","properties":{"a":{"$ref":"#/definitions/A","maxLength":2}},"definitions":{"A":{"type":"string"}}}`,
	`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"$ref":"#/definitions/A","maxLength":2}},"definitions":{"A":{"type":"string"}}}`,
	`{"type":"object","properties":{"a":{"type":"string"},"b":{"$ref":"#/properties/a"}}}`,
	`{"type":"object","properties":{"a":{"$ref":"#name"}},"$defs":{"A":{"$anchor":"name","type":"number"}}}`,
	`{"type":"object","properties":{"a":{"$ref":"A"}},"$defs":{"A":{"type":"number"}}}`,
	`{"type":"object","properties":{"a":{"$ref":"#/$defs/Gone"}}}`,
	`{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/N"}}}}}}`,
	`{"$id":"https://example.com/s","type":"object","properties":{"a":{"type":"string"}}}`,
	`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"b":{"type":"number"}},"required":["b"]}]}`,
	`{"type":"object","properties":{"c":{"type":"string"}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`,
	`{"type":"object","if":{"required":["a"]},"then":{"required":["b"]}}`,
	`{"type":"array","items":{"type":"string"}}`,
	`{"type":["object","null"],"properties":{"a":{}}}`,
	`{"$ref":"#/$defs/A","$defs":{"A":{"type":"object","properties":{"a":{"type":"string"}}}}}`,
	`{"type":"object","properties":{"filters[status]":{"type":"string"}},"required":["filters[status]"]}`,
	`{"type":"object","$defs":{"Old":{"type":"any"}}}`,
	`{"type":"object","properties":{"q":{"type":"array","items":[{"type":"object","properties":{"op":{"type":"string"}}}],"additionalItems":{"$ref":"#/properties/q/items/0"}}}}`,
	`{"type":"object","properties":{"any":{"description":"any value"},"list":{"type":"array","items":{}}}}`,
}

// everything are the schemas on which every rewrite is tried.
func everything() []*schema.Value {
	var out []*schema.Value
	for _, text := range constructs {
		out = append(out, schema.MustParse(`{"type":"object","properties":{"a":`+text+`}}`))
	}
	for _, text := range slices.Concat(documents, generated) {
		out = append(out, schema.MustParse(text))
	}
	return out
}

var _ = Describe("every rewrite", func() {
	for _, r := range rewrite.Rewrites() {
		if r.Part == rewrite.Whole {
			continue
		}
		Describe(r.Name, func() {
			It("applies to something, changes nothing twice, and keeps its argument", func() {
				applied := 0
				for _, document := range everything() {
					text := document.Compact()
					out, changed := r.Apply(document)
					Expect(document.Compact()).To(Equal(text), "the argument was changed")
					if !changed {
						Expect(out).To(Equal(document))
						continue
					}
					applied++
					Expect(out.Compact()).NotTo(Equal(text))
					_, err := schema.ParseString(out.Compact())
					Expect(err).NotTo(HaveOccurred())
				}
				Expect(applied).To(BeNumerically(">", 0))
			})

			It("loses nothing when it says so", func() {
				if r.Cost > 0 || r.Reshape != nil {
					Skip("says what it loses: " + r.Loss)
				}
				for _, document := range everything() {
					out, changed := r.Apply(document)
					if !changed {
						continue
					}
					expectSame(document, out)
				}
			})

			It("never forbids what the schema allowed, unless it says so", func() {
				if tightens[r.Name] || r.Reshape != nil {
					Skip("tightens: " + r.Loss)
				}
				for _, document := range everything() {
					out, changed := r.Apply(document)
					if !changed {
						continue
					}
					_, before := witness.Dialect(validators.NewCache(), document)
					_, after := witness.Dialect(validators.NewCache(), out)
					if before == nil || after == nil {
						continue
					}
					for _, v := range witness.Generate(document, witness.Options{AnyRoot: true}) {
						if before.Validate(v).Outcome == validators.Valid {
							Expect(after.Validate(v).Outcome).To(Equal(validators.Valid), "%s\n-> %s\nforbids %s", document.Compact(), out.Compact(), v.Compact())
						}
					}
				}
			})
		})
	}
})

// tightens names the rewrites whose Loss says that something is forbidden newly.
var tightens = map[string]bool{"object-close": true, "type-implied": true, "root-type-object": true, "pattern-anchor": true,
	"number-formats-as-bounds": true, "union-merge": true, "root-combinators-flatten": true, "enum-clean": true, "schema-tag-off": true, "any-value-named": true}

// around adds the neighbours of the first instance: a schema's own instances do not
// leave the bounds that only another one has.
func around(instances []*schema.Value) []*schema.Value {
	out := slices.Clone(instances)
	for _, v := range instances[:min(len(instances), 1)] {
		out = append(out, rewrite.Neighbours(v)...)
	}
	return out
}

// expectSame holds both schemas against each other, in the dialect of each.
func expectSame(before, after *schema.Value) {
	GinkgoHelper()
	_, a := witness.Dialect(validators.NewCache(), before)
	_, b := witness.Dialect(validators.NewCache(), after)
	if a == nil || b == nil {
		return // one of them is broken for the specification; that is what it mends
	}
	for _, v := range around(append(witness.Generate(before, witness.Options{}), witness.Generate(after, witness.Options{})...)) {
		Expect(b.Validate(v).Outcome).To(Equal(a.Validate(v).Outcome), "%s\n-> %s\non %s", before.Compact(), after.Compact(), v.Compact())
	}
}

var _ = Describe("the examples", func() {
	for _, r := range rewrite.Rewrites() {
		It("of "+r.Name+" are what it does", func() {
			Expect(r.Title).NotTo(BeEmpty())
			Expect(r.Doc).NotTo(BeEmpty())
			Expect(r.Condition).NotTo(BeEmpty())
			Expect(r.Cost == 0 || r.Loss != "" || mends[r.Name]).To(BeTrue(), "a cost without a loss")
			before, err := schema.ParseString(r.Before)
			if err != nil || strings.HasPrefix(r.Name, "description-short") || strings.HasPrefix(r.Name, "description-overflow") {
				return // shortened for people
			}
			after, err := schema.ParseString(r.After)
			Expect(err).NotTo(HaveOccurred())
			// Some speak of subschemas only; put those examples below the root.
			below := func(s *schema.Value) *schema.Value {
				return schema.Obj(schema.Member{Key: "properties", Value: schema.Obj(schema.Member{Key: "a", Value: s})})
			}
			out, changed := r.Apply(before)
			if !changed {
				before, after = below(before), below(after)
				out, changed = r.Apply(before)
			}
			if r.Name == "ref-siblings-off" {
				return // needs a tag that the example leaves out
			}
			Expect(changed).To(BeTrue())
			Expect(schema.Equal(out, after)).To(BeTrue(), "%s is not %s", out.Compact(), after.Compact())
		})
	}
})

// mends are rewrites of a cost that lose nothing which worked.
var mends = map[string]bool{"inline-refs": true, "localise-refs": true, "ref-siblings-off": true, "input-object": true,
	"description-overflow": true, "description-overflow-parameter": true}
