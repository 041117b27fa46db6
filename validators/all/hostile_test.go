package all_test

import (
	"errors"
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	_ "github.com/hostmatrix/conform/validators/all"
	"github.com/hostmatrix/conform/validators/internal/fuzzing"
)

// patience is far above what a limit takes, so that a busy machine does not fail
// the suite, and far below what a document without one would take.
const patience = 20 * time.Second

// replies are known answers: profiles may have one engine between them.
type replies map[validators.Validator]validators.Result

// answer is "refused", the outcome, or "unknown", with the reason.
func (known replies) answer(p validators.Profile, document, instance *schema.Value) (outcome, why string) {
	v, err := p.Compile(document)
	var refused *validators.CompileError
	var unknown *validators.UnknownError
	switch {
	case errors.As(err, &refused):
		return "refused", refused.Text
	case errors.As(err, &unknown):
		return "unknown", unknown.Reason
	}
	Expect(err).NotTo(HaveOccurred(), p.ID)
	r, ok := known[v]
	if !ok {
		r = v.Validate(instance)
		known[v] = r
	}
	return r.Outcome.String(), r.Text
}

var _ = DescribeTable("a hostile document, under every profile",
	func(document, instance string, allowed ...string) {
		limits := schema.Limits{Depth: 25_000}
		d, err := schema.Parse([]byte(document), limits)
		Expect(err).NotTo(HaveOccurred())
		i, err := schema.Parse([]byte(instance), limits)
		Expect(err).NotTo(HaveOccurred())
		known := replies{}
		for _, p := range validators.Profiles() {
			start := time.Now()
			outcome, why := known.answer(p, d, i)
			took := time.Since(start)
			AddReportEntry(p.ID, fmt.Sprintf("%s in %v: %.100s", outcome, took.Round(time.Millisecond), why))
			Expect(took).To(BeNumerically("<", patience), p.ID)
			Expect(outcome).To(BeElementOf(allowed), "%s: %s", p.ID, why)
			if outcome == "unknown" || outcome == "refused" {
				Expect(why).NotTo(BeEmpty(), p.ID)
			}
			if outcome == "unknown" {
				_, listed := validators.WhyUndecided(why)
				Expect(listed).To(BeTrue(), "%s: %s", p.ID, why)
			}
		}
	},
	Entry("a reference to itself", `{"$ref":"#"}`, `1`, "unknown", "thrown", "refused"),
	Entry("references in a circle", `{"allOf":[{"$ref":"#/definitions/a"}],"definitions":{"a":{"$ref":"#/definitions/b"},"b":{"$ref":"#/definitions/a"}}}`, `1`, "unknown", "thrown", "refused"),
	Entry("10,000 levels", fuzzing.Nested(`{"properties":{"a":`, `{}`, `}}`, 10_000), `{"a":1}`, "unknown", "thrown", "refused", "valid"),
	Entry("10,000 levels of not", fuzzing.Nested(`{"not":`, `{}`, `}`, 10_000), `1`, "unknown", "thrown", "refused"),
	Entry("a megabyte of anyOf", `{"anyOf":`+fuzzing.Listed(40_000, func(i int) string { return fmt.Sprintf(`{"const":"item %d"}`, i) })+`}`, `1`, "unknown", "thrown", "refused", "invalid"),
	Entry("a fan of references", fuzzing.Fan(60, `{"type":"object"}`), `{"a":1}`, "unknown", "thrown", "refused", "valid"),
	Entry("a pattern that runs away", `{"pattern":"^(a|aa)+$"}`, `"`+strings.Repeat("a", 60)+`!"`, "unknown", "invalid"),
	Entry("a pattern with a vast count", `{"pattern":"^((a{0,1000}){0,1000}){0,1000}$"}`, `"`+strings.Repeat("a", 60)+`!"`, "unknown", "invalid", "refused", "thrown"),
	Entry("objects that must be unique", `{"uniqueItems":true}`, fuzzing.Listed(3_000, func(i int) string { return fmt.Sprintf(`{"a":[%d,2],"b":{"c":%d}}`, i, i) }), "valid", "unknown"),
	Entry("a remote reference", `{"$ref":"https://nothing.invalid/s.json"}`, `1`, "refused", "thrown", "unknown", "invalid"),
	Entry("a file", `{"$ref":"file:///etc/hostname"}`, `1`, "refused", "thrown", "unknown", "invalid"),
	Entry("a number of a million digits", `{"multipleOf":`+strings.Repeat("3", 1_000_000)+`}`, strings.Repeat("7", 1_000_000), "valid", "invalid", "unknown", "thrown", "refused"),
	Entry("objects among thousands of enumerated ones", `{"items":{"enum":`+fuzzing.Listed(3_000, func(i int) string { return fmt.Sprintf(`{"k":%d}`, i) })+`}}`, fuzzing.Listed(2_000, func(i int) string { return fmt.Sprintf(`{"k":-%d}`, i+1) }), "invalid", "unknown"),
	Entry("unions that all fail, level by level", `{"$ref":"#/definitions/t","definitions":{"t":{"anyOf":[`+
		strings.Repeat(`{"type":"object","properties":{"c":{"$ref":"#/definitions/t"},"k":{"const":1}},"required":["k"]},`, 3)+`{"type":"null"}]}}}`,
		fuzzing.Nested(`{"k":2,"c":`, `1`, `}`, 60), "unknown", "invalid", "thrown"),
	Entry("data of 20,000 levels", `{"items":{"$ref":"#"}}`, fuzzing.Nested("[", "1", "]", 20_000), "valid", "unknown", "thrown"),
)
