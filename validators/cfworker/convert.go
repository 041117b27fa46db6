package cfworker

import (
	"math"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// truthy is JavaScript's truth value.
func (v *value) truthy() bool {
	switch {
	case v == nil || v.kind == kindNull:
		return false
	case v.kind == kindBool:
		return v.truth
	case v.kind == kindNumber:
		return v.num != 0 && !math.IsNaN(v.num)
	case v.kind == kindString:
		return v.str != ""
	}
	return true
}

func (v *value) is(truth bool) bool { return v != nil && v.kind == kindBool && v.truth == truth }

// display is String(value), what a template literal prints.
func (v *value) display() string {
	switch {
	case v == nil:
		return "undefined"
	case v.kind == kindNull:
		return "null"
	case v.kind == kindBool:
		return strconv.FormatBool(v.truth)
	case v.kind == kindNumber:
		return schema.JSNumber(v.num, false)
	case v.kind == kindString:
		return v.str
	case v.kind == kindArray:
		return joined(v.items, ",")
	}
	v.convertible()
	return "[object Object]"
}

// convertible throws where an object hides toString behind a member that is no
// function, so that JavaScript finds no primitive value for it.
func (v *value) convertible() {
	if v.own["toString"] != nil {
		throw("Cannot convert object to primitive value")
	}
}

// joined is Array.prototype.join: null and undefined are empty.
func joined(items []*value, separator string) string {
	parts := make([]string, len(items))
	for i, item := range items {
		if item != nil && item.kind != kindNull {
			parts[i] = item.display()
		}
	}
	return strings.Join(parts, separator)
}

// number is Number(value).
func (v *value) number() float64 {
	switch {
	case v == nil:
		return math.NaN()
	case v.kind == kindNull:
		return 0
	case v.kind == kindBool && v.truth:
		return 1
	case v.kind == kindBool:
		return 0
	case v.kind == kindNumber:
		return v.num
	case v.kind == kindString:
		return parseNumber(v.str)
	case v.kind == kindArray:
		return parseNumber(v.display())
	}
	v.convertible()
	return math.NaN()
}

// parseNumber is Number(text).
func parseNumber(s string) float64 {
	s = strings.TrimFunc(s, isSpace)
	if s == "" {
		return 0
	}
	switch s {
	case "Infinity", "+Infinity":
		return math.Inf(1)
	case "-Infinity":
		return math.Inf(-1)
	}
	if len(s) > 2 && s[0] == '0' {
		if n, err := strconv.ParseUint(s, 0, 64); err == nil && strings.ContainsAny(s[1:2], "xXbBoO") {
			return float64(n)
		}
	}
	if strings.ContainsAny(s, "_xXpPiInN") {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return math.NaN()
	}
	return f
}

// isSpace is \s of ECMAScript.
func isSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
		return true
	}
	return r >= 0x2000 && r <= 0x200A
}

// less is a < b for a number on the left.
func less(a float64, b *value) bool { return a < b.number() }

// greater is a > b for a number on the left.
func greater(a float64, b *value) bool { return a > b.number() }

// same is a === b.
func same(a, b *value) bool {
	if a == nil || b == nil || a.kind != b.kind {
		return a == b
	}
	switch a.kind {
	case kindNull:
		return true
	case kindBool:
		return a.truth == b.truth
	case kindNumber:
		return a.num == b.num
	case kindString:
		return a.str == b.str
	}
	return a == b
}

// stringify is JSON.stringify(value).
func stringify(v *value) string { return string(appendJSON(nil, v)) }

func appendJSON(dst []byte, v *value) []byte {
	switch v.kind {
	case kindBool:
		return strconv.AppendBool(dst, v.truth)
	case kindNumber:
		return append(dst, schema.JSNumber(v.num, true)...)
	case kindString:
		return schema.AppendQuoted(dst, v.str)
	case kindArray:
		dst = append(dst, '[')
		for i, item := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, item)
		}
		return append(dst, ']')
	case kindObject:
		dst = append(dst, '{')
		for i, key := range v.keys {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(schema.AppendQuoted(dst, key), ':')
			dst = appendJSON(dst, v.own[key])
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}
