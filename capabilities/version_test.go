package capabilities_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
)

var _ = DescribeTable("comparing versions",
	func(a, b string, want int) {
		Expect(capabilities.CompareVersions(a, b)).To(Equal(want))
		Expect(capabilities.CompareVersions(b, a)).To(Equal(-want), "the other way round")
	},
	Entry("numbers compare as numbers", "1.9.0", "1.10.0", -1),
	Entry("equal", "3.18.25", "3.18.25", 0),
	Entry("a missing segment is zero", "1.2", "1.2.0", 0),
	Entry("a pre-release comes before its release", "2.0.0-beta.5", "2.0.0", -1),
	Entry("pre-releases in order", "2.0.0-alpha.2", "2.0.0-beta.1", -1),
	Entry("pre-release numbers in order", "2.0.0-beta.5", "2.0.0-beta.12", -1),
	Entry("many digits", "1.30096.5", "1.9999.5", 1),
	Entry("leading zeros", "2026.08.1", "2026.8.1", 0),
	Entry("a development build comes before any number", "devel-37f36e9", "0.1.0", -1),
)
