package verify

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/hostmatrix/conform/schema"
)

// maxExpanded bounds a text that an observation describes, in UTF-16 units.
const maxExpanded = 64 << 20

// Expand returns v with every {"$text": …} description replaced by the string
// that it stands for: head, then repeat × times or count numbered lines cut to
// cut units, then tail.
func Expand(v *schema.Value) *schema.Value {
	if v == nil {
		return nil
	}
	switch v.Kind {
	case schema.Array:
		items := make([]*schema.Value, len(v.Items))
		for i, item := range v.Items {
			items[i] = Expand(item)
		}
		return schema.List(items...)
	case schema.Object:
		if len(v.Members) == 1 && v.Members[0].Key == "$text" {
			return schema.Str(expandText(v.Members[0].Value))
		}
		members := make([]schema.Member, len(v.Members))
		for i, m := range v.Members {
			members[i] = schema.Member{Key: m.Key, Value: Expand(m.Value)}
		}
		return schema.Obj(members...)
	}
	return v
}

func expandText(d *schema.Value) string {
	number := func(key string) int {
		if n := d.Get(key); n != nil {
			i, _ := strconv.Atoi(n.Text)
			return min(max(i, 0), maxExpanded)
		}
		return 0
	}
	str := func(key string) string { s, _ := d.Get(key).IsString(); return s }
	var b strings.Builder
	b.WriteString(str("head"))
	if repeat := str("repeat"); repeat != "" {
		for range min(number("times"), maxExpanded/len(repeat)) {
			b.WriteString(repeat)
		}
	}
	if line := str("line"); line != "" {
		width := number("width")
		for i := range min(number("count"), maxExpanded/len(line)) {
			b.WriteString(strings.ReplaceAll(line, "{i}", fmt.Sprintf("%0*d", width, i)))
		}
	}
	text := b.String()
	if cut := number("cut"); cut > 0 {
		if units := utf16.Encode([]rune(text)); len(units) > cut {
			text = string(utf16.Decode(units[:cut]))
		}
	}
	return text + str("tail")
}

// maxFillers bounds the tools of a list that an observation describes.
const maxFillers = 10000

// fillers returns the tools that a run of numbered names stands for:
// {"name":"item_{i}","from":1,"to":40,"width":4}.
func fillers(d *schema.Value) []*schema.Value {
	name, ok := d.Get("name").IsString()
	if d == nil || !ok {
		return nil
	}
	var from, to, width int
	for key, into := range map[string]*int{"from": &from, "to": &to, "width": &width} {
		if n := d.Get(key); n != nil {
			*into, _ = strconv.Atoi(n.Text)
		}
	}
	var out []*schema.Value
	for i := from; i <= min(to, from+maxFillers); i++ {
		out = append(out, plainTool(schema.Str(strings.ReplaceAll(name, "{i}", fmt.Sprintf("%0*d", min(width, 20), i)))))
	}
	return out
}
