package shape

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// pydanticWords is pydantic 2 in its default lax mode (the Python SDK): faults
// are collected in the order of the model's fields, a union reports those of
// every member with the member's name in the path. Observed with pydantic 2.14.
var pydanticWords = &words{
	rules: rules{adopt: adoptNone, accepts: acceptsPydantic, written: pydanticWritten},
	issue: pydanticIssue,
	text:  pydanticText,
}

// pydanticVersion stands in the address that ends every message.
const pydanticVersion = "2.14"

// pydanticFlags are the words for a boolean and what they stand for.
var pydanticFlags = map[string]bool{
	"0": false, "off": false, "f": false, "false": false, "n": false, "no": false,
	"1": true, "on": true, "t": true, "true": true, "y": true, "yes": true,
}

// acceptsPydantic is the lax conversion table: words and 0 or 1 for a boolean,
// numeric strings and booleans for a number, no number for a string. Source:
// pydantic's conversion table, checked by the goldens.
func acceptsPydantic(n *node, v *schema.Value) bool {
	if v == nil {
		return false
	}
	switch n.kind {
	case kindBoolean:
		switch v.Kind {
		case schema.String:
			_, ok := pydanticFlags[strings.ToLower(v.Text)]
			return ok
		case schema.Number:
			return v.Float() == 0 || v.Float() == 1
		}
	case kindNumber:
		switch v.Kind {
		case schema.String:
			_, err := strconv.ParseFloat(strings.TrimSpace(v.Text), 64)
			return err == nil
		case schema.Bool:
			return true
		}
	case kindInteger:
		switch v.Kind {
		case schema.String:
			whole, fraction, _ := strings.Cut(strings.TrimSpace(v.Text), ".")
			_, err := strconv.ParseInt(whole, 10, 64)
			return err == nil && strings.Trim(fraction, "0") == ""
		case schema.Bool:
			return true
		case schema.Number:
			return !math.IsInf(v.Float(), 0) && v.Float() == math.Trunc(v.Float())
		}
	}
	return acceptsJSON(n, v)
}

// pydanticWritten is the value that the lax conversion made of another type.
func pydanticWritten(n *node, v *schema.Value) *schema.Value {
	switch n.kind {
	case kindBoolean:
		switch v.Kind {
		case schema.String:
			return schema.Flag(pydanticFlags[strings.ToLower(v.Text)])
		case schema.Number:
			return schema.Flag(v.Float() != 0)
		}
	case kindNumber, kindInteger:
		number := 0.0
		switch v.Kind {
		case schema.String:
			number, _ = strconv.ParseFloat(strings.TrimSpace(v.Text), 64)
		case schema.Bool:
			if v.Bool {
				number = 1
			}
		default:
			return v
		}
		return &schema.Value{Kind: schema.Number, Text: strconv.FormatFloat(number, 'f', -1, 64)}
	}
	return v
}

func pydanticIssue(f *fault) Issue {
	for f.kind == faultUnion { // the issue is that of the first member
		f = f.branches[0][0]
	}
	code, message := pydanticMessage(f)
	return Issue{Code: code, Expected: expectation(f.node), Received: pyType(f.value), Message: message}
}

