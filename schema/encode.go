package schema

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Style says how [Append] writes JSON. The zero Style is compact, keeps number
// literals as written and members in source order with duplicates.
type Style struct {
	// Indent is the text of one level; empty means no white space at all.
	Indent string
	// JavaScript writes what JSON.stringify(JSON.parse(text)) gives: doubles in
	// their shortest form, ±Infinity as null, duplicate keys resolved,
	// array-index keys first, lone surrogates escaped.
	JavaScript bool
	// Spaced puts a space after each colon and comma, as Python's json.dumps does.
	Spaced bool
	// SortKeys orders members by key bytes (serde_json and encoding/json maps).
	SortKeys bool
}

// Compact returns v as JSON without white space, literals as written.
func (v *Value) Compact() string { return string(Append(nil, v, Style{})) }

// Stringify returns v as JavaScript's JSON.stringify writes it; indent is the
// third argument ("" or "  ").
func (v *Value) Stringify(indent string) string {
	return string(Append(nil, v, Style{JavaScript: true, Indent: indent}))
}

// Append appends v as JSON text to dst. A nil v is written as null.
func Append(dst []byte, v *Value, style Style) []byte {
	return appendValue(dst, v, style, "\n")
}

func appendValue(dst []byte, v *Value, style Style, newline string) []byte {
	if v == nil {
		return append(dst, "null"...)
	}
	switch v.Kind {
	case Bool:
		return strconv.AppendBool(dst, v.Bool)
	case Number:
		if style.JavaScript {
			return append(dst, JSNumber(v.Float(), true)...)
		}
		return append(dst, v.Text...)
	case String:
		return AppendQuoted(dst, v.Text)
	case Array:
		return appendArray(dst, v, style, newline)
	case Object:
		return appendObject(dst, v, style, newline)
	}
	return append(dst, "null"...)
}

func appendArray(dst []byte, v *Value, style Style, newline string) []byte {
	dst = append(dst, '[')
	inner := newline + style.Indent
	for i, item := range v.Items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = separate(dst, style, inner, i > 0)
		dst = appendValue(dst, item, style, inner)
	}
	if style.Indent != "" && len(v.Items) > 0 {
		dst = append(dst, newline...)
	}
	return append(dst, ']')
}

func appendObject(dst []byte, v *Value, style Style, newline string) []byte {
	members := v.Members
	if style.JavaScript {
		members = v.JSMembers()
	}
	if style.SortKeys {
		members = sortedMembers(v)
	}
	dst = append(dst, '{')
	inner := newline + style.Indent
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = separate(dst, style, inner, i > 0)
		dst = AppendQuoted(dst, m.Key)
		dst = append(dst, ':')
		if style.Indent != "" || style.Spaced {
			dst = append(dst, ' ')
		}
		dst = appendValue(dst, m.Value, style, inner)
	}
	if style.Indent != "" && len(members) > 0 {
		dst = append(dst, newline...)
	}
	return append(dst, '}')
}

func separate(dst []byte, style Style, newline string, afterComma bool) []byte {
	switch {
	case style.Indent != "":
		return append(dst, newline...)
	case style.Spaced && afterComma:
		return append(dst, ' ')
	}
	return dst
}

func sortedMembers(v *Value) []Member {
	members := append([]Member(nil), v.Unique()...)
	for i := 1; i < len(members); i++ {
		for j := i; j > 0 && members[j-1].Key > members[j].Key; j-- {
			members[j-1], members[j] = members[j], members[j-1]
		}
	}
	return members
}

const hexDigits = "0123456789abcdef"

// AppendQuoted appends s as a JSON string the way JSON.stringify quotes: only
// what must be escaped is, lone surrogates as \udxxx.
func AppendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		if run := plainRun(s[i:]); run > 0 {
			dst = append(dst, s[i:i+run]...)
			i += run
			continue
		}
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := DecodeWTF8(s[i:])
			if r >= 0xD800 && r <= 0xDFFF {
				dst = append(dst, '\\', 'u', hexDigits[r>>12], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
			} else {
				dst = utf8.AppendRune(dst, r)
			}
			i += n
			continue
		}
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
	}
	return append(dst, '"')
}

// plainRun is how many bytes at the start of s are ASCII that stands for itself in a
// JSON string.
func plainRun(s string) int {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			return i
		}
	}
	return len(s)
}

// Quote returns s as a JSON string literal.
func Quote(s string) string { return string(AppendQuoted(nil, s)) }

// JSNumber writes f as JavaScript's Number::toString(10) does. With json,
// infinities and NaN become null as in JSON.stringify and -0 becomes 0.
// Source: ECMA-262, Number::toString.
func JSNumber(f float64, json bool) string {
	switch {
	case math.IsNaN(f):
		if json {
			return "null"
		}
		return "NaN"
	case math.IsInf(f, 0):
		switch {
		case json:
			return "null"
		case f > 0:
			return "Infinity"
		}
		return "-Infinity"
	case f == 0:
		return "0"
	}
	if abs := math.Abs(f); abs >= 1e21 || abs < 1e-6 {
		s := strconv.FormatFloat(f, 'e', -1, 64)
		mantissa, exponent, _ := strings.Cut(s, "e")
		sign := exponent[:1]
		return mantissa + "e" + sign + strings.TrimLeft(exponent[1:], "0")
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}
