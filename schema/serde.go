package schema

import (
	"math/big"
	"strconv"
	"strings"
)

// SerdeNumber is a number literal as serde_json, the library of hosts in Rust, writes it
// when it has read it. exact is its feature arbitrary_precision, which keeps the digits;
// without it what is no integer of 64 bits is a double. Source: Copilot CLI 1.0.102
// and Codex 0.171.0, observed with the catalogue lab/probe/numbers.json.
func SerdeNumber(literal string, exact bool) string {
	mantissa, exponent, scientific := strings.Cut(strings.ToLower(literal), "e")
	if exact {
		switch {
		case literal == "-0":
			return "0"
		case !scientific:
			return literal
		case exponent[0] != '+' && exponent[0] != '-':
			exponent = "+" + exponent
		}
		return mantissa + "e" + exponent
	}
	if !scientific && !strings.Contains(mantissa, ".") && literal != "-0" {
		if n, ok := new(big.Int).SetString(literal, 10); ok && (n.IsInt64() || n.IsUint64()) {
			return literal
		}
	}
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return literal // beyond a double: not read at all
	}
	short := strconv.FormatFloat(f, 'e', -1, 64)
	digits, power, _ := strings.Cut(short, "e")
	n, err := strconv.Atoi(power)
	switch {
	case err != nil: // a double has an exponent
		return literal
	case n < -5 || n > 15:
		return strings.TrimSuffix(digits, ".0") + "e" + signed(n)
	}
	plain := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(plain, ".") {
		plain += ".0"
	}
	return plain
}

func signed(n int) string {
	if n < 0 {
		return strconv.Itoa(n)
	}
	return "+" + strconv.Itoa(n)
}
