package uri

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
)

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

func isUnreserved(c byte) bool { return isAlnum(c) || strings.IndexByte("-._~", c) >= 0 }

func isUserinfoChar(c byte) bool { return isUnreserved(c) || strings.IndexByte("!$&'()*+,;=:", c) >= 0 }

func isPathChar(c byte) bool { return isUserinfoChar(c) || c == '@' || c == '/' }

func isQueryChar(c byte) bool { return isPathChar(c) || c == '?' }

const upperHex = "0123456789ABCDEF"

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// escapeAt returns the byte that the escape at s[i:] stands for.
func escapeAt(s string, i int) (byte, bool) {
	if s[i] != '%' || i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
		return 0, false
	}
	return unhex(s[i+1])<<4 | unhex(s[i+2]), true
}

func writeEscape(b *strings.Builder, c byte) {
	b.WriteByte('%')
	b.WriteByte(upperHex[c>>4])
	b.WriteByte(upperHex[c&15])
}

// rewrite copies s; escapes go through onEscape, other ASCII through onByte, and
// the rest is percent-encoded as UTF-8 (a lone surrogate as U+FFFD).
func rewrite(s string, onEscape func(*strings.Builder, byte), onByte func(*strings.Builder, int, byte)) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if c, ok := escapeAt(s, i); ok {
			onEscape(&b, c)
			i += 3
			continue
		}
		if s[i] < 0x80 {
			onByte(&b, i, s[i])
			i++
			continue
		}
		r, n := schema.DecodeWTF8(s[i:])
		if r >= 0xD800 && r <= 0xDFFF {
			r = 0xFFFD
		}
		for _, c := range []byte(string(r)) {
			writeEscape(&b, c)
		}
		i += n
	}
	return b.String()
}

// clean reports that s has only characters that every rewrite here keeps.
func clean(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isPathChar(s[i]) || s[i] == ':' {
			return false
		}
	}
	return true
}

// normalizePath upper-cases escapes, decodes those of unreserved characters other
// than the dot, and escapes what a path may not hold.
func normalizePath(s string) string {
	if clean(s) {
		return s
	}
	return rewrite(s, func(b *strings.Builder, c byte) {
		if c != '.' && isUnreserved(c) {
			b.WriteByte(c)
		} else {
			writeEscape(b, c)
		}
	}, func(b *strings.Builder, _ int, c byte) {
		if isPathChar(c) || escapeSafe(c) {
			b.WriteByte(c)
		} else {
			writeEscape(b, c)
		}
	})
}

// escapeSafe is the set that JavaScript's escape() leaves alone.
func escapeSafe(c byte) bool { return isAlnum(c) || strings.IndexByte("*+-./@_", c) >= 0 }

func normalizeQuery(s string) string {
	if clean(s) {
		return s
	}
	return rewrite(s, func(b *strings.Builder, c byte) {
		if isUnreserved(c) {
			b.WriteByte(c)
		} else {
			writeEscape(b, c)
		}
	}, func(b *strings.Builder, _ int, c byte) {
		if isQueryChar(c) || escapeSafe(c) {
			b.WriteByte(c)
		} else {
			writeEscape(b, c)
		}
	})
}

// encodePath escapes for output; in the first segment of a relative reference a
// colon too, or it would read as a scheme.
func encodePath(s string, relative bool) string {
	if clean(s) {
		return s
	}
	first := relative && !strings.HasPrefix(s, "/")
	firstEnd := len(s)
	if i := strings.IndexByte(s, '/'); i >= 0 {
		firstEnd = i
	}
	return rewrite(s, writeEscape, func(b *strings.Builder, i int, c byte) {
		if isPathChar(c) && (c != ':' || !first || i > firstEnd) {
			b.WriteByte(c)
		} else {
			writeEscape(b, c)
		}
	})
}

func encode(s string, allowed func(byte) bool) string {
	if clean(s) && !strings.Contains(s, "/") && !strings.Contains(s, "@") {
		return s
	}
	return rewrite(s, writeEscape, func(b *strings.Builder, _ int, c byte) {
		if allowed(c) {
			b.WriteByte(c)
		} else {
			writeEscape(b, c)
		}
	})
}

// normalizePercent upper-cases escapes and, when told, decodes the unreserved.
func normalizePercent(s string, decode bool) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c, ok := escapeAt(s, i)
		switch {
		case !ok:
			b.WriteByte(s[i])
			continue
		case decode && isUnreserved(c):
			b.WriteByte(c)
		default:
			writeEscape(&b, c)
		}
		i += 2
	}
	return b.String()
}

func malformedPercent(s string) bool {
	for i := strings.IndexByte(s, '%'); i >= 0 && i < len(s); i++ {
		if s[i] != '%' {
			continue
		}
		if _, ok := escapeAt(s, i); !ok {
			return true
		}
		i += 2
	}
	return false
}
