package operation

import "strings"

// punycodeLabels writes every label of a name, parted by dots, that holds other than
// ASCII characters as xn-- and its punycode (RFC 3492), with no mapping before: what
// the punycode libraries' toASCII does.
func punycodeLabels(name string) string {
	labels := strings.Split(name, ".")
	for i, label := range labels {
		if strings.IndexFunc(label, func(r rune) bool { return r > 0x7F }) >= 0 {
			labels[i] = "xn--" + punycode([]rune(label))
		}
	}
	return strings.Join(labels, ".")
}

// Parameters of RFC 3492, section 5.
const (
	punyBase, punyTMin, punyTMax = 36, 1, 26
	punySkew, punyDamp           = 38, 700
	punyBias, punyStart          = 72, 0x80
)

// punycode encodes characters by RFC 3492, section 6.3.
func punycode(input []rune) string {
	var out []byte
	for _, r := range input {
		if r < punyStart {
			out = append(out, byte(r))
		}
	}
	basic := len(out)
	handled := basic
	if basic > 0 {
		out = append(out, '-')
	}
	next, delta, bias := rune(punyStart), 0, punyBias
	for handled < len(input) {
		lowest := rune(0x7FFFFFFF)
		for _, r := range input {
			if r >= next && r < lowest {
				lowest = r
			}
		}
		delta += int(lowest-next) * (handled + 1)
		next = lowest
		for _, r := range input {
			if r < next {
				delta++
			}
			if r == next {
				out = appendPunyNumber(out, delta, bias)
				bias = punyAdapt(delta, handled+1, handled == basic)
				delta = 0
				handled++
			}
		}
		delta++
		next++
	}
	return string(out)
}

func appendPunyNumber(out []byte, q, bias int) []byte {
	for k := punyBase; ; k += punyBase {
		t := min(max(k-bias, punyTMin), punyTMax)
		if q < t {
			return append(out, punyDigit(q))
		}
		out = append(out, punyDigit(t+(q-t)%(punyBase-t)))
		q = (q - t) / (punyBase - t)
	}
}

func punyDigit(d int) byte {
	if d < 26 {
		return byte('a' + d)
	}
	return byte('0' + d - 26)
}

func punyAdapt(delta, points int, first bool) int {
	if first {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / points
	k := 0
	for delta > (punyBase-punyTMin)*punyTMax/2 {
		delta /= punyBase - punyTMin
		k += punyBase
	}
	return k + (punyBase-punyTMin+1)*delta/(delta+punySkew)
}
