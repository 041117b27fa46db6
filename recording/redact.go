package recording

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Redacted stands where a secret stood.
const Redacted = "[redacted]"

// minSecret is the shortest literal that is searched for: shorter ones ("1",
// "true", "dev") are words of the data.
const minSecret = 4

// Redactor replaces secrets before anything is written: the literal ones that
// conform was given, and what looks like a credential wherever it stands. The
// zero value and nil know the patterns only. It may be used from several goroutines.
type Redactor struct{ literals Literals }

// NewRedactor takes the secrets that are known: values of headers, environment
// variables and arguments. Each is also found in its other [Spellings].
func NewRedactor(secrets ...string) *Redactor {
	r := &Redactor{}
	for _, s := range secrets {
		r.Add(s)
	}
	return r
}

// Add takes a further secret.
func (r *Redactor) Add(secret string) {
	if len(secret) >= minSecret {
		r.literals.Add(secret)
	}
}

// Clean returns raw without secrets; raw itself when it holds none.
func (r *Redactor) Clean(raw []byte) []byte {
	if r != nil {
		raw, _ = r.literals.Clean(raw)
	}
	lower := lowerASCII(raw)
	var spans []span
	for _, p := range patterns {
		spans = p.spans(raw, lower, spans)
	}
	return replace(raw, spans)
}

// Text is [Redactor.Clean] on a string.
func (r *Redactor) Text(s string) string { return string(r.Clean([]byte(s))) }

// Message returns the message without secrets. Headers of HTTP messages and
// arguments that name a credential lose their value whatever it looks like.
func (r *Redactor) Message(m Message) Message {
	m.Bytes = r.Clean(m.Bytes)
	switch {
	case m.Kind == "http-request" || m.Kind == "http-response":
		m.Bytes = replaceGroup(headerLine, m.Bytes)
	case m.From == fromClient:
		m.Bytes = replaceGroup(namedMember, m.Bytes)
	}
	return m
}

// Target returns the target without secrets.
func (r *Redactor) Target(t Target) Target {
	command := make([]string, len(t.Command))
	for i, word := range t.Command {
		command[i] = r.Text(word)
		if i > 0 && credentialFlag.MatchString(t.Command[i-1]) && !strings.HasPrefix(word, "-") {
			command[i] = Redacted
		}
		command[i] = credentialAssignment.ReplaceAllString(command[i], "${1}"+Redacted)
	}
	if t.Command == nil {
		command = nil
	}
	t.Command, t.URL = command, r.Text(t.URL)
	t.Name, t.Server, t.Version = r.Text(t.Name), r.Text(t.Server), r.Text(t.Version)
	return t
}

// pattern replaces the last group of a match. Every match begins with one of the
// hints (in any case of letters), so that the regular expression, which is
// anchored there, runs on almost nothing.
type pattern struct {
	hints  []string // lower case
	before func(byte) bool
	re     *regexp.Regexp
}

// window is how far a match is looked for; one that fills it is looked for again
// without that bound.
const window = 4 << 10

// spans appends the places in raw that the pattern wants replaced.
func (p pattern) spans(raw, lower []byte, out []span) []span {
	for _, hint := range p.hints {
		for at := 0; ; {
			i := bytes.Index(lower[at:], []byte(hint))
			if i < 0 {
				break
			}
			i += at
			at = i + 1
			if i > 0 && p.before != nil && !p.before(raw[i-1]) {
				continue
			}
			rest := raw[i:min(len(raw), i+window)]
			m := p.re.FindSubmatchIndex(rest)
			if m != nil && m[1] == len(rest) {
				m = p.re.FindSubmatchIndex(raw[i:])
			}
			if m == nil {
				continue
			}
			if from, to := i+m[len(m)-2], i+m[len(m)-1]; !isPlaceholder(raw[from:to]) {
				out = append(out, span{from, to})
			}
		}
	}
	return out
}

type span struct{ from, to int }

