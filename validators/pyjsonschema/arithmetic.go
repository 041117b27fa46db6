package pyjsonschema

import (
	"math"
	"math/big"
)

// isIntegral is float.is_integer.
func isIntegral(f float64) bool { return !math.IsInf(f, 0) && f == math.Trunc(f) }

// leavesRemainder is what multipleOf computes: a float divisor divides in floats
// and looks whether the quotient is whole (0.07 is no multiple of 0.01), with
// exact fractions only where the quotient overflows; an int divisor takes the
// remainder.
func leavesRemainder(instance, divisor *value) bool {
	if !divisor.arithmetic() {
		raise("TypeError", "unsupported operand type(s) for %%: '%s' and '%s'", instance.kind, divisor.kind)
	}
	if divisor.kind == kindFloat {
		return quotientBroken(instance, divisor)
	}
	if instance.kind == kindFloat {
		return floatRemainder(instance.float, toFloat(divisor))
	}
	d := divisor.integerOf()
	if d.Sign() == 0 {
		raise("ZeroDivisionError", "integer modulo by zero")
	}
	return new(big.Int).Rem(instance.integerOf(), d).Sign() != 0
}

func floatRemainder(x, y float64) bool {
	if y == 0 {
		raise("ZeroDivisionError", "float modulo")
	}
	return math.Mod(x, y) != 0 // NaN, from infinity, is true in Python too
}

func quotientBroken(instance, divisor *value) bool {
	x, y := instance.float, divisor.float
	if instance.kind != kindFloat {
		x = toFloat(instance)
	}
	if y == 0 {
		raise("ZeroDivisionError", "float division by zero")
	}
	quotient := x / y
	switch {
	case math.IsNaN(quotient):
		raise("ValueError", "cannot convert float NaN to integer")
	case !math.IsInf(quotient, 0):
		return quotient != math.Trunc(quotient)
	case instance.kind == kindFloat && math.IsInf(x, 0):
		raise("OverflowError", "cannot convert Infinity to integer ratio")
	}
	return !new(big.Rat).Quo(exact(instance), exact(divisor)).IsInt()
}

// toFloat is float(int).
func toFloat(v *value) float64 {
	f, _ := new(big.Float).SetInt(v.integerOf()).Float64()
	if math.IsInf(f, 0) {
		raise("OverflowError", "int too large to convert to float")
	}
	return f
}
