package schema

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Limits bound what a hostile document may cost. A zero field means its default.
type Limits struct {
	// Depth is the greatest nesting of arrays and objects (default 10000,
	// under the roughly 1 GB stack that Go allows a goroutine).
	Depth int
	// Bytes is the greatest length of the text (default 256 MiB).
	Bytes int
	// Values is the greatest number of values in it (default 2 million): one costs about
	// 130 bytes, its text two.
	Values int
}

const (
	defaultDepth  = 10_000
	defaultBytes  = 256 << 20
	defaultValues = 2_000_000
)

// SyntaxError says where a text stops being JSON.
type SyntaxError struct {
	Offset int // byte offset, from 0
	Msg    string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.Msg, e.Offset) }

// LimitError says which bound of [Limits] a document exceeds.
type LimitError struct {
	Limit string // "depth", "bytes" or "values"
	Max   int
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("JSON exceeds the %s limit of %d", e.Limit, e.Max)
}

// Parse reads exactly one JSON value, surrounded by optional white space.
// Errors are *[SyntaxError] or *[LimitError]. Invalid UTF-8 inside strings is
// replaced by U+FFFD, as every host's decoder does.
func Parse(text []byte, limits Limits) (*Value, error) {
	if limits.Depth == 0 {
		limits.Depth = defaultDepth
	}
	if limits.Bytes == 0 {
		limits.Bytes = defaultBytes
	}
	if limits.Values == 0 {
		limits.Values = defaultValues
	}
	if len(text) > limits.Bytes {
		return nil, &LimitError{"bytes", limits.Bytes}
	}
	p := parser{text: text, maxDepth: limits.Depth, maxValues: limits.Values, short: map[string]string{}}
	p.space()
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	p.space()
	if p.pos < len(text) {
		return nil, p.fail("unexpected text after the value")
	}
	return v, nil
}

// ParseString is [Parse] on a string with default limits.
func ParseString(text string) (*Value, error) { return Parse([]byte(text), Limits{}) }

// MustParse is [ParseString] for literals in tests and tables; it panics on an error.
func MustParse(text string) *Value {
	v, err := ParseString(text)
	if err != nil {
		panic(fmt.Sprintf("schema.MustParse(%.80q): %v", text, err))
	}
	return v
}

type parser struct {
	text     []byte
	pos      int
	maxDepth int
	// values is how many were read, maxValues how many may be.
	values, maxValues int
	// short keeps one copy of each short string: a catalogue of 2,900 tools says
	// "type" and "string" a hundred thousand times.
	short map[string]string
}

const (
	shortString = 32
	shortCopies = 8192
)

// intern returns the bytes as a string, shared when they are short.
func (p *parser) intern(b []byte) string {
	if len(b) > shortString {
		return string(b)
	}
	if s, ok := p.short[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(p.short) < shortCopies {
		p.short[s] = s
	}
	return s
}

func (p *parser) fail(format string, args ...any) error {
	return &SyntaxError{p.pos, fmt.Sprintf(format, args...)}
}

func (p *parser) space() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

func (p *parser) value(depth int) (*Value, error) {
	if depth > p.maxDepth {
		return nil, &LimitError{"depth", p.maxDepth}
	}
	if p.values++; p.values > p.maxValues {
		return nil, &LimitError{"values", p.maxValues}
	}
	if p.pos >= len(p.text) {
		return nil, p.fail("unexpected end of JSON")
	}
	start := p.pos
	var v *Value
	var err error
	switch c := p.text[p.pos]; {
	case c == '{':
		v, err = p.object(depth)
	case c == '[':
		v, err = p.array(depth)
	case c == '"':
		var s string
		if s, err = p.str(); err == nil {
			v = &Value{Kind: String, Text: s}
		}
	case c == '-' || (c >= '0' && c <= '9'):
		v, err = p.number()
	case c == 't':
		v, err = p.literal("true", &Value{Kind: Bool, Bool: true})
	case c == 'f':
		v, err = p.literal("false", &Value{Kind: Bool})
	case c == 'n':
		v, err = p.literal("null", &Value{Kind: Null})
	default:
		return nil, p.fail("unexpected character %q", rune(c))
	}
	if err != nil {
		return nil, err
	}
	v.Start, v.End = start, p.pos
	return v, nil
}

func (p *parser) literal(word string, v *Value) (*Value, error) {
	if len(p.text)-p.pos < len(word) || string(p.text[p.pos:p.pos+len(word)]) != word {
		return nil, p.fail("invalid literal, expected %s", word)
	}
	p.pos += len(word)
	return v, nil
}

func (p *parser) number() (*Value, error) {
	start := p.pos
	if p.peek() == '-' {
		p.pos++
	}
	switch c := p.peek(); {
	case c == '0':
		p.pos++
	case c >= '1' && c <= '9':
		p.digits()
	default:
		return nil, p.fail("invalid number")
	}
	if p.peek() == '.' {
		p.pos++
		if !p.digits() {
			return nil, p.fail("invalid number: no digit after the point")
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.pos++
		if c := p.peek(); c == '+' || c == '-' {
			p.pos++
		}
		if !p.digits() {
			return nil, p.fail("invalid number: no digit in the exponent")
		}
	}
	return &Value{Kind: Number, Text: p.intern(p.text[start:p.pos])}, nil
}

func (p *parser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

func (p *parser) digits() bool {
	start := p.pos
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.pos++
	}
	return p.pos > start
}

func (p *parser) array(depth int) (*Value, error) {
	p.pos++ // [
	v := &Value{Kind: Array}
	p.space()
	if p.peek() == ']' {
		p.pos++
		return v, nil
	}
	for {
		p.space()
		item, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		v.Items = append(v.Items, item)
		p.space()
		switch p.peek() {
		case ',':
			p.pos++
		case ']':
			p.pos++
			return v, nil
		default:
			return nil, p.fail("expected , or ] in array")
		}
	}
}

func (p *parser) object(depth int) (*Value, error) {
	p.pos++ // {
	v := &Value{Kind: Object}
	p.space()
	if p.peek() == '}' {
		p.pos++
		return v, nil
	}
	for {
		p.space()
		if p.peek() != '"' {
			return nil, p.fail("expected a member name")
		}
		key, err := p.str()
		if err != nil {
			return nil, err
		}
		p.space()
		if p.peek() != ':' {
			return nil, p.fail("expected : after a member name")
		}
		p.pos++
		p.space()
		item, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		v.Members = append(v.Members, Member{key, item})
		p.space()
		switch p.peek() {
		case ',':
			p.pos++
		case '}':
			p.pos++
			return v, nil
		default:
			return nil, p.fail("expected , or } in object")
		}
	}
}

// str reads a string literal; the fast path copies when nothing is escaped.
func (p *parser) str() (string, error) {
	p.pos++ // "
	start := p.pos
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == '"':
			s := p.text[start:p.pos]
			p.pos++
			if utf8.Valid(s) {
				return p.intern(s), nil
			}
			return string([]rune(string(s))), nil // invalid bytes become U+FFFD
		case c == '\\':
			return p.escaped(start)
		case c < 0x20:
			return "", p.fail("control character 0x%02x in string", c)
		}
		p.pos++
	}
	return "", p.fail("unterminated string")
}

