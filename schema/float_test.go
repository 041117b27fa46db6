package schema_test

import (
	"math"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
)

var _ = DescribeTable("A number of hundreds of digits is the double that JSON.parse gives",
	func(literal string) {
		want, _ := strconv.ParseFloat(literal, 64)
		Expect(schema.MustParse(literal).Float()).To(Equal(want))
	},
	Entry("too large", strings.Repeat("7", 1000)),
	Entry("too small", "-"+strings.Repeat("7", 1000)),
	Entry("the greatest double", strconv.FormatFloat(math.MaxFloat64, 'f', -1, 64)),
	Entry("with a fraction", strings.Repeat("7", 500)+".5"),
	Entry("a fraction alone", "0."+strings.Repeat("3", 1000)),
	Entry("a long fraction", "12."+strings.Repeat("3", 1000)),
	Entry("made small by its exponent", strings.Repeat("7", 1000)+"e-995"),
	Entry("made small by its exponent, in capitals", strings.Repeat("7", 1000)+"E-1200"),
)
