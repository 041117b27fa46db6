package shape

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hostmatrix/conform/schema"
)

// pyType is the name of the Python type of a parsed JSON value.
func pyType(v *schema.Value) string {
	if v == nil {
		return "missing"
	}
	switch v.Kind {
	case schema.Null:
		return "NoneType"
	case schema.Bool:
		return "bool"
	case schema.Number:
		if v.HasFraction() {
			return "float"
		}
		return "int"
	case schema.String:
		return "str"
	case schema.Array:
		return "list"
	}
	return "dict"
}

// pyRepr writes v as Python's repr does.
func pyRepr(v *schema.Value) string {
	var b strings.Builder
	appendRepr(&b, v)
	return b.String()
}

func appendRepr(b *strings.Builder, v *schema.Value) {
	switch v.Kind {
	case schema.Null:
		b.WriteString("None")
	case schema.Bool:
		if v.Bool {
			b.WriteString("True")
		} else {
			b.WriteString("False")
		}
	case schema.Number:
		b.WriteString(pyNumber(v))
	case schema.String:
		appendPyString(b, v.Text)
	case schema.Array:
		b.WriteByte('[')
		for i, item := range v.Items {
			if i > 0 {
				b.WriteString(", ")
			}
			appendRepr(b, item)
		}
		b.WriteByte(']')
	case schema.Object:
		b.WriteByte('{')
		for i, m := range v.Unique() {
			if i > 0 {
				b.WriteString(", ")
			}
			appendPyString(b, m.Key)
			b.WriteString(": ")
			appendRepr(b, m.Value)
		}
		b.WriteByte('}')
	}
}

func pyNumber(v *schema.Value) string {
	if !v.HasFraction() {
		return v.Text
	}
	f := v.Float()
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case f != 0 && (math.Abs(f) < 1e-4 || math.Abs(f) >= 1e16):
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// appendPyString quotes as repr: single quotes unless only they occur inside.
func appendPyString(b *strings.Builder, s string) {
	quote := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	b.WriteByte(quote)
	for len(s) > 0 {
		r, n := schema.DecodeWTF8(s)
		s = s[n:]
		switch {
		case r == rune(quote) || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || (r >= 0x7f && r < 0xa1) || r == 0xad:
			fmt.Fprintf(b, `\x%02x`, r)
		case r >= 0xd800 && r <= 0xdfff || (r < 0x10000 && !unicode.IsPrint(r)):
			fmt.Fprintf(b, `\u%04x`, r)
		case !unicode.IsPrint(r):
			fmt.Fprintf(b, `\U%08x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte(quote)
}

// truncated cuts a repr over 50 bytes in its middle: 25 bytes, three dots, 24
// bytes, at character boundaries. Source: pydantic-core, observed with 2.50.
func truncated(repr string) string {
	if len(repr) <= 50 {
		return repr
	}
	head, tail := 25, len(repr)-24
	for !utf8.RuneStart(repr[head]) {
		head--
	}
	for tail < len(repr) && !utf8.RuneStart(repr[tail]) {
		tail++
	}
	return repr[:head] + "..." + repr[tail:]
}
