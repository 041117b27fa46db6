package shape

import (
	"encoding/base64"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/hostmatrix/conform/schema"
)

// wellFormed reports whether serde_json reads the text of v at all: it refuses a
// lone surrogate and, with finite, a number beyond a double, wherever they stand.
// Python's jiter refuses the first only.
func wellFormed(v *schema.Value, finite bool) bool {
	switch v.Kind {
	case schema.Number:
		return !finite || !math.IsInf(v.Float(), 0)
	case schema.String:
		return utf8.ValidString(v.Text)
	}
	for _, item := range v.Items {
		if !wellFormed(item, finite) {
			return false
		}
	}
	for _, m := range v.Members {
		if !utf8.ValidString(m.Key) || !wellFormed(m.Value, finite) {
			return false
		}
	}
	return true
}

// goBase64 decodes as encoding/json does for a []byte.
func goBase64(text string) error {
	_, err := base64.StdEncoding.DecodeString(text)
	return err
}

// paddedBase64 is what z.string().base64() tests in zod 3. Source: zod 3.25, types.js.
var paddedBase64 = regexp.MustCompile(`^([0-9a-zA-Z+/]{4})*(([0-9a-zA-Z+/]{2}==)|([0-9a-zA-Z+/]{3}=))?$`)

// holds reports whether v, of the type that the node asks for, passes.
func (k *check) holds(v *schema.Value, r *rules) bool {
	switch k.name {
	case "minimum":
		return v.Float() >= k.limit
	case "maximum":
		return v.Float() <= k.limit
	case "well-formed":
		return wellFormed(v, true)
	case "utf8":
		return wellFormed(v, false)
	case "nonempty":
		return len(v.Members) > 0
	case "base64":
		return atob(v.Text)
	case "base64-go":
		return goBase64(v.Text) == nil
	case "base64-padded":
		return paddedBase64.MatchString(v.Text)
	case "datetime":
		if r.zod.datetime != nil {
			return r.zod.datetime.MatchString(v.Text)
		}
		return zod46.datetime.MatchString(v.Text)
	case "datetime-minutes":
		return zodToTheMinute.MatchString(v.Text)
	case "url":
		return javaScriptURL(v.Text)
	}
	return true
}

// atob reports whether JavaScript's atob takes the text: ASCII white space goes,
// up to two "=" may end a text whose length is then a multiple of four, the rest
// is the base64 alphabet and never one character more than a multiple of four.
// Source: WHATWG Infra, forgiving-base64 decode.
func atob(text string) bool {
	n, padding := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r':
		case c == '=':
			padding++
		case padding > 0:
			return false
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '+', c == '/':
			n++
		default:
			return false
		}
	}
	if padding > 0 && (padding > 2 || (n+padding)%4 != 0) {
		return false
	}
	return n%4 != 1
}

// javaScriptURL reports whether new URL(text) accepts: a scheme and, for the
// special schemes, a host. It is a rough reading; icons and resource addresses
// are what meets it.
func javaScriptURL(text string) bool {
	text = strings.Trim(text, " \t\r\n")
	colon := strings.IndexByte(text, ':')
	if colon <= 0 || !isLetter(text[0]) {
		return false
	}
	for i := 1; i < colon; i++ {
		if c := text[i]; !isLetter(c) && (c < '0' || c > '9') && c != '+' && c != '-' && c != '.' {
			return false
		}
	}
	switch strings.ToLower(text[:colon]) {
	case "http", "https", "ws", "wss", "ftp":
		host := strings.TrimLeft(text[colon+1:], `/\`)
		return host != "" && !strings.ContainsAny(host[:1], ` ?#<>^|%`)
	}
	return true
}

func isLetter(c byte) bool { return (c|0x20) >= 'a' && (c|0x20) <= 'z' }
