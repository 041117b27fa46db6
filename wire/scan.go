package wire

import (
	"bytes"
)

// measure counts the nesting and the values of a JSON text in one pass without
// recursion and without checking it, so that a text can be refused before it is
// decoded: a decoded value costs about 130 bytes, "[" costs one.
func measure(raw []byte) (depth, values int) {
	level := 0
	values = 1
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			i = skipString(raw, i) - 1
		case '{', '[':
			level++
			values++
			depth = max(depth, level)
		case '}', ']':
			level--
		case ',':
			values++
		}
	}
	return depth, values
}

// skipString returns the offset after the string that begins at i.
func skipString(raw []byte, i int) int {
	i++
	for i < len(raw) {
		quote := bytes.IndexByte(raw[i:], '"')
		if quote < 0 {
			return len(raw)
		}
		at := i + quote
		back := at
		for back > i && raw[back-1] == '\\' {
			back--
		}
		i = at + 1
		if (at-back)%2 == 0 {
			return i
		}
	}
	return len(raw)
}

// part is one member of an object or one element of an array, by offset.
type part struct {
	key        string // raw text between the quotes; "" in an array
	start, end int
}

// split returns the members or elements of the object or array that begins at
// offset start. It looks at brackets, strings and commas only; what it returns
// for a text that is no JSON is meaningless but within bounds.
func split(raw []byte, start int) []part {
	if start >= len(raw) || (raw[start] != '{' && raw[start] != '[') {
		return nil
	}
	object := raw[start] == '{'
	var parts []part
	level, begin, key := 0, start+1, ""
	flush := func(end int) {
		from, to := begin, end
		for from < to && isSpace(raw[from]) {
			from++
		}
		for to > from && isSpace(raw[to-1]) {
			to--
		}
		if from < to {
			parts = append(parts, part{key, from, to})
		}
		begin, key = end+1, ""
	}
	for i := start; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			i = skipString(raw, i) - 1
		case '{', '[':
			level++
		case '}', ']':
			level--
			if level == 0 {
				flush(i)
				return parts
			}
		case ',':
			if level == 1 {
				flush(i)
			}
		case ':':
			if level == 1 && object && key == "" {
				key = string(bytes.Trim(raw[begin:i], " \t\r\n\""))
				begin = i + 1
			}
		}
	}
	return parts
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// find returns the last part with the key, as every JSON decoder takes the last
// of duplicate keys.
func find(parts []part, key string) (part, bool) {
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i].key == key {
			return parts[i], true
		}
	}
	return part{}, false
}

// dropDeep returns the text of a tools/list answer without the tools that nest
// deeper than maxDepth, and the names of those. ok is false when the text is no
// such answer or is too deep elsewhere.
func dropDeep(raw []byte, maxDepth int) (out []byte, dropped []string, ok bool) {
	top := split(raw, firstByte(raw))
	result, found := find(top, "result")
	if !found {
		return nil, nil, false
	}
	tools, found := find(split(raw, result.start), "tools")
	if !found || raw[tools.start] != '[' {
		return nil, nil, false
	}
	out = append(out, raw[:tools.start+1]...)
	kept := 0
	for _, tool := range split(raw, tools.start) {
		text := raw[tool.start:tool.end]
		if depth, _ := measure(text); depth+3 > maxDepth {
			name := "?"
			if n, has := find(split(text, 0), "name"); has {
				name = string(bytes.Trim(text[n.start:n.end], `"`))
			}
			dropped = append(dropped, name)
			continue
		}
		if kept++; kept > 1 {
			out = append(out, ',')
		}
		out = append(out, text...)
	}
	out = append(out, raw[tools.end-1:]...)
	depth, _ := measure(out)
	return out, dropped, depth <= maxDepth
}

func firstByte(raw []byte) int {
	for i, c := range raw {
		if !isSpace(c) {
			return i
		}
	}
	return len(raw)
}
