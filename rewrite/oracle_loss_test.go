package rewrite_test

import (
	"context"
	"fmt"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/rewrite"
	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/oracle"
)

// readers are real libraries that read a schema by the dialects of which a plan tells
// what it loses.
var readers = map[string]string{"2020-12": "python-jsonschema", "draft-07": "ajv8-draft07-noformats", "draft-07-formats": "ajv8-draft07-lax"}

// startOracle starts a real library, or skips the spec.
func startOracle(profile string) *oracle.Process {
	GinkgoHelper()
	p, err := oracle.Start(context.Background(), profile)
	if err != nil {
		Skip("not installed (validators/oracle/install.sh): " + err.Error())
	}
	DeferCleanup(p.Close)
	return p
}

// loss is one claim about what a rewrite loses.
type loss struct {
	rewrite.Probe
	rewrite       string
	before, after *schema.Value
}

// losses are the claims about every rewrite of every construct it applies to.
var losses = sync.OnceValue(func() (out []loss) {
	for _, document := range everything() {
		for _, r := range rewrite.Rewrites() {
			if r.Part == rewrite.Whole || r.Reshape != nil {
				continue
			}
			after, changed := r.Apply(document)
			if !changed || after.Kind != schema.Object {
				continue
			}
			for _, probe := range rewrite.Losses(r, document, after, witness.Options{Budget: 40}) {
				out = append(out, loss{probe, r.Name, document, after})
			}
		}
	}
	return out
})

// What a plan shows as its loss is an instance, a dialect, and which of the two schemas
// rejects it. Here a real library of that dialect is asked about both. Where its reading
// is known to differ from the dialect's, as the emulation says, it has no say.
var _ = Describe("what a rewrite loses, asked of a real library", Label("integration"), func() {
	for dialect, profile := range readers {
		It("is what "+profile+" newly takes or refuses", func() {
			p := startOracle(profile)
			var requests []oracle.Request // before and after in turns
			var claims []loss
			for _, l := range losses() {
				if l.Dialect != dialect {
					continue
				}
				claims = append(claims, l)
				// The library is to read both by one dialect, whatever they say of it.
				for _, s := range []*schema.Value{l.before, l.after} {
					requests = append(requests, oracle.Request{Schema: s.Without("$schema").Compact(), Instances: []string{l.Instance}})
				}
			}
			Expect(claims).NotTo(BeEmpty())
			answers, err := p.AskAll(requests)
			Expect(err).NotTo(HaveOccurred())
			confirmed, rewrites := 0, map[string]bool{}
			for i, claim := range claims {
				accepts := []bool{!claim.Loosened, claim.Loosened}
				asked := requests[2*i : 2*i+2]
				if answers[2*i].CompileError != nil || answers[2*i+1].CompileError != nil || !foresees(profile, asked, accepts) {
					continue
				}
				for k, want := range accepts {
					Expect(answers[2*i+k].Results[0].Outcome == validators.Valid).To(Equal(want),
						"%s: %s\n-> %s\non %s", claim.rewrite, asked[0].Schema, asked[1].Schema, claim.Instance)
				}
				confirmed++
				rewrites[claim.rewrite] = true
			}
			AddReportEntry(profile, fmt.Sprintf("%d of %d losses asked about and confirmed, of %d rewrites", confirmed, len(claims), len(rewrites)))
			Expect(confirmed).To(BeNumerically(">=", len(claims)*3/4), "of %d", len(claims))
		})
	}

	It("is nothing for data in their new shape", func() {
		p := startOracle("ajv8-dispatch")
		var requests []oracle.Request
		var names []string
		for _, document := range everything() {
			_, own := witness.Dialect(validators.NewCache(), document)
			for _, r := range rewrite.Rewrites() {
				out, changed := r.Apply(document)
				if r.Reshape == nil || own == nil || !changed {
					continue
				}
				request := oracle.Request{Schema: out.Compact()}
				for _, v := range witness.Generate(document, witness.Options{Budget: 40}) {
					if own.Validate(v).Outcome == validators.Valid {
						request.Instances = append(request.Instances, r.Reshape(document, v).Compact())
					}
				}
				requests, names = append(requests, request), append(names, r.Name)
			}
		}
		answers, err := p.AskAll(requests)
		Expect(err).NotTo(HaveOccurred())
		asked := 0
		for i, a := range answers {
			Expect(a.CompileError).To(BeNil(), "%s: %s", names[i], requests[i].Schema)
			for k, r := range a.Results {
				Expect(r.Outcome).To(Equal(validators.Valid), "%s: %s on %s", names[i], requests[i].Schema, requests[i].Instances[k])
				asked++
			}
		}
		Expect(asked).To(BeNumerically(">", 20))
	})
})

// foresees reports whether the emulation of a library gives the two verdicts.
func foresees(profile string, asked []oracle.Request, accepts []bool) bool {
	GinkgoHelper()
	for k, request := range asked {
		a, err := oracle.Emulate(profile, request)
		Expect(err).NotTo(HaveOccurred())
		if a.CompileError != nil || (a.Results[0].Outcome == validators.Valid) != accepts[k] {
			return false
		}
	}
	return true
}
