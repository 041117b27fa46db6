// Package uri resolves references the way the resolvers of the Ajv family do: what
// they accept, normalise and refuse decides which $ref finds its target and with
// which words it fails.
//
// Names with non-ASCII or number-like hosts go through Node's URL parser there;
// they are not emulated and give [ErrHost].
package uri

import (
	"errors"
	"strings"
)

// Flavor is a resolver.
type Flavor uint8

const (
	// FastURI is fast-uri 3.1.9: Ajv 8.20 as installed today.
	FastURI Flavor = iota
	// FastURI318 is fast-uri 3.1.8, bundled in @modelcontextprotocol/client 2.4.0:
	// leading ".." of a relative reference are lost.
	FastURI318
	// FastURI310 is fast-uri 3.1.0, bundled in client 2.0.0-beta.1 to 2.3.1: it
	// refuses nothing, and decodes more.
	FastURI310
	// URIJS is uri-js 4.4.1, the resolver of Ajv 6.
	URIJS
)

// ErrHost marks a host that fast-uri would hand to Node's URL parser.
var ErrHost = errors.New("host needs the WHATWG host parser")

// Error is an exception of fast-uri, in its words.
type Error struct{ Text string }

func (e *Error) Error() string { return e.Text }

// part is a component that can be absent, which differs from empty.
type part struct {
	text string
	ok   bool
}

func some(text string) part { return part{text, true} }

// Components is a parsed reference.
type Components struct {
	scheme, userinfo, host, port, query, fragment part
	path                                          string
	nid, nss, uuid, resource                      part
	hasPath                                       bool
	isIP                                          bool
	flavor                                        Flavor
	problem                                       string // text of the error that a resolve raises
	fatal                                         bool   // resolve refuses it
	hostProblem                                   error
}

// Fragment returns the normalised fragment, "" when there is none.
func (c *Components) Fragment() string { return c.fragment.text }

// Parse splits a reference into its components. What is wrong with it is mostly
// kept for the one who resolves; the error is an *[Error].
func (f Flavor) Parse(text string) (*Components, error) {
	if f >= FastURI310 {
		return f.parseOlder(text, true)
	}
	return f.parse(text, true), nil
}

// parse reads text; schemes tells whether the handlers of http, ws and urn apply
// (they don't while resolving, fast-uri then parses with the scheme "null").
func (f Flavor) parse(text string, schemes bool) *Components {
	c := split(text)
	c.flavor = f
	if c.scheme.ok {
		if validScheme(c.scheme.text) {
			c.scheme.text = strings.ToLower(c.scheme.text)
		} else {
			c.fail("URI scheme is malformed.")
		}
	}
	for _, p := range [...]part{c.userinfo, hostForPercent(c), some(c.path), c.query, c.fragment} {
		if malformedPercent(p.text) {
			c.fail("URI contains malformed percent-encoding.")
			break
		}
	}
	if c.host.ok && c.path != "" && c.path[0] != '/' {
		c.fail(`URI path must start with "/" when authority is present.`)
	} else if tooBigPort(c.port.text) {
		c.fail("URI port is malformed.")
	}
	literalBroken := c.parseHost()
	if schemes && !literalBroken && domainScheme(c.scheme.text) {
		c.canonicalHost()
	}
	if strings.Contains(text, "%") && c.host.ok && !literalBroken {
		c.decodeHost(schemes)
	}
	if !schemes || !strings.HasPrefix(c.scheme.text, "urn") || c.scheme.text != "urn" {
		c.path = normalizePath(c.path)
		c.query.text = normalizeQuery(c.query.text)
		c.fragment.text = normalizeQuery(c.fragment.text)
	}
	if schemes {
		c.parseScheme()
	}
	return c
}

func (c *Components) fail(problem string) {
	if c.problem == "" {
		c.problem = problem
	}
	c.fatal = true
}

func validScheme(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i] | 0x20
		switch {
		case c >= 'a' && c <= 'z':
		case i > 0 && (s[i] >= '0' && s[i] <= '9' || s[i] == '+' || s[i] == '.' || s[i] == '-'):
		default:
			return false
		}
	}
	return s != ""
}

func tooBigPort(digits string) bool {
	return len(digits) > 5 || len(digits) == 5 && digits > "65535"
}

func domainScheme(scheme string) bool {
	switch scheme {
	case "http", "https", "ws", "wss":
		return true
	}
	return false
}

// Base returns the reference without query-less fragment: everything before the
// first "#" of its normal form, and a "#". Ajv calls it the full path.
func (c *Components) Base() (string, error) {
	s, err := c.serialize(true, false)
	if c.flavor >= FastURI310 {
		s, err = c.serializeOlder(true, false)
	}
	if err != nil {
		return "", err
	}
	s, _, _ = strings.Cut(s, "#")
	return s + "#", nil
}

// Resolve returns reference relative to base (RFC 3986, section 5.2). The error is
// an *[Error] or [ErrHost].
func (f Flavor) Resolve(base, reference string) (string, error) {
	if f >= FastURI310 {
		return f.resolveOlder(base, reference)
	}
	b, r := f.parse(base, false), f.parse(reference, false)
	if b.fatal || r.fatal {
		for _, c := range [...]*Components{b, r} {
			if c.problem != "" {
				return "", &Error{c.problem}
			}
		}
	}
	t := merge(b, r)
	if t.host.text != "" && domainScheme(t.scheme.text) && !isLiteral(t.host.text) {
		t.isIP = isIPv4(t.host.text)
		if _, _, ok := readIPv6(t.host.text); ok {
			t.isIP = true
		}
		encoded := strings.Contains(t.host.text, "%")
		t.problem, t.fatal, t.hostProblem = "", false, nil
		t.canonicalHost()
		if t.fatal && (!encoded || t.problem == malformedHost) {
			return "", &Error{t.problem}
		}
		if t.hostProblem != nil && !encoded {
			return "", t.hostProblem
		}
	}
	return t.serialize(false, true)
}

func merge(base, ref *Components) *Components {
	t := &Components{hasPath: true, fragment: ref.fragment, flavor: base.flavor}
	refAuthority := ref.userinfo.ok || ref.host.ok || ref.port.ok
	switch {
	case ref.scheme.text != "":
		t.scheme, t.userinfo, t.host, t.port = ref.scheme, ref.userinfo, ref.host, ref.port
		t.path, t.query = removeDots(ref.path), ref.query
		return t
	case refAuthority:
		t.userinfo, t.host, t.port = ref.userinfo, ref.host, ref.port
		t.path, t.query = removeDots(ref.path), ref.query
	case ref.path == "":
		t.userinfo, t.host, t.port = base.userinfo, base.host, base.port
		t.path, t.query = base.path, base.query
		if ref.query.ok {
			t.query = ref.query
		}
	default:
		t.userinfo, t.host, t.port = base.userinfo, base.host, base.port
		t.path, t.query = mergePath(base, ref.path), ref.query
	}
	t.scheme = base.scheme
	return t
}

func mergePath(base *Components, path string) string {
	if path[0] == '/' {
		return removeDots(path)
	}
	authority := base.userinfo.ok || base.host.ok || base.port.ok
	switch {
	case base.path != "":
		path = base.path[:strings.LastIndexByte(base.path, '/')+1] + path
	case authority:
		path = "/" + path
	}
	if base.flavor == FastURI && !base.scheme.ok && !authority && path[0] != '/' {
		return removeDotsRelative(path)
	}
	return removeDots(path)
}
