package networknt

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// thrown is a Java exception on its way up; the SDK catches it and reports its
// message. It travels as a panic inside this package.
type thrown struct {
	message string
	jackson bool // a JacksonException not yet wrapped: the SDK has other words for it
}

func throw(format string, args ...any) { panic(&thrown{fmt.Sprintf(format, args...), false}) }

func throwJackson(format string, args ...any) { panic(&thrown{fmt.Sprintf(format, args...), true}) }

// wrapping runs f as the library builds a keyword: whatever is thrown comes out as
// a SchemaException with the class in its message.
func wrapping(f func() check) check {
	defer func() {
		if caught := recover(); caught != nil {
			if t, ok := caught.(*thrown); ok && t.jackson {
				caught = &thrown{"tools.jackson.databind.exc.JsonNodeException: " + t.message, false}
			}
			panic(caught)
		}
	}()
	return f()
}

// overflow is a StackOverflowError, which the SDK does not catch.
type overflow struct{}

// gaveUp is a limit of this emulation, or a question that it can't answer.
type gaveUp struct{ reason string }

func giveUp(format string, args ...any) { panic(&gaveUp{fmt.Sprintf(format, args...)}) }

// grouped is how MessageFormat prints an int: with thousands separators.
func grouped(n int) string {
	s := strconv.Itoa(n)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// bigDecimal is BigDecimal.valueOf(f).stripTrailingZeros().toString().
func bigDecimal(f float64) string {
	digits, exponent := javaDigits(math.Abs(f))
	digits = strings.TrimRight(digits, "0")
	n := exponent - 1
	scale := len(digits) - 1 - n
	sign := ""
	if f < 0 {
		sign = "-"
	}
	switch {
	case scale == 0:
		return sign + digits
	case scale > 0 && n >= -6:
		if len(digits) <= scale {
			digits = strings.Repeat("0", scale-len(digits)+1) + digits
		}
		return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	}
	out := sign + digits[:1]
	if len(digits) > 1 {
		out += "." + digits[1:]
	}
	return out + fmt.Sprintf("E%+d", n)
}

// intValue is JsonNode.intValue() of an integral number.
func intValue(n *node) int {
	whole := n.whole
	if n.kind == kindDouble {
		whole, _ = new(big.Float).SetFloat64(n.num).Int(nil)
	}
	if !whole.IsInt64() || whole.Int64() > math.MaxInt32 || whole.Int64() < math.MinInt32 {
		name := map[bool]string{true: "LongNode", false: "BigIntegerNode"}[whole.IsInt64()]
		if n.kind == kindDouble {
			name = "DoubleNode"
		}
		throwJackson("'%s' method `intValue()` cannot convert value %s to `int`: value not in 32-bit `int` range", name, n.scalar())
	}
	return int(whole.Int64())
}

// longValue is JsonNode.asLong(): it drops a fraction.
func longValue(n *node) int64 {
	if n.kind == kindInt {
		return n.whole.Int64()
	}
	if n.num == math.MaxInt64 { // 2^63, which is not greater than the greatest long as a double
		return math.MaxInt64
	}
	if n.num > math.MaxInt64 || n.num < math.MinInt64 {
		throwJackson("'DoubleNode' method `asLong()` cannot convert value %s to `long`: value not in 64-bit `long` range", n.scalar())
	}
	return int64(n.num)
}
