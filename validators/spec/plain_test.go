package spec_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/internal/agreement"
	"github.com/hostmatrix/conform/validators/spec"
)

// differences holds what is compiled on trust against what is compiled with care.
func differences(document *schema.Value, instances []*schema.Value) (compared int, found []string) {
	for _, dialect := range []string{"draft-07", "2020-12"} {
		for _, formats := range []bool{false, true} {
			trusted, careful, ok, err := spec.BothWays(dialect, formats, document)
			if err != nil {
				found = append(found, fmt.Sprintf("%s: trusted, but %v: %.300s", dialect, err, document.Compact()))
			}
			if !ok || err != nil {
				continue
			}
			for _, instance := range instances {
				compared++
				a, b := trusted.Validate(instance), careful.Validate(instance)
				if a.Outcome != b.Outcome || a.Text != b.Text {
					found = append(found, fmt.Sprintf("%s: %v %q on trust, %v %q with care: %.300s", dialect, a.Outcome, a.Text, b.Outcome, b.Text, document.Compact()))
				}
			}
		}
	}
	return compared, found
}

var _ = Describe("plain documents", func() {
	It("are judged on trust as they are with care", func() {
		cases, err := agreement.Goldens("ajv8-draft07-lax")
		Expect(err).NotTo(HaveOccurred())
		total := 0
		var found []string
		for _, c := range cases {
			var instances []*schema.Value
			for _, text := range c.Instances {
				instances = append(instances, schema.MustParse(text))
			}
			compared, differ := differences(schema.MustParse(c.Schema), instances)
			total += compared
			found = append(found, differ...)
		}
		AddReportEntry("compared", fmt.Sprintf("%d verdicts", total))
		Expect(total).To(BeNumerically(">", 1000))
		Expect(found).To(BeEmpty())
	})

	It("share what is compiled where no format tells the profiles apart", func() {
		same := func(document *schema.Value) bool {
			annotating, _ := validators.Lookup("2020-12")
			asserting, _ := validators.Lookup("2020-12-formats")
			a, err := annotating.Compile(document)
			Expect(err).NotTo(HaveOccurred())
			b, err := asserting.Compile(document)
			Expect(err).NotTo(HaveOccurred())
			return a == b
		}
		Expect(same(schema.MustParse(`{"type":"string"}`))).To(BeTrue())
		Expect(same(schema.MustParse(`{"type":"string","format":"date"}`))).To(BeFalse())
	})
})
