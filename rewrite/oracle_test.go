package rewrite_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/rewrite"
	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/ground"
	"github.com/hostmatrix/conform/validators/oracle"
)

// The plans rest on the emulated validators. Here the real libraries judge every
// rewrite of every construct, on instances of the old and the new schema.
var _ = Describe("the real libraries", Label("integration"), func() {
	for _, profile := range []string{"ajv8-draft07-lax", "ajv8-dispatch", "ajv6", "cfworker-dispatch", "python-jsonschema", "networknt-2020"} {
		It("judge every rewritten construct as foreseen: "+profile, func() {
			p, err := oracle.Start(context.Background(), profile)
			if err != nil {
				Skip("not installed (validators/oracle/install.sh): " + err.Error())
			}
			defer p.Close()
			var requests []oracle.Request
			var names []string
			for _, document := range everything() {
				for _, r := range rewrite.Rewrites() {
					if r.Part == rewrite.Whole {
						continue
					}
					out, changed := r.Apply(document)
					if !changed || out.Kind != schema.Object {
						continue
					}
					request := oracle.Request{Schema: out.Compact()}
					for _, v := range append(witness.Generate(document, witness.Options{Budget: 20}), witness.Generate(out, witness.Options{Budget: 20})...) {
						if ground.Assumed(v) {
							request.Instances = append(request.Instances, v.Compact())
						}
					}
					requests = append(requests, request)
					names = append(names, r.Name)
				}
			}
			Expect(len(requests)).To(BeNumerically(">", 100))
			answers, err := p.AskAll(requests)
			Expect(err).NotTo(HaveOccurred())
			for i, real := range answers {
				foreseen, err := oracle.Emulate(profile, requests[i])
				Expect(err).NotTo(HaveOccurred())
				Expect(real.CompileError == nil).To(Equal(foreseen.CompileError == nil), "%s: %s", names[i], requests[i].Schema)
				for k, r := range real.Results {
					if foreseen.Results[k].Outcome != validators.Unknown {
						Expect(foreseen.Results[k].Outcome).To(Equal(r.Outcome), "%s: %s on %s", names[i], requests[i].Schema, requests[i].Instances[k])
					}
				}
			}
		})
	}
})

// What a rewrite claims is claimed of the dialect that the schema means; these are the
// libraries that read it by that. Both schemas go to the real library: of instances on
// which it reads the old one as the dialect does, a rewrite that loses nothing may
// change no verdict, and one that does not tighten may forbid none. Ajv 6 is left out: it
// sees a faulty definition only once $defs are called definitions.
var _ = Describe("the real libraries that read the schema's own dialect", Label("integration"), func() {
	for _, profile := range []string{"ajv8-dispatch", "ajv8-draft07-lax", "cfworker-dispatch", "python-jsonschema", "networknt-2020"} {
		It("say of every rewritten construct what the rewrite claims: "+profile, func() {
			p, err := oracle.Start(context.Background(), profile)
			if err != nil {
				Skip("not installed (validators/oracle/install.sh): " + err.Error())
			}
			defer p.Close()
			var requests []oracle.Request // before and after in turns
			var claims []rewrite.Rewrite
			var meant [][]validators.Outcome
			for _, document := range everything() {
				_, own := witness.Dialect(validators.NewCache(), document)
				if own == nil {
					continue
				}
				for _, r := range rewrite.Rewrites() {
					if r.Part == rewrite.Whole || r.Reshape != nil || r.Cost > 0 && tightens[r.Name] {
						continue
					}
					out, changed := r.Apply(document)
					if !changed || out.Kind != schema.Object {
						continue
					}
					var instances []string
					var outcomes []validators.Outcome
					for _, v := range append(witness.Generate(document, witness.Options{Budget: 30}), witness.Generate(out, witness.Options{Budget: 30})...) {
						if ground.Assumed(v) {
							instances = append(instances, v.Compact())
							outcomes = append(outcomes, own.Validate(v).Outcome)
						}
					}
					meant = append(meant, outcomes)
					requests = append(requests, oracle.Request{Schema: document.Compact(), Instances: instances}, oracle.Request{Schema: out.Compact(), Instances: instances})
					claims = append(claims, r)
				}
			}
			answers, err := p.AskAll(requests)
			Expect(err).NotTo(HaveOccurred())
			checked := map[string]bool{}
			for i, r := range claims {
				before, after := answers[2*i], answers[2*i+1]
				if before.CompileError != nil { // what it mends
					continue
				}
				Expect(after.CompileError).To(BeNil(), "%s: %s\n-> %s", r.Name, requests[2*i].Schema, requests[2*i+1].Schema)
				checked[r.Name] = true
				for k := range before.Results {
					was, is := before.Results[k].Outcome, after.Results[k].Outcome
					if was == meant[i][k] && (was == validators.Valid || r.Cost == 0) {
						Expect(is).To(Equal(was), "%s: %s\n-> %s\non %s", r.Name, requests[2*i].Schema, requests[2*i+1].Schema, requests[2*i].Instances[k])
					}
				}
			}
			Expect(len(checked)).To(BeNumerically(">", 40), "%v", checked)
		})
	}
})
