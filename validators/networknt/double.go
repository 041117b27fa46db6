package networknt

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// javaDouble is Double.toString before Java 19: plain from 1e-3 to 1e7, else
// computerised scientific notation. The digits are those of the old
// FloatingDecimal, which are not always the fewest nor the nearest: 7.4593E20 comes
// out as 7.459299999999999E20 (JDK-4511638). Compared with Java 17 on 19,918 doubles.
func javaDouble(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0 && math.Signbit(f):
		return "-0.0"
	case f == 0:
		return "0.0"
	}
	sign := ""
	if f < 0 {
		sign, f = "-", -f
	}
	digits, exponent := javaDigits(f) // 0.d1d2… × 10^exponent
	switch {
	case exponent > 0 && exponent < 8:
		if len(digits) <= exponent {
			return sign + digits + strings.Repeat("0", exponent-len(digits)) + ".0"
		}
		return sign + digits[:exponent] + "." + digits[exponent:]
	case exponent <= 0 && exponent > -3:
		return sign + "0." + strings.Repeat("0", -exponent) + digits
	}
	rest := digits[1:]
	if rest == "" {
		rest = "0"
	}
	return sign + digits[:1] + "." + rest + "E" + strconv.Itoa(exponent-1)
}

// significandBits of a double, the hidden one included.
const significandBits = 53

// javaDigits generates digits until they tell the value from its neighbours, with
// the shortcuts and the stopping rule of FloatingDecimal.
func javaDigits(f float64) (digits string, exponent int) {
	fraction := math.Float64bits(f) & (1<<52 - 1)
	power := int(math.Float64bits(f)>>52) - 1023
	significant := significandBits
	if power == -1023 { // subnormal: shift the first bit up
		shift := bits.LeadingZeros64(fraction) - 11
		fraction <<= shift
		power = 1 - shift - 1023
		significant = significandBits - shift
	} else {
		fraction |= 1 << 52
	}
	used := significandBits - bits.TrailingZeros64(fraction)
	tiny := max(0, used-power-1) // bits to the right of the point
	if power <= 62 && power >= -21 && tiny == 0 {
		return wholeDigits(fraction, power, significant)
	}
	return generatedDigits(fraction, power, significant, used, tiny)
}

// wholeDigits writes an integer of at most 63 bits, without those digits that the
// significand can't vouch for.
func wholeDigits(fraction uint64, power, significant int) (string, int) {
	n := fraction >> max(0, 52-power) << max(0, power-52)
	drop := 0
	if p := power - significant - 1; power > significant && p > 1 {
		drop = int(float64(p) * math.Log10(2))
	}
	scale := uint64(math.Pow10(drop))
	rounded := n / scale
	if drop > 0 && n%scale >= scale/2 {
		rounded++
	}
	text := strconv.FormatUint(rounded, 10)
	return strings.TrimRight(text, "0"), len(text) + drop
}

func generatedDigits(fraction uint64, power, significant, used, tiny int) (string, int) {
	exponent := estimatedExponent(fraction, power)
	// value = b/s × 10^exponent, and m/s is half the distance to its neighbours.
	b5, s5 := max(0, -exponent), max(0, exponent)
	b2, s2 := b5+tiny+power, s5+tiny
	m5, m2 := b5, b2-significant
	b2 -= used - 1
	common := min(b2, s2)
	b2, s2, m2 = b2-common, s2-common, m2-common
	if used == 1 { // below a power of two the neighbour is nearer
		m2--
	}
	if m2 < 0 {
		b2, s2, m2 = b2-m2, s2-m2, 0
	}
	b := scaled(new(big.Int).SetUint64(fraction>>bits.TrailingZeros64(fraction)), b5, b2)
	s := scaled(big.NewInt(1), s5, s2)
	m := scaled(big.NewInt(1), m5, m2)
	tens := new(big.Int).Mul(s, big.NewInt(10))

	var out []byte
	q := new(big.Int)
	next := func() (low, high bool) {
		q.QuoRem(b, s, b)
		b.Mul(b, big.NewInt(10))
		m.Mul(m, big.NewInt(10))
		return b.Cmp(m) < 0, new(big.Int).Add(b, m).Cmp(tens) > 0
	}
	low, high := next()
	if q.Sign() == 0 && !high {
		exponent--
	} else {
		out = append(out, byte('0'+q.Int64()))
	}
	if exponent < -3 || exponent >= 8 {
		low, high = false, false // the E form wants a second digit
	}
	for !low && !high {
		low, high = next()
		out = append(out, byte('0'+q.Int64()))
	}
	if high && (!low || roundsUp(b, tens, out)) {
		out, exponent = roundedUp(out, exponent)
	}
	return string(out), exponent + 1
}

// roundsUp decides between two equally good digits; a tie goes to the even one.
func roundsUp(b, tens *big.Int, digits []byte) bool {
	switch new(big.Int).Lsh(b, 1).Cmp(tens) {
	case 1:
		return true
	case 0:
		return digits[len(digits)-1]&1 != 0
	}
	return false
}

func roundedUp(digits []byte, exponent int) ([]byte, int) {
	i := len(digits) - 1
	for ; i >= 0 && digits[i] == '9'; i-- {
		digits[i] = '0'
	}
	if i < 0 {
		digits[0] = '1'
		return digits, exponent + 1
	}
	digits[i]++
	return digits, exponent
}

func scaled(n *big.Int, five, two int) *big.Int {
	if five > 0 {
		n.Mul(n, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(five)), nil))
	}
	return n.Lsh(n, uint(two))
}

// estimatedExponent is floor(log10) by a straight line; it may be one too high.
func estimatedExponent(fraction uint64, power int) int {
	mantissa := math.Float64frombits(1023<<52 | fraction&(1<<52-1))
	return int(math.Floor((mantissa-1.5)*0.289529654 + 0.176091259 + float64(power)*0.301029995663981))
}
