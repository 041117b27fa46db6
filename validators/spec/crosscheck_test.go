package spec_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/xeipuuv/gojsonschema"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/internal/agreement"
	"github.com/hostmatrix/conform/validators/spec"
)

// second is the verdict of gojsonschema, an independent reader of draft-07. It
// overflows the stack on reference cycles, so it only sees what is acyclic; it also
// panics on some others.
func second(document *schema.Value, instance string) (valid, ok bool) {
	defer func() {
		if recover() != nil {
			valid, ok = false, false
		}
	}()
	if !spec.Acyclic(document) {
		return false, false
	}
	loader := gojsonschema.NewSchemaLoader()
	loader.Draft, loader.AutoDetect = gojsonschema.Draft7, false
	compiled, err := loader.Compile(gojsonschema.NewStringLoader(document.Compact()))
	if err != nil {
		return false, false
	}
	result, err := compiled.Validate(gojsonschema.NewStringLoader(instance))
	if err != nil {
		return false, false
	}
	return result.Valid(), true
}

// explained are the reasons for which the two readers part, each decided by the
// specification.
var explained = map[string]string{
	"format":       "gojsonschema asserts formats; here they are annotations",
	"content":      "gojsonschema asserts contentEncoding and contentMediaType",
	"pattern":      "gojsonschema matches with RE2, not ECMA-262",
	"$ref":         "gojsonschema looks at what stands beside $ref, and resolves ids its own way",
	"$id":          "gojsonschema resolves ids its own way",
	"uniqueItems":  "gojsonschema compares items as JSON text",
	"const":        "gojsonschema compares as JSON text",
	"enum":         "gojsonschema compares as JSON text",
	"contains":     "gojsonschema 1.2.0 does not know minContains and counts on an empty array differently",
	"dependencies": "gojsonschema refuses or ignores unusual dependencies",
}

var _ = Describe("cross-check with gojsonschema", func() {
	It("agrees on draft-07 where the two read alike", func() {
		cases, err := agreement.Goldens("ajv8-draft07-lax")
		Expect(err).NotTo(HaveOccurred())
		compared := 0
		var unexplained []string
		for _, c := range cases {
			document := schema.MustParse(c.Schema)
			v, err := validators.Compile("draft-07", document)
			if err != nil {
				continue
			}
			for _, text := range c.Instances {
				other, ok := second(document, text)
				ours := v.Validate(schema.MustParse(text))
				if !ok || ours.Outcome > validators.Invalid {
					continue
				}
				compared++
				if (ours.Outcome == validators.Valid) == other {
					continue
				}
				known := false
				for keyword := range explained {
					known = known || strings.Contains(c.Schema, `"`+keyword)
				}
				if !known {
					unexplained = append(unexplained, fmt.Sprintf("%s %.200s => %.80s: specification %v, gojsonschema valid=%v (%s)", c.ID, c.Schema, text, ours.Outcome, other, ours.Text))
				}
			}
		}
		AddReportEntry("compared", fmt.Sprintf("%d verdicts", compared))
		Expect(compared).To(BeNumerically(">", 1000))
		Expect(unexplained).To(BeEmpty())
	})
})
