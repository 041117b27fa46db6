package fuzzing

import (
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

var atoms = []string{"a", "b", "Z", "7", "_", "-", " ", ":", "@", "/", "%", ".", `\.`, `\d`, `\w`, `\s`, `\D`, `\W`, `\S`, `\/`, `\$`, `\(`, `\\`, `\|`, `\-`, `\b`, `\t`,
	"[a-z]", "[0-9A-F]", "[^a]", "[a-]", `[\d.]`, `[\w-]`, "[-a]", "[a-c-]", "[.:/]", "[^0-9_]", `[\s]`, "[z-a]", "[]", "[^]", "[a&&b]", "[[a]", `[\]]`, `[A-z]`, "$", "^", "x{2}", "é", `"`, "'", "<", "#", "&", "~", ",", ";", "=", "!"}

// Pattern draws a regular expression, mostly of what package ground knows.
func (d *Drawer) Pattern(depth int) string {
	var b strings.Builder
	if d.often(1, 3) {
		b.WriteString("^")
	}
	for range 1 + d.IntN(4) {
		if depth > 0 && d.often(1, 4) {
			b.WriteString(d.pick("(", "(?:", "(?:", "(?=", "(?i)", "(?<n>") + d.Pattern(depth-1) + d.pick("", "", "|"+d.Pattern(depth-1)) + ")")
		} else if d.often(3, 4) {
			b.WriteString(atoms[d.IntN(22)])
		} else {
			b.WriteString(d.pick(atoms...))
		}
		b.WriteString(d.pick("", "", "", "", "?", "*", "+", "{2}", "{1,3}", "{0}", "{,2}", "{2,}", "{3,1}", "+?", "++", "{1}{2}", "{ 1}", "{01}", "{20}", "{99}"))
	}
	if d.often(1, 3) {
		b.WriteString("$")
	}
	return b.String()
}

// Subject draws a short text to match.
func (d *Drawer) Subject() string {
	var b strings.Builder
	for range d.IntN(8) {
		b.WriteString(d.pick("a", "b", "Z", "7", "_", "-", " ", ":", "@", "/", "%", ".", "$", "(", "\\", "|", "&", "[", "]", "x", "F", "~", "0", "'"))
	}
	return b.String()
}

// Formatted draws a text of a format, and now and then one that nearly is.
func (d *Drawer) Formatted(format string) string {
	word := func() string {
		return d.pick("a", "ab", "mail", "x1", "a-b", "a.b", "q9z", "example", "sub.example", "n0-1.z", "aa--b", "a..b", "A", "_")
	}
	day := fmt.Sprintf("%d-%02d-%02d", 1895+d.IntN(210), d.IntN(14), d.IntN(33))
	switch format {
	case "date":
		return day
	case "date-time":
		return day + fmt.Sprintf("T%02d:%02d:%02d", d.IntN(26), d.IntN(62), d.IntN(63)) + d.pick("", "", ".5", ".123", ".123456", ".1234567", ".") + d.pick("Z", "Z", "Z", "z", "+02:00", "")
	case "email":
		return word() + "@" + word() + d.pick(".com", ".org", ".net", ".de", ".zzzz", "")
	case "uri":
		return d.pick("http", "https", "ftp") + "://" + word() + d.pick(".com", ".info", ".x", "") + d.pick("", "/", "/a/b.html", "/a//b", "/a?b", "/%41", "/~u") + d.pick("", "/")
	}
	hex := func(n int) string {
		return strings.Repeat(d.pick("0", "a", "f", "9", "1", "8", "b"), n)
	}
	return hex(8) + "-" + hex(4) + "-" + d.pick("1", "4", "5", "7", "0") + hex(3) + "-" + d.pick("8", "9", "a", "b", "c") + hex(3) + "-" + hex(12)
}

// Forms draws a document with one pattern or format, and texts for it.
func (d *Drawer) Forms(texts int) (document *schema.Value, instances []*schema.Value) {
	text, keyword := d.Subject, schema.Member{Key: "pattern", Value: schema.Str(d.Pattern(2))}
	if d.often(1, 3) {
		format := d.pick("date", "date-time", "email", "uri", "uuid")
		text, keyword = func() string { return d.Formatted(format) }, schema.Member{Key: "format", Value: schema.Str(format)}
	}
	member := schema.Obj(keyword)
	if d.often(1, 4) {
		member = schema.Obj(schema.Member{Key: "not", Value: member})
	}
	document = schema.MustParse(`{"type":"object"}`).With("properties", schema.Obj(schema.Member{Key: "a", Value: member}))
	if d.often(1, 3) {
		document = document.With("$schema", schema.Str(d.pick("http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema")))
	}
	for range texts {
		instances = append(instances, schema.Obj(schema.Member{Key: "a", Value: schema.Str(text())}))
	}
	return document, instances
}
