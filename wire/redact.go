package wire

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/hostmatrix/conform/recording"
)

// Redacted stands wherever a secret stood.
const Redacted = "[redacted]"

// minSecret is the shortest text that is searched for in what a server sends:
// shorter ones ("1", "true", "prod") would hit words that are no secrets.
const minSecret = 6

// Secrets returns the texts that must never leave this process: header values
// (also without their scheme word), credentials in the URL, and environment
// values and arguments that look like secrets. A writer of any other kind can
// use it too.
func (t Target) Secrets() []string {
	var out []string
	add := func(s string) {
		if len(s) >= minSecret {
			out = append(out, s)
		}
	}
	for _, s := range t.Private {
		add(s)
	}
	for name, values := range t.Headers {
		if publicHeader(name) {
			continue
		}
		for _, v := range values {
			add(v)
			if _, rest, ok := strings.Cut(v, " "); ok {
				add(strings.TrimSpace(rest))
			}
		}
	}
	for _, entry := range t.Env {
		if name, value, _ := strings.Cut(entry, "="); secretName(name) || secretLook(value) {
			add(value)
		}
	}
	if u, err := url.Parse(t.URL); err == nil {
		if password, ok := u.User.Password(); ok {
			add(password)
		}
		for name, values := range u.Query() {
			for _, v := range values {
				if secretName(name) || secretLook(v) {
					add(v)
				}
			}
		}
	}
	for i, arg := range t.Command {
		if s := secretArgument(t.Command, i); s != "" {
			add(s)
		} else if secretLook(arg) {
			add(arg)
		}
	}
	return out
}

// redactor replaces known secrets in bytes.
type redactor struct {
	mu      sync.RWMutex
	secrets [][]byte
}

func newRedactor(secrets []string) *redactor {
	r := &redactor{}
	for _, s := range secrets {
		r.add(s)
	}
	return r
}

// add makes a text a secret, in every spelling of [recording.Spellings].
func (r *redactor) add(secret string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, form := range recording.Spellings(secret) {
		if !slices.ContainsFunc(r.secrets, func(known []byte) bool { return string(known) == form }) {
			r.secrets = append(r.secrets, []byte(form))
		}
	}
	// The longest first, so that a spelling that contains another goes as a whole.
	slices.SortStableFunc(r.secrets, func(a, b []byte) int { return len(b) - len(a) })
}

// clean returns raw without any known secret; raw itself when it holds none.
func (r *redactor) clean(raw []byte) (out []byte, hit bool) {
	out = raw
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, s := range r.secrets {
		if bytes.Contains(out, s) {
			out, hit = bytes.ReplaceAll(out, s, []byte(Redacted)), true
		}
	}
	return out, hit
}

// publicHeader names the headers whose value a recording may show although the
// user set them: they select a representation and carry no secret.
func publicHeader(name string) bool {
	switch http.CanonicalHeaderKey(name) {
	case "Accept", "Content-Type", "User-Agent", "Accept-Language":
		return true
	}
	return false
}

// LooksSecret reports whether a variable holds a secret, by its name or by how
// its value looks.
func LooksSecret(name, value string) bool { return secretName(name) || secretLook(value) }

// secretName reports whether the name of a variable or parameter says that its
// value is a secret.
func secretName(name string) bool {
	upper := strings.ToUpper(name)
	for _, word := range []string{"TOKEN", "SECRET", "PASS", "KEY", "AUTH", "CRED", "COOKIE", "SIGNATURE", "PRIVATE", "DSN", "BEARER", "JWT"} {
		if strings.Contains(upper, word) {
			return true
		}
	}
	return upper == "SIG" || upper == "PWD" || upper == "CODE"
}

// secretLook reports whether a text looks like a generated credential: 20 or
// more letters, digits and -_.=+ with both letters and digits among them.
func secretLook(s string) bool {
	if len(s) < 20 || strings.HasPrefix(s, "http") {
		return false
	}
	letters, digits := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r) && r < unicode.MaxASCII:
			letters++
		case !strings.ContainsRune("-_.=+", r):
			return false
		}
	}
	return letters >= 4 && digits >= 4
}

// secretArgument returns the secret part of argument i: the value of --token=x,
// of --token x, and of NAME_TOKEN=x; "" when it holds none.
func secretArgument(command []string, i int) string {
	arg := command[i]
	if i == 0 {
		return ""
	}
	if name, value, ok := strings.Cut(arg, "="); ok {
		if secretName(name) || secretLook(value) {
			return value
		}
		return ""
	}
	if previous := command[i-1]; i > 1 && strings.HasPrefix(previous, "-") && secretName(previous) && !strings.HasPrefix(arg, "-") {
		return arg
	}
	return ""
}

func (t Target) redactedCommand() []string {
	out := make([]string, len(t.Command))
	for i, arg := range t.Command {
		out[i] = arg
		if s := secretArgument(t.Command, i); s != "" {
			out[i] = strings.TrimSuffix(arg, s) + Redacted
		} else if i > 0 && secretLook(arg) {
			out[i] = Redacted
		}
		out[i] = Printable([]byte(t.withoutPrivate(out[i])), 400)
	}
	return out
}

func (t Target) redactedURL() string { return t.withoutPrivate(RedactURL(t.URL)) }

func (t Target) withoutPrivate(text string) string {
	for _, s := range t.Private {
		if len(s) >= minSecret {
			text = strings.ReplaceAll(text, s, Redacted)
		}
	}
	return text
}

// RedactURL returns a URL as it may be printed: without the credentials, the
// values of query parameters, and path segments that look like credentials.
func RedactURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return Redacted
	}
	if u.User != nil {
		u.User = url.User("redacted")
	}
	segments := strings.Split(u.Path, "/")
	for i, s := range segments {
		if secretLook(s) {
			segments[i] = "redacted"
		}
	}
	u.Path, u.RawPath = strings.Join(segments, "/"), ""
	if query := u.Query(); len(query) > 0 {
		for name := range query {
			query[name] = []string{"redacted"}
		}
		u.RawQuery = query.Encode()
	}
	u.Fragment, u.RawFragment = "", ""
	return Printable([]byte(u.String()), 400)
}
