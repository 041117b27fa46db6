package ajv

import (
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/js"
	"github.com/hostmatrix/conform/validators/regex"
)

// strict raises what strict mode forbids. Strict types and tuples are only logged
// by a plain `new Ajv()` and have no part here.
func (it *context) strict(message string) {
	if it.c.opts.strictSchema {
		throw("strict mode: ", message)
	}
}

// keys is for-in over a schema, whatever it is.
func keys(s *schema.Value) []string {
	if s == nil {
		return nil
	}
	var out []string
	switch s.Kind {
	case schema.Object:
		for _, m := range js.Members(s) {
			out = append(out, m.Key)
		}
	case schema.Array:
		for i := range s.Items {
			out = append(out, strconv.Itoa(i))
		}
	case schema.String:
		for i, n := 0, schema.UTF16Len(s.Text); i < n; i++ {
			out = append(out, strconv.Itoa(i))
		}
	}
	return out
}

func (it *context) checkUnknown(s *schema.Value) {
	if !it.c.opts.strictSchema || s.Kind == schema.Bool {
		return
	}
	for _, key := range keys(s) {
		if !it.c.opts.rules.known[key] && !js.Inherited(key) {
			it.strict(`unknown keyword: "` + key + `"`)
		}
	}
}

// checkMatching refuses, in strict mode, a property that a pattern matches too. The
// expression is compiled without flags here, whatever is used for validation.
func (k *keyword) checkMatching(source string) {
	declared := k.schema.Get("properties")
	if !k.c.opts.strictSchema || !js.Truthy(declared) {
		return
	}
	for _, name := range keys(declared) {
		re := compilePatternIn(regex.ECMA, source)
		ok, err := re.re.MatchString(name)
		if err != nil {
			unknown("pattern " + source + ": " + err.Error())
		}
		if ok {
			k.strict("property " + name + " matches pattern " + source + " (use allowMatchingProperties)")
		}
	}
}

// encodeURIComponent is JavaScript's; lone surrogates are refused before.
func encodeURIComponent(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.!~*'()", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}

func hasLoneSurrogate(s string) bool {
	for i := 0; i+2 < len(s); i++ {
		if s[i] == 0xED && s[i+1] >= 0xA0 {
			return true
		}
	}
	return false
}
