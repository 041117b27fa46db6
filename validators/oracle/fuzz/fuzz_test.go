package main

import (
	"errors"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/oracle"
)

var _ = Describe("drawing", func() {
	set := settings{seed: 7, instances: 3}

	It("gives the same pairs for the same seed and others for another", func() {
		for number := range uint64(50) {
			Expect(draw(set, number).request).To(Equal(draw(set, number).request))
		}
		other := set
		other.seed = 8
		Expect(draw(other, 1).request).NotTo(Equal(draw(set, 1).request))
	})

	It("writes JSON, one line a request", func() {
		for number := range uint64(500) {
			r := draw(set, number).request
			for _, part := range append([]string{r.Schema}, r.Instances...) {
				_, err := schema.ParseString(part)
				Expect(err).NotTo(HaveOccurred(), part)
			}
			Expect(r.Instances).To(HaveLen(3))
			Expect(r.Line()).NotTo(ContainSubstring("\n"))
		}
	})

	It("changes constructs as well, the same way each time", func() {
		changing := set
		changing.from = mutants{{document: schema.MustParse(`{"type":"object","x-marker":1,"properties":{"a":{"type":"string"}}}`)}}
		changed := 0
		for number := range uint64(100) {
			r := draw(changing, number).request
			Expect(draw(changing, number).request).To(Equal(r))
			if strings.Contains(r.Schema, "x-marker") {
				changed++
			}
		}
		Expect(changed).To(BeNumerically("~", 45, 20))
	})

	It("uses every keyword, format and dialect within a few thousand schemas", func() {
		var all strings.Builder
		for number := range uint64(4000) {
			all.WriteString(draw(set, number).request.Schema)
		}
		for _, keyword := range soupKeywords {
			Expect(all.String()).To(ContainSubstring(`"` + keyword + `":`))
		}
		for _, value := range append(append(append([]string{}, formats...), dialects...), patterns...) {
			Expect(all.String()).To(ContainSubstring(schema.Quote(value)))
		}
	})
})

// answering is a side that says the same about each instance.
func answering(decide func(schema, instance string) validators.Result) func(oracle.Request) (oracle.Answer, error) {
	return func(r oracle.Request) (oracle.Answer, error) {
		var a oracle.Answer
		for _, instance := range r.Instances {
			a.Results = append(a.Results, decide(r.Schema, instance))
		}
		return a, nil
	}
}

func many(one func(oracle.Request) (oracle.Answer, error)) func([]oracle.Request) ([]*oracle.Answer, error) {
	return func(requests []oracle.Request) ([]*oracle.Answer, error) {
		var out []*oracle.Answer
		for _, r := range requests {
			a, err := one(r)
			if err != nil {
				return nil, err
			}
			out = append(out, &a)
		}
		return out, nil
	}
}

var _ = Describe("shrinking", func() {
	// The two part where the schema speaks of "pattern" and the instance holds a 7.
	disagree := pair{
		original: many(answering(func(s, i string) validators.Result {
			if strings.Contains(s, `"pattern"`) && strings.Contains(i, "7") {
				return validators.Result{Outcome: validators.Invalid, Text: "no"}
			}
			return validators.Result{Outcome: validators.Valid}
		})),
		emulated: answering(func(_, _ string) validators.Result { return validators.Result{Outcome: validators.Valid} }),
	}

	It("keeps only what the disagreement needs", func() {
		f, err := shrink(disagree, finding{
			profile: "p", kind: outcome,
			schema:   schema.MustParse(`{"type":"object","properties":{"a":{"allOf":[{"pattern":"^abc$","minLength":2},true]}},"required":["a"]}`),
			instance: schema.MustParse(`{"a":[1,{"b":"x7y"}],"c":null}`),
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(text(f.schema)).To(MatchRegexp(`^\{"pattern":".?"\}$`))
		Expect(text(f.instance)).To(MatchRegexp(`^("7"|7)$`))
	})

	It("does not trade one kind of disagreement for another", func() {
		words1 := pair{disagree.original, answering(func(s, i string) validators.Result {
			if strings.Contains(s, "minLength") {
				return validators.Result{Outcome: validators.Invalid, Text: "other words"}
			}
			return validators.Result{Outcome: validators.Valid}
		})}
		f, err := shrink(words1, finding{
			profile: "p", kind: words,
			schema: schema.MustParse(`{"pattern":"a","minLength":1,"x":1}`), instance: schema.MustParse(`[7,8]`),
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(text(f.schema)).To(Equal(`{"pattern":"a","minLength":1}`))
		Expect(text(f.instance)).To(Equal(`7`))
	})

	It("passes on that the original is gone", func() {
		gone := errors.New("gone")
		_, err := shrink(pair{original: func([]oracle.Request) ([]*oracle.Answer, error) { return nil, gone }},
			finding{schema: schema.MustParse(`{"a":1}`)})
		Expect(err).To(MatchError(gone))
	})
})

var _ = Describe("comparing", func() {
	request := oracle.Request{Schema: "{}", Instances: []string{"1", "2", "3", "4"}}
	refusal := "bad schema"

	It("tells outcomes, words and unknowns apart", func() {
		a := oracle.Answer{Results: []validators.Result{{Outcome: validators.Valid}, {Outcome: validators.Invalid, Text: "x"}, {Outcome: validators.Thrown, Text: "t"}, {}}}
		b := oracle.Answer{Results: []validators.Result{{Outcome: validators.Invalid}, {Outcome: validators.Invalid, Text: "y"}, {Outcome: validators.Unknown}, {}}}
		var kinds []kind
		for _, d := range compare("p", request, a, b, nil) {
			kinds = append(kinds, d.kind)
		}
		Expect(kinds).To(Equal([]kind{outcome, words, unknown}))
	})

	It("counts a schema that one side refuses once", func() {
		a := oracle.Answer{CompileError: &refusal}
		b := oracle.Answer{Results: make([]validators.Result, 4)}
		Expect(compare("p", request, a, b, nil)).To(HaveLen(1))
		Expect(compare("p", request, a, a, nil)).To(BeEmpty())
	})

	It("calls a panic of the emulation a crash", func() {
		d := compare("p", request, oracle.Answer{CompileError: &refusal}, oracle.Answer{}, errors.New("panicked"))
		Expect(d).To(HaveLen(1))
		Expect(d[0].kind).To(Equal(crash))
	})
})
