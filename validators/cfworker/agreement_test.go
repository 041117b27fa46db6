package cfworker_test

import (
	. "github.com/onsi/ginkgo/v2"

	_ "github.com/hostmatrix/conform/validators/cfworker"
	"github.com/hostmatrix/conform/validators/internal/agreement"
)

// namedExceptions are the recorded answers that can't be had, with the reason.
var namedExceptions = map[string]string{
	"proto-prop": "the SDK's parser drops the member __proto__ of a schema's properties and of a result before the validator sees either",
}

var _ = Describe("agreement", func() {
	for _, profile := range []string{"cfworker-2019", "cfworker-2020", "cfworker-dispatch"} {
		It("of "+profile+" on the module's own constructs", func() {
			cases, err := agreement.Goldens(profile)
			agreement.Expect(profile, "goldens", cases, err, agreement.Exact, namedExceptions)
		})
	}
	Context("with the recordings", func() {
		var dir string
		BeforeEach(func() {
			if dir = agreement.Dir(); dir == "" {
				Skip("no recordings: set CONFORM_SHARED to compare with them")
			}
		})
		It("of cfworker-dispatch on the probes", func() {
			cases, err := agreement.Probes(dir, "ts-client-2.4.0-cfworker")
			agreement.Expect("cfworker-dispatch", "probes", cases, err, agreement.Exact, namedExceptions)
		})
		It("of cfworker-2020 on the official suite", func() {
			cases, err := agreement.Suite(dir, "cfworker")
			agreement.Expect("cfworker-2020", "official suite", cases, err, agreement.Exact, namedExceptions)
		})
		It("of cfworker-2020 on the SDK constructs", func() {
			cases, err := agreement.SDK(dir, "ts-1.32-cfworker")
			agreement.Expect("cfworker-2020", "SDK constructs", cases, err, agreement.Exact, namedExceptions)
		})
		It("of cfworker-dispatch on the SDK constructs", func() {
			cases, err := agreement.SDK(dir, "ts-2.x-cfworker")
			agreement.Expect("cfworker-dispatch", "SDK constructs", cases, err, agreement.Exact, namedExceptions)
		})
	})
})
