package witness_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/ground"
	"github.com/hostmatrix/conform/validators/oracle"
)

// constructs are schemas of one property each on which libraries differ.
var constructs = []string{
	`{"type":"array","prefixItems":[{"type":"number"},{"type":"integer"}],"items":false,"minItems":2,"maxItems":2}`,
	`{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"number"}}`,
	`{"type":"array","contains":{"type":"string"},"minContains":0}`,
	`{"type":"number","multipleOf":0.01}`,
	`{"type":"string","format":"date-time"}`,
	`{"type":"string","format":"uri"}`,
	`{"type":"string","format":"email"}`,
	`{"type":"string","format":"uuid"}`,
	`{"type":"string","pattern":"^\\d+$"}`,
	`{"type":"string","pattern":"^[^\\s]+$"}`,
	`{"type":"object","properties":{"toString":{"type":"string"}}}`,
	`{"type":"object","unevaluatedProperties":false}`,
	`{"type":"object","dependentRequired":{"x":["y"]}}`,
	`{"const":9007199254740993}`,
	`{"type":"integer","maximum":9007199254740992}`,
	`{"type":["string","null"],"enum":["a",null]}`,
	`{"type":"array","uniqueItems":true}`,
}

var _ = Describe("the real libraries", Label("integration"), func() {
	for _, profile := range []string{"ajv8-draft07-lax", "ajv8-dispatch", "ajv6", "cfworker-dispatch", "python-jsonschema", "networknt-2020"} {
		It("confirm every witness and every proof for "+profile, func() {
			p, err := oracle.Start(context.Background(), profile)
			if err != nil {
				Skip("not installed (validators/oracle/install.sh): " + err.Error())
			}
			defer p.Close()
			for _, text := range constructs {
				document := property(text)
				search := witness.New(nil, witness.Options{})
				answer := search.Search(document, document, profile)
				for _, w := range answer.Witnesses {
					a, err := p.Ask(document.Compact(), []string{w.Instance.Compact()})
					Expect(err).NotTo(HaveOccurred())
					Expect(a.CompileError).To(BeNil(), text)
					Expect(a.Results[0].Outcome).To(Equal(w.Outcome), "%s on %s", text, w.Instance.Compact())
				}
				if answer.Kind != witness.Proven {
					continue
				}
				for _, v := range search.Instances(document) {
					if !ground.Assumed(v) {
						continue
					}
					a, err := p.Ask(document.Compact(), []string{v.Compact()})
					Expect(err).NotTo(HaveOccurred())
					Expect(a.Results[0].Outcome).To(Equal(validators.Valid), "%s is proven for %s, yet %s", text, profile, v.Compact())
				}
			}
		})
		It("confirm what is proven of schemas drawn at random, both ways: "+profile, func() {
			p, err := oracle.Start(context.Background(), profile)
			if err != nil {
				Skip("not installed (validators/oracle/install.sh): " + err.Error())
			}
			defer p.Close()
			var requests []oracle.Request
			var wanted [][]validators.Outcome
			for n := range 200 {
				d := newDice(n)
				document := schema.MustParse(d.document())
				dialect, own := witness.Dialect(validators.NewCache(), document)
				if _, ok := witness.Equivalent(document, dialect, profile); !ok || own == nil {
					continue
				}
				request := oracle.Request{Schema: document.Compact()}
				var outcomes []validators.Outcome
				for _, v := range append(witness.New(nil, witness.Options{Budget: 40}).Generated(document), d.instances(20)...) {
					if ground.Assumed(v) {
						request.Instances = append(request.Instances, v.Compact())
						outcomes = append(outcomes, own.Validate(v).Outcome)
					}
				}
				requests, wanted = append(requests, request), append(wanted, outcomes)
			}
			Expect(len(requests)).To(BeNumerically(">", 20))
			answers, err := p.AskAll(requests)
			Expect(err).NotTo(HaveOccurred())
			for i, a := range answers {
				for k, r := range a.Results { // none when it does not compile, of which a proof says nothing
					Expect(r.Outcome).To(Equal(wanted[i][k]), "%s is proven for %s, yet %s", requests[i].Schema, profile, requests[i].Instances[k])
				}
			}
		})
	}
})