func pydanticMessage(f *fault) (code, message string) {
	switch {
	case f.value == nil:
		return "missing", "Field required"
	case f.kind == faultLiteral:
		return "literal_error", "Input should be " + pydanticOptions(f.node.values)
	case f.kind == faultCheck:
		limit := strconv.FormatFloat(f.check.limit, 'f', -1, 64)
		switch f.check.name {
		case "minimum":
			return "greater_than_equal", "Input should be greater than or equal to " + limit
		case "maximum":
			return "less_than_equal", "Input should be less than or equal to " + limit
		}
		return "url_parsing", "Input should be a valid URL, relative URL without a base"
	}
	switch f.node.kind {
	case kindObject:
		return "model_type", "Input should be a valid dictionary or instance of " + f.node.name
	case kindRecord:
		return "dict_type", "Input should be a valid dictionary"
	case kindArray:
		return "list_type", "Input should be a valid list"
	case kindBoolean:
		if f.value.Kind == schema.String || f.value.Kind == schema.Number {
			return "bool_parsing", "Input should be a valid boolean, unable to interpret input"
		}
		return "bool_type", "Input should be a valid boolean"
	case kindNumber:
		if f.value.Kind == schema.String {
			return "float_parsing", "Input should be a valid number, unable to parse string as a number"
		}
		return "float_type", "Input should be a valid number"
	case kindInteger:
		switch f.value.Kind {
		case schema.String:
			return "int_parsing", "Input should be a valid integer, unable to parse string as an integer"
		case schema.Number:
			return "int_from_float", "Input should be a valid integer, got a number with a fractional part"
		}
		return "int_type", "Input should be a valid integer"
	}
	if len(f.node.checks) > 0 && f.node.checks[0].name == "url" {
		return "url_type", "URL input should be a string or URL"
	}
	return "string_type", "Input should be a valid string"
}

// pydanticOptions joins literals as 'a', 'b' or 'c'.
func pydanticOptions(values []*schema.Value) string {
	out := ""
	for i, v := range values {
		switch {
		case i > 0 && i == len(values)-1:
			out += " or "
		case i > 0:
			out += ", "
		}
		out += pyRepr(v)
	}
	return out
}

// label is the name of a union's member, put into a path before the step at.
type label struct {
	at   int
	text string
}

func pydanticText(_ *Shape, _ string, issues []Issue) string {
	var out strings.Builder
	n := 0
	reprs := map[*schema.Value]string{}
	for _, issue := range issues {
		pydanticLines(&out, issue.fault, nil, reprs, &n)
	}
	plural := "s"
	if n == 1 {
		plural = ""
	}
	return fmt.Sprintf("%d validation error%s for %s%s", n, plural, rootName(issues[0].fault), out.String())
}

// rootName is the name of the model that was parsed.
func rootName(f *fault) string {
	if len(f.path) > 0 && f.path[0].in != nil {
		return f.path[0].in.name
	}
	return f.node.name
}

func pydanticLines(out *strings.Builder, f *fault, labels []label, reprs map[*schema.Value]string, n *int) {
	if f.kind == faultUnion {
		for i, branch := range f.branches {
			inner := append(labels[:len(labels):len(labels)], label{len(f.path), memberName(f.node.options[i])})
			for _, sub := range branch {
				pydanticLines(out, sub, inner, reprs, n)
			}
		}
		return
	}
	*n++
	code, message := pydanticMessage(f)
	shown := f.value
	if shown == nil {
		shown = f.parent
	}
	repr, ok := reprs[shown]
	if !ok {
		repr = truncated(pyRepr(shown))
		reprs[shown] = repr
	}
	fmt.Fprintf(out, "\n%s\n  %s [type=%s, input_value=%s, input_type=%s]\n    For further information visit https://errors.pydantic.dev/%s/v/%s",
		pydanticPath(f.path, labels), message, code, repr, pyType(shown), pydanticVersion, code)
}

func pydanticPath(path []step, labels []label) string {
	var parts []string
	for i := 0; i <= len(path); i++ {
		for _, l := range labels {
			if l.at == i {
				parts = append(parts, l.text)
			}
		}
		if i < len(path) {
			if path[i].array {
				parts = append(parts, strconv.Itoa(path[i].index))
			} else {
				parts = append(parts, path[i].key)
			}
		}
	}
	return strings.Join(parts, ".")
}

// memberName is how pydantic names a member of a union in a path.
func memberName(n *node) string {
	n = n.follow()
	switch {
	case n.name != "":
		return n.name
	case n.kind == kindRecord:
		return "dict[str,any]"
	case n.kind == kindString:
		return "str"
	case n.kind == kindInteger:
		return "int"
	case n.kind == kindNumber:
		return "float"
	case n.kind == kindBoolean:
		return "bool"
	}
	return expectation(n)
}
