package cfworker

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

func (e *evaluation) numeric() {
	x := e.instance.num
	say := func(keyword, words string, limit *value) {
		e.fail(keyword, e.instance.display()+" is "+words+" "+limit.display()+".")
	}
	if limit := e.schema.get("minimum"); limit != nil && x < limit.number() {
		say("minimum", "less than", limit)
	}
	if limit := e.schema.get("maximum"); limit != nil && x > limit.number() {
		say("maximum", "greater than", limit)
	}
	// The words of exclusiveMinimum say "less than" also where it is equal.
	if limit := e.schema.get("exclusiveMinimum"); limit != nil && x <= limit.number() {
		say("exclusiveMinimum", "less than", limit)
	}
	if limit := e.schema.get("exclusiveMaximum"); limit != nil && x >= limit.number() {
		say("exclusiveMaximum", "greater than or equal to", limit)
	}
	if divisor := e.schema.get("multipleOf"); divisor != nil && !e.isMultiple(x, divisor) {
		say("multipleOf", "not a multiple of", divisor)
	}
}

// tolerance of multipleOf in 4.1.1: a remainder this close to 0 or to the
// divisor is none, and neither is NaN.
const tolerance = 1.1920929e-7

func (r *release) isMultiple(x float64, divisor *value) bool {
	if r.exactMultiples {
		return divisor.kind == kindNumber && isDecimalMultiple(x, divisor.num)
	}
	remainder := math.Mod(x, divisor.number())
	return !(math.Abs(0-remainder) >= tolerance && math.Abs(divisor.number()-remainder) >= tolerance)
}

// isDecimalMultiple divides the shortest decimal digits of both numbers.
func isDecimalMultiple(x, divisor float64) bool {
	if math.IsInf(x, 0) || math.IsInf(divisor, 0) || divisor <= 0 {
		return false
	}
	a, exponentA := decimal(x)
	b, exponentB := decimal(divisor)
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(abs(exponentA-exponentB))), nil)
	if exponentA >= exponentB {
		a.Mul(a, scale)
	} else {
		b.Mul(b, scale)
	}
	return a.Rem(a, b).Sign() == 0
}

// decimal returns |x| as an integer and a power of ten.
func decimal(x float64) (*big.Int, int) {
	text, exponent, _ := strings.Cut(schema.JSNumber(math.Abs(x), false), "e")
	power, _ := strconv.Atoi(exponent)
	whole, fraction, _ := strings.Cut(text, ".")
	n, _ := new(big.Int).SetString(whole+fraction, 10)
	return n, power - len(fraction)
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

func (e *evaluation) text() {
	s := e.instance.str
	least, most := e.schema.get("minLength"), e.schema.get("maxLength")
	if least != nil || most != nil {
		length := codePoints(s)
		if least != nil && less(float64(length), least) {
			e.fail("minLength", fmt.Sprintf("String is too short (%d < %s).", length, least.display()))
		}
		if most != nil && greater(float64(length), most) {
			e.fail("maxLength", fmt.Sprintf("String is too long (%d > %s).", length, most.display()))
		}
	}
	if pattern := e.schema.get("pattern"); pattern != nil && !e.matches(e.compile(pattern), s) {
		e.fail("pattern", "String does not match pattern.")
	}
	if name := e.schema.get("format"); name != nil && !e.conforms(s, name.display()) {
		e.fail("format", `String does not match format "`+name.display()+`".`)
	}
}

// codePoints counts characters, a surrogate pair as one.
func codePoints(s string) (count int) {
	for len(s) > 0 {
		_, n := schema.DecodeWTF8(s)
		s = s[n:]
		count++
	}
	return count
}
