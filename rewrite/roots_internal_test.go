package rewrite

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
)

var _ = Describe("Renaming odd property keys", func() {
	It("keeps every property findable, however many there are", func() {
		var members []string
		for i := range 12 {
			members = append(members, fmt.Sprintf(`"key %d": {"type": "string"}`, i))
		}
		out := plainKeys(schema.MustParse("{" + strings.Join(members, ",") + "}"))
		for i := range 12 {
			Expect(out.Get(fmt.Sprintf("key_%d", i))).NotTo(BeNil())
		}
	})
})
