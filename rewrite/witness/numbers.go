package witness

import (
	"math/big"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// oddNumbers are spellings and sizes about which languages differ: a double holds
// whole numbers to 2^53, JavaScript and Python read 1e400 as infinity.
var oddNumbers = []string{"0", "1", "-1", "1.0", "2", "1e2", "9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993",
	"18446744073709551615", "1e400", "-0", "-0.0", "1e-400", "3.0000000000000001", "1e308", "1e22", "2147483648", "0.1", "1.5"}

// numbers returns numbers for the parts: at and next to every bound, multiples,
// and odd ones.
func numbers(c conj, integer bool, limit int) []*schema.Value {
	var out []*schema.Value
	add := func(texts ...string) {
		for _, t := range texts {
			out = append(out, &schema.Value{Kind: schema.Number, Text: t})
		}
	}
	var bounds, multiples []*schema.Value
	for _, keyword := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} {
		for _, v := range c.all(keyword) {
			if v.Kind != schema.Number {
				continue
			}
			bounds = append(bounds, inside(keyword, v)...)
			bounds = append(bounds, v)
			bounds = append(bounds, neighbours(v)...)
		}
	}
	for _, v := range c.all("multipleOf") {
		step, ok := v.Exact()
		if !ok || step.Sign() == 0 {
			continue
		}
		for _, k := range []string{"1", "3", "7", "435", "1999", "0", "19", "-3", "11", "29", "57", "58", "115", "1001", "1e15"} {
			factor, _ := new(big.Rat).SetString(k)
			multiples = append(multiples, numberOf(new(big.Rat).Mul(step, factor)))
		}
		multiples = append(multiples, schema.MustParse("1e308"), schema.MustParse("1e400"), schema.MustParse("1e22"), schema.MustParse("9007199254740993"))
	}
	if integer {
		add("1")
	} else {
		add("1.5", "1")
	}
	for _, v := range c.all("format") {
		switch name, _ := v.IsString(); name {
		case "int32", "int64", "float", "double", "uint32", "uint64", "int8", "uint8", "int16", "uint16":
			add("2147483648", "-1", "1.5", "9223372036854775808", "256", "1e39")
		}
	}
	first := out
	out = nil
	add(oddNumbers...)
	return interleave([][]*schema.Value{append(append([]*schema.Value(nil), multiples...), bounds...), first, out}, limit)
}

// inside are values that keep to a bound, with and without a fraction.
func inside(keyword string, v *schema.Value) []*schema.Value {
	b, ok := v.Exact()
	if !ok {
		return nil
	}
	sign := int64(1)
	if keyword == "maximum" || keyword == "exclusiveMaximum" {
		sign = -1
	}
	floor := new(big.Rat).SetInt(new(big.Int).Quo(b.Num(), b.Denom()))
	return []*schema.Value{
		numberOf(new(big.Rat).Add(floor, big.NewRat(sign, 1))),
		numberOf(new(big.Rat).Add(b, big.NewRat(sign, 2))),
	}
}

// neighbours are the whole numbers beside v, exactly, however large it is.
func neighbours(v *schema.Value) []*schema.Value {
	x, ok := v.Exact()
	if !ok || len(v.Text) > 40 {
		return nil
	}
	one := big.NewRat(1, 1)
	return []*schema.Value{numberOf(new(big.Rat).Add(x, one)), numberOf(new(big.Rat).Sub(x, one))}
}

// numberOf writes a rational as a JSON number, cut after 20 digits.
func numberOf(x *big.Rat) *schema.Value {
	text := x.FloatString(20)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" || text == "" {
		text = "0"
	}
	return &schema.Value{Kind: schema.Number, Text: text}
}
