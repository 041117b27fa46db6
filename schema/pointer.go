package schema

import (
	"strconv"
	"strings"
)

// Pointer is a JSON Pointer (RFC 6901) as its decoded reference tokens; an empty
// Pointer is the whole document.
type Pointer []string

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")
var pointerUnescaper = strings.NewReplacer("~1", "/", "~0", "~")

// String returns the RFC 6901 text, "" for the root.
func (p Pointer) String() string {
	var b strings.Builder
	for _, token := range p {
		b.WriteByte('/')
		b.WriteString(EscapeToken(token))
	}
	return b.String()
}

// EscapeToken escapes one reference token (~ and /).
func EscapeToken(token string) string {
	if strings.IndexByte(token, '~') < 0 && strings.IndexByte(token, '/') < 0 {
		return token
	}
	return pointerEscaper.Replace(token)
}

// ParsePointer reads an RFC 6901 pointer; ok is false when the text is not empty
// and does not start with "/".
func ParsePointer(text string) (p Pointer, ok bool) {
	if text == "" {
		return nil, true
	}
	if text[0] != '/' {
		return nil, false
	}
	for _, token := range strings.Split(text[1:], "/") {
		if strings.Contains(token, "~") {
			token = pointerUnescaper.Replace(token)
		}
		p = append(p, token)
	}
	return p, true
}

// Append returns a new pointer with tokens added; p is not changed and the
// result never shares p's spare capacity.
func (p Pointer) Append(tokens ...string) Pointer {
	out := make(Pointer, 0, len(p)+len(tokens))
	return append(append(out, p...), tokens...)
}

// Lookup returns the value that p names inside v, or nil.
func (v *Value) Lookup(p Pointer) *Value {
	for _, token := range p {
		v = v.step(token)
		if v == nil {
			return nil
		}
	}
	return v
}

func (v *Value) step(token string) *Value {
	switch v.Kind {
	case Object:
		return v.Get(token)
	case Array:
		i, err := strconv.Atoi(token)
		if err != nil || i < 0 || i >= len(v.Items) || strconv.Itoa(i) != token {
			return nil
		}
		return v.Items[i]
	}
	return nil
}
