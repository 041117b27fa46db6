package recording

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/hostmatrix/conform/schema"
)

// Spellings returns the ways in which servers write a secret that they were given: as
// it is, in JSON and in JSON within JSON (with slashes escaped by PHP, with everything
// but ASCII escaped by Python, with <, > and & escaped by Go), in URLs and in base64.
func Spellings(secret string) []string {
	var out []string
	add := func(form string) {
		if !slices.Contains(out, form) {
			out = append(out, form)
		}
	}
	add(secret)
	escaped := within(secret)
	for _, form := range []string{escaped, strings.ReplaceAll(escaped, "/", `\/`), asciiJSON(escaped, "%04x"), asciiJSON(escaped, "%04X"), htmlSafe.Replace(escaped)} {
		add(form)
		add(within(form))
	}
	add(url.QueryEscape(secret))
	add(url.PathEscape(secret))
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		add(e.EncodeToString([]byte(secret)))
	}
	return out
}

// within is a text as it stands between the quotes of a JSON string.
func within(text string) string {
	quoted := schema.Quote(text)
	return quoted[1 : len(quoted)-1]
}

var htmlSafe = strings.NewReplacer("&", `\u0026`, "<", `\u003c`, ">", `\u003e`)

// asciiJSON escapes what is not ASCII.
func asciiJSON(text, hex string) string {
	var b strings.Builder
	for _, r := range text {
		if r < 0x80 {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u`+hex, unit)
		}
	}
	return b.String()
}
