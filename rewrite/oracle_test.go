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
