package shape

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/hostmatrix/conform/schema"
)

// serdeWords is serde_json with derived types (rmcp). Members are met in document
// order, a field that comes twice is an error, null is an absent Option, and the
// first error ends the decoding. rmcp decodes into an untagged enum, so the
// message below never reaches anybody; its file has the words that do.
var serdeWords = &words{
	rules: rules{first: true, documentOrder: true, noDuplicates: true, nullIsAbsent: true, accepts: acceptsSerde},
	issue: serdeIssue,
	text: func(_ *Shape, _ string, issues []Issue) string {
		return issues[0].Message
	},
}

// acceptsSerde keeps integers and floats apart: 1.0 is no integer. One of 64 bits is
// taken with a sign or without (Codex 0.171.0, observed for the size of a link).
func acceptsSerde(n *node, v *schema.Value) bool {
	if v != nil && n.kind == kindInteger {
		_, signed := strconv.ParseInt(v.Text, 10, 64)
		_, unsigned := strconv.ParseUint(v.Text, 10, 64)
		return v.Kind == schema.Number && (signed == nil || unsigned == nil)
	}
	return acceptsJSON(n, v)
}

var serdeTypes = map[kind]string{
	kindString: "a string", kindNumber: "a number", kindInteger: "an integer", kindBoolean: "a boolean",
	kindObject: "a map", kindRecord: "a map", kindArray: "a sequence", kindTagged: "a map",
}

func serdeIssue(f *fault) Issue {
	key := ""
	if len(f.path) > 0 {
		key = f.path[len(f.path)-1].key
	}
	issue := Issue{Code: "invalid_type", Expected: serdeTypes[f.node.kind], Received: jsType(f.value)}
	switch {
	case f.kind == faultDuplicate:
		issue.Code, issue.Message = "duplicate_field", "duplicate field `"+key+"`"
	case f.value == nil:
		issue.Code, issue.Message = "missing_field", "missing field `"+key+"`"
	case f.kind == faultLiteral || f.kind == faultTag:
		issue.Code = "unknown_variant"
		text, _ := f.value.IsString()
		if f.kind == faultTag {
			text, _ = f.value.Get(f.node.tag).IsString()
		}
		issue.Message = "unknown variant `" + text + "`, expected one of " + backticked(f.node)
	case f.kind == faultUnion:
		issue.Code, issue.Message = "untagged", "data did not match any variant of untagged enum "+f.node.name
	default:
		issue.Message = "invalid type: " + serdeUnexpected(f.value) + ", expected " + issue.Expected
	}
	return issue
}

func backticked(n *node) string {
	names := append([]string(nil), n.tags...)
	for _, v := range n.values {
		names = append(names, v.Text)
	}
	return "`" + strings.Join(names, "`, `") + "`"
}

// serdeUnexpected names a value as serde's Unexpected does.
func serdeUnexpected(v *schema.Value) string {
	switch v.Kind {
	case schema.Null:
		return "null"
	case schema.Bool:
		return "boolean `" + v.Compact() + "`"
	case schema.Number:
		if v.HasFraction() {
			return "floating point `" + v.Text + "`"
		}
		return "integer `" + v.Text + "`"
	case schema.String:
		return "string " + schema.Quote(v.Text)
	case schema.Array:
		return "sequence"
	}
	return "map"
}

// rustDebug writes v as {:?} of a serde_json::Value does, keys in order of bytes.
func rustDebug(v *schema.Value, ordered bool) string {
	switch v.Kind {
	case schema.Null:
		return "Null"
	case schema.Bool:
		return "Bool(" + v.Compact() + ")"
	case schema.Number:
		return "Number(" + schema.SerdeNumber(v.Text, false) + ")"
	case schema.String:
		return "String(" + rustQuoted(v.Text) + ")"
	case schema.Array:
		parts := make([]string, len(v.Items))
		for i, item := range v.Items {
			parts[i] = rustDebug(item, ordered)
		}
		return "Array [" + strings.Join(parts, ", ") + "]"
	}
	members := slices.Clone(v.Unique())
	if !ordered {
		slices.SortFunc(members, func(a, b schema.Member) int { return strings.Compare(a.Key, b.Key) })
	}
	parts := make([]string, len(members))
	for i, m := range members {
		parts[i] = rustQuoted(m.Key) + ": " + rustDebug(m.Value, ordered)
	}
	return "Object {" + strings.Join(parts, ", ") + "}"
}

// rustQuoted writes text as {:?} of a str does: \0 for NUL, \u{hex} for what cannot
// be printed and for marks that combine with the character before them.
func rustQuoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == 0:
			b.WriteString(`\0`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.In(r, unicode.Mn, unicode.Me) || !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
