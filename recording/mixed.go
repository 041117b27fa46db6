package recording

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// mixed finds a secret with characters that are escaped somewhere, however deep and
// by whomever: each of its characters may stand as itself, behind backslashes (JSON
// within JSON), as \u escapes, as percent escapes or as an HTML entity. Enumerating
// would not do: PHP escapes slashes and all but ASCII, Go escapes < > &, and a text may
// have gone through both.
type mixed struct {
	runes  []rune
	anchor []byte // a run of characters that nobody escapes
	before int    // runes before it
}

// minAnchor is the shortest such run that is worth to look for.
const minAnchor = 3

// maxSpelled is how many bytes one character may take: two \u escapes behind eight
// backslashes each.
const maxSpelled = 26

// newMixed returns nil for a secret that has one spelling, or no run to find it by.
func newMixed(secret string) *mixed {
	m := &mixed{runes: []rune(secret)}
	start := 0
	for i := 0; i <= len(m.runes); i++ {
		if i < len(m.runes) && plainRune(m.runes[i]) {
			continue
		}
		if i-start > len(m.anchor) {
			m.anchor, m.before = []byte(string(m.runes[start:i])), start
		}
		start = i + 1
	}
	if len(m.anchor) < minAnchor || len(m.anchor) == len(m.runes) {
		return nil
	}
	return m
}

func plainRune(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == '-' || r == '.'
}

// spans appends the places of the secret.
func (m *mixed) spans(raw []byte, out []span) []span {
	for from := 0; ; {
		i := bytes.Index(raw[from:], m.anchor)
		if i < 0 {
			return out
		}
		at := from + i
		from = at + len(m.anchor)
		for start := max(0, at-m.before*maxSpelled); start <= at; start++ {
			if end, ok := m.match(raw, start); ok {
				out = append(out, span{start, end})
				from = max(from, end)
				break
			}
		}
	}
}

// match reports where the secret ends that begins at.
func (m *mixed) match(raw []byte, at int) (end int, ok bool) {
	for _, r := range m.runes {
		n := spelled(raw[at:], r)
		if n == 0 {
			return 0, false
		}
		at += n
	}
	return at, true
}

// spelled is how many bytes a character takes at the start of raw; 0: it does not
// stand there.
func spelled(raw []byte, r rune) int {
	// The longer ones first: the & of &amp; is no & of its own. A secret that holds such
	// a text is found as it is.
	if n := max(entity(raw, r), percentEscape(raw, r)); n > 0 {
		return n
	}
	if got, n := utf8.DecodeRune(raw); got == r && n > 0 && r != '\\' {
		return n
	}
	slashes := 0
	for slashes < len(raw) && slashes < 16 && raw[slashes] == '\\' {
		slashes++
	}
	rest := raw[slashes:]
	switch {
	case r == '\\':
		return slashes
	case slashes > 0:
		// An entity in JSON that escapes its &.
		if n := unicodeEscape(rest, '&'); n > 0 {
			if m := entity(append([]byte("&"), rest[n:min(len(rest), n+maxEntity)]...), r); m > 0 {
				return slashes + n + m - 1
			}
		}
		if n := unicodeEscape(rest, r); n > 0 {
			return slashes + n
		}
		if got, n := utf8.DecodeRune(rest); got == r {
			return slashes + n
		}
		return 0
	case r == ' ' && bytes.HasPrefix(raw, []byte("+")):
		return 1
	}
	return 0
}

// unicodeEscape is for uXXXX, whose backslashes are read, and a second one behind
// backslashes of its own.
func unicodeEscape(raw []byte, r rune) int {
	at := 0
	for i, unit := range utf16.Encode([]rune{r}) {
		for i > 0 && at < len(raw) && raw[at] == '\\' {
			at++
		}
		want := fmt.Sprintf("u%04x", unit)
		if len(raw) < at+len(want) || !strings.EqualFold(string(raw[at:at+len(want)]), want) {
			return 0
		}
		at += len(want)
	}
	return at
}

func percentEscape(raw []byte, r rune) int {
	at := 0
	for _, b := range []byte(string(r)) {
		want := fmt.Sprintf("%%%02x", b)
		if len(raw) < at+3 || !strings.EqualFold(string(raw[at:at+3]), want) {
			return 0
		}
		at += 3
	}
	return at
}

// maxEntity is the longest entity that is read, as of "&DiacriticalDoubleAcute;".
const maxEntity = 24

func entity(raw []byte, r rune) int {
	if len(raw) == 0 || raw[0] != '&' {
		return 0
	}
	end := bytes.IndexByte(raw[:min(len(raw), maxEntity)], ';')
	if end < 0 || html.UnescapeString(string(raw[:end+1])) != string(r) {
		return 0
	}
	return end + 1
}
