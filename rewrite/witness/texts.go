package witness

import (
	"strings"
	"unicode/utf8"

	"github.com/hostmatrix/conform/schema"
)

// formatTexts has, per format, a text that every library takes and then texts
// about which they differ: valid by the RFC but odd, or nearly valid. Sources:
// RFC 3339, 5321, 1034, 3986, 4122, 6901 and what was observed on Ajv 6 and 8,
// @cfworker/json-schema, networknt and Python.
var formatTexts = map[string][]string{
	"date-time": {"2026-01-15T09:30:00Z", "2026-01-15T09:30:00", "2026-01-15T09:30:00.123456789Z", "2026-01-15T09:30:00+0100", "2026-01-15 09:30:00Z",
		"2026-01-15t09:30:00z", "2026-01-15T09:30:00-00:00", "2026-12-31T23:59:60Z", "2026-01-15T09:30:00+24:00", "2026-01-15", "0000-01-01T00:00:00Z"},
	"date":                      {"2026-01-15", "2026-02-29", "2026-1-5", "0000-01-01", "20260115", "10000-01-01"},
	"time":                      {"09:30:00Z", "09:30:00", "09:30:00.5+01:00", "23:59:60Z", "12:59:60Z", "9:30:00Z", "09:30", "09:30:00+25:00"},
	"duration":                  {"P1DT2H", "P1W", "PT1.5S", "P1Y2M3DT4H5M6S", "PT0S", "-P1D", "P1D2W", "P"},
	"email":                     {"ada@example.com", "\"q\"@b.co", "a@b", "a@[127.0.0.1]", "ada+tag@example.com", "é@example.com", "a..b@example.com", "@"},
	"idn-email":                 {"ada@example.com", "é@example.com", "a@bücher.example"},
	"hostname":                  {"example.com", "localhost", "example.com.", "a_b.example.com", "-a.example.com", "xn--bcher-kva.example", strings.Repeat("a", 64) + ".com", "EXAMPLE"},
	"idn-hostname":              {"example.com", "bücher.example"},
	"ipv4":                      {"192.0.2.1", "01.2.3.4", "256.1.1.1", "1.2.3", "192.0.2.1/24"},
	"ipv6":                      {"2001:db8::1", "::", "fe80::1%eth0", "::ffff:192.0.2.1", "2001:DB8::G", "1:2:3:4:5:6:7:8:9"},
	"uri":                       {"https://example.com/a", "a:", "http://example.com/é", "/relative", "urn:isbn:0451450523", "https://example.com/a b", "http://[::1]/", "HTTPS://EXAMPLE.COM", "https://example.com/%zz", "file:///c:/a"},
	"uri-reference":             {"/a", "é", "a b", "", "#frag", "http://example.com/é", "//host", "\\a"},
	"uri-template":              {"https://example.com/{id}", "{", "{+a}", "a b"},
	"url":                       {"https://example.com/a", "http://localhost", "http://localhost:8080/a", "ftp://example.com/", "http://10.0.0.1/"},
	"iri":                       {"https://example.com/a", "https://example.com/é", "a b"},
	"iri-reference":             {"/a", "/é", "\\"},
	"uuid":                      {"6f1c7a52-3b0e-4d6f-9c1a-2f5e8d7b9a10", "urn:uuid:6f1c7a52-3b0e-4d6f-9c1a-2f5e8d7b9a10", "6F1C7A52-3B0E-4D6F-9C1A-2F5E8D7B9A10", "6f1c7a523b0e4d6f9c1a2f5e8d7b9a10", "00000000-0000-0000-0000-000000000000", "text"},
	"json-pointer":              {"/a/0", "", "a", "/~", "/é"},
	"relative-json-pointer":     {"1/a", "0#", "/a", "01"},
	"json-pointer-uri-fragment": {"#/a", "/a", "#"},
	"regex":                     {"^a+$", "\\-", "(?!a)", "(?<n>a)", "[", "(?i)a", "\\Z", "a{,5}"},
	"byte":                      {"aGVsbG8=", "aGVsbG8", "text!", ""},
	"binary":                    {"text"},
	"password":                  {"text"},
	"iso-time":                  {"09:30:00", "9:30"}, "iso-date-time": {"2026-01-15T09:30:00", "2026-01-15"},
	"color": {"red", "#123"}, "style": {"x"}, "phone": {"+1 555 0100"}, "utc-millisec": {"1"}, "ip-address": {"192.0.2.1"}, "host-name": {"a.b"},
}

// unknownFormat is tried for formats without an entry.
var unknownFormat = []string{"text", "", "1", "é"}

// plainTexts are tried for strings without format and pattern.
var plainTexts = []string{"text", "", "é", "😀", "a\nb", "\u2028", "١", "e\u0301", "true", "0", " ", "null"}

// maxTextRunes bounds minLength that is followed.
const maxTextRunes = 4_000

// texts returns strings for the parts: for the format, for the pattern, at both
// lengths, and odd ones.
func (m *maker) texts(c conj, limit int) []*schema.Value {
	var lists [][]string
	patterns := c.all("pattern")
	for _, p := range patterns {
		if text, ok := p.IsString(); ok {
			lists = append(lists, textsMatching(text, 26))
		}
	}
	for _, f := range c.all("format") {
		name, _ := f.IsString()
		known, ok := formatTexts[name]
		if !ok {
			known = unknownFormat
		}
		lists = append(lists, append(append([]string(nil), known...), plainTexts[:3]...))
	}
	least, most := c.most("minLength", -1), c.least("maxLength", -1)
	var lengths []string
	for _, n := range []int{least, most, least + 1, most - 1, least - 1, most + 1} {
		if n >= 0 && n <= maxTextRunes && (least >= 0 || most >= 0) {
			lengths = append(lengths, strings.Repeat("x", n), strings.Repeat("😀", n), strings.Repeat("x", n/2)+strings.Repeat("é", n-n/2))
		}
	}
	if lengths != nil {
		lists = append(lists, lengths)
	}
	switch {
	case len(lists) == 0, lengths != nil && len(lists) == 1:
		lists = append(lists, plainTexts)
	case len(patterns) > 0:
		lists = append(lists, plainTexts[:4])
	}
	values := make([][]*schema.Value, len(lists))
	for i, list := range lists {
		for _, text := range list {
			values[i] = append(values[i], schema.Str(fit(text, least)))
		}
	}
	return interleave(values, limit)
}

// fit lengthens a text that is too short; a pattern may forbid that, and the
// dialect then says so.
func fit(text string, least int) string {
	if n := utf8.RuneCountInString(text); least > n && least <= maxTextRunes && n > 0 {
		return text + strings.Repeat("x", least-n)
	}
	return text
}
