package cfworker

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hostmatrix/conform/schema"
)

// address is a parsed URL as the WHATWG URL standard has it; new URL(ref, base)
// decides which schemas the library knows by which name.
type address struct {
	scheme   string
	special  bool
	hasHost  bool
	host     string // user, host and port as serialised
	opaque   bool   // a path that is not a list: urn:a:b
	path     []string
	opaqueTo string
	query    string // with "?", "" for none
	fragment string // with "#", "" for none
}

// defaultPorts are the special schemes of the standard.
var defaultPorts = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21", "file": ""}

// href is the serialisation.
func (u address) href() string {
	var b strings.Builder
	b.WriteString(u.scheme + ":")
	if u.hasHost {
		b.WriteString("//" + u.host)
	}
	if u.opaque {
		b.WriteString(u.opaqueTo)
	} else {
		if !u.hasHost && len(u.path) > 1 && u.path[0] == "" {
			b.WriteString("/.")
		}
		for _, segment := range u.path {
			b.WriteString("/" + segment)
		}
	}
	b.WriteString(u.query)
	if u.fragment != "#" {
		b.WriteString(u.fragment)
	} else {
		b.WriteString("#")
	}
	return b.String()
}

// hash is url.hash: an empty fragment reads as "".
func (u address) hash() string {
	if u.fragment == "#" {
		return ""
	}
	return u.fragment
}

// Percent-encode sets of the standard, beyond controls and non-ASCII.
const (
	fragmentSet     = " \"<>`"
	querySet        = " \"#<>"
	specialQuerySet = " \"#<>'"
	pathSet         = " \"#<>?`{}"
	userinfoSet     = " \"#<>?`{}/:;=@[\\]^|"
)

func percentEncode(s, set string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := schema.DecodeWTF8(s[i:])
		switch {
		case r >= 0xD800 && r <= 0xDFFF:
			b.WriteString("%EF%BF%BD") // a lone surrogate is U+FFFD in a URL
		case r >= 0x7F || r < 0x20 || strings.IndexByte(set, byte(r)) >= 0:
			for _, c := range utf8.AppendRune(nil, r) {
				b.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(c)|0x100, 16)[1:]))
			}
		default:
			b.WriteByte(byte(r))
		}
		i += n
	}
	return b.String()
}

var lineEnds = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// parseURL is new URL(ref, base.href); it throws "Invalid URL".
func parseURL(ref string, base *address) address {
	ref = strings.TrimFunc(ref, func(r rune) bool { return r <= ' ' })
	ref = lineEnds.Replace(ref)
	rest, fragment, hasFragment := strings.Cut(ref, "#")
	if base != nil && base.opaque && rest == "" && !hasFragment {
		throw("Invalid URL") // an opaque base takes a fragment only
	}
	u := parseWithoutFragment(rest, base)
	u.fragment = ""
	if hasFragment {
		u.fragment = "#" + percentEncode(fragment, fragmentSet)
	}
	return u
}

func parseWithoutFragment(ref string, base *address) address {
	if i := strings.IndexByte(ref, ':'); i > 0 && isScheme(ref[:i]) {
		scheme := strings.ToLower(ref[:i])
		_, special := defaultPorts[scheme]
		rest := ref[i+1:]
		switch {
		case special && base != nil && base.scheme == scheme && !startsSlashes(rest):
			return parseRelative(rest, base)
		case scheme == "file":
			return parseFile(rest, &address{scheme: scheme, special: true, hasHost: true})
		case special:
			return parseAuthority(address{scheme: scheme, special: true}, strings.TrimLeft(rest, "/\\"))
		case strings.HasPrefix(rest, "//"):
			return parseAuthority(address{scheme: scheme}, rest[2:])
		case strings.HasPrefix(rest, "/"):
			return parsePath(address{scheme: scheme}, rest)
		}
		u := address{scheme: scheme, opaque: true}
		path, query, hasQuery := strings.Cut(rest, "?")
		u.opaqueTo = percentEncode(path, "")
		if hasQuery {
			u.query = "?" + percentEncode(query, querySet)
		}
		return u
	}
	if base == nil {
		throw("Invalid URL")
	}
	return parseRelative(ref, base)
}

