// Package format checks strings and numbers the way the format tables of the Ajv
// family do: ajv-formats 3 ("full" mode, used with Ajv 8) and the built-in "fast"
// table of Ajv 6. They are not the RFCs: a blank between date and time passes, a
// naive date-time does not, an e-mail address needs a dot.
package format

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/regex"
)

// Format is one entry of a table.
type Format struct {
	// Text checks a string; nil with Number nil accepts everything.
	Text func(string) bool
	// Number checks a number; such a format leaves strings alone.
	Number func(float64) bool
	// Compare orders two strings for formatMinimum and its kin, -1, 0 or 1; ok is
	// false when they can't be compared. nil: the format has no order.
	Compare func(a, b string) (order int, ok bool)
}

// Set is a format table by name.
type Set map[string]Format

// Full returns the table of ajv-formats 3 in full mode. Source: its README; the
// behaviour at the edges was observed on 3.0.1.
func Full() Set { return full }

var full = Set{
	"date":                      {Text: isDate, Compare: compareText},
	"time":                      {Text: func(s string) bool { return isTime(s, true) }, Compare: compareTimes},
	"date-time":                 {Text: func(s string) bool { return isDateTime(s, true) }, Compare: compareDateTimes},
	"iso-time":                  {Text: func(s string) bool { return isTime(s, false) }, Compare: compareISOTimes},
	"iso-date-time":             {Text: func(s string) bool { return isDateTime(s, false) }, Compare: compareISODateTimes},
	"duration":                  {Text: isDuration},
	"uri":                       {Text: isURI},
	"uri-reference":             {Text: isURIReference},
	"uri-template":              {Text: isURITemplate},
	"url":                       {Text: isURL},
	"email":                     {Text: isEmail},
	"hostname":                  {Text: isHostname},
	"ipv4":                      {Text: isIPv4},
	"ipv6":                      {Text: isIPv6},
	"regex":                     {Text: isRegex},
	"uuid":                      {Text: isUUID},
	"json-pointer":              {Text: isJSONPointer},
	"json-pointer-uri-fragment": {Text: isPointerFragment},
	"relative-json-pointer":     {Text: isRelativePointer},
	"byte":                      {Text: isBase64Line},
	"int32":                     {Number: func(f float64) bool { return isInt(f) && f <= math.MaxInt32 && f >= math.MinInt32 }},
	"int64":                     {Number: isInt},
	"float":                     {Number: func(float64) bool { return true }},
	"double":                    {Number: func(float64) bool { return true }},
	"password":                  {},
	"binary":                    {},
}

// isInt is Number.isInteger.
func isInt(f float64) bool { return f == math.Trunc(f) && !math.IsInf(f, 0) }

// isRegex: compiles without flags; "\Z" is refused unless it starts the string or a
// backslash stands before it.
func isRegex(s string) bool {
	for i := 1; i+1 < len(s); i++ {
		if s[i] == '\\' && s[i+1] == 'Z' && s[i-1] != '\\' {
			return false
		}
	}
	_, err := regex.Compile(regex.ECMA, s)
	return err == nil
}

// isBase64Line accepts a string of which any one line is base64; an empty line is.
func isBase64Line(s string) bool {
	for {
		end := strings.IndexAny(s, "\n\r\u2028\u2029")
		if end < 0 {
			return isBase64(s)
		}
		if isBase64(s[:end]) {
			return true
		}
		_, width := utf8.DecodeRuneInString(s[end:])
		s = s[end+width:]
	}
}

func isBase64(s string) bool {
	if len(s)%4 != 0 {
		return false
	}
	body := strings.TrimSuffix(s, "=")
	if body != s {
		body = strings.TrimSuffix(body, "=")
	}
	for i := 0; i < len(body); i++ {
		if !isAlnum(body[i]) && body[i] != '+' && body[i] != '/' {
			return false
		}
	}
	return true
}

func isAlnum(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// isSpace is \s of ECMAScript.
func isSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
		return true
	}
	return r >= 0x2000 && r <= 0x200A
}

// hasSpace reports white space anywhere in s.
func hasSpace(s string) bool {
	for i := 0; i < len(s); {
		r, n := schema.DecodeWTF8(s[i:])
		if isSpace(r) {
			return true
		}
		i += n
	}
	return false
}

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// cutDigits takes the digits at the start of s away.
func cutDigits(s string) (digits, rest string) {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return s[:n], s[n:]
}

// only reports that s consists of letters, digits, characters of extra and, with
// escapes, %xx sequences.
func only(s, extra string, escapes bool) bool {
	for i := 0; i < len(s); i++ {
		if isAlnum(s[i]) || strings.IndexByte(extra, s[i]) >= 0 {
			continue
		}
		if !escapes || s[i] != '%' || i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
			return false
		}
		i += 2
	}
	return true
}

func isUUID(s string) bool {
	if len(s) >= 9 && strings.EqualFold(s[:9], "urn:uuid:") {
		s = s[9:]
	}
	if len(s) != 36 {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch i {
		case 8, 13, 18, 23:
			if s[i] != '-' {
				return false
			}
		default:
			if !isHex(s[i]) {
				return false
			}
		}
	}
	return true
}

func isJSONPointer(s string) bool {
	if s == "" {
		return true
	}
	if s[0] != '/' {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i] == '~' && (i+1 >= len(s) || s[i+1] != '0' && s[i+1] != '1') {
			return false
		}
	}
	return true
}

func isPointerFragment(s string) bool {
	rest, ok := strings.CutPrefix(s, "#")
	if !ok || rest != "" && rest[0] != '/' {
		return false
	}
	return isJSONPointer(rest) && only(strings.ReplaceAll(strings.ReplaceAll(rest, "~0", ""), "~1", ""), "/_-.!$&'()*+,;:=@", true)
}

func isRelativePointer(s string) bool {
	digits, rest := cutDigits(s)
	if digits == "" || digits[0] == '0' && len(digits) > 1 {
		return false
	}
	return rest == "#" || isJSONPointer(rest)
}
