package uri

import (
	"strconv"
	"strings"
)

const malformedHost = "URI host is malformed."

func isLiteral(host string) bool {
	return strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]")
}

// hostForPercent is the host whose escapes are checked: a bracketed literal may
// hold a bare "%" before its zone.
func hostForPercent(c *Components) part {
	if isLiteral(c.host.text) {
		return part{}
	}
	return c.host
}

// parseHost normalises the host; broken tells that it has brackets and is no
// valid IP literal.
func (c *Components) parseHost() (broken bool) {
	if c.host.text == "" {
		return false
	}
	if isIPv4(c.host.text) {
		c.isIP = true
		return false
	}
	host, _, ok := readIPv6(c.host.text)
	c.isIP = ok
	brackets := strings.ContainsAny(c.host.text, "[]")
	if ok {
		c.host.text = host
	} else {
		broken = brackets
		c.host.text = strings.ToLower(c.host.text)
	}
	if broken {
		c.fail(malformedHost)
	}
	return broken
}

// canonicalHost checks the host of a scheme whose hosts are domains.
func (c *Components) canonicalHost() {
	host := c.host.text
	if host == "" || c.isIP || isLiteral(host) {
		return
	}
	for i := 0; i < len(host); i++ {
		if host[i] <= 0x20 || host[i] == 0x7F || strings.IndexByte("\"#/:<>?@[\\]^`{|}", host[i]) >= 0 {
			if c.flavor == FastURI318 {
				c.fail("Host's domain name can not be converted to ASCII: TypeError: Invalid URL")
			}
			c.fail(malformedHost)
			return
		}
	}
	for i := 0; i < len(host); i++ {
		if host[i] == '%' {
			c.hostProblem = ErrHost
			return
		}
	}
	if hasNonASCII(host) {
		ascii, ok := asciiHost(host)
		if !ok {
			c.hostProblem = ErrHost
			return
		}
		host, c.host.text = ascii, ascii
	}
	if address, isNumber, ok := readNumericHost(host); isNumber && ok {
		c.host.text = address
	} else if isNumber {
		c.fail("Host's domain name can not be converted to ASCII: TypeError: Invalid URL")
	}
}

// readNumericHost reads a host that ends in a number as the IPv4 address that the
// WHATWG parser makes of it: decimal, octal or hexadecimal parts, the last one
// filling up.
func readNumericHost(host string) (address string, isNumber, ok bool) {
	parts := strings.Split(strings.TrimSuffix(host, "."), ".")
	last := parts[len(parts)-1]
	if _, valid := hostNumber(last); !valid && !allDigits(last) {
		return "", false, false
	}
	if len(parts) > 4 {
		return "", true, false
	}
	var value uint64
	for i, p := range parts {
		n, valid := hostNumber(p)
		if !valid || i < len(parts)-1 && n > 255 {
			return "", true, false
		}
		if i == len(parts)-1 {
			if n >= 1<<(8*uint(5-len(parts))) {
				return "", true, false
			}
			value += n
			break
		}
		value += n << (8 * uint(3-i))
	}
	var out []string
	for shift := 24; shift >= 0; shift -= 8 {
		out = append(out, strconv.FormatUint(value>>uint(shift)&255, 10))
	}
	return strings.Join(out, "."), true, true
}

func hostNumber(s string) (uint64, bool) {
	base := 10
	switch lower := strings.ToLower(s); {
	case lower == "0x":
		return 0, true
	case strings.HasPrefix(lower, "0x"):
		s, base = lower[2:], 16
	case len(s) > 1 && s[0] == '0':
		s, base = s[1:], 8
	}
	n, err := strconv.ParseUint(s, base, 40)
	return n, err == nil && s[0] != '+'
}

func allDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// decodeHost decodes escapes of unreserved characters in a domain name.
func (c *Components) decodeHost(schemes bool) {
	host := c.host.text
	if !c.isIP {
		host = normalizePercent(strings.ToLower(normalizePercent(host, true)), false)
	}
	if c.isIP || schemes {
		host = escapeHost(host, c.isIP)
	}
	c.host.text = host
}

