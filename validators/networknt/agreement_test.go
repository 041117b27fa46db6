package networknt_test

import (
	. "github.com/onsi/ginkgo/v2"

	"github.com/hostmatrix/conform/validators/internal/agreement"
	_ "github.com/hostmatrix/conform/validators/networknt"
)

// namedExceptions are the recorded answers that can't be had, with the reason.
var namedExceptions = map[string]string{
	"regex-unicode-name": "characters by name are not modelled; the answer is unknown",
}

var _ = Describe("agreement", func() {
	It("of networknt-2020 on the module's own constructs", func() {
		cases, err := agreement.Goldens("networknt-2020")
		agreement.Expect("networknt-2020", "goldens", cases, err, agreement.Exact, namedExceptions)
	})
})
