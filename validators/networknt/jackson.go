package networknt

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/hostmatrix/conform/schema"
)

// A string as structured content is parsed as JSON, and most are not JSON. This
// reader finds Jackson's words for the first thing wrong. Observed on Jackson 3.1.4.

const (
	noSource   = " at [Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); byte offset: #UNKNOWN]"
	validValue = "expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
)

// syntaxError ends the reading; it travels as a panic inside this file.
type syntaxError string

// jacksonError returns what Jackson says about a text that is not JSON.
func jacksonError(text string) (message string) {
	r := &reader{rest: text}
	defer func() {
		if caught := recover(); caught != nil {
			wrong, ok := caught.(syntaxError)
			if !ok {
				panic(caught)
			}
			message = string(wrong) + "\n" + noSource
		}
	}()
	r.value(0)
	r.space()
	if r.rest == "" {
		giveUp("a text that Jackson reads and this parser does not")
	}
	if token := r.trailing(); token != "" {
		r.fail("Trailing token (`JsonToken.%s`) found after value (bound as `tools.jackson.databind.JsonNode`): not allowed as per `DeserializationFeature.FAIL_ON_TRAILING_TOKENS`", token)
	}
	return ""
}

type reader struct{ rest string }

func (r *reader) fail(format string, args ...any) { panic(syntaxError(fmt.Sprintf(format, args...))) }

// space skips white space; other control characters are an error of their own.
func (r *reader) space() {
	r.rest = strings.TrimLeft(r.rest, " \t\r\n")
	if r.rest != "" && r.rest[0] < 0x20 {
		r.fail(`Illegal character ((CTRL-CHAR, code %d)): only regular white space (\r, \n, \t) is allowed between tokens`, r.rest[0])
	}
	if r.rest != "" && r.rest[0] == '/' {
		r.unexpected(": maybe a (non-standard) comment? (not recognized as one since Feature 'ALLOW_COMMENTS' not enabled for parser)")
	}
}

// unexpected names the character that comes next, as UTF-16 has it.
func (r *reader) unexpected(why string) {
	c, _ := schema.DecodeWTF8(r.rest)
	shown := string(c)
	if c > 0xFFFF {
		c = 0xD800 + (c-0x10000)>>10
		shown = string(schema.AppendWTF8(nil, c))
	}
	code := fmt.Sprint(int(c))
	if c >= 0x7F && c <= 0x9F {
		r.fail("Unexpected character ((CTRL-CHAR, code %d))%s", c, why)
	}
	if c > 0xFF {
		code += fmt.Sprintf(" / 0x%x", c)
	}
	r.fail("Unexpected character ('%s' (code %s))%s", shown, code, why)
}

// maxTextNesting is Jackson's StreamReadConstraints default.
const maxTextNesting = 500

func (r *reader) value(depth int) {
	if depth > maxTextNesting {
		giveUp("a text nested more than %d levels", maxTextNesting)
	}
	r.space()
	if r.rest == "" {
		r.fail("Unexpected end-of-input")
	}
	switch c := r.rest[0]; {
	case c == '{':
		r.object(depth)
	case c == '[':
		r.array(depth)
	case c == '"':
		r.text("Unexpected end-of-input: was expecting closing quote for a string value", "string value")
	case c == '-' || c >= '0' && c <= '9':
		r.number(depth == 0)
	case c == '}':
		r.fail("Unexpected close marker '}': no open Object to close")
	case c == ']' && depth == 0:
		r.fail("Unexpected close marker ']': no open Array to close")
	case c == '+':
		r.infinity("Unexpected end-of-input in a Number value")
		r.unexpected(" in numeric value: JSON spec does not allow numbers to have plus signs: enable `JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS` to allow")
	default:
		r.word()
	}
}

// word is true, false, null, or a token that Jackson does not recognise.
func (r *reader) word() {
	token := r.token()
	switch token {
	case "":
		r.unexpected(": " + validValue)
	case "true", "false", "null":
		r.rest = r.rest[len(token):]
		return
	case "NaN", "Infinity":
		r.fail("Non-standard token '%s': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow", token)
	}
	if runes := []rune(token); len(runes) > 256 {
		token = string(runes[:256]) + "..."
	}
	r.fail("Unrecognized token '%s': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')", token)
}

// infinity fails where a sign is the last or a word with I follows it.
func (r *reader) infinity(atEnd string) {
	if len(r.rest) == 1 {
		r.fail("%s", atEnd)
	}
	if r.rest[1] != 'I' {
		return
	}
	sign := r.rest[:1]
	switch word := (&reader{r.rest[1:]}).token(); {
	case len(r.rest) == 2:
		r.fail("Unexpected end-of-input in a Number value")
	case word == "Infinity":
		r.fail("Non-standard token '%sInfinity': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow", sign)
	default:
		r.fail("Unrecognized token '%s': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')", sign+word)
	}
}

