package networknt

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// The texts are Double.toString's on Java 17.
var _ = DescribeTable("javaDouble",
	func(f float64, want string) { Expect(javaDouble(f)).To(Equal(want)) },
	Entry(nil, 1.0, "1.0"),
	Entry(nil, -0.001, "-0.001"),
	Entry(nil, 0.0001, "1.0E-4"),
	Entry(nil, 9999999.0, "9999999.0"),
	Entry(nil, 1e7, "1.0E7"),
	Entry(nil, 123456.789, "123456.789"),
	Entry("a digit too many", 14059083128543671384e-1, "1.40590831285436723E18"),
	Entry("not the nearest", 745.930e18, "7.459299999999999E20"),
	Entry("the greatest", 1.7976931348623157e308, "1.7976931348623157E308"),
	Entry("the smallest", 5e-324, "4.9E-324"),
	Entry("a power of two", 9007199254740992.0, "9.007199254740992E15"),
)
