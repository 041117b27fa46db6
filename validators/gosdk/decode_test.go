package gosdk_test

import (
	"encoding/json"
	"fmt"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/gosdk"
	"github.com/hostmatrix/conform/validators/internal/agreement"
)

// decodedAlike holds what is decoded directly against encoding/json; direct is false
// where a document is left to it.
func decodedAlike(document *schema.Value) (direct bool, difference string) {
	ours, direct := gosdk.DecodeSchema(document)
	if !direct {
		return false, ""
	}
	theirs := new(jsonschema.Schema)
	if err := json.Unmarshal([]byte(document.Compact()), theirs); err != nil {
		return true, fmt.Sprintf("the module refuses it: %v", err)
	}
	return true, cmp.Diff(theirs, ours)
}

func valueAlike(v *schema.Value) string {
	ours, direct := gosdk.DecodeValue(v, 0)
	if !direct {
		return ""
	}
	var theirs any
	if err := json.Unmarshal([]byte(v.Compact()), &theirs); err != nil {
		return fmt.Sprintf("encoding/json refuses it: %v", err)
	}
	return cmp.Diff(theirs, ours)
}

var _ = It("decodes directly what encoding/json decodes", func() {
	cases, err := agreement.Goldens("ajv8-draft07-lax")
	Expect(err).NotTo(HaveOccurred())
	total := 0
	for _, c := range cases {
		direct, difference := decodedAlike(schema.MustParse(c.Schema))
		Expect(difference).To(BeEmpty(), c.Schema)
		if direct {
			total++
		}
		for _, instance := range c.Instances {
			Expect(valueAlike(schema.MustParse(instance))).To(BeEmpty(), instance)
		}
	}
	Expect(total).To(BeNumerically(">", 500))
})