// token is what starts here and goes on as a Java identifier.
func (r *reader) token() string {
	end := 0
	for end < len(r.rest) {
		c, n := schema.DecodeWTF8(r.rest[end:])
		part := unicode.IsLetter(c) || unicode.In(c, unicode.Sc, unicode.Pc, unicode.Nl)
		if end > 0 {
			part = part || unicode.In(c, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Cf) ||
				c <= 8 || c >= 0xE && c <= 0x1B || c >= 0x7F && c <= 0x9F
		}
		if !part || c > 0xFFFF {
			break
		}
		end += n
	}
	return r.rest[:end]
}

func (r *reader) number(root bool) {
	if r.rest[0] == '-' {
		r.infinity("Unexpected end-of-inputNo digit following sign")
		r.rest = r.rest[1:]
		switch {
		case r.rest[0] == '.':
			r.unexpected(": " + validValue)
		case r.rest[0] < '0' || r.rest[0] > '9':
			r.unexpected(" in numeric value: expected digit (0-9) to follow minus sign, for valid numeric value")
		}
	}
	if len(r.rest) > 1 && r.rest[0] == '0' && r.rest[1] >= '0' && r.rest[1] <= '9' {
		r.fail("Invalid numeric value: Leading zeroes not allowed")
	}
	r.digits()
	if strings.HasPrefix(r.rest, ".") {
		point := r.rest
		r.rest = r.rest[1:]
		if r.digits() == 0 {
			if r.rest == "" {
				r.rest = point
			}
			r.unexpected(" in numeric value: Decimal point not followed by a digit")
		}
	}
	if r.rest != "" && r.rest[0]|0x20 == 'e' {
		r.rest = r.rest[1:]
		if r.rest != "" && (r.rest[0] == '+' || r.rest[0] == '-') {
			r.rest = r.rest[1:]
		}
		if r.digits() == 0 {
			if r.rest == "" {
				r.fail("Unexpected end-of-inputexpected a digit for number exponent")
			}
			r.unexpected(" in numeric value: Exponent indicator not followed by a digit")
		}
	}
	if root && r.rest != "" && strings.IndexByte(" \t\r\n", r.rest[0]) < 0 {
		r.unexpected(": Expected space separating root-level values")
	}
}

func (r *reader) digits() (n int) {
	for n < len(r.rest) && r.rest[n] >= '0' && r.rest[n] <= '9' {
		n++
	}
	r.rest = r.rest[n:]
	return n
}

// text reads a string; what names it in messages: a value or a property's name.
func (r *reader) text(end, what string) {
	r.rest = r.rest[1:]
	for r.rest != "" {
		c, n := schema.DecodeWTF8(r.rest)
		switch {
		case c == '"':
			r.rest = r.rest[1:]
			return
		case c < 0x20:
			r.fail("Illegal unquoted character ((CTRL-CHAR, code %d)): has to be escaped using backslash to be included in %s", c, what)
		case c == '\\':
			r.rest = r.rest[1:]
			r.escape()
			continue
		}
		r.rest = r.rest[n:]
	}
	r.fail("%s", end)
}

func (r *reader) escape() {
	if r.rest == "" {
		r.fail("Unexpected end-of-input in character escape sequence")
	}
	c, n := schema.DecodeWTF8(r.rest)
	r.rest = r.rest[n:]
	if c != 'u' {
		if !strings.ContainsRune(`"\/bfnrt`, c) {
			r.fail("Unrecognized character escape '%c' (code %d)", c, c)
		}
		return
	}
	for range 4 {
		if r.rest == "" {
			r.fail("Unexpected end-of-input in character escape sequence")
		}
		if !isHex(r.rest[0]) {
			r.unexpected(": expected a hex-digit for character escape sequence")
		}
		r.rest = r.rest[1:]
	}
}

// trailing is the kind of a second value after the first.
func (r *reader) trailing() string {
	switch r.rest[0] {
	case '{':
		return "START_OBJECT"
	case '[':
		return "START_ARRAY"
	case '"':
		return "VALUE_STRING"
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		rest := r.rest
		r.number(true)
		if strings.ContainsAny(rest[:len(rest)-len(r.rest)], ".eE") {
			return "VALUE_NUMBER_FLOAT"
		}
		return "VALUE_NUMBER_INT"
	}
	rest := r.rest
	r.value(0)
	switch word := rest[:len(rest)-len(r.rest)]; word {
	case "true", "false", "null":
		return "VALUE_" + strings.ToUpper(word)
	}
	return ""
}
