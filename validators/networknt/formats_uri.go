package networknt

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// javaURI is what java.net.URI makes of a text: RFC 2396 with its own additions.
type javaURI struct {
	absolute bool
	query    string
}

const (
	uriMarks = "_-!.~'()*" // beside letters and digits
	uriPath  = uriMarks + ":@&=+$,;/"
	uriAll   = uriMarks + ";/?:@&=+$,[]"
)

// parseJavaURI reads the text; ok is false where new URI throws.
func parseJavaURI(s string) (u javaURI, ok bool) {
	s, fragment, _ := strings.Cut(s, "#")
	if !uriChars(fragment, uriAll) {
		return u, false
	}
	rest := s
	if i := strings.IndexAny(s, ":/?"); i >= 0 && s[i] == ':' {
		if !isSchemeName(s[:i]) || i+1 == len(s) {
			return u, false
		}
		u.absolute, rest = true, s[i+1:]
		if rest[0] != '/' {
			return u, uriChars(rest, uriAll) // opaque: no query of its own
		}
	}
	rest, u.query, _ = strings.Cut(rest, "?")
	if strings.HasPrefix(rest, "//") {
		authority := rest[2:]
		path := ""
		if i := strings.IndexByte(authority, '/'); i >= 0 {
			authority, path = authority[:i], authority[i:]
		}
		if authority == "" && path == "" || !isAuthority(authority) {
			return u, false
		}
		rest = path
	}
	return u, uriChars(rest, uriPath) && uriChars(u.query, uriAll)
}

func isSchemeName(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		if !(c >= 'a' && c <= 'z') && (i == 0 || strings.IndexByte("0123456789+-.", s[i]) < 0) {
			return false
		}
	}
	return s != ""
}

// isAuthority takes a server or, failing that, any registry name.
func isAuthority(s string) bool {
	if !strings.ContainsAny(s, "[]") {
		return uriChars(s, uriMarks+"$,;:@&=+")
	}
	host := s[strings.LastIndexByte(s, '@')+1:]
	if !strings.HasPrefix(host, "[") {
		return false
	}
	address, port, closed := strings.Cut(host[1:], "]")
	return closed && isIPv6(address) && (port == "" || port[0] == ':' && strings.Trim(port[1:], "0123456789") == "")
}

// uriChars: letters and digits, what kept names, escapes, and characters beyond
// ASCII that are neither control nor space.
func uriChars(s, kept string) bool {
	for i := 0; i < len(s); {
		c, n := schema.DecodeWTF8(s[i:])
		lower := c | 0x20
		switch {
		case lower >= 'a' && lower <= 'z' && c < 0x80, c >= '0' && c <= '9':
		case c == '%':
			if i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
				return false
			}
		case c >= 0xA0:
			if c == 0xA0 || c == 0x1680 || c >= 0x2000 && c <= 0x200A || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000 {
				return false
			}
		case c >= 0x80 || strings.IndexByte(kept, byte(c)) < 0:
			return false
		}
		i += n
	}
	return true
}

// bareURI is what the library takes although java.net.URI does not: a scheme or
// two slashes alone.
func bareURI(s string) bool {
	scheme, slashes := strings.TrimSuffix(s, "//"), strings.HasSuffix(s, "//")
	if slashes && scheme == "" {
		return true
	}
	if !strings.HasSuffix(scheme, ":") || !slashes && scheme == ":" {
		return false
	}
	for i := range len(scheme) - 1 {
		c := scheme[i] | 0x20
		if !(c >= 'a' && c <= 'z') && (scheme[i] < '+' || scheme[i] > '9' || scheme[i] == '/') {
			return false
		}
	}
	return true
}

// uriFormat builds uri, iri and their references.
func uriFormat(absolute, ascii bool) func(string) bool {
	return func(s string) bool {
		u, ok := parseJavaURI(s)
		if !ok {
			return bareURI(s)
		}
		for i := range len(s) {
			if ascii && s[i] >= 0x7F {
				return false
			}
		}
		return (u.absolute || !absolute) && !strings.ContainsAny(u.query, "[]")
	}
}