// replace puts [Redacted] in the place of the spans; raw itself when there are none.
func replace(raw []byte, spans []span) []byte {
	if len(spans) == 0 {
		return raw
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	var out []byte
	end := 0
	for _, s := range spans {
		if s.from < end {
			if s.to > end { // overlaps the last one, which it lengthens
				end = s.to
			}
			continue
		}
		out = append(append(out, raw[end:s.from]...), Redacted...)
		end = s.to
	}
	return append(out, raw[end:]...)
}

// replaceGroup is [replace] for every match of an expression.
func replaceGroup(re *regexp.Regexp, raw []byte) []byte {
	var spans []span
	for _, m := range re.FindAllSubmatchIndex(raw, -1) {
		if s := (span{m[len(m)-2], m[len(m)-1]}); !isPlaceholder(raw[s.from:s.to]) {
			spans = append(spans, s)
		}
	}
	return replace(raw, spans)
}

// lowerASCII returns a copy with A to Z in lower case, byte for byte.
func lowerASCII(raw []byte) []byte {
	out := make([]byte, len(raw))
	for i, c := range raw {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		out[i] = c
	}
	return out
}

// notWord reports whether a word can begin after c.
func notWord(c byte) bool {
	return c != '_' && c != '-' && (c < '0' || c > '9' && c < 'A' || c > 'Z' && c < 'a' || c > 'z')
}

// isPlaceholder spares what documentation writes in place of a secret, so that a
// description stays what the server sent.
func isPlaceholder(secret []byte) bool {
	if bytes.ContainsAny(secret, "<>{}$*…") || bytes.HasPrefix(secret, []byte(Redacted)) {
		return true
	}
	s := strings.ToLower(string(secret))
	switch s {
	case "pass", "password", "secret", "token", "pwd", "key", "xxx", "...":
		return true
	}
	return strings.HasPrefix(s, "your") || strings.HasPrefix(s, "my_") || strings.HasPrefix(s, "my-") || strings.HasPrefix(s, "example")
}

// What looks like a credential. The formats are those that the issuers document;
// bearer and basic tokens need a digit or length, or the words "bearer
// authentication" in a description would go.
var patterns = []pattern{
	{[]string{"bearer ", "basic ", "token "}, notWord, regexp.MustCompile(`^(?i:bearer|basic|token) +([a-zA-Z0-9._~+/-]*[0-9][a-zA-Z0-9._~+/-]{6,}=*|[a-zA-Z._~+/-]{6,}[0-9][a-zA-Z0-9._~+/-]*=*|[a-zA-Z0-9._~+/-]{24,}=*)`)},
	{[]string{"://"}, nil, regexp.MustCompile(`^://[^\s/?#@"'\\:]*:([^\s/?#@"'\\]+)@`)},
	{[]string{"://"}, nil, regexp.MustCompile(`^://([A-Za-z0-9_.~%-]{12,})@`)},
	{[]string{"?", "&"}, nil, regexp.MustCompile(`^[?&](?i:[a-z_.-]{0,40}(?:key|token|secret|password|passwd|auth|signature)|sig)=([^&\s"'\\#]{6,})`)},
	{[]string{"cookie:", "set-cookie:"}, notWord, regexp.MustCompile(`^(?i:(?:set-)?cookie): *([^\r\n"\\]+)`)},
	{[]string{"authorization:"}, nil, regexp.MustCompile(`^(?i:authorization): *(?i:bearer +|basic +)?([^\s"\\]{6,})`)},
	{[]string{"sk-", "sk_live_", "rk_live_"}, notWord, regexp.MustCompile(`^((?:sk-|sk_live_|rk_live_)[A-Za-z0-9_-]{16,})`)},
	{[]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-"}, notWord, regexp.MustCompile(`^((?:gh[pousr]_|github_pat_|glpat-)[A-Za-z0-9_-]{16,})`)},
	{[]string{"xox"}, notWord, regexp.MustCompile(`^(xox[abeoprs]-[A-Za-z0-9-]{10,})`)},
	{[]string{"akia", "asia"}, notWord, regexp.MustCompile(`^((?:AKIA|ASIA)[0-9A-Z]{16})\b`)},
	{[]string{"aiza"}, notWord, regexp.MustCompile(`^(AIza[0-9A-Za-z_-]{30,})`)},
	{[]string{"eyj"}, notWord, regexp.MustCompile(`^(eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)`)},
	{[]string{"-----begin"}, nil, regexp.MustCompile(`^-----BEGIN [A-Z ]*PRIVATE KEY-----([A-Za-z0-9+/=\s\\]+)`)},
}

var (
	// headerLine is any header that carries a credential.
	headerLine = regexp.MustCompile(`(?im)^(?:authorization|proxy-authorization|cookie|set-cookie|[a-z0-9-]*(?:api-?key|token|secret|password|credential)[a-z0-9-]*): *([^\r\n]+)`)
	// namedMember is an argument whose name says that it is one.
	namedMember = regexp.MustCompile(`(?i)"(?:authorization|password|passwd|cookie|[a-z0-9_-]*(?:api_?key|apikey|secret|access_?token|auth_?token|refresh_?token))"\s*:\s*"((?:[^"\\]|\\.)+)"`)

	credentialFlag       = regexp.MustCompile(`(?i)^--?[a-z0-9-]*(?:token|secret|password|passwd|api-?key|credential)s?$`)
	credentialAssignment = regexp.MustCompile(`(?i)^((?:--?)?[a-z0-9_-]*(?:token|secret|password|passwd|api[_-]?key|credential)s?=).+$`)
)
