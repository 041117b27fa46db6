package uri

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hostmatrix/conform/schema"
)

// The older resolvers never refuse a reference; fast-uri 3.1.0 throws when a
// fragment can't be decoded.

func (f Flavor) parseOlder(text string, schemes bool) (*Components, error) {
	c := split(text)
	c.flavor = f
	c.problem, c.fatal = "", false
	if c.host.text != "" && !isIPv4(c.host.text) {
		if host, _, ok := readIPv6(c.host.text); ok {
			c.host.text, c.isIP = host, true
		} else {
			c.host.text = strings.ToLower(c.host.text)
		}
	}
	if f == URIJS {
		c.normalizeURIJS(schemes)
	} else if !schemes || c.scheme.text != "urn" {
		if err := c.normalize310(text); err != nil {
			return nil, err
		}
	}
	if schemes {
		c.parseScheme()
	}
	return c, nil
}

func (f Flavor) resolveOlder(base, reference string) (string, error) {
	b, err := f.parseOlder(base, false)
	if err != nil {
		return "", err
	}
	r, err := f.parseOlder(reference, false)
	if err != nil {
		return "", err
	}
	return merge(b, r).serializeOlder(false, true)
}

// normalizeURIJS decodes escapes of unreserved characters and encodes what a
// component may not hold; a domain name only where it isn't one of a known scheme.
func (c *Components) normalizeURIJS(schemes bool) {
	c.scheme.text = strings.Map(func(r rune) rune { // what no scheme may hold is left out
		if r < 0x80 && (isAlnum(byte(r)) || strings.ContainsRune("+-.", r)) {
			return r
		}
		return -1
	}, strings.ToLower(c.scheme.text))
	rewriteAll := func(s string, allowed func(byte) bool) string {
		return rewrite(s, func(b *strings.Builder, x byte) {
			if isUnreserved(x) {
				b.WriteByte(x)
			} else {
				writeEscape(b, x)
			}
		}, func(b *strings.Builder, _ int, x byte) {
			if x == '%' || allowed(x) {
				b.WriteByte(x)
			} else {
				writeEscape(b, x)
			}
		})
	}
	c.path = rewriteAll(c.path, func(x byte) bool { return isPathChar(x) && (x != ':' || c.scheme.text != "") })
	c.query.text = rewriteAll(c.query.text, isQueryChar)
	c.fragment.text = rewriteAll(c.fragment.text, isQueryChar)
	c.userinfo.text = rewriteAll(c.userinfo.text, isUserinfoChar)
	if schemes && domainScheme(c.scheme.text) && hasNonASCII(c.host.text) {
		ascii, ok := asciiHost(c.host.text)
		if !ok {
			c.hostProblem = ErrHost
			return
		}
		c.host.text = ascii
	}
	c.host.text = rewriteAll(c.host.text, func(x byte) bool {
		return isUserinfoChar(x) || x == '[' || x == ']'
	})
	c.host.text = normalizePercent(strings.ToLower(normalizePercent(c.host.text, true)), false)
}

func (c *Components) normalize310(text string) error {
	if strings.Contains(text, "%") {
		c.scheme.text, c.host.text = unescape(c.scheme.text), unescape(c.host.text)
	}
	c.path = escape(unescape(c.path))
	if c.fragment.text == "" {
		return nil
	}
	decoded, ok := decodeURIComponent(c.fragment.text)
	if !ok || hasSurrogate(decoded) {
		return &Error{"URI malformed"}
	}
	c.fragment.text = encodeURI(decoded)
	return nil
}

