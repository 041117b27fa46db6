package shape

import (
	"math"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// segmentioWords is segmentio/encoding/json with DontMatchCaseInsensitiveStructFields,
// which the official Go SDK decodes with. Absent members and null leave the zero
// value, the first wrong type ends the decoding, and the message quotes the text
// from the wrong value on. Observed with go-sdk 1.8.0, segmentio/encoding 0.5.4.
var segmentioWords = &words{
	rules: rules{first: true, documentOrder: true, zero: true, finite: true, accepts: acceptsGo},
	issue: goIssue,
	text: func(_ *Shape, _ string, issues []Issue) string {
		return segmentioText(issues[0].fault)
	},
}

// acceptsGo is what encoding/json puts into the Go type that a node names.
func acceptsGo(n *node, v *schema.Value) bool {
	switch n.kind {
	case kindAny:
		return v.Kind != schema.Number || !math.IsInf(v.Float(), 0)
	case kindNumber:
		return v.Kind == schema.Number && !math.IsInf(v.Float(), 0)
	case kindInteger:
		if v.Kind != schema.Number || v.HasFraction() {
			return false
		}
		_, err := strconv.ParseInt(v.Text, 10, 64)
		return err == nil
	}
	return acceptsJSON(n, v)
}

// goType is the name of the Go type behind a node.
func goType(n *node) string {
	switch {
	case n.name != "":
		return n.name
	case n.kind == kindString:
		return "string"
	case n.kind == kindNumber || n.kind == kindAny:
		return "float64" // of an any only a number can be refused
	case n.kind == kindInteger:
		return "int"
	case n.kind == kindBoolean:
		return "bool"
	}
	return "map[string]interface {}"
}

func goIssue(f *fault) Issue {
	issue := Issue{Code: "type", Expected: goType(f.node), Received: jsType(f.value)}
	if f.kind == faultCheck {
		issue.Code = "base64"
	}
	issue.Message = segmentioText(f)
	return issue
}

func segmentioText(f *fault) string {
	if f.kind == faultCheck {
		return goBase64(f.value.Text).Error()
	}
	message := "json: cannot unmarshal " + segmentioValue(f) + " into Go "
	if len(f.path) == 0 {
		return message + "value of type " + goType(f.node)
	}
	var structs, path strings.Builder
	for _, s := range f.path {
		structs.WriteString(goType(s.in))
		path.WriteByte('.')
		if s.array {
			path.WriteString(strconv.Itoa(s.index))
		} else {
			path.WriteString(s.key)
		}
	}
	return message + "struct field " + structs.String() + path.String() + " of type " + goType(f.node)
}

// segmentioValue quotes the wrong value: the text from it on, or the literal alone
// where the number was read but does not fit.
func segmentioValue(f *fault) string {
	text, number := remaining(f), f.value != nil && f.value.Kind == schema.Number
	if number && (f.node.kind == kindAny || f.node.kind == kindInteger && f.value.HasFraction()) {
		text = f.value.Text
	}
	if len(text) >= 32 {
		text = text[:32] + "..."
	}
	if number && f.node.kind == kindInteger && !f.value.HasFraction() {
		return "number " + text + " overflows"
	}
	return strconv.Quote(text)
}

// remaining is the text from the wrong value to the end of the document, or its
// first 32 bytes. The source text is not at hand, so it is what a server without
// white space between tokens sends.
func remaining(f *fault) string {
	out := f.value.Compact()
	for at := f.value; at != f.root && len(out) <= 32; {
		holder := holderOf(f.root, f.path, at)
		if holder == nil {
			break
		}
		out += rest(holder, at)
		at = holder
	}
	return out
}

// holderOf finds the container of v along a path from root; identity decides,
// since a duplicate key may hide the member that was refused.
func holderOf(root *schema.Value, path []step, v *schema.Value) *schema.Value {
	at := []*schema.Value{root}
	for _, s := range path {
		var next []*schema.Value
		for _, holder := range at {
			for _, child := range children(holder, s) {
				if child == v {
					return holder
				}
				next = append(next, child)
			}
		}
		at = next
	}
	return nil
}

func children(v *schema.Value, s step) []*schema.Value {
	if s.array {
		if s.index < len(v.Items) {
			return v.Items[s.index : s.index+1]
		}
		return nil
	}
	var out []*schema.Value
	for _, m := range v.Members {
		if strings.EqualFold(m.Key, s.key) {
			out = append(out, m.Value)
		}
	}
	return out
}

// rest is the text of a container after one of its values.
func rest(holder, v *schema.Value) string {
	var out strings.Builder
	seen := false
	for _, item := range holder.Items {
		if seen {
			out.WriteByte(',')
			out.WriteString(item.Compact())
		}
		seen = seen || item == v
	}
	for _, m := range holder.Members {
		if seen {
			out.WriteByte(',')
			out.WriteString(schema.Quote(m.Key))
			out.WriteByte(':')
			out.WriteString(m.Value.Compact())
		}
		seen = seen || m.Value == v
	}
	if holder.Kind == schema.Array {
		out.WriteByte(']')
	} else {
		out.WriteByte('}')
	}
	return out.String()
}
