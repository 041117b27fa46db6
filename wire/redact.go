package wire

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"github.com/hostmatrix/conform/recording"
)

// Redacted stands wherever a secret stood.
const Redacted = "[redacted]"

// minSecret is the shortest text that is searched for in what a server sends:
// shorter ones ("1", "true", "prod") would hit words that are no secrets.
const minSecret = 6

// Secrets returns the texts that must never leave this process: header values
// (also without their scheme word), credentials in URLs, and environment values and
// arguments that look like secrets or hold such a URL. A writer of any other kind can
// use it too.
func (t Target) Secrets() []string {
	var out []string
	add := func(texts ...string) {
		for _, s := range texts {
			if len(s) >= minSecret {
				out = append(out, s)
			}
		}
	}
	add(t.Private...)
	for name, values := range t.Headers {
		if publicHeader(name) {
			continue
		}
		for _, v := range values {
			add(headerSecrets(v)...)
		}
	}
	for _, entry := range t.Env {
		name, value, _ := strings.Cut(entry, "=")
		if LooksSecret(name, value) {
			add(value)
		}
		add(urlSecrets(value)...)
	}
	add(urlSecrets(t.URL)...)
	for i, arg := range t.Command {
		if s := secretArgument(t.Command, i); s != "" {
			add(s)
		} else if recording.LooksGenerated(arg) {
			add(arg)
		}
		add(urlSecrets(argumentURL(arg))...)
	}
	return out
}

// HeaderSecrets returns the credentials in headers that were not set by us: those of
// [Target.Secrets], of headers that are named so.
func HeaderSecrets(h http.Header) (out []string) {
	for name, values := range h {
		if !secretHeader(name) {
			continue
		}
		for _, v := range values {
			for _, s := range headerSecrets(v) {
				if len(s) >= minSecret {
					out = append(out, s)
				}
			}
		}
	}
	return out
}

// headerSecrets are the secrets of a header's value: all of it, what follows a scheme
// word, and the password of basic credentials.
func headerSecrets(value string) []string {
	out := []string{value}
	scheme, rest, ok := strings.Cut(value, " ")
	if !ok {
		return out
	}
	rest = strings.TrimSpace(rest)
	out = append(out, rest)
	if strings.EqualFold(scheme, "Basic") {
		if plain, err := base64.StdEncoding.DecodeString(rest); err == nil {
			_, password, _ := strings.Cut(string(plain), ":")
			out = append(out, password)
		}
	}
	return out
}

// urlSecrets are the credentials in a URL, nil for what is none: its password, or the
// user where that is a token, and what in its path and query is named or looks like one.
func urlSecrets(text string) (out []string) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return nil
	}
	if password, ok := u.User.Password(); ok {
		out = append(out, password)
	}
	if user := u.User.Username(); recording.LooksGenerated(user) {
		out = append(out, user)
	}
	for _, segment := range strings.Split(u.Path, "/") {
		if recording.LooksGenerated(segment) {
			out = append(out, segment)
		}
	}
	for name, values := range u.Query() {
		for _, v := range values {
			if LooksSecret(name, v) {
				out = append(out, v)
			}
		}
	}
	return out
}

// redactor replaces known secrets in bytes.
type redactor struct{ recording.Literals }

func newRedactor(secrets []string) *redactor {
	r := &redactor{}
	for _, s := range secrets {
		r.add(s)
	}
	return r
}

// add makes a text a secret, unless it is too short to be told from others.
func (r *redactor) add(secret string) {
	if len(secret) >= minSecret {
		r.Add(secret)
	}
}

// clean returns raw without any known secret; raw itself when it holds none.
func (r *redactor) clean(raw []byte) (out []byte, hit bool) { return r.Clean(raw) }

// text is clean on a text.
func (r *redactor) text(s string) string {
	out, _ := r.Clean([]byte(s))
	return string(out)
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
func LooksSecret(name, value string) bool {
	if name == "PWD" && strings.HasPrefix(value, "/") {
		return false // the working directory, as shells say it
	}
	return secretName(name) || recording.LooksGenerated(value)
}

// secretName reports whether the name of a variable or parameter says that its
// value is a secret.
func secretName(name string) bool {
	upper := strings.ToUpper(name)
	for _, end := range []string{"_PATH", "_FILE", "_DIR", "_SOCK"} {
		if strings.HasSuffix(upper, end) {
			return false // where a secret is kept
		}
	}
	for _, word := range []string{"TOKEN", "SECRET", "PASS", "KEY", "AUTH", "CRED", "COOKIE", "SIGNATURE", "PRIVATE", "DSN", "BEARER", "JWT"} {
		if strings.Contains(upper, word) {
			return true
		}
	}
	for segment := range strings.FieldsFuncSeq(upper, func(r rune) bool { return r == '_' || r == '-' || r == '.' }) {
		switch segment { // GITHUB_PAT, MYSQL_PWD: too short to be looked for within words
		case "PAT", "PWD", "PW", "TOK", "SIG", "OTP":
			return true
		}
		if strings.HasSuffix(segment, "PW") || strings.HasSuffix(segment, "PWD") { // PGPW, MYSQLPWD
			return true
		}
	}
	return upper == "CODE"
}

// secretArgument returns the secret part of argument i: the value of --token=x,
// of --token x, and of NAME_TOKEN=x; "" when it holds none.
func secretArgument(command []string, i int) string {
	arg := command[i]
	if i == 0 {
		return ""
	}
	if name, value, ok := strings.Cut(arg, "="); ok {
		if secretName(name) || recording.LooksGenerated(value) {
			return value
		}
		return ""
	}
	if previous := command[i-1]; i > 1 && strings.HasPrefix(previous, "-") && secretName(previous) && !strings.HasPrefix(arg, "-") {
		return arg
	}
	return ""
}

// argumentURL is the part of an argument that may be a URL: all of it, or what is
// assigned to a flag or a variable.
func argumentURL(arg string) string {
	if name, value, ok := strings.Cut(arg, "="); ok && !strings.Contains(name, "://") {
		return value
	}
	return arg
}

func (t Target) redactedCommand() []string {
	out := make([]string, len(t.Command))
	for i, arg := range t.Command {
		out[i] = arg
		if s := secretArgument(t.Command, i); s != "" {
			out[i] = strings.TrimSuffix(arg, s) + Redacted
		} else if i > 0 && recording.LooksGenerated(arg) {
			out[i] = Redacted
		}
		for _, s := range urlSecrets(argumentURL(arg)) {
			out[i] = strings.ReplaceAll(out[i], s, Redacted)
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
		if recording.LooksGenerated(s) {
			segments[i] = "redacted"
		}
	}
	u.Path, u.RawPath = strings.Join(segments, "/"), ""
	if query := u.Query(); len(query) > 0 {
		for name, values := range query {
			for i, v := range values {
				if secretName(name) || !isSwitch(v) {
					values[i] = "redacted"
				}
			}
		}
		u.RawQuery = query.Encode()
	}
	u.Fragment, u.RawFragment = "", ""
	return Printable([]byte(u.String()), 400)
}

// isSwitch reports whether the value of a parameter only turns something on or off,
// as in ?truncateToolResult=false: it keeps no secret, and without it nobody can tell
// two addresses of one server apart.
func isSwitch(value string) bool {
	switch strings.ToLower(value) {
	case "", "0", "1", "true", "false", "yes", "no", "on", "off":
		return true
	}
	return false
}
