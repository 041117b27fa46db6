package format

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// isEmail: dot-separated atoms, then at least two host labels.
func isEmail(s string) bool {
	local, host, ok := strings.Cut(s, "@")
	if !ok {
		return false
	}
	for _, atom := range strings.Split(local, ".") {
		if atom == "" || !only(atom, "!#$%&'*+/=?^_`{|}~-", false) {
			return false
		}
	}
	labels := strings.Split(host, ".")
	for _, label := range labels {
		if !isLabel(label) {
			return false
		}
	}
	return len(labels) > 1
}

func isLabel(s string) bool {
	return s != "" && s[0] != '-' && s[len(s)-1] != '-' && only(s, "-", false)
}

func isHostname(s string) bool {
	s = strings.TrimSuffix(s, ".")
	if s == "" || len(s) > 253 {
		return false
	}
	for _, label := range strings.Split(s, ".") {
		if !isLabel(label) || len(label) > 63 {
			return false
		}
	}
	return true
}

func isIPv4(s string) bool {
	parts := strings.Split(s, ".")
	if len(parts) != 4 {
		return false
	}
	for _, p := range parts {
		if !isOctet(p) || len(p) > 1 && p[0] == '0' {
			return false
		}
	}
	return true
}

// isOctet is 0 to 255 in one to three digits.
func isOctet(s string) bool { return len(s) <= 3 && allDigits(s) && atoi(s) <= 255 }

func isIPv6(s string) bool { return ipv6(s, isIPv4) }

// ipv6 is RFC 4291's text form; how the IPv4 tail may be written differs.
func ipv6(s string, tail func(string) bool) bool {
	left, right, compressed := strings.Cut(s, "::")
	if compressed && strings.Contains(right, "::") {
		return false
	}
	count := 0
	for i, half := range [...]string{left, right} {
		if half == "" {
			continue
		}
		parts := strings.Split(half, ":")
		for j, p := range parts {
			last := j == len(parts)-1 && (i == 1 || !compressed)
			if last && strings.Contains(p, ".") {
				if !tail(p) {
					return false
				}
				count += 2
				continue
			}
			if p == "" || len(p) > 4 {
				return false
			}
			for k := 0; k < len(p); k++ {
				if !isHex(p[k]) {
					return false
				}
			}
			count++
		}
	}
	if compressed {
		return count <= 7
	}
	return count == 8
}

// isURL is the well-known expression for public http and ftp addresses: no
// private network, a top-level domain of two letters, so no localhost.
func isURL(s string) bool {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok {
		return false
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "ftp":
	default:
		return false
	}
	if isURLHost(rest) {
		return true
	}
	for i := 1; i < len(rest); i++ {
		if rest[i] == '@' && !hasSpace(rest[:i]) && isURLHost(rest[i+1:]) {
			return true
		}
	}
	return false
}

func isURLHost(s string) bool {
	host, path, hasPath := strings.Cut(s, "/")
	if hasPath && hasSpace(path) {
		return false
	}
	host, port, hasPort := strings.Cut(host, ":")
	if hasPort && (len(port) < 2 || len(port) > 5 || !allDigits(port)) {
		return false
	}
	return isPublicIPv4(host) || isPublicName(host)
}

func isPublicIPv4(s string) bool {
	p := strings.Split(s, ".")
	if len(p) != 4 {
		return false
	}
	for i, part := range p {
		if !isOctet(part) || len(part) == 3 && part[0] == '0' || len(part) > 1 && part[0] == '0' && (i == 0 || i == 3) {
			return false
		}
	}
	a, b, d := atoi(p[0]), atoi(p[1]), atoi(p[3])
	switch {
	case a < 1 || a > 223, d < 1 || d > 254, a == 10, a == 127:
		return false
	case a == 169 && p[1] == "254", a == 192 && p[1] == "168":
		return false
	case a == 172 && b >= 16 && b <= 31:
		return false
	}
	return true
}

func isPublicName(s string) bool {
	labels := strings.Split(s, ".")
	if len(labels) < 2 {
		return false
	}
	for i, label := range labels {
		last := i == len(labels)-1
		n := 0
		for j := 0; j < len(label); {
			r, width := schema.DecodeWTF8(label[j:])
			letter := r < 0x80 && isAlnum(byte(r)) && !(last && isDigit(byte(r))) || r >= 0xA1 && r <= 0xFFFF && !(r >= 0xD800 && r <= 0xDFFF && width == 4)
			inner := r == '-' && !last && j > 0 && j+width < len(label) && label[j-1] != '-'
			if !letter && !inner {
				return false
			}
			n++
			j += width
		}
		if n == 0 || last && n < 2 {
			return false
		}
	}
	return true
}
