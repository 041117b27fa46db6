package cfworker

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hostmatrix/conform/schema"
)

// encodeURI is ECMAScript's; it throws on a lone surrogate.
func encodeURI(s string) string {
	return encodeExcept(s, ";,/?:@&=+$-_.!~*'()#")
}

func encodeExcept(s, kept string) string {
	plain := true
	for i := range len(s) {
		if c := s[i]; !isAlphanumeric(c) && strings.IndexByte(kept, c) < 0 {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := schema.DecodeWTF8(s[i:])
		switch {
		case r >= 0xD800 && r <= 0xDFFF:
			throw("URI malformed")
		case r < utf8.RuneSelf && (isAlphanumeric(byte(r)) || strings.IndexByte(kept, byte(r)) >= 0):
			b.WriteByte(byte(r))
		default:
			for _, c := range utf8.AppendRune(nil, r) {
				b.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(c)|0x100, 16)[1:]))
			}
		}
		i += n
	}
	return b.String()
}

func isAlphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// encodePointer escapes one step of a JSON Pointer for a URI fragment. Release
// 4.1.6 also encodes "#".
func (r *release) encodePointer(key string) string {
	encoded := encodeURI(schema.EscapeToken(key))
	if r.encodesHash {
		encoded = strings.ReplaceAll(encoded, "#", "%23")
	}
	return encoded
}

// resolve is how the release turns a reference into a URL: 4.1.1 takes new URL
// and assigns the hash to itself, which drops an empty one; 4.1.6 brings the
// fragment into a normal form.
func (r *release) resolve(ref string, base *address) address {
	u := parseURL(ref, base)
	u.fragment = u.hash()
	if r.normalizesFragments && u.fragment != "" {
		u.fragment = "#" + normalizeFragment(u.fragment[1:])
	}
	return u
}

// normalizeFragment decodes escapes of unreserved characters, writes the others
// in upper case and encodes what may not stand in a fragment.
func normalizeFragment(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				if isAlphanumeric(byte(c)) || strings.IndexByte("._~-", byte(c)) >= 0 {
					b.WriteByte(byte(c))
				} else {
					b.WriteString(strings.ToUpper(s[i : i+3]))
				}
				i += 3
				continue
			}
		}
		_, n := schema.DecodeWTF8(s[i:])
		b.WriteString(encodeExcept(s[i:i+n], "._~!$&'()*+,;=:@/?-"))
		i += n
	}
	return b.String()
}
