package uri

import "strings"

// asciiHost writes a lower-case host name with its non-ASCII labels in Punycode. It
// takes only characters that the mapping of domain names (UTS 46) leaves alone;
// ok is false for others.
func asciiHost(host string) (string, bool) {
	labels := strings.Split(host, ".")
	for i, label := range labels {
		if !hasNonASCII(label) {
			continue
		}
		for _, r := range label {
			if r >= 0x80 && !plainLetter(r) {
				return "", false
			}
		}
		labels[i] = "xn--" + Punycode([]rune(label))
	}
	return strings.Join(labels, "."), true
}

// plainLetter reports a letter that domain-name mapping keeps: lower-case Latin,
// Greek and Cyrillic without compatibility forms, kana, Hangul, common ideographs.
func plainLetter(r rune) bool {
	switch {
	case r >= 0xDF && r <= 0xFF && r != 0xF7:
	case r >= 0x3B1 && r <= 0x3C9, r >= 0x430 && r <= 0x45F:
	case r >= 0x3041 && r <= 0x3096, r >= 0x30A1 && r <= 0x30FA:
	case r >= 0x4E00 && r <= 0x9FFF, r >= 0xAC00 && r <= 0xD7A3:
	default:
		return false
	}
	return true
}

// Punycode encodes one label (RFC 3492, section 6.3), without the prefix xn--.
func Punycode(label []rune) string {
	const base, tMin, tMax, skew, damp, firstBias, firstN = 36, 1, 26, 38, 700, 72, 128
	var out []byte
	for _, r := range label {
		if r < 0x80 {
			out = append(out, byte(r))
		}
	}
	basic := len(out)
	if basic > 0 {
		out = append(out, '-')
	}
	n, delta, bias := rune(firstN), 0, firstBias
	for done := basic; done < len(label); {
		next := rune(0x10FFFF)
		for _, r := range label {
			if r >= n && r < next {
				next = r
			}
		}
		delta += int(next-n) * (done + 1)
		n = next
		for _, r := range label {
			if r < n {
				delta++
			}
			if r != n {
				continue
			}
			q := delta
			for k := base; ; k += base {
				t := min(max(k-bias, tMin), tMax)
				if q < t {
					break
				}
				out = append(out, digit(t+(q-t)%(base-t)))
				q = (q - t) / (base - t)
			}
			out = append(out, digit(q))
			if done == basic {
				delta /= damp
			} else {
				delta /= 2
			}
			done++
			delta += delta / done
			k := 0
			for ; delta > (base-tMin)*tMax/2; k += base {
				delta /= base - tMin
			}
			bias = k + (base-tMin+1)*delta/(delta+skew)
			delta = 0
		}
		delta++
		n++
	}
	return string(out)
}

func digit(d int) byte {
	if d < 26 {
		return byte('a' + d)
	}
	return byte('0' + d - 26)
}