var (
	addressEscaper = strings.NewReplacer("@", "%40", "/", "%2F", "?", "%3F", "#", "%23")
	nameEscaper    = strings.NewReplacer("@", "%40", "/", "%2F", "?", "%3F", "#", "%23", ":", "%3A")
)

func escapeHost(host string, isIP bool) string {
	if !strings.ContainsAny(host, "@/?#:") {
		return host
	}
	if isIP {
		return addressEscaper.Replace(host)
	}
	return nameEscaper.Replace(host)
}

func isIPv4(s string) bool {
	parts := strings.Split(s, ".")
	if len(parts) != 4 {
		return false
	}
	for _, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 0 || n > 255 || strconv.Itoa(n) != p {
			return false
		}
	}
	return true
}

// readIPv6 reads an IPv6 address or, in brackets, an IPvFuture literal. host is
// how the parser keeps it, escaped how it stands between brackets.
func readIPv6(text string) (host, escaped string, ok bool) {
	bracketed := isLiteral(text)
	if !bracketed && (strings.HasPrefix(text, "[") || strings.HasSuffix(text, "]")) {
		return text, "", false
	}
	in := text
	if bracketed {
		in = text[1 : len(text)-1]
		if isFuture(in) {
			in = strings.ToLower(in)
			return "[" + in + "]", in, true
		}
	}
	if strings.Count(in, ":") < 2 {
		return text, "", false
	}
	address, zone, hasZone := strings.Cut(in, "%")
	if hasZone {
		zone = strings.TrimPrefix(zone, "25")
		if zone == "" || strings.Trim(zone, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%") != "" {
			return text, "", false
		}
	}
	address, ok = normalizeIPv6(address)
	if !ok {
		return text, "", false
	}
	if hasZone {
		return address + "%" + zone, address + "%25" + zone, true
	}
	return address, address, true
}

func isFuture(s string) bool {
	if s == "" || s[0]|0x20 != 'v' {
		return false
	}
	version, rest, ok := strings.Cut(s[1:], ".")
	if !ok || version == "" || rest == "" {
		return false
	}
	for i := 0; i < len(version); i++ {
		if !isHex(version[i]) {
			return false
		}
	}
	for i := 0; i < len(rest); i++ {
		if !isUserinfoChar(rest[i]) {
			return false
		}
	}
	return true
}

func normalizeIPv6(s string) (string, bool) {
	left, right, compressed := strings.Cut(s, "::")
	if compressed && strings.Contains(right, "::") {
		return "", false
	}
	head, tail := hextets(left), hextets(right)
	parts := append(append([]string{}, head...), tail...)
	count := 0
	for i, p := range parts {
		if strings.Contains(p, ".") {
			if i != len(parts)-1 || compressed && len(tail) == 0 || !isIPv4(p) {
				return "", false
			}
			count += 2
			continue
		}
		n, err := strconv.ParseUint(p, 16, 16)
		if err != nil || len(p) > 4 {
			return "", false
		}
		parts[i] = strconv.FormatUint(n, 16)
		count++
	}
	if !compressed {
		return compressZeros(parts), count == 8
	}
	if count >= 8 {
		return "", false
	}
	full := append([]string{}, parts[:len(head)]...)
	for i := count; i < 8; i++ {
		full = append(full, "0")
	}
	return compressZeros(append(full, parts[len(head):]...)), true
}

func hextets(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ":")
}

// compressZeros writes the longest run of at least two zeros as "::" (RFC 5952).
func compressZeros(parts []string) string {
	best, bestLen, run := -1, 1, 0
	for i, p := range parts {
		if p != "0" {
			run = 0
			continue
		}
		if run++; run > bestLen {
			best, bestLen = i-run+1, run
		}
	}
	if best < 0 {
		return strings.Join(parts, ":")
	}
	return strings.Join(parts[:best], ":") + "::" + strings.Join(parts[best+bestLen:], ":")
}
