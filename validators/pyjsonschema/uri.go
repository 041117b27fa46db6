package pyjsonschema

import (
	"strings"
)

// uri is a reference cut the way urllib.parse.urlsplit of CPython 3.11 cuts it.
type uri struct{ scheme, netloc, path, query, fragment string }

// relativeSchemes are those that urllib.parse.urljoin resolves against; with any
// other scheme (urn:) the reference is returned as it is.
var relativeSchemes = map[string]bool{
	"": true, "ftp": true, "http": true, "gopher": true, "nntp": true, "imap": true, "wais": true,
	"file": true, "https": true, "shttp": true, "mms": true, "prospero": true, "rtsp": true,
	"rtspu": true, "sftp": true, "svn": true, "svn+ssh": true, "ws": true, "wss": true,
}

var netlocSchemes = map[string]bool{
	"": true, "ftp": true, "http": true, "gopher": true, "nntp": true, "telnet": true, "imap": true,
	"wais": true, "file": true, "mms": true, "https": true, "shttp": true, "snews": true,
	"prospero": true, "rtsp": true, "rtspu": true, "rsync": true, "svn": true, "svn+ssh": true,
	"sftp": true, "nfs": true, "git": true, "git+ssh": true, "ws": true, "wss": true,
}

func splitURI(s string) (u uri) {
	if !plainURI(s) {
		s = stripped(s)
	}
	if i := strings.IndexByte(s, ':'); i > 0 && isScheme(s[:i]) {
		u.scheme, s = strings.ToLower(s[:i]), s[i+1:]
	}
	if strings.HasPrefix(s, "//") {
		end := len(s)
		if i := strings.IndexAny(s[2:], "/?#"); i >= 0 {
			end = i + 2
		}
		u.netloc, s = s[2:end], s[end:]
		if strings.Contains(u.netloc, "[") != strings.Contains(u.netloc, "]") {
			raise("ValueError", "Invalid IPv6 URL")
		}
	}
	s, u.fragment, _ = strings.Cut(s, "#")
	u.path, u.query, _ = strings.Cut(s, "?")
	return u
}

// plainURI says that there is nothing to strip.
func plainURI(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' {
			return false
		}
	}
	return true
}

// stripped takes leading control characters and spaces off, and tabs and line ends
// out, as urlsplit does.
func stripped(s string) string {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return r <= ' ' })
	if !strings.ContainsAny(s, "\t\r\n") {
		return s
	}
	return lineEnds.Replace(s)
}

var lineEnds = strings.NewReplacer("\t", "", "\r", "", "\n", "")

func isScheme(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		switch {
		case c >= 'a' && c <= 'z' && s[i] >= 'A':
		case i > 0 && (s[i] >= '0' && s[i] <= '9' || s[i] == '+' || s[i] == '-' || s[i] == '.'):
		default:
			return false
		}
	}
	return s != ""
}

// String puts the parts together; empty query and fragment leave no mark.
func (u uri) String() string {
	s := u.path
	if u.netloc != "" || u.scheme != "" && netlocSchemes[u.scheme] && !strings.HasPrefix(s, "//") {
		if s != "" && s[0] != '/' {
			s = "/" + s
		}
		s = "//" + u.netloc + s
	}
	if u.scheme != "" {
		s = u.scheme + ":" + s
	}
	if u.query != "" {
		s += "?" + u.query
	}
	if u.fragment != "" {
		s += "#" + u.fragment
	}
	return s
}

// joinURI is urllib.parse.urljoin.
func joinURI(base, ref string) string {
	if base == "" {
		return ref
	}
	if ref == "" {
		return base
	}
	b, r := splitURI(base), splitURI(ref)
	if r.scheme == "" {
		r.scheme = b.scheme
	}
	if r.scheme != b.scheme || !relativeSchemes[r.scheme] {
		return ref
	}
	if netlocSchemes[r.scheme] {
		if r.netloc != "" {
			return r.String()
		}
		r.netloc = b.netloc
	}
	if r.path == "" {
		r.path = b.path
		if r.query == "" {
			r.query = b.query
		}
		return r.String()
	}
	r.path = mergePaths(b.path, r.path)
	return r.String()
}

func mergePaths(base, ref string) string {
	var segments []string
	if ref[0] == '/' {
		segments = strings.Split(ref, "/")
	} else {
		parts := strings.Split(base, "/")
		if parts[len(parts)-1] != "" {
			parts = parts[:len(parts)-1]
		}
		joined := append(parts, strings.Split(ref, "/")...)
		for i, s := range joined {
			if s != "" || i == 0 || i == len(joined)-1 {
				segments = append(segments, s)
			}
		}
	}
	var resolved []string
	for _, s := range segments {
		switch s {
		case "..":
			if len(resolved) > 0 {
				resolved = resolved[:len(resolved)-1]
			}
		case ".":
		default:
			resolved = append(resolved, s)
		}
	}
	if last := segments[len(segments)-1]; last == "." || last == ".." {
		resolved = append(resolved, "")
	}
	if path := strings.Join(resolved, "/"); path != "" {
		return path
	}
	return "/"
}

// defragment is urllib.parse.urldefrag.
func defragment(s string) (address, fragment string) {
	if !strings.Contains(s, "#") {
		return s, ""
	}
	u := splitURI(s)
	fragment, u.fragment = u.fragment, ""
	return u.String(), fragment
}

// unquote is urllib.parse.unquote: percent escapes that are UTF-8, else U+FFFD.
func unquote(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := unhex(s[i+1]), unhex(s[i+2])
			if hi >= 0 && lo >= 0 {
				out = append(out, byte(hi<<4|lo))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return strings.ToValidUTF8(string(out), "\uFFFD")
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
