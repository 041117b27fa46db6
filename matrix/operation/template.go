package operation

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// fillTemplate replaces the names of a template in one pass, so that a text which
// holds a name stays what it is:
//
//	{x}          the value of x
//	{"x"}        the value of x as a JSON string, quotes included
//	{x|other}    the value of x, or other where it is empty; {"x"|null} likewise
//	{{ … {x} }}  left out when a name in it is empty
//
// Braces around anything that value does not know are plain text.
func fillTemplate(template string, value func(name string) (string, bool)) string {
	text, _, _ := fillUntil(template, "", value)
	return text
}

// fillUntil fills up to end ("" is the end of the template); rest is what follows
// it, and empty tells that one of the names had no value.
func fillUntil(template, end string, value func(string) (string, bool)) (text, rest string, empty bool) {
	var b strings.Builder
	for template != "" {
		if end != "" && strings.HasPrefix(template, end) {
			return b.String(), template[len(end):], empty
		}
		if inner, ok := strings.CutPrefix(template, "{{"); ok {
			part, after, missing := fillUntil(inner, "}}", value)
			if !missing {
				b.WriteString(part)
			}
			template = after
			continue
		}
		if template[0] == '{' {
			if name, after, ok := strings.Cut(template[1:], "}"); ok {
				if s, known := templateValue(name, value); known {
					empty = empty || s == ""
					b.WriteString(s)
					template = after
					continue
				}
			}
		}
		b.WriteByte(template[0])
		template = template[1:]
	}
	return b.String(), "", empty
}

func templateValue(name string, value func(string) (string, bool)) (string, bool) {
	name, otherwise, alternative := strings.Cut(name, "|")
	quoted := len(name) > 2 && name[0] == '"' && name[len(name)-1] == '"'
	s, ok := value(strings.Trim(name, `"`))
	switch {
	case ok && s == "" && alternative:
		return otherwise, true
	case quoted:
		return schema.Quote(s), ok
	}
	return s, ok
}
