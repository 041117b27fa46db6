package pyjsonschema_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"

	"github.com/hostmatrix/conform/validators/internal/agreement"
)

// namedExceptions are the recorded answers that can't be had, with the reason.
var namedExceptions = map[string]string{
	"depth-schema-1000":        "recorded with the standard library's JSON parser, which fails first; the SDK's own parser is another",
	"typebox-bigint-undefined": "two members are wrong and the library walks a hash set: either comes first",
}

// sameWords compares texts; where exactly Python's stack ran out is chance.
func sameWords(equal agreement.TextEqual) agreement.TextEqual {
	const overflow = "RecursionError: maximum recursion depth exceeded"
	return func(want, got string) bool {
		return equal(want, got) || strings.HasPrefix(want, overflow) && strings.HasPrefix(got, overflow)
	}
}

var _ = Describe("agreement", func() {
	const profile = "python-jsonschema"
	It("answers the module's own constructs like the library", func() {
		cases, err := agreement.Goldens(profile)
		agreement.Expect(profile, "goldens", cases, err, sameWords(agreement.FirstParagraph), namedExceptions)
	})

	Context("with the recordings", func() {
		var dir string
		BeforeEach(func() {
			if dir = agreement.Dir(); dir == "" {
				Skip("no recordings: set CONFORM_SHARED to compare with them")
			}
		})
		It("answers every probe like jsonschema 4.26.0", func() {
			cases, err := agreement.Probes(dir, "py-jsonschema-4.26.0")
			agreement.Expect(profile, "probes", cases, err, sameWords(agreement.Exact), namedExceptions)
		})
		It("answers every construct like the SDK", func() {
			cases, err := agreement.SDK(dir, "python")
			agreement.Expect(profile, "SDK constructs", cases, err, sameWords(agreement.Exact), namedExceptions)
		})
	})
})
