package oracle

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Quote writes s as an ASCII JSON string. Lone surrogates in WTF-8 become
// \ud800 and the like, which encoding/json would replace.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); {
		r, n := decodeRune(s[i:])
		i += n
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r >= ' ' && r < 0x7F:
			b.WriteRune(r)
		case r > 0xFFFF:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func decodeRune(s string) (rune, int) {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 && len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 {
		return rune(s[0]&0x0F)<<12 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return r, n
}

// Unquote reads a JSON string; a lone surrogate escape becomes WTF-8.
func Unquote(raw []byte) (string, error) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return "", fmt.Errorf("reading a JSON string: %s is none", raw)
	}
	in := string(raw[1 : len(raw)-1])
	var b []byte
	for i := 0; i < len(in); {
		if in[i] != '\\' || i+1 == len(in) {
			b = append(b, in[i])
			i++
			continue
		}
		if c := in[i+1]; c != 'u' {
			b = append(b, shortEscapes[c])
			i += 2
			continue
		}
		r, err := escapeUnit(in, i)
		if err != nil {
			return "", err
		}
		i += 6
		if utf16.IsSurrogate(r) {
			if lo, err := escapeUnit(in, i); err == nil && utf16.DecodeRune(r, lo) != utf8.RuneError {
				r = utf16.DecodeRune(r, lo)
				i += 6
			} else {
				b = append(b, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
				continue
			}
		}
		b = utf8.AppendRune(b, r)
	}
	return string(b), nil
}

var shortEscapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func escapeUnit(in string, i int) (rune, error) {
	if i+6 > len(in) || in[i:i+2] != `\u` {
		return 0, fmt.Errorf("reading a JSON string: no \\uXXXX at byte %d of %q", i, in)
	}
	v, err := strconv.ParseUint(in[i+2:i+6], 16, 16)
	return rune(v), err
}