func (c *Components) serializeOlder(schemes, resolved bool) (string, error) {
	t := *c
	if schemes {
		if err := t.serializeScheme(); err != nil {
			return "", err
		}
		resolved = resolved || t.scheme.text == "urn"
	}
	path := t.path
	switch {
	case t.flavor == URIJS:
		if t.normalizeURIJS(schemes); t.hostProblem != nil {
			return "", t.hostProblem
		}
		path = t.path
	case resolved:
		path = unescape(path)
	default:
		path = escape(path)
		if t.scheme.ok {
			path = strings.ReplaceAll(path, "%3A", ":")
		}
	}
	var b strings.Builder
	if t.scheme.text != "" {
		b.WriteString(t.scheme.text + ":")
	}
	authority := t.userinfo.ok || t.host.ok || t.port.ok
	if authority {
		b.WriteString("//")
		t.writeAuthority(&b)
		if path != "" && path[0] != '/' {
			b.WriteByte('/')
		}
	}
	if t.hasPath {
		path = removeDots(path)
		if !authority && strings.HasPrefix(path, "//") {
			path = "/%2F" + path[2:]
		}
		b.WriteString(path)
	}
	if t.query.ok {
		b.WriteString("?" + t.query.text)
	}
	if t.fragment.ok {
		b.WriteString("#" + t.fragment.text)
	}
	return b.String(), nil
}

// escape is JavaScript's escape(): %XX below 256, %uXXXX above, by UTF-16 unit.
func escape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := schema.DecodeWTF8(s[i:])
		i += n
		switch {
		case r < 0x80 && escapeSafe(byte(r)):
			b.WriteByte(byte(r))
		case r < 0x100:
			writeEscape(&b, byte(r))
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			for _, unit := range [...]rune{high, low} {
				b.WriteString("%u" + strings.ToUpper(strconv.FormatInt(int64(unit), 16)))
			}
		default:
			hex := strings.ToUpper(strconv.FormatInt(int64(r), 16))
			b.WriteString("%u" + "0000"[len(hex):] + hex)
		}
	}
	return b.String()
}

// unescape is JavaScript's unescape().
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var out []byte
	pending := rune(0)
	put := func(r rune) {
		if pending != 0 && r >= 0xDC00 && r <= 0xDFFF {
			out = utf8.AppendRune(out, utf16.DecodeRune(pending, r))
			pending = 0
			return
		}
		if pending != 0 {
			out = schema.AppendWTF8(out, pending)
			pending = 0
		}
		if r >= 0xD800 && r <= 0xDBFF {
			pending = r
			return
		}
		out = schema.AppendWTF8(out, r)
	}
	for i := 0; i < len(s); {
		if c, ok := escapeAt(s, i); ok {
			put(rune(c))
			i += 3
			continue
		}
		if strings.HasPrefix(s[i:], "%u") && i+6 <= len(s) {
			if n, err := strconv.ParseUint(s[i+2:i+6], 16, 16); err == nil {
				put(rune(n))
				i += 6
				continue
			}
		}
		r, n := schema.DecodeWTF8(s[i:])
		put(r)
		i += n
	}
	if pending != 0 {
		out = schema.AppendWTF8(out, pending)
	}
	return string(out)
}

// decodeURIComponent is JavaScript's; ok is false where it throws.
func decodeURIComponent(s string) (string, bool) {
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			out = append(out, s[i])
			continue
		}
		c, ok := escapeAt(s, i)
		if !ok {
			return "", false
		}
		out = append(out, c)
		i += 2
	}
	decoded := string(out)
	if len(out) != len(s) && !utf8.ValidString(strings.ToValidUTF8(decoded, "\xFF")) {
		return "", false
	}
	return decoded, true
}

// encodeURI is JavaScript's; it leaves escapes' percent signs escaped again.
func encodeURI(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if isAlnum(s[i]) || strings.IndexByte(";,/?:@&=+$-_.!~*'()#", s[i]) >= 0 {
			b.WriteByte(s[i])
		} else {
			writeEscape(&b, s[i])
		}
	}
	return b.String()
}

func hasNonASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) >= 0
}

func hasSurrogate(s string) bool {
	for i := 0; i < len(s); {
		r, n := schema.DecodeWTF8(s[i:])
		if r >= 0xD800 && r <= 0xDFFF {
			return true
		}
		i += n
	}
	return false
}
