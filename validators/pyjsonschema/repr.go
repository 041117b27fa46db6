package pyjsonschema

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hostmatrix/conform/schema"
)

// repr is Python's repr of the value.
func repr(v *value) string { return string(appendRepr(nil, v)) }

func appendRepr(dst []byte, v *value) []byte {
	switch v.kind {
	case kindBool:
		if v.truth {
			return append(dst, "True"...)
		}
		return append(dst, "False"...)
	case kindInt:
		if v.big != nil {
			return v.big.Append(dst, 10)
		}
		return strconv.AppendInt(dst, v.small, 10)
	case kindFloat:
		return append(dst, reprFloat(v.float)...)
	case kindStr:
		return append(dst, reprStr(v.str)...)
	case kindList:
		dst = append(dst, '[')
		for i, item := range v.items {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = appendRepr(dst, item)
		}
		return append(dst, ']')
	case kindDict:
		dst = append(dst, '{')
		for i, key := range v.keys {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = append(dst, reprStr(key)...)
			dst = append(dst, ": "...)
			dst = appendRepr(dst, v.dict[key])
		}
		return append(dst, '}')
	}
	return append(dst, "None"...)
}

// reprFloat is float.__repr__: the shortest digits, in exponent form below 1e-4
// and from 1e16 on. Source: CPython, Python/pystrtod.c format_float_short 'r'.
func reprFloat(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if abs := math.Abs(f); abs != 0 && (abs < 1e-4 || abs >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// reprStr is str.__repr__: single quotes unless the string holds one and no
// double quote; what is not printable is escaped. Printable is every category
// but C* and Z*, and the space. Source: CPython, Objects/unicodeobject.c.
func reprStr(s string) string {
	quote := byte('\'')
	if strings.IndexByte(s, '\'') >= 0 && strings.IndexByte(s, '"') < 0 {
		quote = '"'
	}
	dst := append(make([]byte, 0, len(s)+2), quote)
	for len(s) > 0 {
		r, n := schema.DecodeWTF8(s)
		s = s[n:]
		switch {
		case r == rune(quote) || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\t':
			dst = append(dst, `\t`...)
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		case r >= 0x20 && r < 0x7F:
			dst = append(dst, byte(r))
		case r > 0x7F && unicode.IsPrint(r):
			dst = utf8.AppendRune(dst, r)
		default:
			dst = appendEscape(dst, r)
		}
	}
	return string(append(dst, quote))
}

func appendEscape(dst []byte, r rune) []byte {
	width, letter := 8, byte('U')
	switch {
	case r <= 0xFF:
		width, letter = 2, 'x'
	case r <= 0xFFFF:
		width, letter = 4, 'u'
	}
	dst = append(dst, '\\', letter)
	for i := width - 1; i >= 0; i-- {
		dst = append(dst, "0123456789abcdef"[r>>(4*i)&15])
	}
	return dst
}
