package format

import "strings"

// The characters of RFC 3986 as the tables have them; references may hold a
// double quote in their host and path.
const (
	unreserved = "-._~"
	subDelims  = "!$&'()*+,;="
)

// isURI needs a scheme, and a slash or a colon, and something after the scheme.
func isURI(s string) bool {
	rest, ok := cutScheme(s)
	return ok && isReference(rest, "", true)
}

// isURIReference: everything is optional.
func isURIReference(s string) bool {
	if rest, ok := cutScheme(s); ok && isReference(rest, `"`, false) {
		return true
	}
	return isReference(s, `"`, false)
}

func cutScheme(s string) (rest string, ok bool) {
	i := strings.IndexByte(s, ':')
	if i < 1 || !isAlnum(s[0]) || isDigit(s[0]) || !only(s[:i], "+-.", false) {
		return "", false
	}
	return s[i+1:], true
}

// isReference reads what follows the scheme. quote is one more character that host
// and path may hold.
func isReference(s, quote string, needPath bool) bool {
	s, fragment, _ := strings.Cut(s, "#")
	s, query, _ := strings.Cut(s, "?")
	marks := unreserved + subDelims + quote + ":@/?"
	if !only(fragment, marks, true) || !only(query, marks, true) {
		return false
	}
	pathMarks := unreserved + subDelims + quote + ":@/"
	switch {
	case s == "":
		return !needPath
	case s[0] != '/':
		return only(s, pathMarks, true)
	case strings.HasPrefix(s, "//") && isAuthorityPath(s[2:], quote):
		return true
	case isAuthorityPath(s[1:], quote):
		return true
	}
	return !strings.HasPrefix(s, "//") && only(s, pathMarks, true)
}

// isAuthorityPath reads [userinfo@]host[:port] and a path.
func isAuthorityPath(s, quote string) bool {
	authority, path, hasPath := strings.Cut(s, "/")
	if hasPath && !only(path, unreserved+subDelims+quote+":@/", true) {
		return false
	}
	if userinfo, host, ok := strings.Cut(authority, "@"); ok {
		if !only(userinfo, unreserved+subDelims+":", true) {
			return false
		}
		authority = host
	}
	host, port := authority, ""
	if strings.HasPrefix(authority, "[") {
		end := strings.IndexByte(authority, ']')
		if end < 0 || !isIPLiteral(authority[1:end]) {
			return false
		}
		host, port = "", authority[end+1:]
		if port != "" && port[0] != ':' {
			return false
		}
		port = strings.TrimPrefix(port, ":")
	} else {
		host, port, _ = strings.Cut(authority, ":")
	}
	return only(host, unreserved+subDelims+quote, true) && (port == "" || allDigits(port))
}

func isIPLiteral(s string) bool {
	if s != "" && s[0]|0x20 == 'v' {
		version, rest, ok := strings.Cut(s[1:], ".")
		if !ok || version == "" || rest == "" {
			return false
		}
		for i := 0; i < len(version); i++ {
			if !isHex(version[i]) {
				return false
			}
		}
		return only(rest, unreserved+subDelims+":", false)
	}
	return ipv6(s, func(tail string) bool {
		parts := strings.Split(tail, ".")
		for _, p := range parts {
			if !isOctet(p) {
				return false
			}
		}
		return len(parts) == 4
	})
}

// isURITemplate is RFC 6570 up to level 4, checked one expression at a time.
func isURITemplate(s string) bool {
	for s != "" {
		switch c := s[0]; {
		case c == '{':
			end := strings.IndexByte(s, '}')
			if end < 0 || !isExpression(s[1:end]) {
				return false
			}
			s = s[end+1:]
		case c == '%':
			if len(s) < 3 || !isHex(s[1]) || !isHex(s[2]) {
				return false
			}
			s = s[3:]
		case c <= 0x20, strings.IndexByte("\"'<>\\^`|}", c) >= 0:
			return false
		default:
			s = s[1:]
		}
	}
	return true
}

func isExpression(s string) bool {
	if s != "" && strings.IndexByte("+#./;?&=,!@|", s[0]) >= 0 {
		s = s[1:]
	}
	for _, variable := range strings.Split(s, ",") {
		if name, ok := strings.CutSuffix(variable, "*"); ok {
			variable = name
		} else if name, digits, ok := strings.Cut(variable, ":"); ok {
			if !allDigits(digits) || digits[0] == '0' || len(digits) > 4 {
				return false
			}
			variable = name
		}
		if variable == "" || !only(variable, "_", true) {
			return false
		}
	}
	return true
}
