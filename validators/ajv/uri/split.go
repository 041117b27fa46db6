package uri

import "strings"

// split is the generic syntax of RFC 3986, appendix B, with fast-uri's checks of
// what could be mistaken for an authority.
func split(text string) *Components {
	c := &Components{hasPath: true}
	rest := text
	if i := strings.IndexAny(rest, "#/:?"); i > 0 && rest[i] == ':' {
		c.scheme = some(rest[:i])
		rest = rest[i+1:]
	}
	c.checkIntroducer(rest)
	if strings.HasPrefix(rest, "//") {
		end := strings.IndexAny(rest[2:], "/?#")
		if end < 0 {
			end = len(rest) - 2
		}
		c.splitAuthority(rest[2 : 2+end])
		rest = rest[2+end:]
	}
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		fragment := rest[i+1:]
		if j := strings.Index(fragment, "\u2028"); j >= 0 {
			fragment = fragment[:j]
		}
		if j := strings.Index(fragment, "\u2029"); j >= 0 {
			fragment = fragment[:j]
		}
		c.fragment = some(fragment)
		rest = rest[:i]
	}
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		c.query = some(rest[i+1:])
		rest = rest[:i]
	}
	c.path += rest
	return c
}

// splitAuthority reads userinfo@host:port; what follows a port without digits
// falls into the path, as in fast-uri's expression.
func (c *Components) splitAuthority(authority string) {
	if strings.Contains(authority, `\`) {
		c.fail("URI authority must not contain a literal backslash.")
	}
	if i := strings.IndexByte(authority, '@'); i >= 0 {
		c.userinfo = some(authority[:i])
		authority = authority[i+1:]
	}
	end := strings.IndexByte(authority, ':')
	if strings.HasPrefix(authority, "[") {
		if i := strings.IndexByte(authority, ']'); i > 1 {
			end = i + 1
		}
	}
	if end < 0 {
		end = len(authority)
	}
	c.host = some(authority[:end])
	authority = authority[end:]
	if strings.HasPrefix(authority, ":") {
		digits := 1
		for digits < len(authority) && authority[digits] >= '0' && authority[digits] <= '9' {
			digits++
		}
		c.port = some(authority[1:digits])
		if trimmed := strings.TrimLeft(c.port.text, "0"); c.port.text != "" {
			if trimmed == "" {
				trimmed = "0"
			}
			c.port.text = trimmed
		}
		authority = authority[digits:]
	}
	c.path = authority
}

var dropBlanks = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// checkIntroducer refuses slashes mixed with what Node's URL parser would turn
// into slashes or drop.
func (c *Components) checkIntroducer(rest string) {
	end := 0
	for end < len(rest) && strings.IndexByte("/\\\t\n\r", rest[end]) >= 0 {
		end++
	}
	region := rest[:end]
	plain := dropBlanks.Replace(region)
	switch {
	case len(plain) < 2:
	case plain[:2] != "//":
		c.fail("URI authority must not contain a literal backslash.")
	case len(region) != len(plain):
		c.fail("URI authority introducer must not contain whitespace.")
	}
}
