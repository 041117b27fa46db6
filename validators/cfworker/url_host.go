package cfworker

import (
	"net/netip"
	"strconv"
	"strings"
)

// parseFile is the standard's file state: only two slashes introduce a host,
// which has neither user nor port and may be empty.
func parseFile(ref string, base *address) address {
	u := *base
	u.path = nil
	slash := func(i int) bool { return i < len(ref) && (ref[i] == '/' || ref[i] == '\\') }
	if !slash(0) || !slash(1) {
		return parsePath(u, ref)
	}
	host, rest := ref[2:], ""
	if i := strings.IndexAny(host, "/\\?"); i >= 0 {
		host, rest = host[:i], host[i:]
	}
	if len(host) == 2 && isScheme(host[:1]) && (host[1] == ':' || host[1] == '|') {
		giveUp("the drive letter %q in a schema id is not supported", host)
	}
	if u.host = hostOf(host, true); u.host == "localhost" {
		u.host = ""
	}
	return parsePath(u, rest)
}

// hostOf parses what follows "//". Names beyond ASCII would need the IDNA tables
// of the host's URL library; they are not answered.
func hostOf(host string, special bool) string {
	if strings.HasPrefix(host, "[") {
		return ipv6Of(host)
	}
	if !special {
		if strings.ContainsAny(host, "\x00\t\n\r #/:<>?@[\\]^|") {
			throw("Invalid URL")
		}
		return percentEncode(host, "")
	}
	host = percentDecode(host)
	for i := range len(host) {
		if host[i] >= 0x80 {
			giveUp("the host name %q in a schema id needs IDNA", host)
		}
		if host[i] <= ' ' || host[i] == 0x7F || strings.IndexByte("#/:<>?@[\\]^|%", host[i]) >= 0 {
			throw("Invalid URL")
		}
	}
	host = strings.ToLower(host)
	if strings.HasPrefix(host, "xn--") || strings.Contains(host, ".xn--") {
		giveUp("the host name %q in a schema id needs IDNA", host)
	}
	if endsInNumber(host) {
		return ipv4Of(host)
	}
	return host
}

func percentDecode(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// ipv6Of reads "[…]". The standard's shortest form is netip's but for a mapped
// IPv4 address, which it writes in hexadecimal.
func ipv6Of(host string) string {
	inner, closed := strings.CutSuffix(host[1:], "]")
	ip, err := netip.ParseAddr(inner)
	if !closed || err != nil || !ip.Is6() || ip.Zone() != "" {
		throw("Invalid URL")
	}
	if ip.Is4In6() {
		b := ip.As16()
		word := func(i int) string { return strconv.FormatUint(uint64(b[i])<<8|uint64(b[i+1]), 16) }
		return "[::ffff:" + word(12) + ":" + word(14) + "]"
	}
	return "[" + ip.String() + "]"
}

// endsInNumber: such a host is an IPv4 address or no host at all.
func endsInNumber(host string) bool {
	parts := strings.Split(host, ".")
	if last := len(parts) - 1; parts[last] == "" && last > 0 {
		parts = parts[:last]
	}
	label := parts[len(parts)-1]
	if label != "" && strings.Trim(label, "0123456789") == "" {
		return true
	}
	_, ok := ipv4Number(label)
	return ok
}

// ipv4Number reads decimal, 0x hexadecimal and 0 octal; what is beyond 32 bits
// answers the greatest number.
func ipv4Number(s string) (uint64, bool) {
	base, digits := 10, "0123456789"
	switch {
	case s == "":
		return 0, false
	case strings.HasPrefix(s, "0x"):
		s, base, digits = s[2:], 16, "0123456789abcdef"
	case len(s) > 1 && s[0] == '0':
		s, base, digits = s[1:], 8, "01234567"
	}
	if strings.Trim(s, digits) != "" {
		return 0, false
	}
	if s = strings.TrimLeft(s, "0"); s == "" {
		return 0, true
	}
	n, err := strconv.ParseUint(s, base, 40)
	if err != nil {
		return 1 << 40, true
	}
	return n, true
}

// ipv4Of reads one to four numbers, the last of which fills what is left.
func ipv4Of(host string) string {
	parts := strings.Split(host, ".")
	if last := len(parts) - 1; parts[last] == "" && last > 0 {
		parts = parts[:last]
	}
	if len(parts) > 4 {
		throw("Invalid URL")
	}
	var ip uint64
	for i, part := range parts {
		n, ok := ipv4Number(part)
		last := i == len(parts)-1
		if !ok || !last && n > 255 || last && n >= 1<<(8*(5-len(parts))) {
			throw("Invalid URL")
		}
		if last {
			ip |= n
		} else {
			ip |= n << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte{byte(ip >> 24), byte(ip >> 16), byte(ip >> 8), byte(ip)}).String()
}
