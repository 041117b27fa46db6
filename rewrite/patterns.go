package rewrite

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/regex"
)

var patternRewrites = []Rewrite{
	{
		Name: "pattern-common", Title: "Write patterns in the syntax that every engine reads",
		Doc: "Ajv 8 compiles patterns with the u flag: a needless escape (\\-, \\_, \\/) or an unescaped brace is an error there, and on some hosts loses the whole server. " +
			"\\d and \\w mean more than ASCII in Python. Named groups, \\A and \\Z are known to some engines only.",
		Condition: "pattern or patternProperties with escapes, groups or braces outside the common subset",
		Loss:      "digits and letters beyond ASCII for \\d and \\w, which Python takes and ECMA-262 does not",
		Before:    `{"pattern":"^\\d{4}\\-\\w+$"}`, After: `{"pattern":"^[0-9]{4}-[A-Za-z0-9_]+$"}`,
		Apply: onPatterns(commonPattern),
	},
	{
		Name: "pattern-anchor", Title: "Anchor patterns at both ends",
		Doc:       "Grammar-based decoders (llama.cpp) take only patterns that begin with ^ and end with $, and read others as if they did.",
		Condition: "pattern without ^ at its start or $ at its end", Loss: "line breaks before or behind the match",
		Before: `{"pattern":"[0-9]+"}`, After: `{"pattern":"^.*[0-9]+.*$"}`, Cost: 1,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			p, ok := s.Get("pattern").IsString()
			if !ok || strings.Contains(p, "|") || strings.HasPrefix(p, "^") && strings.HasSuffix(p, "$") {
				return s
			}
			if !strings.HasPrefix(p, "^") {
				p = "^.*" + p
			}
			if !strings.HasSuffix(p, "$") || strings.HasSuffix(p, `\$`) {
				p += ".*$"
			}
			return s.With("pattern", schema.Str(p))
		}),
	},
	{
		Name: "pattern-off", Title: "Leave out patterns",
		Doc:       "A pattern that some engine cannot compile (look-around, \\p, a broken group) costs the tool, or on some hosts the server.",
		Condition: "pattern, or patternProperties that cannot be compiled", Loss: "the pattern; say it in the description",
		Before: `{"type":"string","pattern":"^(?!x)"}`, After: `{"type":"string"}`, Cost: 2,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			out := s
			if out.Has("pattern") {
				out = out.Without("pattern")
			}
			for _, m := range s.Get("patternProperties").Unique() {
				if _, err := regex.Compile(regex.ECMAUnicode, m.Key); err != nil {
					out = out.Without("patternProperties")
					break
				}
			}
			return out
		}),
	},
}

// onPatterns changes the text of every pattern and every key of patternProperties.
func onPatterns(change func(string) string) func(*schema.Value) (*schema.Value, bool) {
	return onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
		if p, ok := s.Get("pattern").IsString(); ok {
			if better := change(p); better != p {
				s = s.With("pattern", schema.Str(better))
			}
		}
		old := s.Get("patternProperties")
		out := schema.Obj()
		changed := false
		for _, m := range old.Unique() {
			key := change(m.Key)
			changed = changed || key != m.Key
			out = out.With(key, m.Value)
		}
		if changed {
			s = s.With("patternProperties", out)
		}
		return s
	})
}

// commonPattern respells a pattern without changing what it means in ECMA-262;
// the text is returned as it is where that is not sure.
func commonPattern(p string) string {
	var b strings.Builder
	class := false
	for i := 0; i < len(p); i++ {
		c := p[i]
		switch {
		case c == '\\' && i+1 < len(p):
			i++
			writeEscape(&b, p[i], class)
		case class:
			if c == ']' {
				class = false
			}
			if c == '[' {
				b.WriteByte('\\')
			}
			if c == '-' && p[i+1:] != "" && p[i+1] != ']' && b.Len() > 0 && endsWithEscapeClass(b.String()) {
				b.WriteByte('\\') // [\w-.]: no range, and an error with the u flag
			}
			b.WriteByte(c)
		case c == '[':
			class = true
			b.WriteByte(c)
			if strings.HasPrefix(p[i+1:], "^") {
				b.WriteByte('^')
				i++
			}
		case strings.HasPrefix(p[i:], "(?P<"), strings.HasPrefix(p[i:], "(?<") && !strings.HasPrefix(p[i:], "(?<=") && !strings.HasPrefix(p[i:], "(?<!"):
			end := strings.IndexByte(p[i:], '>')
			if end < 0 {
				return p
			}
			b.WriteByte('(')
			i += end
		case c == '{' && !quantifier(p[i:]):
			b.WriteString(`\{`)
		case c == '}' && !closesQuantifier(p[:i]):
			b.WriteString(`\}`)
		case c == ']':
			b.WriteString(`\]`)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// writeEscape writes an escape so that every engine reads it alike.
func writeEscape(b *strings.Builder, c byte, class bool) {
	switch {
	case c == 'd':
		writeSet(b, "0-9", class)
	case c == 'w':
		writeSet(b, "A-Za-z0-9_", class)
	case c == 'A' && !class:
		b.WriteByte('^')
	case (c == 'Z' || c == 'z') && !class:
		b.WriteByte('$')
	case c == '-' && class:
		b.WriteString(`\-`)
	case strings.IndexByte("-_/ \"'`:;,=<>@#%&~!", c) >= 0:
		b.WriteByte(c)
	default:
		b.WriteByte('\\')
		b.WriteByte(c)
	}
}

func writeSet(b *strings.Builder, set string, class bool) {
	if class {
		b.WriteString(set)
		return
	}
	b.WriteString("[" + set + "]")
}

// endsWithEscapeClass reports whether the class so far ends with what was \d or \w.
func endsWithEscapeClass(text string) bool {
	return strings.HasSuffix(text, "0-9") || strings.HasSuffix(text, "A-Za-z0-9_") || strings.HasSuffix(text, `\s`) || strings.HasSuffix(text, `\S`)
}

// quantifier reports whether text begins with {n}, {n,} or {n,m}.
func quantifier(text string) bool {
	end := strings.IndexByte(text, '}')
	if end < 2 {
		return false
	}
	low, high, _ := strings.Cut(text[1:end], ",")
	return digits(low) && low != "" && digits(high)
}

func closesQuantifier(before string) bool {
	start := strings.LastIndexByte(before, '{')
	if start < 0 {
		return false
	}
	if start > 0 && before[start-1] == 'p' || start > 0 && before[start-1] == 'u' || start > 0 && before[start-1] == 'P' {
		return true // \p{…}, \u{…}
	}
	return quantifier(before[start:] + "}")
}

func digits(s string) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