// startsSlashes: "http:foo" against an http base is relative, "http://foo" not.
func startsSlashes(s string) bool { return strings.HasPrefix(s, "//") }

func isScheme(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '+' && c != '-' && c != '.') {
			return false
		}
	}
	return s != ""
}

func parseRelative(ref string, base *address) address {
	u := *base
	if ref == "" {
		return u
	}
	if base.opaque {
		throw("Invalid URL")
	}
	slash := func(i int) bool { return i < len(ref) && (ref[i] == '/' || base.special && ref[i] == '\\') }
	switch {
	case slash(0) && slash(1) && base.scheme == "file":
		return parseFile(ref, base)
	case slash(0) && slash(1):
		rest := ref[2:]
		if base.special {
			rest = strings.TrimLeft(rest, "/\\")
		}
		return parseAuthority(address{scheme: base.scheme, special: base.special}, rest)
	case slash(0):
		u.path = nil
		return parsePath(u, ref)
	case ref[0] == '?':
		u.query = "?" + percentEncode(ref[1:], querySetOf(u))
		return u
	}
	u.path = append([]string(nil), base.path...)
	if len(u.path) > 0 {
		u.path = u.path[:len(u.path)-1]
	}
	return parsePath(u, ref)
}

func querySetOf(u address) string {
	if u.special {
		return specialQuerySet
	}
	return querySet
}

func parseAuthority(u address, s string) address {
	end := strings.IndexAny(s, "/?")
	if u.special {
		end = strings.IndexAny(s, "/\\?")
	}
	if end < 0 {
		end = len(s)
	}
	u.hasHost = true
	authority, rest := s[:end], s[end:]
	user := ""
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		user, authority = credentials(authority[:at]), authority[at+1:]
	}
	host, port := authority, ""
	if i := strings.LastIndexByte(authority, ':'); i >= 0 && !strings.Contains(authority[i:], "]") {
		host, port = authority[:i], authority[i+1:]
	}
	if host == "" && (u.special && u.scheme != "file" || user != "" || port != "") {
		throw("Invalid URL")
	}
	u.host = user + hostOf(host, u.special) + portOf(port, u.scheme)
	return parsePath(u, rest)
}

func credentials(s string) string {
	name, password, has := strings.Cut(s, ":")
	out := percentEncode(name, userinfoSet)
	if has && password != "" {
		out += ":" + percentEncode(password, userinfoSet)
	}
	if out == "" {
		return ""
	}
	return out + "@"
}

func portOf(port, scheme string) string {
	if port == "" {
		return ""
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		throw("Invalid URL")
	}
	if text := strconv.FormatUint(n, 10); text != defaultPorts[scheme] {
		return ":" + text
	}
	return ""
}

// parsePath reads the path and query in s onto u's path.
func parsePath(u address, s string) address {
	path, query, hasQuery := strings.Cut(s, "?")
	u.query = ""
	if hasQuery {
		u.query = "?" + percentEncode(query, querySetOf(u))
	}
	if path == "" {
		if u.special && len(u.path) == 0 {
			u.path = []string{""}
		}
		return u
	}
	if u.special {
		path = strings.ReplaceAll(path, "\\", "/")
	}
	path = strings.TrimPrefix(path, "/")
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		last := i == len(segments)-1
		switch strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(segment, "%2e", "."), "%2E", ".")) {
		case "..":
			if len(u.path) > 0 {
				u.path = u.path[:len(u.path)-1]
			}
			if last {
				u.path = append(u.path, "")
			}
		case ".":
			if last {
				u.path = append(u.path, "")
			}
		default:
			u.path = append(u.path, percentEncode(segment, pathSet))
		}
	}
	return u
}