func (p *parser) escaped(start int) (string, error) {
	out := append(make([]byte, 0, p.pos-start+32), p.text[start:p.pos]...)
	if !utf8.Valid(out) {
		out = []byte(string([]rune(string(out)))) // invalid bytes become U+FFFD
	}
	high := rune(0) // pending high surrogate
	flush := func() {
		if high != 0 {
			out = AppendWTF8(out, high)
			high = 0
		}
	}
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		switch {
		case c == '"':
			flush()
			p.pos++
			return string(out), nil
		case c < 0x20:
			return "", p.fail("control character 0x%02x in string", c)
		case c != '\\':
			flush()
			r, n := utf8.DecodeRune(p.text[p.pos:])
			out = utf8.AppendRune(out, r)
			p.pos += n
			continue
		}
		p.pos++
		switch e := p.peek(); e {
		case '"', '\\', '/':
			flush()
			out = append(out, e)
		case 'b':
			flush()
			out = append(out, '\b')
		case 'f':
			flush()
			out = append(out, '\f')
		case 'n':
			flush()
			out = append(out, '\n')
		case 'r':
			flush()
			out = append(out, '\r')
		case 't':
			flush()
			out = append(out, '\t')
		case 'u':
			if p.pos+5 > len(p.text) {
				return "", p.fail("unterminated \\u escape")
			}
			n, err := strconv.ParseUint(string(p.text[p.pos+1:p.pos+5]), 16, 16)
			if err != nil {
				return "", p.fail("invalid \\u escape")
			}
			p.pos += 4
			r := rune(n)
			switch {
			case high != 0 && r >= 0xDC00 && r <= 0xDFFF:
				out = utf8.AppendRune(out, (high-0xD800)<<10+(r-0xDC00)+0x10000)
				high = 0
			case r >= 0xD800 && r <= 0xDBFF:
				flush()
				high = r
			default:
				flush()
				out = AppendWTF8(out, r)
			}
		default:
			return "", p.fail("invalid escape \\%c", e)
		}
		p.pos++
	}
	return "", p.fail("unterminated string")
}

// AppendWTF8 appends r in UTF-8; a surrogate is written as three bytes, which
// UTF-8 proper forbids and which lets a lone surrogate survive a round trip.
func AppendWTF8(out []byte, r rune) []byte {
	if r >= 0xD800 && r <= 0xDFFF {
		return append(out, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0xBF, 0x80|byte(r)&0xBF)
	}
	return utf8.AppendRune(out, r)
}

// DecodeWTF8 returns the first code point of s, surrogates included, and its
// width in bytes; width 0 means that s is empty.
func DecodeWTF8(s string) (r rune, width int) {
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF && s[2]&0xC0 == 0x80 {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return utf8.DecodeRuneInString(s)
}
