package recording

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/hostmatrix/conform/schema"
)

// Spellings returns the ways in which servers write a secret that they were given: as
// it is, in JSON and in JSON within JSON (with slashes escaped by PHP, with everything
// but ASCII escaped by Python, with <, > and & escaped by Go), in HTML, in URLs, in
// hexadecimal digits and in base64, alone or within a longer text that was encoded.
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
	add(html.EscapeString(secret))
	for _, form := range []string{url.QueryEscape(secret), url.PathEscape(secret), componentEscape(secret)} {
		add(form)
		add(escapes.ReplaceAllStringFunc(form, strings.ToLower))
	}
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		form := e.EncodeToString([]byte(secret))
		add(form)
		add(strings.ReplaceAll(form, "/", `\/`))
		add(url.QueryEscape(form))
	}
	if len(secret) < minEncoded {
		return out
	}
	for _, form := range hexForms(secret) {
		add(form)
	}
	for _, form := range inner64Forms(secret) {
		add(form)
		add(strings.ReplaceAll(form, "/", `\/`))
		add(url.QueryEscape(form))
	}
	return out
}

func hexForms(secret string) []string {
	form := hex.EncodeToString([]byte(secret))
	return []string{form, strings.ToUpper(form)}
}

// inner64Forms are what base64 makes of a secret that stands within a longer text.
func inner64Forms(secret string) (out []string) {
	for offset := range 3 {
		for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			if form := inner64(e, secret, offset); !slices.Contains(out, form) {
				out = append(out, form)
			}
		}
	}
	return out
}

// minEncoded is the shortest secret that is looked for in hexadecimal digits and
// within longer texts in base64: of shorter ones so little is certain that other texts
// hold it by chance.
const minEncoded = 6

// escapes are the percent escapes of a URL, which some write in lower case.
var escapes = regexp.MustCompile(`%[0-9A-F]{2}`)

// componentEscape is encodeURIComponent of JavaScript.
func componentEscape(text string) string {
	return componentSafe.Replace(strings.ReplaceAll(url.QueryEscape(text), "+", "%20"))
}

var componentSafe = strings.NewReplacer("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*")

// inner64 returns what base64 makes of a secret that stands within a longer text, at a
// distance from its beginning that leaves offset when it is divided by three: the
// characters in which the neighbours have no part.
func inner64(e *base64.Encoding, secret string, offset int) string {
	encoded := e.EncodeToString(append(make([]byte, offset), secret...))
	return encoded[(8*offset+5)/6 : 8*(offset+len(secret))/6]
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
