package pyjsonschema

import (
	"strings"
	"unicode"

	"github.com/hostmatrix/conform/schema"
)

// prettyWidth is the width that jsonschema passes to pprint.pformat.
const prettyWidth = 72

// pretty lays the value out as pprint.pformat(value, width=72, sort_dicts=False)
// does, every further line indented by four spaces, which is what is left of
// jsonschema's sixteen after its dedent. Observed on CPython 3.11.
func pretty(v *value) string {
	p := &printer{}
	p.format(v, 0, 0, 0)
	return strings.ReplaceAll(p.out.String(), "\n", "\n    ")
}

type printer struct{ out strings.Builder }

// format writes v at column indent; allowance is the room that must stay free
// for closing brackets.
func (p *printer) format(v *value, indent, allowance, level int) {
	short := repr(v)
	if runeCount(short) <= prettyWidth-indent-allowance {
		p.out.WriteString(short)
		return
	}
	switch v.kind {
	case kindDict:
		p.dict(v, indent, allowance, level+1)
	case kindList:
		p.list(v, indent, allowance, level+1)
	case kindStr:
		p.text(v.str, indent, allowance, level+1)
	default:
		p.out.WriteString(short)
	}
}

func (p *printer) newline(indent int) {
	p.out.WriteByte('\n')
	p.out.WriteString(strings.Repeat(" ", indent))
}

func (p *printer) dict(v *value, indent, allowance, level int) {
	p.out.WriteByte('{')
	indent++
	for i, key := range v.keys {
		if i > 0 {
			p.out.WriteByte(',')
			p.newline(indent)
		}
		name := reprStr(key)
		p.out.WriteString(name + ": ")
		room := 1
		if i == len(v.keys)-1 {
			room = allowance + 1
		}
		p.format(v.dict[key], indent+runeCount(name)+2, room, level)
	}
	p.out.WriteByte('}')
}

func (p *printer) list(v *value, indent, allowance, level int) {
	p.out.WriteByte('[')
	indent++
	for i, item := range v.items {
		if i > 0 {
			p.out.WriteByte(',')
			p.newline(indent)
		}
		room := 1
		if i == len(v.items)-1 {
			room = allowance + 1
		}
		p.format(item, indent, room, level)
	}
	p.out.WriteByte(']')
}

// text breaks a long string at white space into adjacent literals, in
// parentheses where it stands alone.
func (p *printer) text(s string, indent, allowance, level int) {
	if level == 1 {
		indent++
		allowance++
	}
	chunks := chunksOf(s, prettyWidth-indent, allowance)
	if len(chunks) == 1 {
		p.out.WriteString(chunks[0])
		return
	}
	if level == 1 {
		p.out.WriteByte('(')
	}
	for i, chunk := range chunks {
		if i > 0 {
			p.newline(indent)
		}
		p.out.WriteString(chunk)
	}
	if level == 1 {
		p.out.WriteByte(')')
	}
}

func chunksOf(s string, width, allowance int) (chunks []string) {
	lines := splitLines(s)
	for i, line := range lines {
		room := width
		if i == len(lines)-1 {
			room -= allowance
		}
		literal := reprStr(line)
		if runeCount(literal) <= room {
			chunks = append(chunks, literal)
			continue
		}
		words, current := splitWords(line), ""
		for j, word := range words {
			room := width
			if j == len(words)-1 && i == len(lines)-1 {
				room -= allowance
			}
			if runeCount(reprStr(current+word)) <= room {
				current += word
				continue
			}
			if current != "" {
				chunks = append(chunks, reprStr(current))
			}
			current = word
		}
		if current != "" {
			chunks = append(chunks, reprStr(current))
		}
	}
	return chunks
}

// splitLines is str.splitlines(True).
func splitLines(s string) (lines []string) {
	start := 0
	for i := 0; i < len(s); {
		r, n := schema.DecodeWTF8(s[i:])
		i += n
		switch r {
		case '\r':
			if i < len(s) && s[i] == '\n' {
				i++
			}
		case '\n', '\v', '\f', 0x1C, 0x1D, 0x1E, 0x85, 0x2028, 0x2029:
		default:
			continue
		}
		lines = append(lines, s[start:i])
		start = i
	}
	if start < len(s) {
		lines = append(lines, s[start:])
	}
	return lines
}

// splitWords cuts before each word that follows white space, as the pattern
// \S*\s* does.
func splitWords(s string) (words []string) {
	start, inSpace := 0, false
	for i := 0; i < len(s); {
		r, n := schema.DecodeWTF8(s[i:])
		space := unicode.IsSpace(r) || r >= 0x1C && r <= 0x1F
		if inSpace && !space {
			words = append(words, s[start:i])
			start = i
		}
		inSpace = space
		i += n
	}
	return append(words, s[start:])
}
