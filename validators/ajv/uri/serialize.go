package uri

import "strings"

// serialize puts the components together again. schemes applies the scheme's own
// rules (http: "/" for an empty path; urn; ws), resolved leaves the path's
// characters as they are.
func (c *Components) serialize(schemes, resolved bool) (string, error) {
	t := *c
	if t.scheme.text != "" && !validScheme(t.scheme.text) {
		return "", &Error{"URI scheme is malformed."}
	}
	if schemes {
		if err := t.serializeScheme(); err != nil {
			return "", err
		}
		resolved = resolved || t.scheme.text == "urn"
	}
	authority := t.userinfo.ok || t.host.ok || t.port.ok
	relative := !t.scheme.ok && !authority
	path := t.path
	if resolved {
		path = normalizePercent(path, false)
	} else {
		path = encodePath(path, relative)
	}
	var b strings.Builder
	if t.scheme.text != "" {
		b.WriteString(t.scheme.text)
		b.WriteByte(':')
	}
	if authority {
		b.WriteString("//")
		t.writeAuthority(&b)
		if path != "" && path[0] != '/' {
			b.WriteByte('/')
		}
	}
	if t.hasPath {
		if relative && !strings.HasPrefix(path, "/") && t.flavor == FastURI {
			path = removeDotsRelative(path)
		} else {
			path = removeDots(path)
		}
		if relative && (t.flavor == FastURI || !resolved) {
			path = encodePath(path, true)
		}
		if !authority && strings.HasPrefix(path, "//") {
			path = "/%2F" + path[2:]
		}
		b.WriteString(path)
	}
	if t.query.ok {
		b.WriteByte('?')
		b.WriteString(encode(t.query.text, isQueryChar))
	}
	if t.fragment.ok {
		b.WriteByte('#')
		b.WriteString(encode(t.fragment.text, isQueryChar))
	}
	return b.String(), nil
}

func (c *Components) writeAuthority(b *strings.Builder) {
	if c.userinfo.ok {
		b.WriteString(encode(c.userinfo.text, isUserinfoChar))
		b.WriteByte('@')
	}
	if c.host.ok {
		host := c.host.text
		if !isIPv4(host) {
			if _, escaped, ok := readIPv6(host); ok {
				host = "[" + escaped + "]"
			} else if c.flavor < FastURI310 {
				host = normalizePercent(host, true)
				if _, escaped, ok := readIPv6(host); ok {
					host = "[" + escaped + "]"
				} else {
					host = escapeHost(host, false)
				}
			}
		}
		b.WriteString(host)
	}
	if c.port.ok {
		b.WriteByte(':')
		b.WriteString(c.port.text)
	}
}

// parseScheme applies what fast-uri's handlers do to a parsed reference.
func (c *Components) parseScheme() {
	switch strings.ToLower(c.scheme.text) {
	case "ws", "wss":
		resource := c.path
		if resource == "" {
			resource = "/"
		}
		if c.query.text != "" {
			resource += "?" + c.query.text
		}
		c.resource = some(resource)
		c.path, c.hasPath, c.query = "", false, part{}
	case "urn":
		nid, nss, ok := strings.Cut(c.path, ":")
		if !ok || nid == "" || c.flavor != URIJS && !isURN(nid, nss) {
			return
		}
		c.nid, c.nss = some(strings.ToLower(nid)), some(nss)
		c.path, c.hasPath = "", false
		if c.nid.text == "uuid" {
			c.uuid, c.nss = c.nss, part{}
		}
	}
}

func (c *Components) serializeScheme() error {
	switch scheme := strings.ToLower(c.scheme.text); scheme {
	case "http", "https":
		c.dropPort(scheme == "https")
		if c.path == "" {
			c.path, c.hasPath = "/", true
		}
	case "ws", "wss":
		c.dropPort(scheme == "wss")
		if c.resource.text != "" {
			path, query, has := strings.Cut(c.resource.text, "?")
			c.hasPath = path != "" && path != "/"
			if c.hasPath {
				c.path = path
			}
			if c.flavor >= FastURI310 {
				query, _, _ = strings.Cut(query, "?")
			}
			c.query = part{query, has}
		}
		c.fragment = part{}
	case "urn":
		if !c.nid.ok && c.flavor == URIJS {
			c.path, c.hasPath = "undefined:undefined", true
			return nil
		}
		if !c.nid.ok {
			return &Error{"URN without nid cannot be serialized"}
		}
		nss := c.nss.text
		if c.nid.text == "uuid" {
			nss = strings.ToLower(c.uuid.text)
		}
		c.path, c.hasPath = c.nid.text+":"+nss, true
	}
	return nil
}

func (c *Components) dropPort(secure bool) {
	if c.port.text == "" || secure && c.port.text == "443" || !secure && c.port.text == "80" {
		c.port = part{}
	}
}

// isURN is fast-uri's syntax of a URN's namespace and the rest.
func isURN(nid, nss string) bool {
	if nid == "" || len(nid) > 32 || nss == "" {
		return false
	}
	for i := 0; i < len(nid); i++ {
		if !isAlnum(nid[i]) && (i == 0 || nid[i] != '-') {
			return false
		}
	}
	for i := 0; i < len(nss); i++ {
		if nss[i] == '%' && i+2 < len(nss) && isHex(nss[i+1]) && isHex(nss[i+2]) {
			i += 2
			continue
		}
		if !isAlnum(nss[i]) && strings.IndexByte("_!$'()*+,-./:;=@", nss[i]) < 0 {
			return false
		}
	}
	return true
}

// removeDots is RFC 3986, section 5.2.4, with fast-uri's habits at the edges.
func removeDots(path string) string {
	if !strings.Contains(path, ".") && !strings.HasPrefix(path, "//") {
		return path
	}
	var out []string
	in := path
	for in != "" {
		switch {
		case in == "." || in == "..":
			in = ""
		case strings.HasPrefix(in, "../"):
			in = in[3:]
		case strings.HasPrefix(in, "./"):
			in = in[2:]
		case in == "/." || in == "//":
			out, in = append(out, "/"), ""
		case strings.HasPrefix(in, "/./"):
			in = in[2:]
		case in == "/..":
			if len(out) > 0 {
				out = out[:len(out)-1]
			}
			out, in = append(out, "/"), ""
		case strings.HasPrefix(in, "/../"):
			if len(out) > 0 {
				out = out[:len(out)-1]
			}
			in = in[3:]
		default:
			next := strings.IndexByte(in[1:], '/')
			if next < 0 {
				out, in = append(out, in), ""
			} else {
				out, in = append(out, in[:next+1]), in[next+1:]
			}
		}
	}
	return strings.Join(out, "")
}

// removeDotsRelative keeps leading ".." of a relative reference and never makes
// it look absolute or like a scheme.
func removeDotsRelative(path string) string {
	if path == "" || path[0] == '/' {
		return removeDots(path)
	}
	segments := strings.Split(path, "/")
	var out []string
	trailing := false
	for i, s := range segments {
		switch s {
		case ".":
			trailing = i == len(segments)-1
		case "..":
			if len(out) > 0 && out[len(out)-1] != ".." {
				out = out[:len(out)-1]
			} else {
				out = append(out, "..")
			}
			trailing = i == len(segments)-1
		default:
			out = append(out, s)
		}
	}
	if trailing && (len(out) == 0 || out[len(out)-1] != "..") {
		out = append(out, "")
	}
	if len(out) == 0 || out[0] == "" || strings.Contains(out[0], ":") {
		out = append([]string{"."}, out...)
	}
	return strings.Join(out, "/")
}
