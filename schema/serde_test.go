package schema_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
)

var _ = DescribeTable("A number as serde_json writes it", func(literal, double, exact string) {
	Expect(schema.SerdeNumber(literal, false)).To(Equal(double))
	Expect(schema.SerdeNumber(literal, true)).To(Equal(exact))
},
	Entry("an exponent", "1E2", "100.0", "1e+2"),
	Entry("the first that is written with an exponent", "1e16", "1e+16", "1e+16"),
	Entry("the last that is written out", "1e15", "1000000000000000.0", "1e+15"),
	Entry("the smallest that is written out", "1e-5", "0.00001", "1e-5"),
	Entry("a smaller one", "1e-6", "1e-6", "1e-6"),
	Entry("digits and an exponent", "1.5e-7", "1.5e-7", "1.5e-7"),
	Entry("a sign in the exponent", "2.50e+10", "25000000000.0", "2.50e+10"),
	Entry("zeros at the end", "1.10", "1.1", "1.10"),
	Entry("minus zero", "-0", "-0.0", "0"),
	Entry("minus zero with a fraction", "-0.0", "-0.0", "-0.0"),
	Entry("an integer beyond a double's", "9007199254740993", "9007199254740993", "9007199254740993"),
	Entry("the largest integer of 64 bits", "18446744073709551615", "18446744073709551615", "18446744073709551615"),
	Entry("a larger one", "18446744073709551616", "1.8446744073709552e+19", "18446744073709551616"),
	Entry("a smaller one than all of 64 bits", "-9223372036854775809", "-9.223372036854776e+18", "-9223372036854775809"),
	Entry("the largest double", "1.7976931348623157e308", "1.7976931348623157e+308", "1.7976931348623157e+308"),
	Entry("the smallest double", "5e-324", "5e-324", "5e-324"),
	Entry("one that no double holds", "1e400", "1e400", "1e+400"),
)
