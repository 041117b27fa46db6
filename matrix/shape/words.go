package shape

import "github.com/hostmatrix/conform/schema"

// words is one parser family: the rules that decide, and how it reports.
type words struct {
	rules rules
	// issue puts one fault in the family's words.
	issue func(f *fault) Issue
	// text joins issues into what the library prints as its error message.
	text func(sh *Shape, part string, issues []Issue) string
}

// families are the values of the member "words" of a shape file.
var families = map[string]*words{
	"go-json":          jsonWords,
	"go-segmentio":     segmentioWords,
	"jackson":          jacksonWords,
	"kotlinx":          kotlinxWords,
	"plain":            plainWords,
	"pydantic":         pydanticWords,
	"serde":            serdeWords,
	"system-text-json": systemTextJSONWords,
	"zod3":             zod3Words,
	"zod4":             zod4Words,
	"zod4.0":           zod40Words,
	"zod4.1":           zod41Words,
	"zod4.4":           zod44Words,
}

// plainWords serves parsers whose own words are unknown, and the protocol
// revisions, which have none.
var plainWords = &words{
	rules: rules{accepts: acceptsJSON},
	issue: plainIssue,
	text: func(_ *Shape, _ string, issues []Issue) string {
		return lines(issues, "; ")
	},
}

// lines joins issues as "path: message".
func lines(issues []Issue, separator string) string {
	var out []byte
	for i, issue := range issues {
		if i > 0 {
			out = append(out, separator...)
		}
		if p := issue.Path.String(); p != "" {
			out = append(append(out, p...), ": "...)
		}
		out = append(out, issue.Message...)
	}
	return string(out)
}

func plainIssue(f *fault) Issue {
	want, got := expectation(f.node), "nothing"
	if f.value != nil {
		got = f.value.Kind.String()
	}
	switch f.kind {
	case faultLiteral:
		return Issue{Code: "value", Expected: want, Received: got, Message: "must be " + want}
	case faultUnion, faultTag:
		return Issue{Code: "union", Expected: want, Received: got, Message: "matches no allowed form"}
	case faultUnknownKeys:
		return Issue{Code: "unknown", Received: f.keys[0], Message: "unknown member " + schema.Quote(f.keys[0])}
	case faultCheck:
		return Issue{Code: f.check.name, Received: f.value.Compact(), Message: "must hold: " + checkNames[f.check.name]}
	}
	if f.value == nil {
		return Issue{Code: "missing", Expected: want, Received: got, Message: "is required"}
	}
	return Issue{Code: "type", Expected: want, Received: got, Message: "must be " + want + ", is " + got}
}

// expectation says in JSON Schema's words what a node accepts.
func expectation(n *node) string {
	switch n.kind {
	case kindString:
		return "string"
	case kindNumber:
		return "number"
	case kindInteger:
		return "integer"
	case kindBoolean:
		return "boolean"
	case kindObject, kindRecord, kindTagged:
		return "object"
	case kindArray:
		return "array"
	case kindNull:
		return "null"
	case kindNever:
		return "absent"
	case kindLiteral:
		return joinValues(n.values, " or ", (*schema.Value).Compact)
	case kindCustom:
		out := ""
		for i, k := range n.types {
			if i > 0 {
				out += " or "
			}
			out += k.String()
		}
		return out
	case kindUnion:
		out := ""
		for i, option := range n.options {
			if i > 0 {
				out += " or "
			}
			out += expectation(option)
		}
		return out
	}
	return "any"
}

func joinValues(values []*schema.Value, separator string, show func(*schema.Value) string) string {
	out := ""
	for i, v := range values {
		if i > 0 {
			out += separator
		}
		out += show(v)
	}
	return out
}
