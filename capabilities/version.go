package capabilities

import (
	"strings"
	"unicode"
)

// CompareVersions orders two host versions segment by segment: -1, 0 or 1.
// Segments are split at '.', '-', '_' and '+' and where digits meet letters;
// numbers compare as numbers. A word segment (alpha, beta, rc) comes before a
// missing segment, so 2.0.0-beta.5 < 2.0.0. Hosts' versions are not all semver
// (Cursor 3.18.25, Claude Desktop 1.30096.5, devel-37f36e9).
func CompareVersions(a, b string) int {
	as, bs := segments(a), segments(b)
	for i := 0; i < len(as) || i < len(bs); i++ {
		var x, y string
		if i < len(as) {
			x = as[i]
		}
		if i < len(bs) {
			y = bs[i]
		}
		if c := compareSegment(x, y); c != 0 {
			return c
		}
	}
	return 0
}

func segments(v string) []string {
	var out []string
	var cur strings.Builder
	kind := 0 // 1 digit, 2 other
	flush := func() {
		if cur.Len() > 0 {
			out = append(out, cur.String())
			cur.Reset()
		}
	}
	for _, r := range v {
		if strings.ContainsRune(".-_+", r) {
			flush()
			kind = 0
			continue
		}
		k := 2
		if unicode.IsDigit(r) {
			k = 1
		}
		if k != kind {
			flush()
		}
		kind = k
		cur.WriteRune(r)
	}
	flush()
	return out
}

// compareSegment orders: word < missing = 0 < greater numbers.
func compareSegment(x, y string) int {
	rank := func(s string) int {
		switch {
		case s == "":
			return 1
		case s[0] >= '0' && s[0] <= '9':
			return 2
		}
		return 0
	}
	rx, ry := rank(x), rank(y)
	switch {
	case rx == 2 && ry == 2:
		x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
		if len(x) != len(y) {
			return sign(len(x) - len(y))
		}
		return strings.Compare(x, y)
	case rx == 2 && ry == 1 && strings.Trim(x, "0") == "", rx == 1 && ry == 2 && strings.Trim(y, "0") == "":
		return 0 // 1.2 equals 1.2.0
	case rx != ry:
		return sign(rx - ry)
	}
	return strings.Compare(x, y)
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// covers reports whether version lies in the claim's half-open range. A bound
// written "≤V" holds from V on; whatever is earlier is untested and not covered.
func (c Claim) covers(version string) bool {
	since := strings.TrimPrefix(c.Since, "≤")
	if since != "" && CompareVersions(version, since) < 0 {
		return false
	}
	return c.Until == "" || CompareVersions(version, c.Until) < 0
}
