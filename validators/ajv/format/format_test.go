package format_test

import (
	"bufio"
	"bytes"
	_ "embed"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/format"
)

func TestFormat(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "validators/ajv/format")
}

// Each line is a value with the verdict of ajv-formats 3.0.1 (full) and, where it knows
// the format, of Ajv 6.15.0 (six).
//
//go:embed testdata/verdicts.jsonl
var verdicts []byte

// accepts applies a table to a value; formats that it lacks accept everything.
func accepts(set format.Set, name string, v *schema.Value) bool {
	def := set[name]
	switch {
	case v.Kind == schema.String && def.Text != nil:
		return def.Text(v.Text)
	case v.Kind == schema.Number && def.Number != nil:
		return def.Number(v.Float())
	}
	return true
}

var _ = Describe("formats", func() {
	lines := bufio.NewScanner(bytes.NewReader(verdicts))
	for lines.Scan() {
		line := schema.MustParse(lines.Text())
		name, value := line.Get("format").Text, line.Get("value")
		It("take "+name+" "+value.Compact()+" as the real tables do", func() {
			Expect(accepts(format.Full(), name, value)).To(Equal(line.Get("full").Bool))
			if six := line.Get("six"); six != nil {
				Expect(accepts(format.Six(), name, value)).To(Equal(six.Bool), "Ajv 6")
			} else {
				Expect(format.Six()).NotTo(HaveKey(name))
			}
		})
	}

	DescribeTable("that have an order",
		func(name, a, b string, order int, ok bool) {
			got, comparable := format.Full()[name].Compare(a, b)
			Expect(comparable).To(Equal(ok))
			Expect(got).To(Equal(order))
		},
		Entry("dates", "date", "2024-01-02", "2024-01-03", -1, true),
		Entry("an empty date compares with nothing", "date", "", "2024-01-03", 0, false),
		Entry("instants in different zones", "date-time", "2024-01-02T03:00:00+01:00", "2024-01-02T02:00:00Z", 0, true),
		Entry("times in different zones", "time", "03:00:00+01:00", "02:30:00Z", -1, true),
		Entry("times without zones by their digits", "iso-time", "03:00:00", "02:30:00", 1, true),
		Entry("what is no time", "time", "x", "02:30:00Z", 0, false),
	)
})
